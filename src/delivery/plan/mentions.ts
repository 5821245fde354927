import * as z from 'zod';
import {
  type AlertGroup,
  alertKey,
  apartFromList,
  groupKey,
  hasResult,
  purchaseKey,
  usdcOf,
  walletOf,
} from '../../alerts/alert.ts';
import { kindOf } from '../../alerts/kinds/kinds.ts';
import { isLargeResult, resultsOf } from '../../alerts/kinds/result.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { Exact } from '../../lib/exact.ts';
import type { WatchSettings } from '../../watches/watch-settings.ts';
import { type Cooldowns, elapsed } from './cooldowns.ts';

export const noiseSchema = z.object({
  /** Roles that it mentions, each once. */
  roleIds: z.array(z.string()),
  isSilent: z.boolean(),
});
export type Noise = z.infer<typeof noiseSchema>;

/** Noise of a message that may make a sound, and mentions nobody. */
export const HEARD: Noise = { roleIds: [], isSilent: false };
/** Noise of a message in quiet hours. */
export const SILENT: Noise = { roleIds: [], isSilent: true };

export interface NoiseContext {
  /** The venue's clock, epoch milliseconds. */
  readonly nowMs: number;
  /**
   * Gives the settings by which the channel wants alerts of the wallet; undefined if it does not
   * want them at all, or not now.
   */
  readonly settingsOf: (wallet: WalletAddress) => WatchSettings | undefined;
  readonly cooldowns: Cooldowns;
  /** Purchases that the channel has been shown: when the first message of each was sent. */
  readonly announced: readonly { readonly key: string; readonly sentAtMs: number }[];
  /** Tells whether a time is in the channel's quiet hours, epoch milliseconds. */
  readonly isQuietAt: (atMs: number) => boolean;
}

/**
 * Whom a message mentions and whether it may make a sound. A role is mentioned when an alert of it
 * reaches its least USDC and its cooldown is over; of a purchase in pieces with the piece that
 * brings it there. Silent is what mentions nobody and has nothing that may be heard: a notice that
 * something may be missing always may. In quiet hours nothing makes noise, nor does what goes on
 * with a purchase whose first message was in them.
 *
 * @returns with it the wallets whose mention cooldown begins
 */
export function decideMentions(groups: readonly AlertGroup[], context: NoiseContext) {
  const { nowMs, settingsOf, cooldowns } = context;
  const roleIds = new Set<string>();
  const mentioned = new Set<WalletAddress>();
  let isSilent = true;
  for (const group of groups) {
    const isWordless = group.alerts.every(({ event }) => kindOf(event).isSilent === true);
    if (isWordless || isQuiet(group, context)) continue;
    const wallet = walletOf(group);
    const settings = settingsOf(wallet);
    const totals = totalsOf(group, settings);
    const heardFromUsdc = settings?.silentBelowUsdc ?? 0;
    const results = resultsOf(group.alerts);
    const reaches = (total: Total) =>
      total.usdc?.gte(heardFromUsdc) === true || passes(total, heardFromUsdc);
    const isLarge = results.some(isLargeResult);
    // A result counts by its gain, unless the watch says from which amount on it wants to hear.
    const isHeard = hasResult(group)
      ? isLarge || (heardFromUsdc > 0 && totals.some(reaches))
      : isLarge || totals.some((total) => total.usdc === null || reaches(total));
    if (isHeard) isSilent = false;
    const mention = settings?.mention ?? null;
    if (mention === null || !totals.some((total) => passes(total, mention.minUsdc))) continue;
    const mentionedMs = cooldowns.mentions[wallet];
    if (mentionedMs !== undefined && elapsed(mentionedMs, nowMs) < mention.cooldownSeconds * 1000) {
      continue;
    }
    roleIds.add(mention.roleId);
    mentioned.add(wallet);
  }
  const noise: Noise = { roleIds: [...roleIds], isSilent: isSilent && roleIds.size === 0 };
  return { noise, mentioned: [...mentioned] };
}

/** True if a group makes no noise because of the hour, whatever the settings of its watch. */
function isQuiet(
  { alerts, earlierUsdc }: AlertGroup,
  { nowMs, announced, isQuietAt }: NoiseContext,
): boolean {
  if (isQuietAt(nowMs)) return true;
  if (earlierUsdc === undefined) return false;
  const key = purchaseKey(alerts[0]);
  const purchase = announced.find((one) => one.key === key);
  return purchase !== undefined && isQuietAt(purchase.sentAtMs);
}

/**
 * The USDC of each alert of it, null of a notice: late ones are not worth more for being sent
 * together. `earlierUsdc`: what earlier messages have shown of the same purchase; undefined if
 * there are none.
 */
function totalsOf(group: AlertGroup, settings: WatchSettings | undefined) {
  const keyOf = settings?.style === 'each' ? alertKey : groupKey;
  const apart = group.kind === 'late' ? apartFromList(group, keyOf) : [group];
  return apart.map(({ alerts, earlierUsdc }) => ({ usdc: usdcOf(alerts), earlierUsdc }));
}

type Total = ReturnType<typeof totalsOf>[number];

/** True if it brings its purchase to the amount. */
function passes({ usdc, earlierUsdc }: Total, fromUsdc: number): boolean {
  if (usdc === null || (earlierUsdc !== undefined && new Exact(earlierUsdc).gte(fromUsdc))) {
    return false;
  }
  return usdc.plus(earlierUsdc ?? 0).gte(fromUsdc);
}
