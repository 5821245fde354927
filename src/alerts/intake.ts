import { LRUCache } from 'lru-cache';
import type { WalletAddress } from '../domain/address.ts';
import { activityIdentity, transferIdentity } from '../domain/identity.ts';
import { type ActivityItem, ENDPOINT_NAMES, type EndpointName, type TransferItem } from '../domain/records.ts';
import type { AnyPolledPage, PageSink, PolledPage } from '../feed/interface.ts';
import type { Machine } from '../lib/machine.ts';
import type { Quarantine } from '../store/quarantine.ts';
import type { Registry } from '../watches/registry.ts';
import type { PositionAsker } from './ask-positions.ts';
import { type AlertBuilder, type Built, gapAlert, type Seen } from './build.ts';
import { type Detection, type DetectionState, detect, initialDetectionState } from './detect.ts';
import type { Outbox } from './outbox.ts';
import { type StoredEndpoint, Unreadable, WALLET_PREFIX, type WalletState } from './wallet-document.ts';

/** Refused records that the log has: beyond, it may have one again. */
const REFUSED_REMEMBERED = 10_000;

/** How an endpoint differs from the other one. */
interface EndpointKind<Item extends ActivityItem | TransferItem> {
  readonly endpoint: EndpointName;
  readonly identify: (item: Item) => string;
  readonly build: (seen: Seen<Item>, state: WalletState) => Built;
  readonly stored: (state: WalletState) => StoredEndpoint<Item> | Unreadable | undefined;
}

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
    putAside,
    onGap = () => {},
  }: {
    readonly registry: Pick<Registry, 'ofWallet'>;
    readonly alertBuilder: Pick<AlertBuilder, 'activity' | 'transfers'>;
    readonly outbox: Pick<Outbox, 'stateOf' | 'commit'>;
    readonly positionAsker: Pick<PositionAsker, 'ask'>;
    readonly putAside: Quarantine;
    /** Called once a gap is stored. */
    readonly onGap?: (gap: { readonly endpoint: EndpointName }) => void;
  },
) {
  const loggedRefused = new LRUCache<string, true>({ max: REFUSED_REMEMBERED });
  const takenSeconds = new Map<string, number>();
  /** Endpoints whose last page was not taken, or left something open: the same once more may bring something. */
  const unsettled = new Set<string>();
  const keyOf = (wallet: WalletAddress, endpoint: EndpointName) => `${wallet}:${endpoint}`;
  const activity: EndpointKind<ActivityItem> = {
    endpoint: 'activity',
    identify: activityIdentity,
    build: alertBuilder.activity,
    stored: (state) => state.activity,
  };
  const transfers: EndpointKind<TransferItem> = {
    endpoint: 'deposits-withdrawals',
    identify: transferIdentity,
    build: alertBuilder.transfers,
    stored: (state) => state['deposits-withdrawals'],
  };

  /** Logs each record that is dated too far ahead once. */
  const logRefused = <Item extends ActivityItem | TransferItem>(
    key: string,
    { identify, endpoint }: EndpointKind<Item>,
    { wallet, venueSeconds }: PolledPage<Item>,
    refused: readonly Item[],
  ) => {
    const keys = refused.map((item) => `${key}:${identify(item)}`).filter((item) => !loggedRefused.has(item));
    const [first] = refused;
    if (first === undefined || keys.length === 0) return;
    for (const item of keys) loggedRefused.set(item, true);
    const aheadSeconds = Math.round(first.time - venueSeconds);
    const { txHash } = first;
    log.warn({ event: 'poll.records_refused', wallet, endpoint, records: keys.length, txHash, aheadSeconds });
  };

  /** From a page to alerts that wait for delivery. */
  const take = async <Item extends ActivityItem | TransferItem>(
    kind: EndpointKind<Item>,
    page: PolledPage<Item>,
  ): Promise<{ isOpen: boolean }> => {
    const { wallet, venueSeconds } = page;
    const { endpoint, identify, build } = kind;
    const key = keyOf(wallet, endpoint);

    // Read what earlier pages have shown.
    const stored = kind.stored(await outbox.stateOf(wallet));
    const watches = registry.ofWallet(wallet);
    if (watches.length === 0) return { isOpen: false };
    unsettled.add(key);
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    const { state, pollId, lost } = baselineOf(stored, sinceSeconds, Math.floor(page.earliestSeconds));
    // It was taken before and has come again, or another feed was late with it: later pages have shown what it has.
    if (page.pollId <= pollId) return { isOpen: Object.keys(state.duplicateCandidates).length > 0 };

    // Detect what is new.
    const compared = detect(page, state, identify, page);
    const detection = lost === null ? compared : { ...compared, gap: lost };
    const { refused, recheck } = detection;
    logRefused(key, kind, page, refused);
    if (stored instanceof Unreadable) await putAside(`${WALLET_PREFIX}${wallet}:${endpoint}`, stored.stored);

    const isFirst = stored === undefined;
    if (isFirst || lost !== null || detection.state !== state) {
      const seen: Seen<Item> = {
        wallet,
        detection,
        items: page.items.filter((item) => !refused.includes(item)),
        isCut: page.hasMore || page.fromSeconds !== null || page.unreadable.length + refused.length > 0,
        isFirst,
        sinceSeconds: isFirst ? sinceSeconds : state.newestSeconds,
        nowSeconds: venueSeconds,
      };
      // Build the alerts, write them with what was seen, and queue them for their channels.
      await outbox.commit(wallet, (before) => {
        const built = build(seen, before);
        if (built.asked.length > 0) positionAsker.ask(wallet, built.asked);
        return { ...built, state: { ...built.state, [endpoint]: { state: detection.state, pollId: page.pollId } } };
      });
      if (detection.gap !== null) onGap({ endpoint });
    }
    takenSeconds.set(key, venueSeconds);
    if (!recheck) unsettled.delete(key);
    return { isOpen: recheck };
  };

  return {
    takePage: (page: AnyPolledPage) => (page.endpoint === 'activity' ? take(activity, page) : take(transfers, page)),
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

/** What a page is compared with. */
interface Baseline<Item> {
  readonly state: DetectionState<Item>;
  /** Of the page that the state comes from; less than any where there is none. */
  readonly pollId: number;
  /** The time of which nothing is known, because what is stored cannot be read; null if it can, or nothing is. */
  readonly lost: Detection<Item>['gap'];
}

/**
 * Goes on from the stored state. Without one, all since the watch began is new; if it cannot be read, all from now on is.
 *
 * @param sinceSeconds since when the wallet is watched, Unix seconds
 * @param nowSeconds Unix seconds
 */
function baselineOf<Item extends ActivityItem | TransferItem>(
  stored: StoredEndpoint<Item> | Unreadable | undefined,
  sinceSeconds: number,
  nowSeconds: number,
): Baseline<Item> {
  const pollId = Number.NEGATIVE_INFINITY;
  if (stored === undefined) return { state: initialDetectionState(sinceSeconds), pollId, lost: null };
  if (!(stored instanceof Unreadable)) return { ...stored, lost: null };
  const fromSeconds = Math.min(sinceSeconds, nowSeconds);
  return {
    state: initialDetectionState(nowSeconds),
    pollId,
    lost: { cause: 'damage', fromSeconds, toSeconds: nowSeconds },
  };
}
