import type { Guild } from 'discord.js';
import { sayFailure } from '../alert/delivery.ts';
import { joinFitting } from '../alert/join-fitting.ts';
import { escapeText } from '../alert/text.ts';
import { checksummed } from '../venue/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../venue/schema.ts';
import type { Watch } from '../watch/watch.ts';
import { mentionTrouble } from './channel-check.ts';
import type { CommandContext, GuildButton, GuildCommand } from './command.ts';
import { described } from './localised.ts';
import { pageButtons } from './page-buttons.ts';
import type { Subcommand } from './subcommand.ts';
import { pagesOf } from './watch-pages.ts';
import { shownLabel, WATCH_COLOUR } from './watch-target.ts';
import { pauseWords, settingsWords } from './watch-words.ts';

const WATCHES_PER_PAGE = 10;
const MARKETS_SHOWN = 3;
const REASON_LIMIT = 200;
const INDENT = '\u2003';

/** `/watch list`: all watches of the server in words, page by page, and what is wrong with them. */
export const watchList: Subcommand = {
  name: 'list',
  define: (builder) => described(builder, (texts) => texts.list),
  isPrivate: true,
  execute: (interaction, context) => show(interaction, context, 0),
  press: (interaction, [page = '0'], context) => show(interaction, context, Number(page)),
};

async function show(
  interaction: GuildCommand | GuildButton,
  context: CommandContext,
  wantedPage: number,
): Promise<void> {
  const guild = interaction.inCachedGuild() ? interaction.guild : null;
  const watches = context.registry
    .ofGuild(interaction.guildId)
    .toSorted((a, b) => compare(a.channelId, b.channelId) || compare(nameOf(a), nameOf(b)));
  const headings = new Map(watches.map(({ channelId }) => [channelId, channelLines(channelId, context).join('\n')]));
  const blocks = watches.map((watch) => ({
    heading: headings.get(watch.channelId) ?? '',
    body: watchLines(watch, guild, context).join(`\n${INDENT}`),
  }));
  const pages = pagesOf(troubleLines(context).join('\n'), blocks, WATCHES_PER_PAGE);
  const index = Math.min(Math.max(0, Math.trunc(wantedPage) || 0), pages.length - 1);
  const { list } = context.language.words.watch;
  const lines = [pages[index] ?? '', ...(watches.length === 0 ? [list.nothing] : [])];
  await interaction.editReply({
    embeds: [
      {
        title: list.title(watches.length),
        description: joinFitting(lines.join('\n').trim().split('\n')).text,
        color: WATCH_COLOUR,
        ...(pages.length > 1 ? { footer: { text: list.page(index + 1, pages.length) } } : {}),
      },
    ],
    components: pages.length > 1 ? [pageButtons('watch:list', index, index + 1 < pages.length, context.language)] : [],
    allowedMentions: { parse: [] },
  });
}

function troubleLines({ health, language }: CommandContext): string[] {
  const { gap, list } = language.words.watch;
  const troubles = ENDPOINT_NAMES.map((name) => health.trouble(name)).filter((trouble) => trouble !== null);
  const byReason = new Map(troubles.map((trouble) => [trouble.say(language), trouble.sinceMs]));
  return [...byReason].map(([reason, sinceMs]) => `⚠️ ${reason}${gap}${list.since(relative(sinceMs / 1000))}`);
}

/** The heading of a channel, and what keeps alerts from it. */
function channelLines(channelId: string, { courier, rooms, language }: CommandContext): string[] {
  const { gap, list } = language.words.watch;
  const dead = courier.deadLetters(channelId);
  const lastDead = dead.at(-1);
  const block = courier.block(channelId);
  return [
    `**<#${channelId}>**${rooms.get(channelId)?.view === 'compact' ? ` · ${list.compactView}` : ''}`,
    ...(lastDead === undefined
      ? []
      : [
          `⚠️ ${list.undelivered(dead.length, escapeText(sayFailure(lastDead.reason)(language), REASON_LIMIT, list.noReason))}`,
        ]),
    ...(block === null
      ? []
      : [`⚠️ ${sayFailure(block.reason)(language)}${gap}${list.alertsWait(relative(block.sinceMs / 1000))}`]),
  ];
}

function watchLines(watch: Watch, guild: Guild | null, context: CommandContext): string[] {
  const { wallet, label, channelId, settings } = watch;
  const { language } = context;
  const { list, noName } = language.words.watch;
  const nowSeconds = context.venueClock().nowMs / 1000;
  const words = settingsWords(settings, language, MARKETS_SHOWN);
  const pause = pauseWords(watch, nowSeconds, language);
  const trouble =
    settings.mention === null || guild === null ? null : mentionTrouble(guild, channelId, settings.mention.roleId);
  return [
    `• ${label === null ? '' : `${shownLabel(label, noName)} `}\`${checksummed(wallet)}\``,
    ...(words.length === 0 ? [] : [words.join(' · ')]),
    ...(trouble === null ? [] : [`⚠️ ${trouble(language)}`]),
    ...(pause === null ? [] : [`⏸️ ${pause}`]),
    list.polled(ENDPOINT_NAMES.map((name) => pollWords(watch, name, nowSeconds, context)).join(' · ')),
  ];
}

/** When an endpoint was polled, and will be. */
function pollWords({ wallet }: Watch, name: EndpointName, nowSeconds: number, context: CommandContext): string {
  const { lastSeconds, nextSeconds } = context.schedule.outlook({ wallet, name });
  const { list } = context.language.words.watch;
  const words = list.lastPoll(list.endpoints[name], lastSeconds === null ? null : relative(lastSeconds));
  // What is wrong stands at the top; until it is put right nobody knows when the next poll comes.
  if (context.health.trouble(name) !== null) return `${words} ⚠️`;
  if (nextSeconds === null) return words;
  return list.nextPoll(words, nextSeconds <= nowSeconds ? null : relative(nextSeconds));
}

function relative(seconds: number): string {
  return `<t:${Math.floor(seconds)}:R>`;
}

function nameOf({ label, wallet }: Watch): string {
  return label ?? wallet;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
