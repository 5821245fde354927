import * as z from 'zod';
import { type Alert, eventTimeMs, purchaseKey, turningKey } from '../../alerts/alert.ts';
import { groupBy } from '../../lib/group-by.ts';

/**
 * The newest opposite trade posted in the channel since a message of a purchase (or sale). Later
 * fills are a separate purchase, in a message below. Otherwise the channel's last message would not
 * show the wallet's last action.
 */
export const turnSchema = z.object({
  /** Time of the trade, in epoch milliseconds. */
  tradedMs: z.number(),
  /** Time when it was found, by the venue's clock. */
  seenAtMs: z.number(),
});
type Turn = z.infer<typeof turnSchema>;

/** A purchase posted in a channel. */
interface Turning {
  /** Key that its fills share, see `purchaseKey`. */
  readonly key: string;
  /** Left out until an opposite trade is posted. */
  readonly turn?: Turn | undefined;
}

/** True if an alert's trade came after the opposite trade of its purchase. */
export function isAfterTurn(alert: Alert, { turn }: Turning): boolean {
  if (turn === undefined) return false;
  const tradedMs = eventTimeMs(alert);
  // If two trades share a second, the one that was found later counts as the later one.
  return tradedMs === turn.tradedMs ? alert.seenAtMs > turn.seenAtMs : tradedMs > turn.tradedMs;
}

/** True if an alert continues a posted purchase after its opposite trade. */
export function hasTurned(alert: Alert, announced: readonly Turning[]): boolean {
  const key = purchaseKey(alert);
  return announced.some((purchase) => purchase.key === key && isAfterTurn(alert, purchase));
}

/**
 * Returns the purchases after fills have been posted. The fills are the opposite trades of some of
 * them.
 */
export function withTurns<Purchase extends Turning>(
  purchases: readonly Purchase[],
  fills: readonly Alert[],
): Purchase[] {
  const fillsByKey = groupBy(fills, turningKey);
  return purchases.map((purchase) => {
    const turn = (fillsByKey.get(purchase.key) ?? [])
      .map((fill) => ({ tradedMs: eventTimeMs(fill), seenAtMs: fill.seenAtMs }))
      .reduce<Turn | undefined>(later, purchase.turn);
    return turn === purchase.turn ? purchase : { ...purchase, turn };
  });
}

function later(before: Turn | undefined, turn: Turn): Turn {
  return before !== undefined && before.tradedMs > turn.tradedMs ? before : turn;
}
