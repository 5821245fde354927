import type { Guild } from 'discord.js';
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
const ENDPOINT_WORDS: Readonly<Record<EndpointName, string>> = {
  activity: 'trades',
  'deposits-withdrawals': 'transfers',
};

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
  const lines = [
    pages[index] ?? '',
    ...(watches.length === 0 ? ['Nothing rings in this server yet. `/watch add` begins.'] : []),
  ];
  await interaction.editReply({
    embeds: [
      {
        title: watches.length === 1 ? '1 watch' : `${watches.length} watches`,
        description: joinFitting(lines.join('\n').trim().split('\n')).text,
        color: WATCH_COLOUR,
        ...(pages.length > 1 ? { footer: { text: `Page ${index + 1} of ${pages.length}` } } : {}),
      },
    ],
    components: pages.length > 1 ? [pageButtons('watch:list', index, index + 1 < pages.length)] : [],
    allowedMentions: { parse: [] },
  });
}

function troubleLines({ health }: CommandContext): string[] {
  const troubles = ENDPOINT_NAMES.map((name) => health.trouble(name)).filter((trouble) => trouble !== null);
  const byReason = new Map(troubles.map((trouble) => [trouble.reason, trouble]));
  return [...byReason.values()].map(({ reason, sinceMs }) => `⚠️ ${reason} Since ${relative(sinceMs / 1000)}.`);
}

/** The heading of a channel, and what keeps alerts from it. */
function channelLines(channelId: string, { courier, rooms }: CommandContext): string[] {
  const dead = courier.deadLetters(channelId);
  const lastDead = dead.at(-1);
  const block = courier.block(channelId);
  return [
    `**<#${channelId}>**${rooms.get(channelId)?.view === 'compact' ? ' · compact view' : ''}`,
    ...(lastDead === undefined
      ? []
      : [
          `⚠️ ${dead.length} ${dead.length === 1 ? 'alert' : 'alerts'} could not be delivered here. The last: ${escapeText(lastDead.reason, REASON_LIMIT, 'no reason')}`,
        ]),
    ...(block === null ? [] : [`⚠️ ${block.reason} Alerts wait since ${relative(block.sinceMs / 1000)}.`]),
  ];
}

function watchLines(watch: Watch, guild: Guild | null, context: CommandContext): string[] {
  const { wallet, label, channelId, settings } = watch;
  const nowSeconds = context.venueClock().nowMs / 1000;
  const words = settingsWords(settings, MARKETS_SHOWN);
  const pause = pauseWords(watch, nowSeconds);
  const trouble =
    settings.mention === null || guild === null ? null : mentionTrouble(guild, channelId, settings.mention.roleId);
  return [
    `• ${label === null ? '' : `${shownLabel(label, 'no name')} `}\`${checksummed(wallet)}\``,
    ...(words.length === 0 ? [] : [words.join(' · ')]),
    ...(trouble === null ? [] : [`⚠️ ${trouble(context.language)}`]),
    ...(pause === null ? [] : [`⏸️ ${pause}`]),
    `polled: ${ENDPOINT_NAMES.map((name) => pollWords(watch, name, nowSeconds, context)).join(' · ')}`,
  ];
}

/** When an endpoint was polled, and will be. */
function pollWords({ wallet }: Watch, name: EndpointName, nowSeconds: number, context: CommandContext): string {
  const { lastSeconds, nextSeconds } = context.schedule.outlook({ wallet, name });
  const words = `${ENDPOINT_WORDS[name]} ${lastSeconds === null ? 'not yet' : relative(lastSeconds)}`;
  // What is wrong stands at the top; until it is put right nobody knows when the next poll comes.
  if (context.health.trouble(name) !== null) return `${words} ⚠️`;
  if (nextSeconds === null) return words;
  return `${words}, next ${nextSeconds <= nowSeconds ? 'at once' : relative(nextSeconds)}`;
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
