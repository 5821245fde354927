import type { APIEmbed } from 'discord.js';
import { formatDuration } from '../alert/format.ts';
import { joinFitting } from '../alert/join-fitting.ts';
import type { Status } from '../ops/ops.ts';
import { CHECK_NAMES, type CheckName } from '../ops/readiness.ts';
import { described } from './localised.ts';
import type { Subcommand } from './subcommand.ts';
import { WATCH_COLOUR } from './watch-target.ts';

const TROUBLE_COLOUR = 0xed4245;
const CHANNELS_SHOWN = 5;
const CHECK_TITLES: Readonly<Record<CheckName, string>> = {
  gateway: 'Discord',
  store: 'Store',
  venue: 'Venue',
  lastPoll: 'Polling',
};

/** `/watch status`: how the bot is doing. Of other servers it tells counts alone. */
export const watchStatus: Subcommand = {
  name: 'status',
  define: (builder) => described(builder, (texts) => texts.status),
  isPrivate: true,
  async execute(interaction, { ops }) {
    const status = ops.status(interaction.guildId);
    await interaction.editReply({ embeds: [statusEmbed(status)], allowedMentions: { parse: [] } });
  },
};

function statusEmbed(status: Status): APIEmbed {
  const { here, total, polls, ready } = status;
  const field = (name: string, lines: readonly string[]) => ({ name, value: lines.join('\n'), inline: false });
  return {
    title: ready.ready ? 'The bot works' : 'Something is wrong',
    color: ready.ready ? WATCH_COLOUR : TROUBLE_COLOUR,
    description: joinFitting(checkLines(status)).text,
    fields: [
      field('Request budget', budgetLines(status.budget)),
      field('Polls', [
        `${polls.succeeded} in the last ${minutes(polls.windowMs)}${polls.failed > 0 ? `, and ${polls.failed} failed` : ''}`,
        ...(status.lastPollMs === null ? [] : [`The last succeeded ${relative(status.lastPollMs)}`]),
      ]),
      field('Alerts here', alertLines(here)),
      field('The whole bot', [
        `${here.watches} here · ${total.watches} in all, of ${total.wallets} ${total.wallets === 1 ? 'wallet' : 'wallets'}`,
        `${total.waiting} ${total.waiting === 1 ? 'alert waits' : 'alerts wait'} in all`,
      ]),
    ],
    footer: { text: `walletbell ${status.version} · up for ${formatDuration(status.uptimeSeconds)}` },
  };
}

function checkLines({ ready, gatewayPingMs }: Status): string[] {
  return CHECK_NAMES.map((name) => {
    const { ok, sinceMs, reason } = ready.checks[name];
    const ping = name === 'gateway' && ok && gatewayPingMs !== null ? ` · ${Math.round(gatewayPingMs)} ms` : '';
    const since = ok ? '' : ` Since ${relative(sinceMs)}.`;
    return `${ok ? '✅' : '⚠️'} ${CHECK_TITLES[name]}${ping}${reason === null ? '' : `: ${reason}`}${since}`;
  });
}

function budgetLines({ limit, remaining, allowance, used, resetAtMs, blockedUntilMs }: Status['budget']): string[] {
  const sent = used.poller + used.person;
  return [
    limit === null
      ? 'The venue has not told its limit yet.'
      : `${remaining ?? 'An unknown number'} of ${limit} left${resetAtMs === null ? '' : `, new ${relative(resetAtMs)}`}`,
    `${sent} used in this window${allowance === null ? '' : ` of ${allowance} that the bot may use`}: ${used.poller} by polls, ${used.person} by people`,
    ...(blockedUntilMs === null
      ? []
      : [`⚠️ The venue asked for a pause (429), which ends ${relative(blockedUntilMs)}.`]),
  ];
}

function alertLines({ waiting, blockedChannels, deadLetters, delays }: Status['here']): string[] {
  const shown = blockedChannels.slice(0, CHANNELS_SHOWN).map((channelId) => `<#${channelId}>`);
  const more = blockedChannels.length > shown.length ? ` and ${blockedChannels.length - shown.length} more` : '';
  return [
    delays === null
      ? 'None since the start of the bot.'
      : `Delay of the last ${delays.count}: median ${formatDuration(delays.medianSeconds)}, 95 % within ${formatDuration(delays.p95Seconds)}`,
    waiting.alerts === 0
      ? 'Nothing waits.'
      : `${waiting.alerts} ${waiting.alerts === 1 ? 'waits' : 'wait'}, the oldest for ${formatDuration(waiting.oldestSeconds)}`,
    ...(shown.length === 0 ? [] : [`⚠️ Cannot be written: ${shown.join(', ')}${more}. \`/watch list\` says why.`]),
    ...(deadLetters === 0 ? [] : [`⚠️ ${deadLetters} could not be delivered. \`/watch list\` says why.`]),
  ];
}

function relative(epochMs: number): string {
  return `<t:${Math.floor(epochMs / 1000)}:R>`;
}

function minutes(durationMs: number): string {
  return `${Math.round(durationMs / 60_000)} minutes`;
}
