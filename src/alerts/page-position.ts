import type { PolledPage } from '../feed/interface.ts';
import type { Seen } from './builder/pages.ts';
import { type Detection, type DetectionState, initialDetectionState } from './detect.ts';
import type { StoredEndpoint } from './wallets/wallet-document.ts';

/** Position from which an endpoint is read. */
interface Position<Item> {
  readonly detectionState: DetectionState<Item>;
  readonly pollId: number;
  /** Period for which it is no longer known what was announced; null if there is none. */
  readonly lost: NonNullable<Detection<Item>['gap']> | null;
  /** True if no page of the endpoint has been accepted before. */
  readonly isFirst: boolean;
}

/**
 * Returns the position from which a page continues. If none is stored, everything since the watch
 * began is new. If the stored one is unreadable (null), everything from now on is new, and a gap
 * covers the time before.
 * @param sinceSeconds when the first of the wallet's watches began, in Unix seconds
 */
export function positionOf<Item>(
  stored: StoredEndpoint<Item> | null | undefined,
  { earliestSeconds }: PolledPage<Item>,
  sinceSeconds: number,
): Position<Item> {
  if (stored) return { ...stored, lost: null, isFirst: false };
  const neverPolled = { pollId: Number.NEGATIVE_INFINITY };
  if (stored === undefined) {
    const detectionState = initialDetectionState(sinceSeconds);
    return { ...neverPolled, detectionState, lost: null, isFirst: true };
  }
  const toSeconds = Math.floor(earliestSeconds);
  const fromSeconds = Math.min(sinceSeconds, toSeconds);
  return {
    ...neverPolled,
    detectionState: initialDetectionState(toSeconds),
    lost: { cause: 'damage', fromSeconds, toSeconds },
    isFirst: false,
  };
}

/** Returns a page in the builder's form: its new records, and those known before. */
export function seenOn<Item>(
  page: PolledPage<Item>,
  { detectionState, isFirst }: Position<Item>,
  detection: Detection<Item>,
  identify: (item: Item) => string,
): Omit<Seen<Item>, 'boundaries'> {
  const { refused, gap } = detection;
  const fresh = detection.fresh.map(({ item }) => item);
  // If a record is new, its second copy counts only once confirmed.
  const firsts = new Set(
    detection.fresh.flatMap((each) => (each.occurrence === 1 ? each.identity : [])),
  );
  const isKnown = (item: Item) => !fresh.includes(item) && !firsts.has(identify(item));
  const accepted = page.items.filter((item) => !refused.includes(item));
  const unread = page.unreadable.length + refused.length;
  return {
    wallet: page.wallet,
    detection,
    items: accepted,
    fresh,
    known: accepted.filter(isKnown),
    isCut: page.hasMore || page.fromSeconds !== null || unread > 0,
    isFirst,
    sinceSeconds: detectionState.newestSeconds,
    // If the gap is in the past, everything since was added to what was known before the gap.
    gap,
    gapEndSeconds: gap && Math.max(gap.toSeconds, detectionState.newestSeconds),
    nowSeconds: page.venueSeconds,
  };
}
