import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  activityIdentity,
  type EndpointName,
  type TransferItem,
  transferIdentity,
} from '../domain/records.ts';
import type { AnyPolledPage, PageSink, PolledPage } from '../feed/interface.ts';
import type { Machine } from '../lib/machine.ts';
import type { Registry } from '../watches/registry.ts';
import type { AlertBuilder } from './build/build.ts';
import { gapAlert } from './build/gaps.ts';
import type { Seen } from './build/pages.ts';
import { detect, initialDetectionState } from './detect.ts';
import type { Outbox } from './outbox.ts';
import type { Change, StoredEndpoint, WalletState } from './wallet-document.ts';

/**
 * The bot's side of the seam. Compares each page of the feed with what was seen before, builds the
 * alerts that follow and stores both in one write. Drops a page of a wallet that nobody watches.
 * `onGap`: a gap has been stored.
 */
export function createIntake(
  { log }: Pick<Machine, 'log'>,
  parts: {
    readonly registry: Registry;
    readonly alertBuilder: AlertBuilder;
    readonly outbox: Outbox;
    readonly onGap?: (gap: { readonly endpoint: EndpointName }) => void;
  },
) {
  const { registry, alertBuilder, outbox, onGap = () => {} } = parts;
  const wallets = new Map<
    WalletAddress,
    Readonly<Record<EndpointName, ReturnType<typeof newEndpoint>>>
  >();
  const endpointOf = (wallet: WalletAddress, name: EndpointName) => {
    const endpoints = wallets.get(wallet) ?? {
      activity: newEndpoint(),
      'deposits-withdrawals': newEndpoint(),
    };
    wallets.set(wallet, endpoints);
    return endpoints[name];
  };

  const tellStored = (
    { wallet, detection: { fresh, gap } }: Seen<unknown>,
    endpoint: EndpointName,
  ): void => {
    if (fresh.length > 0) log.info({ event: 'poll.fresh', wallet, endpoint, items: fresh.length });
    if (gap === null) return;
    log.warn({ event: 'poll.gap', wallet, endpoint, ...gap });
    onGap({ endpoint });
  };

  const take = async <Item extends ActivityItem | TransferItem>(
    page: PolledPage<Item> & { readonly endpoint: EndpointName },
    storedIn: (state: WalletState) => StoredEndpoint<Item> | null | undefined,
    identify: (item: Item) => string,
    build: (seen: Seen<Item>, state: WalletState) => Change,
  ): Promise<Awaited<ReturnType<PageSink['takePage']>>> => {
    const { wallet, endpoint, venueSeconds } = page;

    const stored = storedIn(await outbox.stateOf(wallet));
    const watches = registry.ofWallet(wallet);
    if (watches.length === 0) return { isOpen: false, pollId: page.pollId };
    const inThisRun = endpointOf(wallet, endpoint);
    inThisRun.isSettled = false;
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    // None stored: all since the watch began is new. Unreadable (null): all from now on, and a gap
    // for the time before.
    const nowSeconds = Math.floor(page.earliestSeconds);
    const lostSeconds = { fromSeconds: Math.min(sinceSeconds, nowSeconds), toSeconds: nowSeconds };
    const lost = stored === null ? ({ cause: 'damage', ...lostSeconds } as const) : null;
    const { detectionState, pollId } = stored ?? {
      detectionState: initialDetectionState(lost?.toSeconds ?? sinceSeconds),
      pollId: Number.NEGATIVE_INFINITY,
    };
    // It was taken before and has come again, or another feed was late with it: later pages have
    // shown what it has.
    if (page.pollId <= pollId)
      return { isOpen: Object.keys(detectionState.duplicateCandidates).length > 0, pollId };

    const compared = detect(page, detectionState, identify);
    const detection = { ...compared, gap: lost ?? compared.gap };
    const { gap, refused, recheck } = detection;
    const unnamed = refused.filter((item) => !inThisRun.refusedNames.includes(identify(item)));
    inThisRun.refusedNames = refused.map(identify);
    const [first] = unnamed;
    if (first !== undefined) {
      const { txHash, time } = first;
      const aheadSeconds = Math.round(time - venueSeconds);
      log.warn({
        event: 'poll.records_refused',
        wallet,
        endpoint,
        records: unnamed.length,
        txHash,
        aheadSeconds,
      });
    }

    const isFirst = stored === undefined;
    if (isFirst || lost !== null || detection.state !== detectionState) {
      const fresh = detection.fresh.map(({ item }) => item);
      // Beside a record that is new its twin counts only once it is confirmed.
      const firsts = new Set(
        detection.fresh.flatMap((each) => (each.occurrence === 1 ? each.identity : [])),
      );
      const isKnown = (item: Item) => !fresh.includes(item) && !firsts.has(identify(item));
      const accepted = page.items.filter((item) => !refused.includes(item));
      const seen: Seen<Item> = {
        wallet,
        detection,
        items: accepted,
        fresh,
        known: accepted.filter(isKnown),
        isCut:
          page.hasMore || page.fromSeconds !== null || page.unreadable.length + refused.length > 0,
        isFirst,
        sinceSeconds: detectionState.newestSeconds,
        boundaries: alertBuilder.boundariesOf(wallet),
        // The time after a gap in the past was counted with what was known before the gap.
        gapEndSeconds: gap && Math.max(gap.toSeconds, detectionState.newestSeconds),
        nowSeconds: venueSeconds,
      };
      await outbox.commit(wallet, (known) => {
        const built = build(seen, known);
        return {
          ...built,
          state: {
            ...built.state,
            [endpoint]: { detectionState: detection.state, pollId: page.pollId },
          },
        };
      });
      tellStored(seen, endpoint);
    }
    inThisRun.takenSeconds = venueSeconds;
    inThisRun.isSettled = !recheck;
    return { isOpen: recheck, pollId: page.pollId };
  };

  return {
    takePage: (page: AnyPolledPage) =>
      page.endpoint === 'activity'
        ? take(page, (state) => state.activity, activityIdentity, alertBuilder.activity)
        : take(
            page,
            (state) => state['deposits-withdrawals'],
            transferIdentity,
            alertBuilder.transfers,
          ),
    unchanged(wallet, name, seconds) {
      const endpoint = endpointOf(wallet, name);
      if (endpoint.isSettled) endpoint.takenSeconds = seconds;
      return endpoint.isSettled;
    },
    async abandon({ wallet, endpoint, venueSeconds }) {
      const watches = registry.ofWallet(wallet);
      if (watches.length === 0) return;
      const toSeconds = Math.floor(venueSeconds);
      const takenSeconds = endpointOf(wallet, endpoint).takenSeconds ?? toSeconds;
      const fromSeconds = Math.min(toSeconds, Math.floor(takenSeconds));
      const alert = gapAlert(
        wallet,
        { endpoint, cause: 'damage', fromSeconds, toSeconds },
        watches,
        toSeconds * 1000,
      );
      await outbox.commit(wallet, () => ({ state: {}, alerts: [alert] }));
      onGap({ endpoint });
    },
    /**
     * Venue time of the newest page that was taken of the endpoint in this run, Unix seconds; null
     * if none was.
     */
    pageSeconds: (wallet: WalletAddress, endpoint: EndpointName) =>
      wallets.get(wallet)?.[endpoint].takenSeconds ?? null,
    forget: (wallet: WalletAddress) => wallets.delete(wallet),
  } satisfies PageSink & Record<string, unknown>;
}

/** State of an endpoint in this run. */
const newEndpoint = () => ({
  /** Venue time of the newest page that was taken, Unix seconds; null if none was. */
  takenSeconds: null as number | null,
  /**
   * True if the last page was taken and left nothing open, so that an equal page brings nothing.
   */
  isSettled: true,
  /**
   * Identities of the records of the last page that are dated too far ahead: they are in the log.
   */
  refusedNames: [] as readonly string[],
});
