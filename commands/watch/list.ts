import type { APIEmbed } from 'discord.js';
import { sayFailure } from '../../src/delivery/failures.ts';
import { checksummed, shortAddress } from '../../src/domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../../src/domain/records.ts';
import { EMBED_COLOURS, present, smallPrint } from '../../src/embeds/embed-parts.ts';
import { escapeText } from '../../src/embeds/text/escape.ts';
import { joinFitting } from '../../src/embeds/text/limits.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { compare } from '../../src/lib/text/compare.ts';
import { button, buttonRow, type ComponentRow } from '../../src/messages/buttons.ts';
import { hoursWords } from '../../src/watches/quiet-hours.ts';
import { words } from '../../src/watches/settings/words.ts';
import { seenSinceOf, type Watch } from '../../src/watches/watch.ts';
import { settingsWords } from '../../src/watches/watch-settings.ts';
import type { CommandContext } from '../shared/context.ts';
import { settingsMenu } from './panel/rows.ts';
import { changesPage, seenChanges } from './shared/changes.ts';
import { isManager, mentionWarnings, type Subcommand } from './shared/command.ts';
import { pageOf, paging, rowsFrom } from './shared/page.ts';
import { shownIn } from './shared/seen-markets.ts';
import {
  capitalized,
  channelName,
  pauseWords,
  relative,
  shownLabel,
  venueTroubles,
  watchedTitle,
  writingTrouble,
} from './shared/words.ts';

const WATCHES_PER_PAGE = 10;
const MARKETS_SHOWN = 3;
const REASON_LIMIT = 200;
/** Age from which on a poll is listed as late, in seconds. */
const LATE_SECONDS = 300;
const INDENT = '\u2003';

/** `/watch list`: all watches of the server in words, page by page, with their problems. */
export const watchList: Subcommand = {
  name: 'list',
  about: (texts) => texts.list,
  isPrivate: true,
  execute: async (_interaction, context) => pageFrom(context, 0),
  async press(_interaction, [what = '0', index = '0'], context) {
    if (what === 'changes') return changesPage(context, Number(index));
    return pageFrom(context, Number(what));
  },
};

/** @param wantedIndex index of the first watch shown, counted from 0 */
async function pageFrom(context: CommandContext, wantedIndex: number) {
  const unsorted = context.registry.ofOwner(context.place.ownerId);
  const troubles = new Map<string, string[]>();
  for (const channelId of new Set(unsorted.map((watch) => watch.channelId))) {
    troubles.set(channelId, channelTroubles(channelId, context));
  }
  const isWell = ({ channelId }: Watch) => Number(troubles.get(channelId)?.length === 0);
  const watches = unsorted.toSorted(
    (a, b) =>
      isWell(a) - isWell(b) ||
      compare(a.channelId, b.channelId) ||
      compare(a.label ?? a.wallet, b.label ?? b.wallet),
  );
  const { first, shown } = rowsFrom(watches, wantedIndex, WATCHES_PER_PAGE);
  const labels = walletsByLabel(watches);
  const blocks = shown.map(async (watch) => {
    const { channelId } = watch;
    const heading = [channelLine(channelId, context), ...(troubles.get(channelId) ?? [])];
    const body = await watchText(watch, context, labels.get(watch.label) !== 1);
    return { heading: heading.join('\n'), body };
  });
  const above = venueTroubles(context).join('\n');
  const { text, count } = pageOf(above, await Promise.all(blocks));
  const { language } = context;
  const { list, changes } = language.texts.watch;
  const rows = { first, next: first + count, perPage: WATCHES_PER_PAGE, all: watches.length };
  const { buttons: pages, range } = paging(rows, (at) => `watch:list:${at}`, language);
  const buttons: ReturnType<typeof button>[] = pages;
  if (isManager(context) && seenChanges(context).length > 0) {
    buttons.push(button('watch:list:changes:0', changes.title));
  }
  const shownNow = shown.slice(0, count);
  const components: ComponentRow[] = settingsMenu(shownNow, context);
  if (buttons.length > 0) components.push(buttonRow(...buttons));
  const lines = [text];
  if (watches.length === 0) lines.push(list.nothing);
  const broken = [...troubles.values()].filter(({ length }) => length > 0).length;
  const problems = broken !== 0 && `⚠️ ${list.problems(broken)}`;
  const embed: APIEmbed = {
    title: present(watchedTitle(watches, language), problems),
    description: joinFitting(lines.join('\n').trim().split('\n')).text,
    color: EMBED_COLOURS.answer,
  };
  if (range !== null) embed.footer = { text: range };
  return { embeds: [embed], components };
}

function channelLine(channelId: string, context: CommandContext): string {
  const { channelSettings, language } = context;
  const { list } = language.texts.watch;
  const settings = channelSettings.get(channelId);
  return present(
    `**${capitalized(channelName(channelId, context))}**`,
    settings?.view === 'compact' && list.compactView,
    settings?.consensusOnly === true && list.consensusOnly,
    settings?.results === false && list.noResults,
    settings?.quiet && list.quiet(...hoursWords(settings.quiet)),
    settings?.delay && list.delay(language.format.duration(settings.delay.ms / 1000)),
    settings?.words && words.say(settings.words, language, MARKETS_SHOWN),
  );
}

/** Returns the problems that prevent all or some alerts in a channel, one per line. */
function channelTroubles(channelId: string, context: CommandContext): string[] {
  const { deliveryWorker, language } = context;
  const { gap, list } = language.texts.watch;
  const troubles: string[] = [];
  const dead = deliveryWorker.deadLetters(channelId);
  const lastDead = dead.at(-1);
  if (lastDead !== undefined) {
    const why = escapeText(sayFailure(lastDead.reason)(language), REASON_LIMIT, list.noReason);
    troubles.push(`⚠️ ${list.undelivered(dead.length, why)}`);
  }
  const why = writingTrouble(channelId, context);
  if (why !== null) {
    const sinceMs = deliveryWorker.blockedSinceMs(channelId);
    const waiting = sinceMs === null ? '' : gap + list.alertsWait(relative(sinceMs / 1000));
    troubles.push(`⚠️ ${why}${waiting}`);
  }
  return troubles;
}

/** Returns the number of wallets with each label. */
function walletsByLabel(watches: readonly Watch[]): ReadonlyMap<string | null, number> {
  const byLabel = groupBy(watches, ({ label }) => label);
  return new Map(
    [...byLabel].map(([label, own]) => [label, new Set(own.map(({ wallet }) => wallet)).size]),
  );
}

/**
 * Returns a watch in one line: its name, settings, and the wallet's last trade. Its problems and
 * its pause are below.
 * @param needsAddress whether the label is not enough to identify the wallet
 */
async function watchText(
  watch: Watch,
  context: CommandContext,
  needsAddress: boolean,
): Promise<string> {
  const { wallet, label, settings } = watch;
  const { language } = context;
  const { noName } = language.texts.watch;
  const pause = pauseWords(watch, context.venueNowSeconds(), language);
  const { lastTrade, late } = await freshness(watch, context);
  const address = needsAddress ? ` \`${shortAddress(wallet)}\`` : '';
  const name = label === null ? `\`${checksummed(wallet)}\`` : shownLabel(label, noName) + address;
  const settingWords = settingsWords(settings, language, MARKETS_SHOWN);
  const lines = [`• ${present(name, ...settingWords, lastTrade)}`];
  lines.push(...mentionWarnings(watch, context));
  if (pause !== null) lines.push(`⏸️ ${pause}`);
  return [lines.join(`\n${INDENT}`), ...smallPrint(late)].join('\n');
}

/**
 * Returns when a wallet last traded, as far as the server may know, and which of its polls are
 * late.
 */
async function freshness(watch: Watch, context: CommandContext) {
  const { list, comma } = context.language.texts.watch;
  const nowSeconds = context.venueNowSeconds();
  // Earlier polls made for another server must not be revealed.
  const polledSeconds = (name: EndpointName) => {
    const lastSeconds = context.feed.lastSeconds({ wallet: watch.wallet, name });
    if (lastSeconds !== null && lastSeconds >= seenSinceOf(watch)) return lastSeconds;
    return null;
  };
  const sizes = (await context.knowledge(watch.wallet))?.portfolio.sizes ?? [];
  // Its own first page showed the trades up to then, to whoever added the wallet first and to
  // everyone later.
  const knownSeconds = watch.joined?.knownSinceSeconds ?? 0;
  const isShown = await shownIn(watch.channelId, watch.wallet, context);
  const isPolled = polledSeconds('activity') !== null;
  const times = isPolled
    ? sizes
        .map(([timeSeconds]) => timeSeconds)
        .filter((timeSeconds) => timeSeconds >= knownSeconds && isShown(timeSeconds))
    : [];
  const late: string[] = [];
  for (const name of ENDPOINT_NAMES) {
    const endpoint = list.endpoints[name];
    const lastSeconds = polledSeconds(name);
    if (lastSeconds === null) late.push(list.lastPoll(endpoint, null));
    else if (nowSeconds - lastSeconds > LATE_SECONDS) {
      late.push(list.lastPoll(endpoint, relative(lastSeconds)));
    }
  }
  return {
    lastTrade: times.length > 0 && list.lastTrade(relative(Math.max(...times))),
    late: late.length > 0 && list.polled(late.join(comma)),
  };
}
