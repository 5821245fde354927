import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type AlertBuilder, type Built, gapAlert, type Seen } from '../alerts/build.ts';
import {
  activityIdentity,
  type DetectionState,
  detect,
  detectionStateSchema,
  initialDetectionState,
  transferIdentity,
} from '../alerts/detect.ts';
import { type NewAlert, type Outbox, storedActivitySchema, WALLET_PREFIX } from '../alerts/outbox.ts';
import type { Endpoint, Schedule } from '../poll-policy/schedule.ts';
import type { Quarantine } from '../store/quarantine.ts';
import type { WalletAddress } from '../venue/address.ts';
import type { VenueClient, VenuePage } from '../venue/client.ts';
import { VenueError, type VenueErrorKind } from '../venue/errors.ts';
import {
  type ActivityItem,
  ENDPOINT_NAMES,
  type EndpointName,
  type TransferItem,
  transferItemSchema,
} from '../venue/schema.ts';
import type { Registry } from '../watches/registry.ts';
import type { Watch } from '../watches/watch.ts';
import type { VenueAvailability } from './availability.ts';

/** The largest page: one request costs the same whatever it brings. */
export const PAGE_SIZE = 100;
/** Beyond, the log may have one again. */
const REFUSED_REMEMBERED = 10_000;

export interface PollerDeps {
  readonly client: VenueClient;
  readonly registry: Pick<Registry, 'ofWallet'>;
  readonly alertBuilder: Pick<AlertBuilder, 'activity' | 'transfers' | 'cacheWallet'>;
  readonly outbox: Pick<Outbox, 'pollState' | 'commit'>;
  readonly putAside: Quarantine;
  readonly schedule: Schedule;
  readonly availability: VenueAvailability;
  /** Venue clock, Unix seconds. */
  readonly nowSeconds: () => number;
  readonly log: Logger;
  /** Is told how each poll has ended. */
  readonly onOutcome?: (name: EndpointName, outcome: PollOutcome) => void;
}

/** `error`: not the venue's fault; the store's, or ours. */
export type PollOutcome = 'ok' | VenueErrorKind | 'error';

/** Polls one endpoint of one wallet: fetch, compare, store mark and alerts in one write. Never rejects. */
export type Poller = (endpoint: Endpoint, signal: AbortSignal) => Promise<void>;

/** How an endpoint differs from the other one. */
interface EndpointKind<Item extends ActivityItem | TransferItem> {
  readonly fetch: (
    wallet: WalletAddress,
    state: DetectionState<Item> | null,
    signal: AbortSignal,
  ) => Promise<VenuePage<Item>>;
  readonly identify: (item: Item) => string;
  readonly build: (seen: Seen<Item>, poll: Readonly<Record<string, unknown>>) => Built;
  readonly kept: z.ZodType<Kept<Item>>;
}

/** What the wallet's document holds of an endpoint. */
interface Kept<Item> {
  readonly state: DetectionState<Item>;
  readonly learned: readonly number[];
}

export function createPoller(deps: PollerDeps): Poller {
  const { client, log, schedule } = deps;
  const running = new Set<string>();
  /** Refused records that the log has. */
  const toldRefused = new LRUCache<string, true>({ max: REFUSED_REMEMBERED });
  const activity: EndpointKind<ActivityItem> = {
    fetch: (wallet, state, signal) =>
      client.activity(
        wallet,
        {
          limit: PAGE_SIZE,
          ...(state === null ? {} : { fromTimestampSeconds: Math.max(0, state.earliestAcceptedSeconds) }),
        },
        { priority: 'poller', signal },
      ),
    identify: activityIdentity,
    build: deps.alertBuilder.activity,
    kept: keptSchema(storedActivitySchema),
  };
  const transfers: EndpointKind<TransferItem> = {
    fetch: (wallet, _state, signal) => client.transfers(wallet, { limit: PAGE_SIZE }, { priority: 'poller', signal }),
    identify: transferIdentity,
    build: deps.alertBuilder.transfers,
    kept: keptSchema(transferItemSchema),
  };

  /** Says of each refused record once that it is not announced. */
  const noteRefused = <Item extends ActivityItem | TransferItem>(
    { wallet, name }: Endpoint,
    refused: readonly Item[],
    identify: (item: Item) => string,
    nowSeconds: number,
  ) => {
    const fresh = refused.filter((item) => !toldRefused.has(`${wallet}:${name}:${identify(item)}`));
    const [first] = fresh;
    if (first === undefined) return;
    for (const item of fresh) toldRefused.set(`${wallet}:${name}:${identify(item)}`, true);
    const aheadSeconds = Math.round(first.time - nowSeconds);
    const { txHash } = first;
    log.warn({ event: 'poll.records_refused', wallet, endpoint: name, records: fresh.length, txHash, aheadSeconds });
  };

  const pollWith = async <Item extends ActivityItem | TransferItem>(
    kind: EndpointKind<Item>,
    endpoint: Endpoint,
    signal: AbortSignal,
  ) => {
    const { wallet, name } = endpoint;
    const stored = (await deps.outbox.pollState(wallet))[name];
    const parsed = kind.kept.safeParse(stored);
    const kept = parsed.success ? parsed.data : null;
    const isDamaged = kept === null && stored !== undefined;
    const page = await kind.fetch(wallet, kept?.state ?? null, signal);
    const watches = deps.registry.ofWallet(wallet);
    if (watches.length === 0) return;
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    const earliestSeconds = page.earliestNowMs / 1000;
    const anewSeconds = Math.floor(earliestSeconds);
    const state = kept?.state ?? initialDetectionState(isDamaged ? anewSeconds : sinceSeconds);
    const time = { earliestSeconds, latestSeconds: page.latestNowMs / 1000 };
    const compared = detect(page, state, kind.identify, time);
    const lost = { cause: 'damage', fromSeconds: Math.min(sinceSeconds, anewSeconds), toSeconds: anewSeconds } as const;
    const detection = isDamaged ? { ...compared, gap: lost } : compared;
    const items = page.items.filter((item) => !detection.refused.includes(item));
    noteRefused(endpoint, detection.refused, kind.identify, page.venueNowMs / 1000);
    if (isDamaged) await deps.putAside(`${WALLET_PREFIX}${wallet}:${name}`, stored);
    if (kept === null || detection.state !== state) {
      const learned = schedule.learned(endpoint) ?? [];
      const seen: Seen<Item> = {
        wallet,
        detection,
        items,
        isCut: page.hasMore || page.skipped.length + detection.refused.length > 0,
        isFirst: stored === undefined,
        sinceSeconds: stored === undefined ? sinceSeconds : state.newestSeconds,
        nowSeconds: page.venueNowMs / 1000,
      };
      const poll = await deps.outbox.commit(wallet, (before) => {
        const told = kind.build(seen, before);
        return { ...told, poll: { ...told.poll, [name]: { state: detection.state, learned } satisfies Kept<Item> } };
      });
      // The wallet may have been removed while this was being stored.
      if (deps.registry.ofWallet(wallet).length > 0) deps.alertBuilder.cacheWallet(wallet, poll);
    }
    schedule.polled(endpoint, {
      atSeconds: page.venueNowMs / 1000,
      freshTimesSeconds: detection.fresh.map(({ item }) => item.time),
      pageTimesSeconds: items.map(({ time }) => time),
    });
    if (detection.recheck) schedule.expedite(endpoint);
  };

  return async (endpoint, signal) => {
    const key = `${endpoint.wallet}:${endpoint.name}`;
    // Two polls of one endpoint at once would both find the same items new.
    if (running.has(key) || deps.registry.ofWallet(endpoint.wallet).length === 0) return;
    running.add(key);
    try {
      await (endpoint.name === 'activity'
        ? pollWith(activity, endpoint, signal)
        : pollWith(transfers, endpoint, signal));
      deps.availability.succeeded(endpoint.name);
      deps.onOutcome?.(endpoint.name, 'ok');
    } catch (error) {
      schedule.failed(endpoint, deps.nowSeconds());
      if (!signal.aborted) deps.onOutcome?.(endpoint.name, error instanceof VenueError ? error.kind : 'error');
      if (error instanceof VenueError) deps.availability.failed(endpoint.name, error);
      else if (!signal.aborted) {
        log.error({ event: 'poll.failed', wallet: endpoint.wallet, endpoint: endpoint.name, err: error });
      }
    } finally {
      running.delete(key);
    }
  };
}

/**
 * Begins anew with a wallet whose document cannot be read: from now on, and with a notice to its rooms, because what
 * was on its way is not known any more.
 */
export function resetWallet(
  wallet: WalletAddress,
  watches: readonly Watch[],
  nowMs: number,
): { readonly poll: Readonly<Record<EndpointName, Kept<never>>>; readonly alerts: readonly NewAlert[] } {
  const toSeconds = Math.floor(nowMs / 1000);
  const fromSeconds = Math.min(toSeconds, ...watches.map(({ sinceSeconds }) => sinceSeconds));
  const kept: Kept<never> = { state: initialDetectionState(toSeconds), learned: [] };
  return {
    poll: { activity: kept, 'deposits-withdrawals': kept },
    alerts: ENDPOINT_NAMES.map((endpoint) =>
      gapAlert(wallet, { endpoint, cause: 'damage', fromSeconds, toSeconds }, watches, nowMs),
    ),
  };
}

function keptSchema<Item>(itemSchema: z.ZodType<Item>): z.ZodType<Kept<Item>> {
  return z.object({ state: detectionStateSchema(itemSchema), learned: z.array(z.number()) });
}

const learningSchema = z.object({ learned: z.array(z.number()) });

/** What the schedule has learned of an endpoint, from a stored document; undefined if there is nothing. */
export function storedLearning(
  poll: Readonly<Record<string, unknown>>,
  name: EndpointName,
): readonly number[] | undefined {
  const parsed = learningSchema.safeParse(poll[name]);
  return parsed.success ? parsed.data.learned : undefined;
}
