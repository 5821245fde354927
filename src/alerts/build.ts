import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  type BetResult,
  type Follows,
  followPurchase,
  followSale,
  followsSchema,
  giveUpMarket,
  keepChannels,
  settle,
} from '../portfolio/alerted-positions.ts';
import { findConsensus, type ToldConsensus, remember as withTold } from '../portfolio/consensus.ts';
import { type Take, takeKeys } from '../portfolio/entries.ts';
import { betNews, consensusNews } from '../portfolio/news.ts';
import {
  type Insight,
  insightSchema,
  readInsight,
  type SeenActivity,
  type SeenPage,
  seeActivity,
  seeTransfers,
} from '../portfolio/wallet-knowledge.ts';
import type { WalletAddress } from '../venue/address.ts';
import type { ActivityItem, EndpointName, TransferItem } from '../venue/schema.ts';
import { CONSENSUS_HOURS_LIMIT, type Rooms } from '../watches/channel-settings.ts';
import type { Registry } from '../watches/registry.ts';
import { isPaused, type Watch, wants, wantsGapsOf } from '../watches/watch.ts';
import type { Gap, WalletEvent } from './alert.ts';
import { activityIdentity, type Detection, type FreshItem, transferIdentity } from './detect.ts';
import type { NewAlert, Settled, Settlement } from './outbox.ts';

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
  /** Venue clock, Unix seconds. */
  readonly venueNowSeconds: () => number;
  readonly log: Logger;
}

/** A page of one endpoint, and what of it is new. */
export interface Seen<Item> extends Omit<SeenPage<Item>, 'fresh' | 'gapEndSeconds'> {
  readonly wallet: WalletAddress;
  readonly detection: Detection<Item>;
}

/** What the wallet's document keeps of it, and the alerts that follow from it. */
export type Told = Settlement;

/** Decides what there is to tell of what was seen, and to which channels. */
export interface Teller {
  activity(seen: Seen<ActivityItem>, poll: Readonly<Record<string, unknown>>): Told;
  transfers(seen: Seen<TransferItem>, poll: Readonly<Record<string, unknown>>): Told;
  /** Alerts have rung, or never will: what is followed of them counts from then on. */
  settle(poll: Readonly<Record<string, unknown>>, settled: Settled): Told;
  /** Takes what the wallet's document holds now: at the start, and after each write. */
  keep(wallet: WalletAddress, poll: Readonly<Record<string, unknown>>): void;
  forget(wallet: WalletAddress): void;
}

export function createTeller({ registry, rooms, isGone, venueNowSeconds, log }: TellerDeps): Teller {
  /** Of every wallet only what a consensus needs: the rest stays in the store. */
  const stances = new Map<WalletAddress, Stance>();

  const remember = (wallet: WalletAddress, { takes, told }: Stance) => {
    if (takes.length + told.length > 0) stances.set(wallet, { takes, told });
    else stances.delete(wallet);
  };

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
    return alerts;
  };

  const gapsOf = ({ wallet, detection: { gap }, nowSeconds }: Seen<unknown>, endpoint: EndpointName) => {
    if (gap === null) return [];
    log.warn({ event: 'poll.gap', wallet, endpoint, ...gap });
    return [gapAlert(wallet, { endpoint, cause: 'overflow', ...gap }, channelsFor(wallet), nowSeconds * 1000)];
  };

  /** Follows purchases that ring, and answers those whose end these items are. */
  const follow = (
    { wallet, nowSeconds }: Seen<ActivityItem>,
    { insight, isOutOfTurn }: SeenActivity,
    alerts: readonly NewAlert[],
  ): { readonly follows: Follows; readonly results: readonly NewAlert[] } => {
    const channels = new Set(registry.ofWallet(wallet).map(({ channelId }) => channelId));
    let follows = keepChannels(insight.follows, channels);
    const results: NewAlert[] = [];
    for (const [index, { id, event, channels: wanted }] of alerts.entries()) {
      if (event.kind !== 'activity') continue;
      const { item, context } = event;
      if (item.action === 'Buy' && wanted.length > 0) {
        follows = followPurchase(follows, { alertId: id, item, channels: wanted });
      }
      if (isOutOfTurn[index] === true) {
        follows = giveUpMarket(follows, item);
      } else if (context !== undefined && (item.action === 'Sell' || item.action === 'Redeem')) {
        const sold = followSale(follows, item, context);
        follows = sold.follows;
        results.push(...sold.results.map((result) => resultAlert(wallet, result, sold.follows, nowSeconds)));
      }
    }
    return { follows, results };
  };

  const resultAlert = (wallet: WalletAddress, result: BetResult, follows: Follows, atSeconds: number): NewAlert => {
    const { channelId, market, openedSeconds, soldSeconds, messageId } = result.follow;
    const closedSeconds = soldSeconds ?? openedSeconds;
    const watch = channelsFor(wallet).find((other) => other.channelId === channelId);
    const isQuiet = watch === undefined || isPaused(watch, atSeconds);
    return {
      id: alertId([wallet, 'result', channelId, market, openedSeconds, closedSeconds, messageId ?? '']),
      event: { kind: 'result', result: betNews(result, closedSeconds, follows) },
      seenAtMs: atSeconds * 1000,
      channels: isQuiet ? [] : [channelId],
    };
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
      const watches = registry.ofChannel(channelId);
      const takes = new Map(
        watches
          .filter((other) => !isPaused(other, nowSeconds))
          .map((other): [WalletAddress, readonly Take[]] => {
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
        told = withTold(told, channelId, found, nowSeconds - 2 * CONSENSUS_HOURS_LIMIT * HOUR_SECONDS);
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
      const { wallet } = seen;
      const page = seeActivity(readInsight(poll[INSIGHT], wallet, log), pageOf(seen));
      const alerts = alertsOf(seen, 'activity', (item, index) => {
        const context = page.contexts[index] ?? undefined;
        return context === undefined ? { kind: 'activity', item } : { kind: 'activity', item, context };
      });
      const { follows, results } = follow(seen, page, alerts);
      const agreed = agree(seen, page.insight);
      const insight: Insight = { ...page.insight, follows, told: agreed.told };
      // Another wallet's poll may look before this one is stored: neither must overlook the other, nor tell it again.
      if (registry.ofWallet(wallet).length > 0) remember(wallet, insight);
      return {
        poll: { [INSIGHT]: insight },
        alerts: [...gapsOf(seen, 'activity'), ...alerts, ...results, ...agreed.alerts],
      };
    },
    transfers(seen, poll) {
      const insight = seeTransfers(readInsight(poll[INSIGHT], seen.wallet, log), pageOf(seen));
      const alerts = alertsOf(seen, 'deposits-withdrawals', (item) => ({ kind: 'transfer', item }));
      return { poll: { [INSIGHT]: insight }, alerts: [...gapsOf(seen, 'deposits-withdrawals'), ...alerts] };
    },
    settle(poll, { wallet, channelId, ids, rang }) {
      const parsed = followingSchema.safeParse(poll[INSIGHT]);
      if (!parsed.success || !parsed.data.follows.open.some(({ waiting }) => waiting.length > 0)) {
        return { poll, alerts: [] };
      }
      const { follows, results } = settle(parsed.data.follows, channelId, ids, rang);
      return {
        poll: { ...poll, [INSIGHT]: { ...parsed.data, follows } },
        alerts: results.map((result) => resultAlert(wallet, result, follows, venueNowSeconds())),
      };
    },
    keep(wallet, poll) {
      const parsed = stanceSchema.safeParse(poll[INSIGHT]);
      if (parsed.success) remember(wallet, parsed.data);
      else stances.delete(wallet);
    },
    forget: (wallet) => void stances.delete(wallet),
  };
}

/** Whether a watch that has just begun is to be told what was found before it was known. @param fromSeconds Unix seconds */
export function wantsSince(
  watch: Watch,
  fromSeconds: number,
  { event, seenAtMs }: Pick<NewAlert, 'event' | 'seenAtMs'>,
): boolean {
  const nowSeconds = seenAtMs / 1000;
  switch (event.kind) {
    case 'activity':
      return event.item.time >= fromSeconds && wants(watch, event, activityIdentity(event.item), nowSeconds);
    case 'transfer':
      return event.item.time >= fromSeconds && wants(watch, event, transferIdentity(event.item), nowSeconds);
    case 'gap':
      return event.gap.toSeconds >= fromSeconds && wantsGap(watch, event.gap);
    default:
      return false;
  }
}

function wantsGap(watch: Watch, { toSeconds, endpoint }: Gap): boolean {
  return watch.sinceSeconds <= toSeconds && wantsGapsOf(watch, endpoint);
}

/** The notice of a gap, for the channels that watched the wallet in that time. */
export function gapAlert(wallet: WalletAddress, gap: Gap, watches: readonly Watch[], seenAtMs: number): NewAlert {
  return {
    id: alertId([wallet, gap.endpoint, 'gap', gap.cause, gap.fromSeconds, gap.toSeconds]),
    event: { kind: 'gap', gap },
    seenAtMs,
    channels: watches.filter((watch) => wantsGap(watch, gap)).map(({ channelId }) => channelId),
  };
}

/** Eight characters of base 32: short enough to read out, and the same for the same record whenever it is found. */
function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(digest.subarray(0, 8), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}
