import type { APIEmbed } from 'discord.js';
import { joinFitting } from '../../src/embeds/join-fitting.ts';
import type { Language } from '../../src/language/language.ts';
import type { Status } from '../../src/ops/ops.ts';
import { CHECK_NAMES } from '../../src/ops/readiness.ts';
import { described } from '../shared/localised.ts';
import type { Subcommand } from './shared/subcommand.ts';
import { WATCH_COLOUR } from './shared/target.ts';

const TROUBLE_COLOUR = 0xed4245;
const CHANNELS_SHOWN = 5;
const SHARDS_SHOWN = 16;

/** `/watch status`: how the bot is doing. Of other servers it tells counts alone. */
export const watchStatus: Subcommand = {
  name: 'status',
  define: (builder) => described(builder, (texts) => texts.status),
  isPrivate: true,
  async execute(interaction, { ops, language }) {
    const status = ops.status(interaction.guildId);
    await interaction.editReply({ embeds: [statusEmbed(status, language)], allowedMentions: { parse: [] } });
  },
};

/** How the bot is doing, within Discord's limits. */
export function statusEmbed(status: Status, language: Language): APIEmbed {
  const { here, total, polls, ready } = status;
  const { figures } = language;
  const { status: words } = language.words.watch;
  const field = (name: string, lines: readonly string[]) => ({ name, value: lines.join('\n'), inline: false });
  return {
    title: ready.ready ? words.works : words.broken,
    color: ready.ready ? WATCH_COLOUR : TROUBLE_COLOUR,
    description: joinFitting([...checkLines(status, language), ...shardLines(status, language)]).text,
    fields: [
      field(words.fields.budget, budgetLines(status.budget, language)),
      field(words.fields.polls, [
        words.polls(polls.succeeded, polls.failed, Math.round(polls.windowMs / 60_000)),
        ...(status.lastPollMs === null ? [] : [words.lastSucceeded(relative(status.lastPollMs))]),
      ]),
      field(words.fields.here, alertLines(here, language)),
      field(words.fields.all, [
        `${words.watchesHere(here.watches)} · ${words.watchesInAll(total.watches, total.wallets)}`,
        words.waitInAll(total.waiting),
      ]),
    ],
    footer: { text: `walletbell ${status.version} · ${words.upFor(figures.duration(status.uptimeSeconds))}` },
  };
}

function checkLines({ ready, gatewayPingMs }: Status, language: Language): string[] {
  const { gap, list, status: words } = language.words.watch;
  return CHECK_NAMES.map((name) => {
    const { ok, sinceMs, say } = ready.checks[name];
    const ping = name === 'gateway' && ok && gatewayPingMs !== null ? ` · ${Math.round(gatewayPingMs)} ms` : '';
    const title = words.checks[name] + ping;
    const line = say === null ? title : words.because(title, say(language));
    return ok ? `✅ ${line}` : `⚠️ ${line}${gap}${list.since(relative(sinceMs))}`;
  });
}

/** Where there are several: those that are not connected first. */
function shardLines({ shards, shardHere }: Status, { words: { watch } }: Language): string[] {
  if (shards.length < 2) return [];
  const shown = shards
    .toSorted((a, b) => Number(a.isUp) - Number(b.isUp))
    .slice(0, SHARDS_SHOWN)
    .map(({ id, isUp, pingMs }) => `${id}${isUp ? '' : ' ⚠️'}${pingMs === null ? '' : ` (${Math.round(pingMs)} ms)`}`)
    .join(watch.comma);
  const more = shards.length - SHARDS_SHOWN;
  return [watch.status.shards(more > 0 ? watch.andMore(shown, more) : shown, shardHere)];
}

function budgetLines(
  { limit, remaining, allowance, used, resetAtMs, blockedUntilMs }: Status['budget'],
  language: Language,
): string[] {
  const { status: words } = language.words.watch;
  return [
    limit === null ? words.limitUnknown : words.left(remaining, limit, resetAtMs === null ? null : relative(resetAtMs)),
    words.used(used.poller + used.person, allowance, used.poller, used.person),
    ...(blockedUntilMs === null ? [] : [`⚠️ ${words.venueAskedForPause(relative(blockedUntilMs))}`]),
  ];
}

function alertLines(
  { waiting, blockedChannels, deadLetters, delays }: Status['here'],
  { words: { watch }, figures }: Language,
): string[] {
  const { status: words } = watch;
  const shown = blockedChannels.slice(0, CHANNELS_SHOWN).map((channelId) => `<#${channelId}>`);
  const channels = shown.join(watch.comma);
  const more = blockedChannels.length - shown.length;
  return [
    delays === null
      ? words.noAlerts
      : words.delays(delays.count, figures.duration(delays.medianSeconds), figures.duration(delays.p95Seconds)),
    waiting.alerts === 0 ? words.nothingWaits : words.waiting(waiting.alerts, figures.duration(waiting.oldestSeconds)),
    ...(shown.length === 0 ? [] : [`⚠️ ${words.cannotWrite(more > 0 ? watch.andMore(channels, more) : channels)}`]),
    ...(deadLetters === 0 ? [] : [`⚠️ ${words.undelivered(deadLetters)}`]),
  ];
}

function relative(epochMs: number): string {
  return `<t:${Math.floor(epochMs / 1000)}:R>`;
}
