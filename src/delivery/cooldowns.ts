import { z } from 'zod';
import type { Alert } from '../alerts/alert.ts';
import { type Unit, walletOf } from '../alerts/alert-group.ts';
import { marketKey } from '../alerts/group.ts';
import { COOLDOWN_LIMIT_SECONDS, type WatchSettings } from '../watches/settings.ts';

/** Markets that a channel remembers at the most: beyond, the oldest are forgotten and ring again sooner. */
const MARKETS_LIMIT = 1_000;

/** What a channel remembers of what it was told, for cooldowns. All times are the venue's, epoch milliseconds. */
export const memorySchema = z.object({
  /** By wallet and market: when an alert was sent, and up to when seen alerts were ready to go with it. */
  markets: z.record(z.string(), z.object({ atMs: z.number(), coversMs: z.number() })),
  /** By wallet: when a role was mentioned for it. */
  mentions: z.record(z.string(), z.number()),
});
export type Memory = z.infer<typeof memorySchema>;

export const EMPTY_MEMORY: Memory = { markets: {}, mentions: {} };

/** What is to be remembered once a message has been sent. */
export const tracesSchema = z.object({
  markets: z.record(z.string(), z.number()),
  mentions: z.array(z.string()),
});
export type Traces = z.infer<typeof tracesSchema>;

export const NO_TRACES: Traces = { markets: {}, mentions: [] };

/**
 * The markets whose cooldown begins with a message, each with the time up to which its alerts have been ready: what was
 * ready and found no room in the message follows at once.
 *
 * @param ready all that could be told now, in this message or not
 */
export function marketTraces(
  told: readonly Unit[],
  ready: readonly Unit[],
  settingsOf: (unit: Unit) => WatchSettings | undefined,
): Traces['markets'] {
  const markets: Record<string, number> = {};
  const add = (unit: Unit, isWanted: (key: string) => boolean) => {
    if ((settingsOf(unit)?.cooldownSeconds ?? 0) === 0) return;
    for (const alert of unit.alerts) {
      const key = marketKey(walletOf(unit), alert);
      if (key === null || !isWanted(key)) continue;
      markets[key] = Math.max(markets[key] ?? 0, alert.seenAtMs);
    }
  };
  for (const unit of told) add(unit, () => true);
  for (const unit of ready) add(unit, (key) => markets[key] !== undefined);
  return markets;
}

/** The memory after a message; what no cooldown can reach any more is forgotten. */
export function remember(memory: Memory, traces: Traces, atMs: number): Memory {
  const isRecent = (thenMs: number) => elapsed(thenMs, atMs) <= COOLDOWN_LIMIT_SECONDS * 1000;
  const markets = Object.entries(memory.markets).filter(
    ([key, { atMs: thenMs }]) => isRecent(thenMs) && traces.markets[key] === undefined,
  );
  for (const [key, coversMs] of Object.entries(traces.markets)) markets.push([key, { atMs, coversMs }]);
  const mentions = Object.entries(memory.mentions).filter(([, thenMs]) => isRecent(thenMs));
  return {
    markets: Object.fromEntries(markets.slice(-MARKETS_LIMIT)),
    mentions: { ...Object.fromEntries(mentions), ...Object.fromEntries(traces.mentions.map((key) => [key, atMs])) },
  };
}

/** When the cooldown that an alert waits out is over; null if it waits for none, or was ready before it began. */
export function cooledAtMs(alert: Alert, memory: Memory, { cooldownSeconds }: WatchSettings): number | null {
  if (cooldownSeconds === 0) return null;
  const key = marketKey(alert.wallet, alert);
  const last = key === null ? undefined : memory.markets[key];
  return last === undefined || alert.seenAtMs <= last.coversMs ? null : last.atMs + cooldownSeconds * 1000;
}

/** Whether a mention of the wallet's role must wait. */
export function isMentionCooling(
  { mentions }: Memory,
  wallet: string,
  cooldownSeconds: number,
  nowMs: number,
): boolean {
  const thenMs = mentions[wallet];
  return thenMs !== undefined && elapsed(thenMs, nowMs) < cooldownSeconds * 1000;
}

/** A clock that has been put back must not make a cooldown longer. */
export function elapsed(thenMs: number, nowMs: number): number {
  return Math.abs(nowMs - thenMs);
}
