import * as z from 'zod';
import { type Alert, type AlertGroup, cooldownKey, walletOf } from '../../alerts/alert.ts';
import { COOLDOWN_LIMIT_SECONDS } from '../../watches/settings/setting.ts';
import type { WatchSettings } from '../../watches/watch-settings.ts';

/**
 * Markets that a channel remembers at the most: beyond, the oldest are forgotten and get alerts
 * again sooner.
 */
const MARKETS_LIMIT = 1_000;

/** Memory of a channel's alerts, for cooldowns. All times are the venue's, epoch milliseconds. */
export const cooldownsSchema = z.object({
  /**
   * Cooldowns by wallet and market. `atMs`: when the last alert was sent; alerts seen up to
   * `coversMs` skip that cooldown.
   */
  markets: z.record(z.string(), z.object({ atMs: z.number(), coversMs: z.number() })),
  /** Times by wallet at which a role was mentioned for it. */
  mentions: z.record(z.string(), z.number()),
});
export type Cooldowns = z.infer<typeof cooldownsSchema>;

export const NO_COOLDOWNS: Cooldowns = { markets: {}, mentions: {} };

/** Entries to be remembered once a message has been sent. */
export const cooldownUpdateSchema = z.object({
  markets: z.record(z.string(), z.number()),
  mentions: z.array(z.string()),
});
export type CooldownUpdate = z.infer<typeof cooldownUpdateSchema>;

/**
 * The markets whose cooldown begins with a message, each with the time up to which its alerts have
 * been ready: what was ready and found no room in the message follows at once.
 *
 * @param ready all that could be sent now, in this message or not
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

/** The memory after a message; what no cooldown can reach any more is forgotten. */
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
 * Time at which the cooldown that an alert waits out is over; null if it waits for none, or was
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

/** A clock that has been put back must not make a cooldown longer. */
export function elapsed(thenMs: number, nowMs: number): number {
  return Math.abs(nowMs - thenMs);
}
