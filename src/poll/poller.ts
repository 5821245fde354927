import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Gap } from '../alert/alert.ts';
import { type NewAlert, type Outbox, storedActivitySchema } from '../alert/outbox.ts';
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
import type { Registry } from '../watch/registry.ts';
import { type Watch, type WatchedItem, wants, wantsGapsOf } from '../watch/watch.ts';
import {
  activityIdentity,
  type Detection,
  detect,
  initialMark,
  type Mark,
  markSchema,
  transferIdentity,
} from './detect.ts';
import type { Health } from './health.ts';
import type { Endpoint, Schedule } from './schedule.ts';

/** The largest page: one request costs the same whatever it brings. */
export const PAGE_SIZE = 100;

export interface PollerDeps {
  readonly client: VenueClient;
  readonly registry: Pick<Registry, 'ofWallet'>;
  /** Whether a channel no longer exists, so that nothing need be kept for it. */
  readonly isGone: (channelId: string) => boolean;
  readonly outbox: Pick<Outbox, 'pollState' | 'commit'>;
  readonly schedule: Schedule;
  readonly health: Health;
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
  readonly fetch: (wallet: WalletAddress, mark: Mark<Item> | null, signal: AbortSignal) => Promise<VenuePage<Item>>;
  readonly identify: (item: Item) => string;
  readonly event: (item: Item) => WatchedItem;
  readonly kept: z.ZodType<Kept<Item>>;
}

/** What the wallet's document holds of an endpoint. */
interface Kept<Item> {
  readonly mark: Mark<Item>;
  readonly learned: readonly number[];
}

export function createPoller(deps: PollerDeps): Poller {
  const { client, log, schedule } = deps;
  const running = new Set<string>();
  const activity: EndpointKind<ActivityItem> = {
    fetch: (wallet, mark, signal) =>
      client.activity(
        wallet,
        { limit: PAGE_SIZE, ...(mark === null ? {} : { fromTimestampSeconds: Math.max(0, mark.floorSeconds) }) },
        { priority: 'poller', signal },
      ),
    identify: activityIdentity,
    event: (item) => ({ kind: 'activity', item }),
    kept: keptSchema(storedActivitySchema),
  };
  const transfers: EndpointKind<TransferItem> = {
    fetch: (wallet, _mark, signal) => client.transfers(wallet, { limit: PAGE_SIZE }, { priority: 'poller', signal }),
    identify: transferIdentity,
    event: (item) => ({ kind: 'transfer', item }),
    kept: keptSchema(transferItemSchema),
  };

  const pollWith = async <Item extends ActivityItem | TransferItem>(
    kind: EndpointKind<Item>,
    endpoint: Endpoint,
    signal: AbortSignal,
  ) => {
    const { wallet, name } = endpoint;
    const stored = (await deps.outbox.pollState(wallet))[name];
    const kept = stored === undefined ? null : kind.kept.parse(stored);
    const page = await kind.fetch(wallet, kept?.mark ?? null, signal);
    const watches = deps.registry.ofWallet(wallet);
    if (watches.length === 0) return;
    const sinceSeconds = Math.min(...watches.map((watch) => watch.sinceSeconds));
    const mark = kept?.mark ?? initialMark(sinceSeconds);
    const detection = detect(page, mark, kind.identify, page.venueNowMs / 1000);
    if (kept === null || detection.mark !== mark) {
      const learned = schedule.learned(endpoint) ?? [];
      await deps.outbox.commit(
        wallet,
        { [name]: { mark: detection.mark, learned } satisfies Kept<Item> },
        alertsOf(kind, endpoint, detection, page.venueNowMs),
      );
    }
    schedule.polled(endpoint, {
      atSeconds: page.venueNowMs / 1000,
      freshTimesSeconds: detection.fresh.map(({ item }) => item.time),
      pageTimesSeconds: page.items.map(({ time }) => time),
    });
    if (detection.recheck) schedule.expedite(endpoint);
  };

  const alertsOf = <Item extends ActivityItem | TransferItem>(
    kind: EndpointKind<Item>,
    { wallet, name }: Endpoint,
    { fresh, gap }: Detection<Item>,
    seenAtMs: number,
  ): NewAlert[] => {
    const watches = deps.registry.ofWallet(wallet).filter(({ channelId }) => !deps.isGone(channelId));
    const alerts: NewAlert[] = fresh.map(({ item, identity, occurrence }) => ({
      id: alertId([wallet, name, identity, occurrence]),
      event: kind.event(item),
      seenAtMs,
      channels: watches
        .filter((watch) => wants(watch, kind.event(item), identity, seenAtMs / 1000))
        .map(({ channelId }) => channelId),
    }));
    if (fresh.length > 0) log.info({ event: 'poll.fresh', wallet, endpoint: name, items: fresh.length });
    if (gap === null) return alerts;
    log.warn({ event: 'poll.gap', wallet, endpoint: name, ...gap });
    return [gapAlert(wallet, { endpoint: name, cause: 'overflow', ...gap }, watches, seenAtMs), ...alerts];
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
      deps.health.succeeded(endpoint.name);
      deps.onOutcome?.(endpoint.name, 'ok');
    } catch (error) {
      schedule.failed(endpoint, deps.nowSeconds());
      if (!signal.aborted) deps.onOutcome?.(endpoint.name, error instanceof VenueError ? error.kind : 'error');
      if (error instanceof VenueError) deps.health.failed(endpoint.name, error);
      else if (!signal.aborted) {
        log.error({ event: 'poll.failed', wallet: endpoint.wallet, endpoint: endpoint.name, err: error });
      }
    } finally {
      running.delete(key);
    }
  };
}

/** The notice of a gap, for the channels that watched the wallet in that time. */
function gapAlert(wallet: WalletAddress, gap: Gap, watches: readonly Watch[], seenAtMs: number): NewAlert {
  return {
    id: alertId([wallet, gap.endpoint, 'gap', gap.cause, gap.fromSeconds, gap.toSeconds]),
    event: { kind: 'gap', gap },
    seenAtMs,
    channels: watches
      .filter((watch) => watch.sinceSeconds <= gap.toSeconds && wantsGapsOf(watch, gap.endpoint))
      .map(({ channelId }) => channelId),
  };
}

/**
 * Begins anew with a wallet whose document cannot be read: from now on, and with a notice to its rooms, because what
 * was on its way is not known any more.
 */
export function beginAnew(
  wallet: WalletAddress,
  watches: readonly Watch[],
  nowMs: number,
): { readonly poll: Readonly<Record<EndpointName, Kept<never>>>; readonly alerts: readonly NewAlert[] } {
  const toSeconds = Math.floor(nowMs / 1000);
  const fromSeconds = Math.min(toSeconds, ...watches.map(({ sinceSeconds }) => sinceSeconds));
  const kept: Kept<never> = { mark: initialMark(toSeconds), learned: [] };
  return {
    poll: { activity: kept, 'deposits-withdrawals': kept },
    alerts: ENDPOINT_NAMES.map((endpoint) =>
      gapAlert(wallet, { endpoint, cause: 'damage', fromSeconds, toSeconds }, watches, nowMs),
    ),
  };
}

/** Eight characters of base 32: short enough to read out, and the same for the same record whenever it is found. */
function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(digest.subarray(0, 8), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}

function keptSchema<Item>(itemSchema: z.ZodType<Item>): z.ZodType<Kept<Item>> {
  return z.object({ mark: markSchema(itemSchema), learned: z.array(z.number()) });
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
