import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  activityIdentity,
  ENDPOINT_NAMES,
  type EndpointName,
  type TransferItem,
  transferIdentity,
} from '../domain/records.ts';
import type { AnyPolledPage, PageSink, PolledPage } from '../feed/interface.ts';
import type { Machine } from '../lib/machine.ts';
import type { Registry } from '../watches/registry.ts';
import type { PositionAsker } from './ask-feed.ts';
import { type AlertBuilder, gapAlert, type Seen } from './build.ts';
import { detect, initialDetectionState } from './detect.ts';
import type { Outbox } from './outbox.ts';
import { type Change, type StoredEndpoint, Unreadable, type WalletState } from './wallet-document.ts';

type EndpointPage<Item> = PolledPage<Item> & { readonly endpoint: EndpointName };

/** Refused records that the log has: beyond, it may have one again. */
const REFUSED_REMEMBERED = 10_000;

/**
 * The bot's side of the seam. Takes pages from the feed: compares each with what was seen before, builds the alerts that follow,
 * and stores both in one write. A page of a wallet that nobody watches any more is dropped.
 */
export function createIntake(
  { log }: Pick<Machine, 'log'>,
  {
    registry,
    alertBuilder,
    outbox,
    positionAsker,
    onGap = () => {},
  }: {
    readonly registry: Pick<Registry, 'ofWallet'>;
    readonly alertBuilder: Pick<AlertBuilder, 'activity' | 'boundariesOf' | 'transfers'>;
    readonly outbox: Pick<Outbox, 'stateOf' | 'commit'>;
    readonly positionAsker: Pick<PositionAsker, 'ask'>;
    /** Called once a gap is stored. */
    readonly onGap?: (gap: { readonly endpoint: EndpointName }) => void;
  },
) {
  const loggedRefused = new LRUCache<string, true>({ max: REFUSED_REMEMBERED });
  const takenSeconds = new Map<string, number>();
  /** Endpoints whose last page was not taken, or left something open: the same once more may bring something. */
  const unsettled = new Set<string>();
  const keyOf = (wallet: WalletAddress, endpoint: EndpointName) => `${wallet}:${endpoint}`;

  /** Logs each record that is dated too far ahead once. */
  const logRefused = <Item extends ActivityItem | TransferItem>(
    { wallet, endpoint, venueSeconds }: EndpointPage<Item>,
    refused: readonly Item[],
    identify: (item: Item) => string,
  ) => {
    const keys = refused
      .map((item) => `${keyOf(wallet, endpoint)}:${identify(item)}`)
      .filter((item) => !loggedRefused.has(item));
    const [first] = refused;
    if (first === undefined || keys.length === 0) return;
    for (const item of keys) loggedRefused.set(item, true);
    const aheadSeconds = Math.round(first.time - venueSeconds);
    const { txHash } = first;
    log.warn({ event: 'poll.records_refused', wallet, endpoint, records: keys.length, txHash, aheadSeconds });
  };

  /** From a page to alerts that wait for delivery. */
  const take = async <Item extends ActivityItem | TransferItem>(
    page: EndpointPage<Item>,
    storedIn: (state: WalletState) => StoredEndpoint<Item> | Unreadable | undefined,
    identify: (item: Item) => string,
    build: (seen: Seen<Item>, state: WalletState) => Change,
  ): Promise<{ isOpen: boolean }> => {
    const { wallet, endpoint, venueSeconds } = page;
    const key = keyOf(wallet, endpoint);

    // Read what earlier pages have shown.
    const stored = storedIn(await outbox.stateOf(wallet));
    const watches = registry.ofWallet(wallet);
    if (watches.length === 0) return { isOpen: false };
    unsettled.add(key);
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    const { state, pollId, lost } = baselineOf(stored, sinceSeconds, Math.floor(page.earliestSeconds));
    // It was taken before and has come again, or another feed was late with it: later pages have shown what it has.
    if (page.pollId <= pollId) return { isOpen: Object.keys(state.duplicateCandidates).length > 0 };

    // Detect what is new.
    const compared = detect(page, state, identify, page);
    const detection = { ...compared, gap: lost ?? compared.gap };
    const { gap, refused, recheck } = detection;
    logRefused(page, refused, identify);

    const isFirst = stored === undefined;
    if (isFirst || lost !== null || detection.state !== state) {
      const knownSeconds = isFirst ? sinceSeconds : state.newestSeconds;
      const seen: Seen<Item> = {
        wallet,
        detection,
        items: page.items.filter((item) => !refused.includes(item)),
        fresh: detection.fresh.map(({ item }) => item),
        isCut: page.hasMore || page.fromSeconds !== null || page.unreadable.length + refused.length > 0,
        isFirst,
        sinceSeconds: knownSeconds,
        boundaries: alertBuilder.boundariesOf(wallet),
        // What is known of the time after a gap in the past was counted with what was known before it.
        gapEndSeconds: gap && Math.max(gap.toSeconds, knownSeconds),
        nowSeconds: venueSeconds,
      };
      // Build the alerts, write them with what was seen, and queue them for their channels.
      await outbox.commit(wallet, (known) => {
        const { asked = [], ...built } = build(seen, known);
        if (asked.length > 0) positionAsker.ask(wallet, asked);
        return { ...built, state: { ...built.state, [endpoint]: { state: detection.state, pollId: page.pollId } } };
      });
      if (gap !== null) onGap({ endpoint });
    }
    takenSeconds.set(key, venueSeconds);
    if (!recheck) unsettled.delete(key);
    return { isOpen: recheck };
  };

  return {
    takePage: (page: AnyPolledPage) =>
      page.endpoint === 'activity'
        ? take(page, (state) => state.activity, activityIdentity, alertBuilder.activity)
        : take(page, (state) => state['deposits-withdrawals'], transferIdentity, alertBuilder.transfers),
    unchanged(wallet, endpoint, seconds) {
      if (unsettled.has(keyOf(wallet, endpoint))) return false;
      takenSeconds.set(keyOf(wallet, endpoint), seconds);
      return true;
    },
    async abandon({ wallet, endpoint, venueSeconds }) {
      const watches = registry.ofWallet(wallet);
      if (watches.length === 0) return;
      const toSeconds = Math.floor(venueSeconds);
      const fromSeconds = Math.min(toSeconds, Math.floor(takenSeconds.get(keyOf(wallet, endpoint)) ?? toSeconds));
      const alert = gapAlert(wallet, { endpoint, cause: 'damage', fromSeconds, toSeconds }, watches, toSeconds * 1000);
      await outbox.commit(wallet, () => ({ state: {}, alerts: [alert] }));
      onGap({ endpoint });
    },
    /** Venue time of the newest page that was taken of the endpoint in this run, Unix seconds; null if none was. */
    pageSeconds: (wallet: WalletAddress, endpoint: EndpointName) => takenSeconds.get(keyOf(wallet, endpoint)) ?? null,
    forget(wallet: WalletAddress): void {
      for (const endpoint of ENDPOINT_NAMES) {
        takenSeconds.delete(keyOf(wallet, endpoint));
        unsettled.delete(keyOf(wallet, endpoint));
      }
    },
  } satisfies PageSink & Record<string, unknown>;
}

/**
 * What a page is compared with: the stored state and the pollId of the page that it comes from. Without one all since the watch
 * began is new; if it cannot be read all from now on is, and nothing is known of the time before: `lost`.
 *
 * @param sinceSeconds since when the wallet is watched, Unix seconds
 * @param nowSeconds Unix seconds
 */
function baselineOf<Item>(
  stored: StoredEndpoint<Item> | Unreadable | undefined,
  sinceSeconds: number,
  nowSeconds: number,
) {
  const pollId = Number.NEGATIVE_INFINITY;
  if (stored === undefined) return { state: initialDetectionState(sinceSeconds), pollId, lost: null };
  if (!(stored instanceof Unreadable)) return { ...stored, lost: null };
  const lost = { cause: 'damage', fromSeconds: Math.min(sinceSeconds, nowSeconds), toSeconds: nowSeconds } as const;
  return { state: initialDetectionState(nowSeconds), pollId, lost };
}
