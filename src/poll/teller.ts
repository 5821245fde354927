import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Gap, WalletEvent } from '../alert/alert.ts';
import type { NewAlert, Settled } from '../alert/outbox.ts';
import { findConsensus, remember, type ToldConsensus } from '../book/consensus.ts';
import { followPurchase, followSale, followsSchema, keepChannels, settle } from '../book/follow.ts';
import { type Insight, insightSchema, readInsight, type SeenPage, seeActivity, seeTransfers } from '../book/insight.ts';
import { betNews, consensusNews } from '../book/news.ts';
import { type Take, takeKeys } from '../book/takes.ts';
import type { WalletAddress } from '../venue/address.ts';
import type { ActivityItem, EndpointName, TransferItem } from '../venue/schema.ts';
import type { Registry } from '../watch/registry.ts';
import { CONSENSUS_HOURS_LIMIT, type Rooms } from '../watch/rooms.ts';
import { isPaused, type Watch, wants, wantsGapsOf } from '../watch/watch.ts';
import type { Detection, FreshItem } from './detect.ts';

/** Under which name the wallet's document keeps what was seen, beside the marks of the endpoints. */
export const INSIGHT = 'insight';
const HOUR_SECONDS = 3_600;

const stanceSchema = insightSchema.pick({ takes: true, told: true });
type RecordEvent = Extract<WalletEvent, { readonly kind: 'activity' | 'transfer' }>;
type Stance = Pick<Insight, 'takes' | 'told'>;
const followingSchema = z.looseObject({ follows: followsSchema });

export interface TellerDeps {
  readonly registry: Pick<Registry, 'ofWallet' | 'ofChannel'>;
  readonly rooms: Pick<Rooms, 'get'>;
  /** Whether a channel no longer exists, so that nothing need be kept for it. */
  readonly isGone: (channelId: string) => boolean;
  readonly log: Logger;
}

/** A page of one endpoint, and what of it is new. */
export interface Seen<Item> extends Omit<SeenPage<Item>, 'fresh' | 'gapEndSeconds'> {
  readonly wallet: WalletAddress;
  readonly detection: Detection<Item>;
}

/** What the wallet's document keeps of a page, and the alerts that follow from it. */
export interface Told {
  readonly poll: Readonly<Record<string, unknown>>;
  readonly alerts: readonly NewAlert[];
}

/** Decides what there is to tell of what was seen, and to which channels. Nothing is remembered before {@link Teller.keep}. */
export interface Teller {
  activity(seen: Seen<ActivityItem>, poll: Readonly<Record<string, unknown>>): Told;
  transfers(seen: Seen<TransferItem>, poll: Readonly<Record<string, unknown>>): Told;
  /** Takes what the wallet's document holds now: at the start, and after each write. */
  keep(wallet: WalletAddress, poll: Readonly<Record<string, unknown>>): void;
  forget(wallet: WalletAddress): void;
}

export function createTeller({ registry, rooms, isGone, log }: TellerDeps): Teller {
  /** Of every wallet only what a consensus needs: the rest stays in the store. */
  const stances = new Map<WalletAddress, Stance>();

  const channelsFor = (wallet: WalletAddress) =>
    registry.ofWallet(wallet).filter(({ channelId }) => !isGone(channelId));

  const pageOf = <Item>({ detection, ...page }: Seen<Item>): SeenPage<Item> => ({
    ...page,
    fresh: detection.fresh.map(({ item }) => item),
    gapEndSeconds: detection.gap?.toSeconds ?? null,
  });

  const alertsOf = <Item extends ActivityItem | TransferItem>(
    seen: Seen<Item>,
    endpoint: EndpointName,
    eventOf: (item: Item, index: number) => RecordEvent,
  ): NewAlert[] => {
    const { wallet, detection, nowSeconds } = seen;
    const watches = channelsFor(wallet);
    const alerts = detection.fresh.map(({ item, identity, occurrence }: FreshItem<Item>, index): NewAlert => {
      const event = eventOf(item, index);
      return {
        id: alertId([wallet, endpoint, identity, occurrence]),
        event,
        seenAtMs: nowSeconds * 1000,
        channels: watches
          .filter((watch) => wants(watch, event, identity, nowSeconds))
          .map(({ channelId }) => channelId),
      };
    });
    if (alerts.length > 0) log.info({ event: 'poll.fresh', wallet, endpoint, items: alerts.length });
    if (detection.gap === null) return alerts;
    log.warn({ event: 'poll.gap', wallet, endpoint, ...detection.gap });
    return [gapAlert(wallet, { endpoint, cause: 'overflow', ...detection.gap }, watches, nowSeconds * 1000), ...alerts];
  };

  /** Follows purchases that ring, and answers those whose end these items are. */
  const follow = (seen: Seen<ActivityItem>, insight: Insight, alerts: readonly NewAlert[]) => {
    const channels = new Set(registry.ofWallet(seen.wallet).map(({ channelId }) => channelId));
    let follows = keepChannels(insight.follows, channels);
    const results: NewAlert[] = [];
    for (const { id, event, channels: wanted } of alerts) {
      if (event.kind !== 'activity') continue;
      const { item, context } = event;
      if (item.action === 'Buy' && wanted.length > 0) {
        follows = followPurchase(follows, { alertId: id, item, channels: wanted });
      } else if (context !== undefined && (item.action === 'Sell' || item.action === 'Redeem')) {
        const sold = followSale(follows, item, context);
        follows = sold.follows;
        for (const result of sold.results) {
          const { channelId, market, openedSeconds } = result.follow;
          results.push({
            id: alertId([seen.wallet, 'result', channelId, market, openedSeconds, id]),
            event: { kind: 'result', result: betNews(result, item.time, follows) },
            seenAtMs: seen.nowSeconds * 1000,
            channels: isQuiet(channelId, seen) ? [] : [channelId],
          });
        }
      }
    }
    return { insight: { ...insight, follows }, results };
  };

  const isQuiet = (channelId: string, { wallet, nowSeconds }: Seen<ActivityItem>) => {
    const watch = channelsFor(wallet).find((other) => other.channelId === channelId);
    return watch === undefined || isPaused(watch, nowSeconds);
  };

  /** Looks in each of the wallet's channels for agreement among the wallets that it watches. */
  const agree = (seen: Seen<ActivityItem>, insight: Insight): { told: ToldConsensus[]; alerts: NewAlert[] } => {
    const { wallet, nowSeconds } = seen;
    let told: ToldConsensus[] = [...insight.told];
    const alerts: NewAlert[] = [];
    for (const watch of channelsFor(wallet)) {
      const { channelId } = watch;
      const rule = rooms.get(channelId)?.consensus;
      if (rule === null || rule === undefined || isPaused(watch, nowSeconds)) continue;
      const watches = registry.ofChannel(channelId).filter((other) => !isPaused(other, nowSeconds));
      const takes = new Map(
        watches.map((other): [WalletAddress, readonly Take[]] => {
          const { takes: its } = (other.wallet === wallet ? insight : stances.get(other.wallet)) ?? { takes: [] };
          return [other.wallet, its.filter(({ atSeconds }) => atSeconds >= other.sinceSeconds)];
        }),
      );
      for (const { item } of seen.detection.fresh) {
        if (item.action !== 'Buy' || item.time < watch.sinceSeconds) continue;
        const purchase = { ...takeKeys(item), atSeconds: item.time };
        const before = [
          ...told,
          ...watches.flatMap((other) => (other.wallet === wallet ? [] : (stances.get(other.wallet)?.told ?? []))),
        ].filter((other) => other.channelId === channelId && other.outcome === purchase.outcome);
        const windowSeconds = rule.hours * HOUR_SECONDS;
        const found = findConsensus(takes, purchase, { wallets: rule.wallets, windowSeconds }, before);
        if (found === null) continue;
        told = remember(told, channelId, found, nowSeconds - 2 * CONSENSUS_HOURS_LIMIT * HOUR_SECONDS);
        alerts.push({
          id: alertId([channelId, 'consensus', found.outcome, found.stakes.length, found.fromSeconds]),
          event: { kind: 'consensus', consensus: consensusNews(found, item, rule) },
          seenAtMs: nowSeconds * 1000,
          channels: [channelId],
        });
      }
    }
    return { told, alerts };
  };

  return {
    activity(seen, poll) {
      const { insight, contexts } = seeActivity(readInsight(poll[INSIGHT], seen.wallet, log), pageOf(seen));
      const alerts = alertsOf(seen, 'activity', (item, index) => {
        const context = contexts[index] ?? undefined;
        return context === undefined ? { kind: 'activity', item } : { kind: 'activity', item, context };
      });
      const followed = follow(seen, insight, alerts);
      const agreed = agree(seen, followed.insight);
      return {
        poll: { [INSIGHT]: { ...followed.insight, told: agreed.told } satisfies Insight },
        alerts: [...alerts, ...followed.results, ...agreed.alerts],
      };
    },
    transfers(seen, poll) {
      const insight = seeTransfers(readInsight(poll[INSIGHT], seen.wallet, log), pageOf(seen));
      return {
        poll: { [INSIGHT]: insight },
        alerts: alertsOf(seen, 'deposits-withdrawals', (item) => ({ kind: 'transfer', item })),
      };
    },
    keep(wallet, poll) {
      const parsed = stanceSchema.safeParse(poll[INSIGHT]);
      if (parsed.success && parsed.data.takes.length + parsed.data.told.length > 0) stances.set(wallet, parsed.data);
      else stances.delete(wallet);
    },
    forget: (wallet) => void stances.delete(wallet),
  };
}

/** The poll state once alerts have rung, or never will: what is followed of them counts from then on. */
export function settleFollows(
  poll: Readonly<Record<string, unknown>>,
  { channelId, ids, rang }: Settled,
): Readonly<Record<string, unknown>> {
  const insight = followingSchema.safeParse(poll[INSIGHT]);
  if (!insight.success || !insight.data.follows.open.some(({ waiting }) => waiting.length > 0)) return poll;
  // What had been sold before it rang is over with it: there is nothing to answer that has not been told.
  const { follows } = settle(insight.data.follows, channelId, ids, rang);
  return { ...poll, [INSIGHT]: { ...insight.data, follows } };
}

/** The notice of a gap, for the channels that watched the wallet in that time. */
export function gapAlert(wallet: WalletAddress, gap: Gap, watches: readonly Watch[], seenAtMs: number): NewAlert {
  return {
    id: alertId([wallet, gap.endpoint, 'gap', gap.cause, gap.fromSeconds, gap.toSeconds]),
    event: { kind: 'gap', gap },
    seenAtMs,
    channels: watches
      .filter((watch) => watch.sinceSeconds <= gap.toSeconds && wantsGapsOf(watch, gap.endpoint))
      .map(({ channelId }) => channelId),
  };
}

/** Eight characters of base 32: short enough to read out, and the same for the same record whenever it is found. */
function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(digest.subarray(0, 8), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}
