import { sayFailure } from '../../../src/delivery/failures.ts';
import { permissionTrouble } from '../../../src/discord/permissions.ts';
import { shortAddress } from '../../../src/domain/address.ts';
import { ENDPOINT_NAMES, type EndpointName } from '../../../src/domain/records.ts';
import { escapeText } from '../../../src/embeds/text/escape.ts';
import type { BudgetSnapshot } from '../../../src/feed/interface.ts';
import type { Language } from '../../../src/language/language.ts';
import { isPaused, LABEL_LIMIT, type Watch } from '../../../src/watches/watch.ts';
import { type CommandContext, lateSeconds } from '../../shared/context.ts';

/**
 * Returns a channel's name for a sentence. Discord draws a server channel by its name; direct
 * messages have none.
 */
export function channelName(
  channelId: string,
  { place, language }: Pick<CommandContext, 'place' | 'language'>,
): string {
  return place.kind === 'directMessage' ? language.texts.personal.here : `<#${channelId}>`;
}

/** Returns a sentence or heading with a capital letter, because it may begin with `this DM`. */
export function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Returns a watch's label, escaped for markdown. */
export function shownLabel(label: string | null, fallback: string): string {
  return escapeText(label ?? '', LABEL_LIMIT, fallback);
}

/** Returns a watch's label, escaped for markdown; null if it has none, or none that is visible. */
export function shownName(label: string | null): string | null {
  return shownLabel(label, '') || null;
}

/** Returns a watch's label in bold, or its address. */
export function shownWatch({ label, wallet }: Pick<Watch, 'label' | 'wallet'>): string {
  const address = `\`${shortAddress(wallet)}\``;
  return label === null ? address : `**${shownLabel(label, address)}**`;
}

/** `10 watched wallets in 3 channels`; the channels are left out if there is only one. */
export function watchedTitle(watches: readonly Watch[], { texts }: Language): string {
  const wallets = new Set(watches.map(({ wallet }) => wallet)).size;
  const channels = new Set(watches.map(({ channelId }) => channelId)).size;
  return texts.watch.list.title(wallets, channels > 1 ? channels : null);
}

/** Returns the end of a watch's pause in words; null if it is not paused. */
export function pauseWords(
  watch: Pick<Watch, 'pause'>,
  nowSeconds: number,
  { texts }: Language,
): string | null {
  if (!isPaused(watch, nowSeconds)) return null;
  return texts.watch.pause.state(pauseEnd(watch.pause?.untilSeconds ?? null));
}

/**
 * Minimum time without an answer after which the venue may be down, in ms. With a small budget,
 * three polls if that is longer.
 */
const ANSWER_MAX_MS = 15_000;

/**
 * Returns the end of a pause in the form the language texts need: a date and a countdown, which
 * Discord draws.
 */
export function pauseEnd(untilSeconds: number | null) {
  if (untilSeconds === null) return null;
  return { at: `<t:${untilSeconds}:f>`, in: `<t:${untilSeconds}:R>` };
}

/**
 * Returns a time as Discord draws it: how long ago, or in how long.
 * @param seconds Unix seconds
 */
export function relative(seconds: number): string {
  return `<t:${Math.floor(seconds)}:R>`;
}

/**
 * Returns why the data about wallets may be outdated, one reason per line; none while the venue
 * answers.
 */
export function venueTroubles(
  context: CommandContext,
  names: readonly EndpointName[] = ENDPOINT_NAMES,
): string[] {
  const { feed, language } = context;
  const { gap, list } = language.texts.watch;
  const troubles = names
    .map((name) => feed.availability.trouble(name))
    .filter((trouble) => trouble !== null);
  const byReason = new Map(troubles.map((trouble) => [trouble.say(language), trouble.sinceMs]));
  const lines = [...byReason].map(
    ([reason, sinceMs]) => `⚠️ ${reason}${gap}${list.since(relative(sinceMs / 1000))}`,
  );
  const lastMs = feed.lastPollMs();
  // Polls waiting for an answer have not failed yet.
  if (lines.length > 0 || lastMs === null || context.registry.size === 0) return lines;
  const { because, checks, lastAnswer, listsLate } = language.texts.watch.status;
  const waits = (reason: string) => [`⏳ ${because(checks.venue, reason)}`];
  if (isSilent(lastMs, context.nowMs(), feed.budget.snapshot())) {
    return waits(lastAnswer(relative(lastMs / 1000)));
  }
  const late = lateSeconds(feed.availability);
  return late === null ? lines : waits(listsLate(language.format.duration(late)));
}

/**
 * True if it is unclear whether the venue works, because it has answered no poll for longer than
 * the interval between polls. Times in epoch ms.
 */
export function isSilent(
  lastPollMs: number,
  nowMs: number,
  { allowance, windowMs }: Pick<BudgetSnapshot, 'allowance' | 'windowMs'>,
): boolean {
  const everyMs = (windowMs ?? 0) / (allowance ?? 1);
  return nowMs - lastPollMs > Math.max(ANSWER_MAX_MS, 3 * everyMs);
}

/**
 * Returns why all or some alerts cannot be posted in a channel: Discord's rejection, or what the
 * gateway reports; null if there is no problem.
 */
export function writingTrouble(
  channelId: string,
  { deliveryWorker, interaction, language, nowMs }: CommandContext,
): string | null {
  const block = deliveryWorker.block(channelId);
  if (block !== null) return sayFailure(block.reason)(language);
  if (!interaction.inCachedGuild()) return null;
  return permissionTrouble(interaction.guild, channelId, nowMs())?.(language) ?? null;
}
