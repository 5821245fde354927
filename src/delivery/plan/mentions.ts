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

/** Noise of a message that may make a sound but mentions no role. */
export const AUDIBLE: Noise = { roleIds: [], isSilent: false };
/** Noise of a message in quiet hours. */
export const SILENT: Noise = { roleIds: [], isSilent: true };

export interface NoiseContext {
  /** The venue's clock, in epoch milliseconds. */
  readonly nowMs: number;
  /**
   * Returns the settings by which the channel gets the wallet's alerts; undefined if it gets none,
   * or none at the moment.
   */
  readonly settingsOf: (wallet: WalletAddress) => WatchSettings | undefined;
  readonly cooldowns: Cooldowns;
  /** Purchases posted in the channel, with the time of each one's first message. */
  readonly announced: readonly { readonly key: string; readonly sentAtMs: number }[];
  /** Whether a time, in epoch milliseconds, is in the channel's quiet hours. */
  readonly isQuietAt: (atMs: number) => boolean;
}

/**
 * Decides which roles a message mentions and whether it may make a sound. A role is mentioned when
 * an alert reaches its minimum USDC and its cooldown is over; for a purchase in several fills, with
 * the fill that reaches it. A message is silent if it mentions no role and contains nothing loud
 * enough; a gap notice may always make a sound. In quiet hours nothing makes noise, nor does a
 * continued purchase whose first message was sent in quiet hours.
 * @returns the noise, and the wallets whose mention cooldown begins
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
    const audibleFromUsdc = settings?.silentBelowUsdc ?? 0;
    const results = resultsOf(group.alerts);
    const reaches = (total: Total) =>
      total.usdc?.gte(audibleFromUsdc) === true || passes(total, audibleFromUsdc);
    const isLarge = results.some(isLargeResult);
    // A result counts by its gain, unless the watch sets an amount from which on alerts make a
    // sound.
    const isAudible = hasResult(group)
      ? isLarge || (audibleFromUsdc > 0 && totals.some(reaches))
      : isLarge || totals.some((total) => total.usdc === null || reaches(total));
    if (isAudible) isSilent = false;
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

/** True if a group makes no noise because of quiet hours, whatever its watch's settings are. */
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
 * Returns the USDC of each alert in the group, null for a notice. Late alerts do not count for more
 * because they are sent together. `earlierUsdc`: what earlier messages have shown of the same
 * purchase; undefined if there are none.
 */
function totalsOf(group: AlertGroup, settings: WatchSettings | undefined) {
  const keyOf = settings?.style === 'each' ? alertKey : groupKey;
  return apartFromList(group, keyOf).map(({ alerts, earlierUsdc }) => ({
    usdc: usdcOf(alerts),
    earlierUsdc,
  }));
}

type Total = ReturnType<typeof totalsOf>[number];

/** True if the alerts raise their purchase to the amount. */
function passes({ usdc, earlierUsdc }: Total, fromUsdc: number): boolean {
  if (usdc === null || (earlierUsdc !== undefined && new Exact(earlierUsdc).gte(fromUsdc))) {
    return false;
  }
  return usdc.plus(earlierUsdc ?? 0).gte(fromUsdc);
}
