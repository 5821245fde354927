import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import { activityIdentity, transferIdentity } from '../domain/identity.ts';
import {
  type ActivityItem,
  ENDPOINT_NAMES,
  type EndpointName,
  readActivityItemSchema,
  type TransferItem,
  transferItemSchema,
} from '../domain/records.ts';
import type { AnyPolledPage, Committed, PageSink, PolledPage } from '../feed/interface.ts';
import type { Quarantine } from '../store/quarantine.ts';
import type { Registry } from '../watches/registry.ts';
import type { Watch } from '../watches/watch.ts';
import { type AlertBuilder, type Built, gapAlert, type Seen } from './build.ts';
import { type Detection, type DetectionState, detect, detectionStateSchema, initialDetectionState } from './detect.ts';
import { type NewAlert, type Outbox, WALLET_PREFIX } from './outbox.ts';

/** Refused records that the log has: beyond, it may have one again. */
const REFUSED_REMEMBERED = 10_000;

export interface IntakeDeps {
  readonly registry: Pick<Registry, 'ofWallet'>;
  readonly alertBuilder: Pick<AlertBuilder, 'activity' | 'transfers' | 'cacheWallet'>;
  readonly outbox: Pick<Outbox, 'pollState' | 'commit'>;
  readonly putAside: Quarantine;
  /** Called once a gap is stored. */
  readonly onGap?: (gap: { readonly endpoint: EndpointName }) => void;
  readonly log: Logger;
}

/** The bot's side of the seam. */
export interface Intake extends PageSink {
  /** Venue time of the newest page that was taken of the endpoint in this run, Unix seconds; null if none was. */
  pageSeconds(wallet: WalletAddress, endpoint: EndpointName): number | null;
  forget(wallet: WalletAddress): void;
}

/** How an endpoint differs from the other one. */
interface EndpointKind<Item extends ActivityItem | TransferItem> {
  readonly endpoint: EndpointName;
  readonly identify: (item: Item) => string;
  readonly build: (seen: Seen<Item>, poll: Readonly<Record<string, unknown>>) => Built;
  readonly stored: z.ZodType<StoredEndpoint<Item>>;
}

/** What the wallet's document holds of an endpoint. */
interface StoredEndpoint<Item> {
  readonly state: DetectionState<Item>;
  /** Of the page that the state comes from. */
  readonly pollId: number;
}

function storedSchema<Item>(itemSchema: z.ZodType<Item>): z.ZodType<StoredEndpoint<Item>> {
  return z.object({ state: detectionStateSchema(itemSchema), pollId: z.number() });
}

/** What a wallet's document holds of its endpoints, by their names. */
export const endpointSchemas = {
  activity: storedSchema(readActivityItemSchema),
  'deposits-withdrawals': storedSchema(transferItemSchema),
} satisfies Record<EndpointName, z.ZodType>;

/**
 * Takes pages from the feed: compares each with what was seen before, builds the alerts that follow, and stores both in one
 * write. A page of a wallet that nobody watches any more is dropped.
 */
export function createIntake(deps: IntakeDeps): Intake {
  const { registry, outbox, alertBuilder, log } = deps;
  const loggedRefused = new LRUCache<string, true>({ max: REFUSED_REMEMBERED });
  const takenSeconds = new Map<string, number>();
  /** Endpoints whose last page was not taken, or left something open: the same once more may bring something. */
  const unsettled = new Set<string>();
  const keyOf = (wallet: WalletAddress, endpoint: EndpointName) => `${wallet}:${endpoint}`;
  const activity: EndpointKind<ActivityItem> = {
    endpoint: 'activity',
    identify: activityIdentity,
    build: alertBuilder.activity,
    stored: endpointSchemas.activity,
  };
  const transfers: EndpointKind<TransferItem> = {
    endpoint: 'deposits-withdrawals',
    identify: transferIdentity,
    build: alertBuilder.transfers,
    stored: endpointSchemas['deposits-withdrawals'],
  };

  const noteTaken = (key: string, seconds: number, isOpen: boolean) => {
    takenSeconds.set(key, seconds);
    if (!isOpen) unsettled.delete(key);
  };

  /** Logs each refused record once. */
  const logRefused = (
    wallet: WalletAddress,
    endpoint: EndpointName,
    refused: readonly Refused[],
    nowSeconds: number,
  ) => {
    const fresh = refused.filter(({ identity }) => !loggedRefused.has(`${keyOf(wallet, endpoint)}:${identity}`));
    const [first] = fresh;
    if (first === undefined) return;
    for (const { identity } of fresh) loggedRefused.set(`${keyOf(wallet, endpoint)}:${identity}`, true);
    const { txHash, time } = first.item;
    const aheadSeconds = Math.round(time - nowSeconds);
    log.warn({ event: 'poll.records_refused', wallet, endpoint, records: fresh.length, txHash, aheadSeconds });
  };

  /** Stores what a page has changed, and the alerts that follow from it, in one write. */
  const store = async <Item extends ActivityItem | TransferItem>(
    { endpoint, build }: EndpointKind<Item>,
    { pollId }: PolledPage<Item>,
    seen: Seen<Item>,
  ): Promise<void> => {
    const { wallet, detection } = seen;
    const next: StoredEndpoint<Item> = { state: detection.state, pollId };
    const poll = await outbox.commit(wallet, (before) => {
      const built = build(seen, before);
      return { ...built, poll: { ...built.poll, [endpoint]: next } };
    });
    if (detection.gap !== null) deps.onGap?.({ endpoint });
    // The wallet may have been removed while this was being stored.
    if (registry.ofWallet(wallet).length > 0) alertBuilder.cacheWallet(wallet, poll);
  };

  const take = async <Item extends ActivityItem | TransferItem>(
    kind: EndpointKind<Item>,
    page: PolledPage<Item>,
  ): Promise<{ isOpen: boolean }> => {
    const { wallet, venueSeconds } = page;
    const { endpoint } = kind;
    const document = (await outbox.pollState(wallet))[endpoint];
    const watches = registry.ofWallet(wallet);
    if (watches.length === 0) return { isOpen: false };
    const key = keyOf(wallet, endpoint);
    unsettled.add(key);
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    const baseline = readBaseline(kind, document, sinceSeconds, Math.floor(page.earliestSeconds));
    const { state, isStored, lost } = baseline;
    // It was taken before and has come again, or another feed was late with it: later pages have shown what it has.
    if (page.pollId <= baseline.pollId) return { isOpen: Object.keys(state.duplicateCandidates).length > 0 };
    const compared = detect(page, state, kind.identify, page);
    const detection = lost === null ? compared : { ...compared, gap: lost };
    const refused = detection.refused.map((item) => ({ item, identity: kind.identify(item) }));
    logRefused(wallet, endpoint, refused, venueSeconds);
    if (lost !== null) await deps.putAside(`${WALLET_PREFIX}${wallet}:${endpoint}`, document);
    if (!isStored || detection.state !== state) {
      const isFirst = document === undefined;
      await store(kind, page, {
        wallet,
        detection,
        items: page.items.filter((item) => !detection.refused.includes(item)),
        isCut: page.hasMore || page.fromSeconds !== null || page.unreadable.length + refused.length > 0,
        isFirst,
        sinceSeconds: isFirst ? sinceSeconds : state.newestSeconds,
        nowSeconds: venueSeconds,
      });
    }
    noteTaken(key, venueSeconds, detection.recheck);
    return { isOpen: detection.recheck };
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
      await outbox.commit(wallet, (poll) => ({ poll, alerts: [alert] }));
      deps.onGap?.({ endpoint });
    },
    pageSeconds: (wallet, endpoint) => takenSeconds.get(keyOf(wallet, endpoint)) ?? null,
    forget(wallet) {
      for (const endpoint of ENDPOINT_NAMES) {
        takenSeconds.delete(keyOf(wallet, endpoint));
        unsettled.delete(keyOf(wallet, endpoint));
      }
    },
  };
}

/** What a page is compared with. */
interface Baseline<Item> {
  readonly state: DetectionState<Item>;
  /** Whether it is what the wallet's document holds. */
  readonly isStored: boolean;
  /** Of the page that the state comes from; less than any where there is none. */
  readonly pollId: number;
  /** The time of which nothing is known, because what the document holds cannot be read; null if it can, or holds nothing. */
  readonly lost: Detection<Item>['gap'];
}

/**
 * Goes on from the stored state. Without one, all since the watch began is new; if it cannot be read, all from now on is.
 *
 * @param document what the wallet's document holds of the endpoint
 * @param sinceSeconds since when the wallet is watched, Unix seconds
 * @param nowSeconds Unix seconds
 */
function readBaseline<Item extends ActivityItem | TransferItem>(
  kind: EndpointKind<Item>,
  document: unknown,
  sinceSeconds: number,
  nowSeconds: number,
): Baseline<Item> {
  const parsed = kind.stored.safeParse(document);
  if (parsed.success) return { ...parsed.data, isStored: true, lost: null };
  const none = { isStored: false, pollId: Number.NEGATIVE_INFINITY };
  if (document === undefined) return { ...none, state: initialDetectionState(sinceSeconds), lost: null };
  const fromSeconds = Math.min(sinceSeconds, nowSeconds);
  return {
    ...none,
    state: initialDetectionState(nowSeconds),
    lost: { cause: 'damage', fromSeconds, toSeconds: nowSeconds },
  };
}

interface Refused {
  readonly item: { readonly time: number; readonly txHash: string };
  readonly identity: string;
}

/**
 * The state and the alerts of a wallet whose document cannot be read: everything counts as new from now on, and a gap says
 * its channels that something may be missing, because what was on its way is not known any more.
 */
export function resetWallet(
  wallet: WalletAddress,
  watches: readonly Watch[],
  nowMs: number,
): { readonly poll: Readonly<Record<EndpointName, StoredEndpoint<never>>>; readonly alerts: readonly NewAlert[] } {
  const toSeconds = Math.floor(nowMs / 1000);
  const fromSeconds = Math.min(toSeconds, ...watches.map(({ sinceSeconds }) => sinceSeconds));
  const anew: StoredEndpoint<never> = { state: initialDetectionState(toSeconds), pollId: 0 };
  return {
    poll: { activity: anew, 'deposits-withdrawals': anew },
    alerts: ENDPOINT_NAMES.map((endpoint) =>
      gapAlert(wallet, { endpoint, cause: 'damage', fromSeconds, toSeconds }, watches, nowMs),
    ),
  };
}

const pollIdSchema = z.object({ pollId: z.number() });

/**
 * The pollIds of the last pages that a wallet's document knows, by endpoint.
 *
 * @param poll what the document holds of the endpoints
 */
export function committedOf(poll: Readonly<Record<string, unknown>>): Committed {
  return Object.fromEntries(
    ENDPOINT_NAMES.flatMap((name) => {
      const parsed = pollIdSchema.safeParse(poll[name]);
      return parsed.success ? [[name, parsed.data.pollId]] : [];
    }),
  );
}
