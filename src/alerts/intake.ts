import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  AMENDABLE_ACTIVITY,
  type Amendable,
  activityIdentity,
  type EndpointName,
  type TransferItem,
  transferIdentity,
} from '../domain/records.ts';
import type { AnyPolledPage, PageSink, PolledPage } from '../feed/interface.ts';
import type { Machine } from '../lib/machine.ts';
import type { Registry } from '../watches/registry.ts';
import type { AlertBuilder } from './builder/build.ts';
import type { Seen } from './builder/pages.ts';
import { detect } from './detect.ts';
import { createEndpointRuns, type EndpointRun } from './endpoint-runs.ts';
import type { Outbox } from './outbox.ts';
import { positionOf, seenOn } from './page-position.ts';
import type { Change, StoredEndpoint, WalletState } from './wallets/wallet-document.ts';

/** Functions that recognize an endpoint's records. */
interface Reading<Item> {
  readonly identify: (item: Item) => string;
  readonly amendable: Amendable<Item> | null;
}
const ACTIVITY = { identify: activityIdentity, amendable: AMENDABLE_ACTIVITY };
const TRANSFERS = { identify: transferIdentity, amendable: null };

/**
 * The bot's side of the seam between feed and bot. Compares each page with what was seen before,
 * builds the resulting alerts and stores both in one write. Drops pages of wallets that no channel
 * watches. `onGap` is called once a gap is stored, `onAmended` once a record changed by the venue
 * is stored.
 */
export function createIntake(
  { log }: Machine,
  parts: {
    readonly registry: Registry;
    readonly alertBuilder: AlertBuilder;
    readonly outbox: Outbox;
    /**
     * Resolves once the data that a wallet's page is compared with is loaded. Left out: resolves at
     * once.
     */
    readonly whenKnown?: (wallet: WalletAddress) => Promise<void>;
    readonly onGap?: (gap: { readonly endpoint: EndpointName }) => void;
    readonly onAmended?: (amended: { readonly endpoint: EndpointName }) => void;
  },
) {
  const { registry, alertBuilder, outbox, whenKnown, onGap, onAmended } = parts;
  const runs = createEndpointRuns();

  const logStored = (
    { wallet, detection: { fresh, amended, gap } }: Seen<unknown>,
    endpoint: EndpointName,
  ): void => {
    if (fresh.length > 0) {
      log.info({
        event: 'poll.fresh',
        wallet,
        endpoint,
        items: fresh.length,
      });
    }
    if (amended.length > 0) {
      log.info({ event: 'poll.amended', wallet, endpoint, items: amended.length });
      for (const _ of amended) onAmended?.({ endpoint });
    }
    if (gap === null) return;
    log.warn({ event: 'poll.gap', wallet, endpoint, ...gap });
    onGap?.({ endpoint });
  };

  const take = async <Item extends ActivityItem | TransferItem>(
    page: PolledPage<Item> & { readonly endpoint: EndpointName },
    storedIn: (state: WalletState) => StoredEndpoint<Item> | null | undefined,
    { identify, amendable }: Reading<Item>,
    build: (seen: Seen<Item>, state: WalletState) => Change,
  ) => {
    const { wallet, endpoint } = page;
    await whenKnown?.(wallet);
    const stored = storedIn(await outbox.stateOf(wallet));
    const watches = registry.ofWallet(wallet);
    if (watches.length === 0) return { isOpen: false, pollId: page.pollId };
    const inThisRun = runs.of(wallet, endpoint);
    inThisRun.isSettled = false;
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    const position = positionOf(stored, page, sinceSeconds);
    const { detectionState, pollId, lost, isFirst } = position;
    // The page was accepted before and arrived again, or another feed delivered it late. Later
    // pages have already shown its records.
    if (page.pollId <= pollId) {
      return { isOpen: Object.keys(detectionState.duplicateCandidates).length > 0, pollId };
    }

    const compared = detect(page, detectionState, identify, amendable);
    const detection = { ...compared, gap: lost ?? compared.gap };
    logRefused(log, inThisRun, page, detection.refused, identify);

    if (isFirst || lost !== null || detection.state !== detectionState) {
      const boundaries = alertBuilder.boundariesOf(wallet);
      const seen = { ...seenOn(page, position, detection, identify), boundaries };
      const read = { detectionState: detection.state, pollId: page.pollId };
      await outbox.commit(wallet, (known) => {
        const built = build(seen, known);
        return { ...built, state: { ...built.state, [endpoint]: read } };
      });
      logStored(seen, endpoint);
    }
    inThisRun.takenSeconds = page.venueSeconds;
    inThisRun.isSettled = !detection.recheck;
    return { isOpen: detection.recheck, pollId: page.pollId };
  };

  return {
    takePage(page: AnyPolledPage) {
      if (page.endpoint === 'activity') {
        return take(page, (state) => state.activity, ACTIVITY, alertBuilder.activity);
      }
      const storedIn = (state: WalletState) => state['deposits-withdrawals'];
      return take(page, storedIn, TRANSFERS, alertBuilder.transfers);
    },
    unchanged(wallet, name, seconds) {
      const endpoint = runs.of(wallet, name);
      if (endpoint.isSettled) endpoint.takenSeconds = seconds;
      return endpoint.isSettled;
    },
    async abandon({ wallet, endpoint, venueSeconds }) {
      if (registry.ofWallet(wallet).length === 0) return;
      const toSeconds = Math.floor(venueSeconds);
      const takenSeconds = runs.takenSeconds(wallet, endpoint) ?? toSeconds;
      const fromSeconds = Math.min(toSeconds, Math.floor(takenSeconds));
      const gap = { endpoint, cause: 'damage', fromSeconds, toSeconds } as const;
      await whenKnown?.(wallet);
      const found = alertBuilder.gap(wallet, gap, toSeconds * 1000);
      await outbox.commit(wallet, () => ({ state: {}, ...found }));
      onGap?.({ endpoint });
    },
    /**
     * Venue time of the newest page of the endpoint accepted in this run, in Unix seconds; null if
     * there was none.
     */
    pageSeconds: runs.takenSeconds,
    forget: runs.forget,
  } satisfies PageSink & Record<string, unknown>;
}

/** Logs records that are dated too far ahead, once each. */
function logRefused<Item extends ActivityItem | TransferItem>(
  log: Machine['log'],
  inThisRun: EndpointRun,
  { wallet, endpoint, venueSeconds }: PolledPage<Item> & { readonly endpoint: EndpointName },
  refused: readonly Item[],
  identify: (item: Item) => string,
): void {
  const unnamed = refused.filter((item) => !inThisRun.refusedNames.includes(identify(item)));
  inThisRun.refusedNames = refused.map(identify);
  const [first] = unnamed;
  if (first === undefined) return;
  const { txHash, time } = first;
  log.warn({
    event: 'poll.records_refused',
    wallet,
    endpoint,
    records: unnamed.length,
    txHash,
    aheadSeconds: Math.round(time - venueSeconds),
  });
}
