import { matureBy } from './record.ts';
import { type SpanSums, type Standing, standingAt } from './standing.ts';

/**
 * The sums of a span as numbers only, about 190 bytes of memory, in the order of {@link keepSums},
 * with NaN for null.
 */
export type KeptSums = readonly number[];

export function keepSums(sums: SpanSums): KeptSums {
  return [
    sums.markets,
    sums.days,
    sums.won,
    sums.withoutEnd,
    orNaN(sums.priceCents),
    orNaN(sums.edgeCents),
    orNaN(sums.errorCents),
    sums.isRanked ? 1 : 0,
    sums.oneIn,
    orNaN(sums.firstSeconds),
    sums.single,
    sums.missing,
    orNaN(sums.twentiethSeconds),
    orNaN(sums.afterSeconds),
    orNaN(sums.matureToSeconds),
    orNaN(sums.lastSeconds),
    orNaN(sums.nextSeconds),
  ];
}

function readSums(kept: KeptSums): SpanSums {
  const [
    markets = 0,
    days = 0,
    won = 0,
    withoutEnd = 0,
    price,
    edge,
    error,
    isRanked,
    oneIn = 1,
    ...times
  ] = kept;
  const [first, single = 0, missing = 0, twentieth, after, matureTo, last, next] = times;
  return {
    ...{
      markets,
      days,
      won,
      withoutEnd,
      oneIn,
      single,
      missing,
    },
    priceCents: orNull(price),
    edgeCents: orNull(edge),
    errorCents: orNull(error),
    isRanked: isRanked === 1,
    firstSeconds: orNull(first),
    twentiethSeconds: orNull(twentieth),
    afterSeconds: orNull(after),
    matureToSeconds: orNull(matureTo),
    lastSeconds: orNull(last),
    nextSeconds: orNull(next),
  };
}

/** Indexes in it. */
const RANKED = 7;
const AFTER = 13;
const MATURE_TO = 14;
const LAST = 15;
const NEXT = 16;

/** True if there were enough mature markets to rank the wallet. */
export function isRankedBy(kept: KeptSums): boolean {
  return kept[RANKED] === 1;
}

/**
 * Returns the standing at a time, from the markets that were mature when the sums were computed.
 * @param nowSeconds venue's clock
 */
export function standingBy(kept: KeptSums, nowSeconds: number): Standing {
  return standingAt(readSums(kept), nowSeconds);
}

/**
 * Returns the time at which the sums became outdated, because another market has matured since, or
 * the clock was set back to before one had.
 * @param nowSeconds the venue's clock, in Unix seconds
 * @returns Unix seconds, 0 if the clock was set back; null if they are up to date
 */
export function staleSince(kept: KeptSums, nowSeconds: number): number | null {
  const after = orNull(kept[AFTER]);
  const matureToSeconds = matureBy(after, orNull(kept[MATURE_TO]), nowSeconds);
  const reachSeconds = matureToSeconds ?? Number.NEGATIVE_INFINITY;
  const nextSeconds = orNull(kept[NEXT]);
  if (nextSeconds !== null && nextSeconds <= reachSeconds) return nextSeconds + (after ?? 0);
  const lastSeconds = orNull(kept[LAST]);
  if (lastSeconds !== null && lastSeconds > reachSeconds) return 0;
  return null;
}

function orNaN(number: number | null): number {
  return number ?? Number.NaN;
}

function orNull(number: number | undefined): number | null {
  if (number === undefined || Number.isNaN(number)) return null;
  return number;
}
