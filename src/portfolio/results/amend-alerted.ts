import type { ActivityItem } from '../../domain/records.ts';
import { Exact, toDecimalText } from '../../lib/exact.ts';
import { entryKeys } from '../market.ts';
import { LATE_SECONDS } from '../positions/position.ts';
import { type AlertedPositions, giveUp } from './alerted-positions.ts';

/** A counted record, and the same record as the venue lists it now. */
export interface Amendment {
  readonly before: ActivityItem;
  readonly after: ActivityItem;
  /** Ids that the record's alert may have. */
  readonly alertIds: ReadonlySet<string>;
}

type Alerted = AlertedPositions[number]['outcomes'][number];

/**
 * Returns the alerted positions after a record's figures have changed. They are recomputed if a
 * channel's purchase consists only of that record, and given up if it may contain more.
 */
export function amendAlerted(
  alertedPositions: AlertedPositions,
  amendment: Amendment,
): AlertedPositions {
  const { before, after } = amendment;
  const { market, outcome } = entryKeys(before);
  const isUnchanged =
    before.quantity === after.quantity &&
    before.transferNetAmount === after.transferNetAmount &&
    before.fee === after.fee;
  if (isUnchanged) return alertedPositions;
  return alertedPositions.flatMap((position) => {
    const mayHaveIt = position.outcomes.some((alerted) => alerted.outcome === outcome);
    if (position.key !== market || !mayHaveIt) return [position];
    if (before.action !== 'Buy') {
      const isSoldSince = (position.soldSeconds ?? 0) >= before.time;
      return isSoldSince ? giveUp([position]) : [position];
    }
    const index = position.outcomes.findIndex((alerted) => isAlone(alerted, amendment));
    const own = position.outcomes[index];
    if (own !== undefined) {
      const outcomes = position.outcomes.with(index, amended(own, amendment));
      return [{ ...position, outcomes }];
    }
    // Late records are alerted to after newer ones, up to an hour later.
    return position.openedSeconds > before.time + LATE_SECONDS ? [position] : giveUp([position]);
  });
}

/** True if it consists only of this purchase, and nothing of it was sold. */
function isAlone(alerted: Alerted, { before, alertIds }: Amendment): boolean {
  const isMeant = alerted.alertId === undefined || alertIds.has(alerted.alertId);
  return (
    isMeant &&
    alerted.outcome === entryKeys(before).outcome &&
    alerted.received === '0' &&
    new Exact(alerted.shares).eq(before.quantity) &&
    new Exact(alerted.paid).eq(before.transferNetAmount)
  );
}

function amended(alerted: Alerted, { after }: Amendment): Alerted {
  return {
    ...alerted,
    shares: toDecimalText(new Exact(after.quantity)),
    paid: toDecimalText(new Exact(after.transferNetAmount)),
    fees: toDecimalText(new Exact(after.fee)),
  };
}
