import type { PolledPage } from '../feed/interface.ts';
import type { Seen } from './builder/pages.ts';
import { type Detection, type DetectionState, initialDetectionState } from './detect.ts';
import type { StoredEndpoint } from './wallets/wallet-document.ts';

/** Position from which an endpoint is read on. */
interface Position<Item> {
  readonly detectionState: DetectionState<Item>;
  readonly pollId: number;
  /** Time of which nobody knows any more what was announced; null if there is none. */
  readonly lost: NonNullable<Detection<Item>['gap']> | null;
  /** No page of the endpoint has been taken before. */
  readonly isFirst: boolean;
}

/**
 * Position from which a page goes on. None stored: all since the watch began is new. Unreadable
 * (null): all from now on, and a gap for the time before.
 *
 * @param sinceSeconds when the first of the wallet's watches began, Unix seconds
 */
export function positionOf<Item>(
  stored: StoredEndpoint<Item> | null | undefined,
  { earliestSeconds }: Pick<PolledPage<Item>, 'earliestSeconds'>,
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

/** A page as it is told to the builder: what of it is new, and what was known before. */
export function seenOn<Item>(
  page: PolledPage<Item>,
  { detectionState, isFirst }: Pick<Position<Item>, 'detectionState' | 'isFirst'>,
  detection: Detection<Item>,
  identify: (item: Item) => string,
): Omit<Seen<Item>, 'boundaries'> {
  const { refused, gap } = detection;
  const fresh = detection.fresh.map(({ item }) => item);
  // Beside a record that is new its twin counts only once it is confirmed.
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
    // The time after a gap in the past was counted with what was known before the gap.
    gap,
    gapEndSeconds: gap && Math.max(gap.toSeconds, detectionState.newestSeconds),
    nowSeconds: page.venueSeconds,
  };
}
