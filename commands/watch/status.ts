import type { APIEmbed } from 'discord.js';
import { EMBED_COLOURS, present } from '../../src/embeds/embed-parts.ts';
import { joinFitting } from '../../src/embeds/text/limits.ts';
import type { Language } from '../../src/language/language.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { CHECK_NAMES } from '../../src/ops/readiness.ts';
import { listedOf } from '../../src/watches/settings/only-except.ts';
import type { Status } from '../shared/context.ts';
import type { Subcommand } from './shared/command.ts';
import { isSilent, relative } from './shared/words.ts';

const WAITS = { mark: '⏳', color: 0xf1c40f } as const;
/**
 * `slowed`: the venue has asked the bot to wait. `silent`: it has not answered for some time.
 * `late`: it lists records late.
 */
const VERDICTS = {
  broken: { mark: '⚠️', color: EMBED_COLOURS.fault },
  slowed: WAITS,
  silent: WAITS,
  late: WAITS,
  works: { mark: '✅', color: EMBED_COLOURS.answer },
} as const;
const CHANNELS_SHOWN = 5;
const SHARDS_SHOWN = 16;
/**
 * Minimum number of rejections in ten minutes that is shown. Fewer are unimportant, for example
 * rate limits that were waited out.
 */
const REFUSED_SHOWN = 20;

/**
 * `/watch status`: how the bot is doing, with all figures behind a button. For other servers it
 * shows only totals.
 */
export const watchStatus: Subcommand = {
  name: 'status',
  about: (texts) => texts.status,
  isPrivate: true,
  worksUnread: true,
  async execute(_interaction, { status, language, nowMs }) {
    const embed = summaryEmbed(status(), nowMs(), language);
    const all = button('watch:status:all', language.texts.watch.status.all);
    return { embeds: [embed], components: [buttonRow(all)] };
  },
  async press(_interaction, _args, { status, language, nowMs }) {
    return { embeds: [statusEmbed(status(), nowMs(), language)], components: [] };
  },
};

/**
 * Returns the summary for a channel: a verdict, how quickly alerts arrive, and the problems.
 * @param nowMs time in epoch ms
 */
export function summaryEmbed(status: Status, nowMs: number, language: Language): APIEmbed {
  const { delays } = status.here;
  const { watch } = language.texts;
  const { status: texts } = watch;
  const { title, color, troubles } = verdictOn(status, nowMs, language);
  const alerts: string[] = [];
  // If alerts currently do not arrive, their earlier delays say nothing.
  const isPolling = venueState(status, nowMs) === 'works' && status.ready.checks.lastPoll.ok;
  if (delays === null) {
    alerts.push(texts.because(alertsTitle(status, language), texts.noAlerts));
  } else if (isPolling) {
    alerts.push(texts.arrive(...delayTexts(delays, language)));
  }
  alerts.push(...waitingTexts(status.here, language));
  if (isPolling && status.roundMinutes !== null) alerts.push(texts.round(status.roundMinutes));
  const { laterChannels, hasReceiver } = status.here;
  if (laterChannels.length > 0) alerts.push(texts.delayedChannels(listed(laterChannels, language)));
  if (hasReceiver) alerts.push(texts.signedAlerts);
  const lines = [...troubles, alerts.join(watch.gap)];
  return { title, color, description: joinFitting(lines).text };
}

/**
 * Returns the median delay of alerts, the delay within which 95% arrive, and that of the most
 * recent alert. From a minute on, without seconds.
 */
function delayTexts(
  { medianSeconds, p95Seconds, latestSeconds }: NonNullable<Status['here']['delays']>,
  { format }: Language,
): [median: string, most: string, latest: string] {
  const say = (seconds: number) =>
    format.duration(seconds < 60 ? seconds : Math.round(seconds / 60) * 60);
  return [say(medianSeconds), say(p95Seconds), say(latestSeconds)];
}

/** Returns how many alerts are waiting, and how long the oldest has waited, if known. */
function waitingTexts({ waiting, unread }: Status['here'], language: Language): readonly string[] {
  const { alerts, oldestSeconds } = waiting;
  const { status: texts } = language.texts.watch;
  if (alerts > 0) return [texts.waiting(alerts, language.format.duration(oldestSeconds))];
  return unread > 0 ? [] : [texts.nothingWaits];
}

/** Returns a status's verdict in one line, and those of its lines that report problems. */
function verdictOn(status: Status, nowMs: number, language: Language) {
  const marked = [...checkLines(status, nowMs, language), ...alertLines(status.here, language)];
  const troubles = marked.filter((line) => /^(⚠️|⏳)/u.test(line));
  const isWrong = !status.ready.ready || troubles.some((line) => line.startsWith('⚠️'));
  const verdict = isWrong ? 'broken' : venueState(status, nowMs);
  const { mark, color } = VERDICTS[verdict];
  return {
    title: `${mark} ${language.texts.watch.status[verdict]}`,
    color,
    troubles,
  };
}

/**
 * Returns all figures of the bot, within Discord's limits.
 * @param nowMs time in epoch ms
 */
export function statusEmbed(status: Status, nowMs: number, language: Language): APIEmbed {
  const { here, walletsInAll, polls, budget, roundMinutes } = status;
  const { format } = language;
  const { status: texts } = language.texts.watch;
  const { title, color } = verdictOn(status, nowMs, language);
  const field = (name: string, lines: readonly string[]) => ({
    name,
    value: lines.join('\n'),
    inline: false,
  });
  const windowMinutes = Math.round(polls.windowMs / 60_000);
  const pollLines = [texts.polls(polls.succeeded, polls.failed, windowMinutes)];
  if (roundMinutes !== null) pollLines.push(texts.round(roundMinutes));
  const checks = [...checkLines(status, nowMs, language), ...shardLines(status, language)];
  const counts = [texts.walletsHere(here.wallets), texts.walletsInAll(walletsInAll)];
  const upFor = texts.upFor(format.duration(status.uptimeSeconds));
  return {
    title,
    color,
    description: joinFitting(checks).text,
    fields: [
      field(alertsTitle(status, language), alertLines(here, language)),
      field(texts.fields.polls, pollLines),
      field(texts.fields.budget, budgetLines(budget, language)),
      // No figure reveals anything about others' wallets: neither how many are distinct nor what is
      // waiting for them.
      field(texts.fields.all, [counts.join(' · ')]),
    ],
    footer: { text: `walletbell ${status.version} · ${upFor}` },
  };
}

/** Returns the title of the server's figures, or of the person's. */
function alertsTitle({ here }: Status, { texts }: Language): string {
  const { fields } = texts.watch.status;
  return here.isPersonal ? fields.yours : fields.here;
}

function checkLines(status: Status, nowMs: number, language: Language): string[] {
  const { ready, gatewayPingMs } = status;
  const { gap, list, status: texts } = language.texts.watch;
  // A feed in this process is shown only if it has a problem.
  const shown = CHECK_NAMES.filter((name) => name !== 'feed' || !ready.checks.feed.ok);
  return shown.map((name) => {
    const { ok, sinceMs, say } = ready.checks[name];
    const hasPing = name === 'gateway' && ok && gatewayPingMs !== null;
    const title = present(texts.checks[name], hasPing && `${Math.round(gatewayPingMs)} ms`);
    const isRemarkable = say === null || venueState(status, nowMs) !== 'works';
    if (name === 'venue' && ok && isRemarkable) return venueLine(title, status, nowMs, language);
    const line = say === null ? title : texts.because(title, say(language));
    if (ok) return `✅ ${line}`;
    return `⚠️ ${line}${gap}${list.since(relative(sinceMs / 1000))}`;
  });
}

/**
 * Returns the state of the venue. The title shows it if nothing else is wrong, and so does the
 * venue's own line.
 */
function venueState(
  { ready, budget, lateSeconds, lastPollMs, walletsInAll }: Status,
  nowMs: number,
): keyof typeof VERDICTS {
  if (!ready.checks.venue.ok) return 'broken';
  if (budget.blockedUntilMs !== null) return 'slowed';
  // Without a watch nothing is polled.
  if (lastPollMs === null || walletsInAll === 0) return 'works';
  if (isSilent(lastPollMs, nowMs, budget)) return 'silent';
  return lateSeconds === null ? 'works' : 'late';
}

/**
 * Returns the line of a venue without known problems: whether it has asked the bot to wait, and its
 * last answer.
 */
function venueLine(
  title: string,
  status: Status,
  nowMs: number,
  { texts, format }: Language,
): string {
  const { blockedUntilMs } = status.budget;
  const { lastPollMs, walletsInAll, lateSeconds } = status;
  const { status: words } = texts.watch;
  const state = venueState(status, nowMs);
  const { mark } = VERDICTS[state];
  if (state === 'works' && (lastPollMs === null || walletsInAll === 0)) return `${mark} ${title}`;
  let reason = words.lastAnswer(relative((lastPollMs ?? 0) / 1000));
  if (state === 'late') reason = words.listsLate(format.duration(lateSeconds ?? 0));
  if (blockedUntilMs !== null) reason = words.venueAskedForPause(relative(blockedUntilMs / 1000));
  return `${mark} ${words.because(title, reason)}`;
}

/** Returns the shards if there are several, disconnected ones first. */
function shardLines({ shards, shardHere }: Status, language: Language): string[] {
  if (shards.length < 2) return [];
  const shown = shards
    .toSorted((a, b) => Number(a.isUp) - Number(b.isUp))
    .slice(0, SHARDS_SHOWN)
    .map(({ id, isUp, pingMs }) => {
      const mark = isUp ? '' : ' ⚠️';
      const ping = pingMs === null ? '' : ` ${Math.round(pingMs)} ms`;
      return `#${id}${mark}${ping}`;
    });
  const names = listedOf(shown, shards.length, language);
  return [`-# ${language.texts.watch.status.shards(names, shardHere)}`];
}

function budgetLines(
  { limit, remaining, allowance, used, resetAtMs }: Status['budget'],
  language: Language,
): string[] {
  const { status: texts } = language.texts.watch;
  const renewed = resetAtMs === null ? null : relative(resetAtMs / 1000);
  const sent = used.poller + used.person + used.background;
  // The limit may have been reduced within the window.
  const most = allowance !== null && sent <= allowance ? allowance : null;
  let plan = texts.limitUnknown;
  if (limit !== null && remaining === null) plan = texts.allows(limit);
  if (limit !== null && remaining !== null) plan = texts.left(remaining, limit, renewed);
  const use = texts.used(sent, most, used.poller, used.person, used.background);
  return [plan, `-# ${use}`];
}

function alertLines(here: Status['here'], language: Language): string[] {
  const { unread, laterChannels, blockedChannels, deadLetters, delays, refused, hasReceiver } =
    here;
  const { format } = language;
  const { status: texts } = language.texts.watch;
  const lines: string[] = [];
  if (delays === null) {
    lines.push(texts.noAlerts);
  } else {
    const { count, withoutPosition } = delays;
    lines.push(texts.delays(count, ...delayTexts(delays, language)));
    if (withoutPosition !== 0) lines.push(texts.withoutPosition(withoutPosition));
  }
  lines.push(...waitingTexts(here, language));
  if (unread > 0) lines.push(`⏳ ${texts.stillLoading(unread)}`);
  if (laterChannels.length > 0) lines.push(texts.delayedChannels(listed(laterChannels, language)));
  if (hasReceiver) lines.push(texts.signedAlerts);
  if (blockedChannels.length > 0) {
    lines.push(`⚠️ ${texts.cannotWrite(listed(blockedChannels, language))}`);
  }
  if (refused >= REFUSED_SHOWN) lines.push(`⚠️ ${texts.refused(format.quantity(refused))}`);
  if (deadLetters !== 0) lines.push(`⚠️ ${texts.undelivered(deadLetters)}`);
  return lines;
}

/** Returns the first of some channels, and how many more there are. */
function listed(channelIds: readonly string[], language: Language): string {
  const shown = channelIds.slice(0, CHANNELS_SHOWN).map((channelId) => `<#${channelId}>`);
  return listedOf(shown, channelIds.length, language);
}
