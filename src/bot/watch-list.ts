import type { APIEmbed } from 'discord.js';
import { joinFitting } from '../alert/join-fitting.ts';
import { escapeText } from '../alert/text.ts';
import { checksummed, type WalletAddress } from '../venue/address.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import type { Watch } from '../watch/watch.ts';
import type { CommandContext, GuildButton, GuildCommand } from './command.ts';
import { pageButtons } from './page-buttons.ts';
import type { Subcommand } from './subcommand.ts';
import { shownLabel, WATCH_COLOUR } from './watch-target.ts';

const WATCHES_PER_PAGE = 10;
const REASON_LIMIT = 200;

/** `/watch list`: all watches of the server, page by page, and what is wrong with them. */
export const watchList: Subcommand = {
  name: 'list',
  define: (builder) => builder.setDescription('All watches of this server, and what is wrong with them'),
  isPrivate: true,
  execute: (interaction, context) => show(interaction, context, 0),
  press: (interaction, [page = '0'], context) => show(interaction, context, Number(page)),
};

async function show(
  interaction: GuildCommand | GuildButton,
  context: CommandContext,
  wantedPage: number,
): Promise<void> {
  const watches = context.registry
    .ofGuild(interaction.guildId)
    .toSorted((a, b) => compare(a.channelId, b.channelId) || compare(nameOf(a), nameOf(b)));
  const pages = Math.max(1, Math.ceil(watches.length / WATCHES_PER_PAGE));
  const page = Math.min(Math.max(0, Math.trunc(wantedPage) || 0), pages - 1);
  const shown = watches.slice(page * WATCHES_PER_PAGE, (page + 1) * WATCHES_PER_PAGE);
  const embed: APIEmbed = {
    title: watches.length === 1 ? '1 watch' : `${watches.length} watches`,
    description: joinFitting([...troubleLines(context), ...watchLines(shown, context)]).text,
    color: WATCH_COLOUR,
    ...(pages > 1 ? { footer: { text: `Page ${page + 1} of ${pages}` } } : {}),
  };
  await interaction.editReply({
    embeds: [embed],
    components: pages > 1 ? [pageButtons('watch:list', page, page + 1 < pages)] : [],
    allowedMentions: { parse: [] },
  });
}

function troubleLines({ health }: CommandContext): string[] {
  const troubles = ENDPOINT_NAMES.map((name) => health.trouble(name)).filter((trouble) => trouble !== null);
  const byReason = new Map(troubles.map((trouble) => [trouble.reason, trouble]));
  return [...byReason.values()].map(({ reason, sinceMs }) => `⚠️ ${reason} Since <t:${Math.floor(sinceMs / 1000)}:R>.`);
}

function watchLines(watches: readonly Watch[], { courier, schedule }: CommandContext): string[] {
  if (watches.length === 0) return ['Nothing rings in this server yet. `/watch add` begins.'];
  let channelId = '';
  return watches.flatMap((shown) => {
    const rows: string[] = [];
    if (shown.channelId !== channelId) {
      channelId = shown.channelId;
      const block = courier.block(channelId);
      rows.push(`**<#${channelId}>**`);
      const dead = courier.deadLetters(channelId);
      const lastDead = dead.at(-1);
      if (lastDead !== undefined) {
        rows.push(
          `⚠️ ${dead.length} ${dead.length === 1 ? 'alert' : 'alerts'} could not be delivered here. The last: ${escapeText(lastDead.reason, REASON_LIMIT, 'no reason')}`,
        );
      }
      if (block !== null) rows.push(`⚠️ ${block.reason} Alerts wait since <t:${Math.floor(block.sinceMs / 1000)}:R>.`);
    }
    const label = shown.label === null ? '' : `${shownLabel(shown.label, 'no name')} `;
    rows.push(`• ${label}\`${checksummed(shown.wallet)}\` · ${lastPolled(shown.wallet, schedule)}`);
    return rows;
  });
}

function lastPolled(wallet: WalletAddress, schedule: CommandContext['schedule']): string {
  const times = ENDPOINT_NAMES.map((name) => schedule.outlook({ wallet, name }).lastSeconds);
  const known = times.filter((seconds) => seconds !== null);
  return known.length === 0 ? 'not looked at yet' : `looked at <t:${Math.floor(Math.max(...known))}:R>`;
}

function nameOf({ label, wallet }: Watch): string {
  return label ?? wallet;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
