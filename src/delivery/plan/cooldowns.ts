import * as z from 'zod';
import { type Alert, type AlertGroup, cooldownKey, walletOf } from '../../alerts/alert.ts';
import { COOLDOWN_LIMIT_SECONDS } from '../../watches/settings/setting.ts';
import type { WatchSettings } from '../../watches/watch-settings.ts';

/**
 * Maximum number of markets remembered for a channel. Beyond it, the oldest are removed and get
 * alerts again sooner.
 */
const MARKETS_LIMIT = 1_000;

/** Cooldowns of a channel. All times are the venue's, in epoch milliseconds. */
export const cooldownsSchema = z.object({
  /**
   * Cooldowns by wallet and market. `atMs`: when the last alert was sent; alerts seen up to
   * `coversMs` skip that cooldown.
   */
  markets: z.record(z.string(), z.object({ atMs: z.number(), coversMs: z.number() })),
  /** Times when a role was mentioned, by wallet. */
  mentions: z.record(z.string(), z.number()),
});
export type Cooldowns = z.infer<typeof cooldownsSchema>;

export const NO_COOLDOWNS: Cooldowns = { markets: {}, mentions: {} };

/** Entries to add once a message has been sent. */
export const cooldownUpdateSchema = z.object({
  markets: z.record(z.string(), z.number()),
  mentions: z.array(z.string()),
});
type CooldownUpdate = z.infer<typeof cooldownUpdateSchema>;

/**
 * Returns the markets whose cooldown begins with a message, each with the time up to which its
 * alerts were ready. Ready alerts that did not fit in the message are sent right after it.
 * @param ready all groups that could be sent now, in this message or not
 */
export function marketCooldowns(
  included: readonly AlertGroup[],
  ready: readonly AlertGroup[],
  settingsOf: (group: AlertGroup) => WatchSettings | undefined,
): CooldownUpdate['markets'] {
  const markets: Record<string, number> = {};
  const add = (group: AlertGroup, isWanted: (key: string) => boolean) => {
    if ((settingsOf(group)?.cooldownSeconds ?? 0) === 0) return;
    for (const alert of group.alerts) {
      const key = cooldownKey(walletOf(group), alert);
      if (key === null || !isWanted(key)) continue;
      markets[key] = Math.max(markets[key] ?? 0, alert.seenAtMs);
    }
  };
  for (const group of included) add(group, () => true);
  for (const group of ready) add(group, (key) => markets[key] !== undefined);
  return markets;
}

/** Returns the cooldowns after a message, without those that have ended. */
export function addCooldowns(
  cooldowns: Cooldowns,
  cooldownUpdate: CooldownUpdate,
  atMs: number,
): Cooldowns {
  const isRecent = (thenMs: number) => elapsed(thenMs, atMs) <= COOLDOWN_LIMIT_SECONDS * 1000;
  const markets = Object.entries(cooldowns.markets).filter(
    ([key, { atMs: thenMs }]) => isRecent(thenMs) && cooldownUpdate.markets[key] === undefined,
  );
  for (const [key, coversMs] of Object.entries(cooldownUpdate.markets)) {
    markets.push([key, { atMs, coversMs }]);
  }
  const mentions = Object.entries(cooldowns.mentions).filter(([, thenMs]) => isRecent(thenMs));
  return {
    markets: Object.fromEntries(markets.slice(-MARKETS_LIMIT)),
    mentions: Object.fromEntries([
      ...mentions,
      ...cooldownUpdate.mentions.map((key) => [key, atMs] as const),
    ]),
  };
}

/**
 * Returns when the cooldown that applies to an alert ends; null if none applies, or the alert was
 * ready before it began.
 */
export function cooledAtMs(
  alert: Alert,
  cooldowns: Cooldowns,
  { cooldownSeconds }: WatchSettings,
): number | null {
  if (cooldownSeconds === 0) return null;
  const key = cooldownKey(alert.wallet, alert);
  const last = key === null ? undefined : cooldowns.markets[key];
  return last === undefined || alert.seenAtMs <= last.coversMs
    ? null
    : last.atMs + cooldownSeconds * 1000;
}

/**
 * Returns the time between the two, as an absolute value, because a clock that was set back must
 * not extend a cooldown.
 */
export function elapsed(thenMs: number, nowMs: number): number {
  return Math.abs(nowMs - thenMs);
}
