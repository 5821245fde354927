import * as z from 'zod';
import { type Alert, eventTimeMs, purchaseKey, turningKey } from '../../alerts/alert.ts';
import { groupBy } from '../../lib/group-by.ts';

/**
 * The newest trade the other way that a channel has been told of since a message of a purchase (or
 * sale): what comes after it is a purchase of its own, in a message below. Else the channel's last
 * word would be another than the wallet's.
 */
export const turnSchema = z.object({
  /** Time of the trade, epoch milliseconds. */
  tradedMs: z.number(),
  /** Time at which it was found, by the venue's clock. */
  seenAtMs: z.number(),
});
type Turn = z.infer<typeof turnSchema>;

/** A purchase that a channel was told of. */
interface Turning {
  /** Key that its fills share, see `purchaseKey`. */
  readonly key: string;
  /** Left out until it turns. */
  readonly turn?: Turn | undefined;
}

/** True if an alert is of a trade after that with which the purchase has turned. */
export function isAfterTurn(alert: Alert, { turn }: Turning): boolean {
  if (turn === undefined) return false;
  const tradedMs = eventTimeMs(alert);
  // If two trades share a second, the one that was found later counts as the later one.
  return tradedMs === turn.tradedMs ? alert.seenAtMs > turn.seenAtMs : tradedMs > turn.tradedMs;
}

/** True if an alert is of a purchase that the channel was told of, after that has turned. */
export function hasTurned(alert: Alert, announced: readonly Turning[]): boolean {
  const key = purchaseKey(alert);
  return announced.some((purchase) => purchase.key === key && isAfterTurn(alert, purchase));
}

/** The purchases once fills have been announced: those the other way have turned with them. */
export function withTurns<Purchase extends Turning>(
  purchases: readonly Purchase[],
  fills: readonly Alert[],
): Purchase[] {
  const fillsByKey = groupBy(fills, turningKey);
  return purchases.map((purchase) => {
    const turn = (fillsByKey.get(purchase.key) ?? [])
      .map(turnOf)
      .reduce<Turn | undefined>(later, purchase.turn);
    return turn === purchase.turn ? purchase : { ...purchase, turn };
  });
}

function turnOf(fill: Alert): Turn {
  return { tradedMs: eventTimeMs(fill), seenAtMs: fill.seenAtMs };
}

function later(before: Turn | undefined, turn: Turn): Turn {
  return before !== undefined && before.tradedMs > turn.tradedMs ? before : turn;
}
