import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  type ActivityItem,
  type AnyPolledPage,
  activityIdentity,
  ENDPOINT_NAMES,
  type EndpointName,
  type PolledPage,
  type TakePage,
  type TransferItem,
  transferIdentity,
  transferItemSchema,
  type WalletAddress,
} from '../feed/interface.ts';
import type { Quarantine } from '../store/quarantine.ts';
import type { Registry } from '../watches/registry.ts';
import type { Watch } from '../watches/watch.ts';
import { type AlertBuilder, type Built, gapAlert, type Seen } from './build.ts';
import { type DetectionState, detect, detectionStateSchema, initialDetectionState } from './detect.ts';
import { type NewAlert, type Outbox, storedActivitySchema, WALLET_PREFIX } from './outbox.ts';

/** Refused records that the log has: beyond, it may have one again. */
const REFUSED_REMEMBERED = 10_000;

export interface IntakeDeps {
  readonly registry: Pick<Registry, 'ofWallet'>;
  readonly alertBuilder: Pick<AlertBuilder, 'activity' | 'transfers' | 'cacheWallet'>;
  readonly outbox: Pick<Outbox, 'pollState' | 'commit'>;
  readonly putAside: Quarantine;
  readonly log: Logger;
}

/** The bot's side of the seam. */
export interface Intake {
  readonly takePage: TakePage;
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

/**
 * Takes pages from the feed: compares each with what was seen before, builds the alerts that follow, and stores both in one
 * write. A page of a wallet that nobody watches any more is dropped.
 */
export function createIntake(deps: IntakeDeps): Intake {
  const { registry, outbox, alertBuilder, log } = deps;
  const loggedRefused = new LRUCache<string, true>({ max: REFUSED_REMEMBERED });
  const takenSeconds = new Map<string, number>();
  const keyOf = (wallet: WalletAddress, endpoint: EndpointName) => `${wallet}:${endpoint}`;
  const activity: EndpointKind<ActivityItem> = {
    endpoint: 'activity',
    identify: activityIdentity,
    build: alertBuilder.activity,
    stored: storedSchema(storedActivitySchema),
  };
  const transfers: EndpointKind<TransferItem> = {
    endpoint: 'deposits-withdrawals',
    identify: transferIdentity,
    build: alertBuilder.transfers,
    stored: storedSchema(transferItemSchema),
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

  const take = async <Item extends ActivityItem | TransferItem>(
    kind: EndpointKind<Item>,
    page: PolledPage<Item>,
  ): Promise<{ isOpen: boolean }> => {
    const { wallet, earliestSeconds, venueSeconds } = page;
    const { endpoint } = kind;
    const document = (await outbox.pollState(wallet))[endpoint];
    const parsed = kind.stored.safeParse(document);
    const stored = parsed.success ? parsed.data : null;
    const isDamaged = stored === null && document !== undefined;
    const watches = registry.ofWallet(wallet);
    if (watches.length === 0) return { isOpen: false };
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    const anewSeconds = Math.floor(earliestSeconds);
    const state = stored?.state ?? initialDetectionState(isDamaged ? anewSeconds : sinceSeconds);
    const compared = detect(page, state, kind.identify, page);
    const lost = { cause: 'damage', fromSeconds: Math.min(sinceSeconds, anewSeconds), toSeconds: anewSeconds } as const;
    const detection = isDamaged ? { ...compared, gap: lost } : compared;
    const refused = detection.refused.map((item) => ({ item, identity: kind.identify(item) }));
    logRefused(wallet, endpoint, refused, venueSeconds);
    if (isDamaged) await deps.putAside(`${WALLET_PREFIX}${wallet}:${endpoint}`, document);
    if (stored === null || detection.state !== state) {
      const seen: Seen<Item> = {
        wallet,
        detection,
        items: page.items.filter((item) => !detection.refused.includes(item)),
        isCut: page.hasMore || page.unreadable + refused.length > 0,
        isFirst: document === undefined,
        sinceSeconds: document === undefined ? sinceSeconds : state.newestSeconds,
        nowSeconds: venueSeconds,
      };
      const next: StoredEndpoint<Item> = { state: detection.state, pollId: page.pollId };
      const poll = await outbox.commit(wallet, (before) => {
        const built = kind.build(seen, before);
        return { ...built, poll: { ...built.poll, [endpoint]: next } };
      });
      // The wallet may have been removed while this was being stored.
      if (registry.ofWallet(wallet).length > 0) alertBuilder.cacheWallet(wallet, poll);
    }
    takenSeconds.set(keyOf(wallet, endpoint), venueSeconds);
    return { isOpen: detection.recheck };
  };

  return {
    takePage: (page: AnyPolledPage) => (page.endpoint === 'activity' ? take(activity, page) : take(transfers, page)),
    pageSeconds: (wallet, endpoint) => takenSeconds.get(keyOf(wallet, endpoint)) ?? null,
    forget(wallet) {
      for (const endpoint of ENDPOINT_NAMES) takenSeconds.delete(keyOf(wallet, endpoint));
    },
  };
}

interface Refused {
  readonly item: { readonly time: number; readonly txHash: string };
  readonly identity: string;
}

/**
 * The state and the alerts of a wallet whose document cannot be read: everything counts as new from now on, and a gap tells
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

function storedSchema<Item>(itemSchema: z.ZodType<Item>): z.ZodType<StoredEndpoint<Item>> {
  return z.object({ state: detectionStateSchema(itemSchema), pollId: z.number() });
}
