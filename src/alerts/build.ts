import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Settlement } from '../domain/settlement.ts';
import {
  type ActivityItem,
  activityIdentity,
  type EndpointName,
  type TransferItem,
  transferIdentity,
  type WalletAddress,
} from '../feed/interface.ts';
import { type AnnouncedConsensus, addAnnounced, findConsensus } from '../portfolio/consensus/consensus.ts';
import { type Entry, entryKeys } from '../portfolio/consensus/entries.ts';
import { marketKey } from '../portfolio/market.ts';
import { consensusNews, resultNews } from '../portfolio/news.ts';
import { addUnknown, type OpenQuestion } from '../portfolio/positions/question.ts';
import { isBetterThanLuck, recordFill } from '../portfolio/record/record.ts';
import { type RoomRecord, roomRecordOf } from '../portfolio/record/room-record.ts';
import {
  type AlertedPositions,
  addPositions,
  addPurchase,
  addSale,
  alertedPositionsSchema,
  countDelivered,
  keepChannels,
  type MarketResult,
  withoutMarket,
} from '../portfolio/results/alerted-positions.ts';
import {
  type AddedActivity,
  addActivityPage,
  addTransfersPage,
  type DetectedPage,
  knowledgeSchema,
  readKnowledge,
  type WalletKnowledge,
  withReadBack,
  withSettlements,
} from '../portfolio/wallet-knowledge.ts';
import { type ChannelSettingsStore, CONSENSUS_HOURS_LIMIT } from '../watches/channel-settings.ts';
import type { BegunWatch, Registry } from '../watches/registry.ts';
import { beganSecondsOf, isPaused, seenSinceOf, type Watch, wants, wantsGapsOf } from '../watches/watch.ts';
import type { Gap, WalletEvent } from './alert.ts';
import { type Answer, withAnswers, withoutUnanswered } from './answers.ts';
import type { Detection, FreshItem } from './detect.ts';
import type { HeldAlert } from './holds.ts';
import { createOpenMarkets, type OpenBatch, type OpenIn } from './open-markets.ts';
import type { DeliveredAlerts, NewAlert, Newcomer, StateAndAlerts } from './outbox.ts';

/** Under which name the wallet's document keeps what was seen, beside the marks of the endpoints. */
export const KNOWLEDGE = 'knowledge';
const HOUR_SECONDS = 3_600;

const cachedSchema = knowledgeSchema
  .pick({ entries: true, announced: true, record: true, unread: true, questions: true })
  .extend({ alertedPositions: z.array(z.object({ market: z.string() })) });
type RecordEvent = Extract<WalletEvent, { readonly kind: 'activity' | 'transfer' }>;
type ConsensusInput = Pick<WalletKnowledge, 'entries' | 'announced'>;
type Cached = ConsensusInput & OpenIn & Pick<WalletKnowledge, 'record' | 'unread' | 'questions'>;
const withPositionsSchema = z.looseObject({
  alertedPositions: alertedPositionsSchema,
  announced: z.array(z.looseObject({ channelId: z.string() })).default([]),
  questions: z.array(z.looseObject({ market: z.string() })).default([]),
});

/** What has been announced to the wallet's channels, and the alerts that are new among it. */
interface ConsensusAlerts {
  readonly announced: readonly AnnouncedConsensus[];
  readonly alerts: readonly NewAlert[];
}

export interface AlertBuilderDeps {
  readonly registry: Pick<Registry, 'ofWallet' | 'restingOfWallet' | 'ofChannel' | 'unreadableChannels'>;
  readonly channelSettings: Pick<ChannelSettingsStore, 'get'>;
  /** Whether a channel no longer exists, so that nothing need be kept for it. */
  readonly isGone: (channelId: string) => boolean;
  /** Venue clock, Unix seconds. */
  readonly venueNowSeconds: () => number;
  /** The venue is to be asked what these alerts mean, which are about to be stored. */
  readonly onUnknown?: (wallet: WalletAddress, alerts: readonly HeldAlert[]) => void;
  readonly log: Logger;
}

/** A page of one endpoint, and what of it is new. */
export interface Seen<Item> extends Omit<DetectedPage<Item>, 'fresh' | 'gapEndSeconds' | 'boundaries'> {
  readonly wallet: WalletAddress;
  readonly detection: Detection<Item>;
}

/** What the wallet's document keeps of it, and the alerts that follow from it. */
export type Built = StateAndAlerts;

/** Decides what there is to announce of what was seen, and to which channels. */
export interface AlertBuilder {
  activity(seen: Seen<ActivityItem>, poll: Readonly<Record<string, unknown>>): Built;
  transfers(seen: Seen<TransferItem>, poll: Readonly<Record<string, unknown>>): Built;
  /** Alerts were delivered, or never will be: what is followed of them counts from then on. */
  onDelivered(poll: Readonly<Record<string, unknown>>, settled: DeliveredAlerts): Built;
  /**
   * The poll state once alerts are given to channels that came when they had been committed.
   *
   * @param alerts all that were committed lately, oldest first, each with the channels to which it is given now
   */
  onCaughtUp(poll: Readonly<Record<string, unknown>>, alerts: readonly NewAlert[]): Built['poll'];
  /** What the wallet's document keeps once what is of channels that no longer watch it is left out. */
  withoutUnwatched(wallet: WalletAddress, poll: Readonly<Record<string, unknown>>): Built;
  /** Takes what the wallet's document holds now: at the start, and after each write. */
  cacheWallet(wallet: WalletAddress, poll: Readonly<Record<string, unknown>>): void;
  evictWallet(wallet: WalletAddress): void;
  /** The wallet's record for a channel, as of its last poll that found something; null if the wallet is not ranked there. */
  recordIn(channelId: string, wallet: WalletAddress): RoomRecord | null;
  /** A wallet of which the trades before a time, Unix seconds, are still to be read back; undefined if there is none. */
  unread(
    except: ReadonlySet<WalletAddress>,
  ): { readonly wallet: WalletAddress; readonly beforeSeconds: number } | undefined;
  /** Others come before the wallet in `unread`. */
  readLater(wallet: WalletAddress): void;
  /** What the wallet's document keeps once these have been read back, oldest first. */
  withReadBack(wallet: WalletAddress, poll: Readonly<Record<string, unknown>>, history: readonly ActivityItem[]): Built;
  /** Markets of all wallets whose end is not certain. */
  openMarkets(): Iterable<OpenBatch>;
  /** What the wallet's document keeps once these markets were settled; null if nothing changes with them. */
  withSettlements(
    wallet: WalletAddress,
    poll: Readonly<Record<string, unknown>>,
    settlements: readonly Settlement[],
  ): Built | null;
  /** How many wallets the channel has ever ranked, as of the same polls. */
  rankedIn(channelId: string): number;
  /** Wallets with open questions. */
  askers(): Iterable<WalletAddress>;
  /** What the venue is to be asked of the wallet. */
  questions(wallet: WalletAddress): readonly OpenQuestion[];
  /** What the wallet's document keeps of the venue's answers, what they mean for alerts that wait, and which results follow. */
  withAnswers(wallet: WalletAddress, poll: Readonly<Record<string, unknown>>, answers: readonly Answer[]): Built;
}

export function createAlertBuilder({
  registry,
  channelSettings,
  isGone,
  venueNowSeconds,
  onUnknown = () => {},
  log,
}: AlertBuilderDeps): AlertBuilder {
  /** Of every wallet only what a consensus and a score need: the rest stays in the store. */
  const consensusInputs = new Map<WalletAddress, ConsensusInput>();

  /** Of channels where the wallet is ranked. */
  const records = new Map<WalletAddress, ReadonlyMap<string, RoomRecord>>();

  /** Wallets of which the trades before a time (Unix seconds) have not been read back. */
  const unreadSeconds = new Map<WalletAddress, number>();

  const openQuestions = new Map<WalletAddress, readonly OpenQuestion[]>();
  const openMarkets = createOpenMarkets();

  const rankedIn = (channelId: string) =>
    (channelSettings.get(channelId)?.rankedBefore ?? 0) +
    registry.ofChannel(channelId).filter(({ wallet }) => records.get(wallet)?.has(channelId)).length;

  const remember = (wallet: WalletAddress, cached: Cached) => {
    const { entries, announced, record, unread, questions } = cached;
    if (questions.length > 0) openQuestions.set(wallet, questions);
    else openQuestions.delete(wallet);
    if (unread !== null) unreadSeconds.set(wallet, unread.beforeSeconds);
    else unreadSeconds.delete(wallet);
    if (entries.length + announced.length > 0) consensusInputs.set(wallet, { entries, announced });
    else consensusInputs.delete(wallet);
    const nowSeconds = venueNowSeconds();
    openMarkets.set(wallet, cached, nowSeconds);
    const ranked = registry.ofWallet(wallet).flatMap((watch) => {
      const known = roomRecordOf(record, watch, nowSeconds, 1);
      return known.since.isRanked ? [[watch.channelId, known] as const] : [];
    });
    if (ranked.length > 0) records.set(wallet, new Map(ranked));
    else records.delete(wallet);
  };

  const forget = (wallet: WalletAddress) => {
    consensusInputs.delete(wallet);
    records.delete(wallet);
    unreadSeconds.delete(wallet);
    openQuestions.delete(wallet);
    openMarkets.delete(wallet);
  };

  const channelsFor = (wallet: WalletAddress) =>
    registry.ofWallet(wallet).filter(({ channelId }) => !isGone(channelId));

  /** Watches of the wallet, also those that rest. */
  const keptFor = (wallet: WalletAddress) => [...registry.ofWallet(wallet), ...registry.restingOfWallet(wallet)];

  /** Channels of which the wallet's document keeps what was announced. */
  const remembering = (wallet: WalletAddress): ReadonlySet<string> =>
    new Set([...keptFor(wallet).map(({ channelId }) => channelId), ...registry.unreadableChannels(wallet)]);

  /** Unix seconds at which rooms began to watch the wallet. */
  const boundariesOf = (wallet: WalletAddress) => [
    ...new Set(keptFor(wallet).flatMap((watch) => [beganSecondsOf(watch), seenSinceOf(watch)])),
  ];

  const pageOf = <Item>({ detection, ...page }: Seen<Item>): DetectedPage<Item> => ({
    ...page,
    fresh: detection.fresh.map(({ item }) => item),
    // What is known of the time after a gap in the past was counted with what was known before it.
    gapEndSeconds: detection.gap === null ? null : Math.max(detection.gap.toSeconds, page.sinceSeconds),
    boundaries: boundariesOf(page.wallet),
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
    return [gapAlert(wallet, { endpoint, ...gap }, channelsFor(wallet), nowSeconds * 1000)];
  };

  /** Asks what the venue is to tell of markets that are not followed. */
  const askOf = (
    { wallet, items, sinceSeconds }: Seen<ActivityItem>,
    { knowledge, meanings }: AddedActivity,
    alerts: readonly NewAlert[],
  ) => {
    const unknown = alerts.flatMap(({ id, event, channels }, index) => {
      if (event.kind !== 'activity' || meanings[index]?.isUnknown !== true) return [];
      const { market } = entryKeys(event.item);
      const isFollowed = knowledge.alertedPositions.some((position) => position.market === market);
      return [{ alertId: id, item: event.item, isWanted: channels.length > 0 || isFollowed }];
    });
    const detected = {
      beforeSeconds: sinceSeconds,
      seenSeconds: Math.max(sinceSeconds, ...items.map(({ time }) => time)),
    };
    const asked = addUnknown(knowledge.questions, unknown, detected, knowledge.refusedMarkets);
    const ids = new Set(asked.open.flatMap(({ live }) => live.map(({ alertId }) => alertId)));
    if (unknown.some(({ alertId }) => ids.has(alertId)))
      onUnknown(
        wallet,
        alerts.filter(({ id }) => ids.has(id)),
      );
    return { ...asked, markets: new Set(asked.open.map(({ market }) => market)) };
  };

  /** Follows purchases that were announced, and answers those whose end these items are. */
  const updateAlertedPositions = (
    { wallet, nowSeconds }: Seen<ActivityItem>,
    { knowledge, meanings }: AddedActivity,
    alerts: readonly NewAlert[],
    asked: ReturnType<typeof askOf>,
  ): { readonly alertedPositions: AlertedPositions; readonly results: readonly NewAlert[] } => {
    let alertedPositions = keepChannels(knowledge.alertedPositions, remembering(wallet));
    const results: NewAlert[] = [];
    for (const [index, alert] of alerts.entries()) {
      const updated = updateByAlert(alertedPositions, alert, meanings[index]?.isDoubtful === true, asked.markets);
      alertedPositions = updated.alertedPositions;
      results.push(...updated.results.map((result) => resultAlert(wallet, result, nowSeconds)));
    }
    return { alertedPositions: withoutUnanswered(alertedPositions, asked.givenUp), results };
  };

  const resultAlert = (wallet: WalletAddress, result: MarketResult, atSeconds: number): NewAlert => {
    const { channelId, market, openedSeconds, soldSeconds, messageId } = result.position;
    const closedSeconds = soldSeconds ?? openedSeconds;
    const watch = channelsFor(wallet).find((other) => other.channelId === channelId);
    const isQuiet = watch === undefined || isPaused(watch, atSeconds);
    return {
      id: alertId([wallet, 'result', channelId, market, openedSeconds, closedSeconds, messageId ?? '']),
      event: { kind: 'result', result: resultNews(result, closedSeconds) },
      seenAtMs: atSeconds * 1000,
      channels: isQuiet ? [] : [channelId],
    };
  };

  /**
   * Purchases of each wallet that a channel watches and has not paused, since its watch began: of the wallet whose page
   * this is from `knowledge`, which is newer than what is kept of it.
   */
  const entriesByWallet = (
    { wallet, nowSeconds }: Seen<ActivityItem>,
    knowledge: WalletKnowledge,
    watches: readonly Watch[],
  ): Map<WalletAddress, readonly Entry[]> =>
    new Map(
      watches
        .filter((other) => !isPaused(other, nowSeconds))
        .map((other): [WalletAddress, readonly Entry[]] => {
          const { entries } = (other.wallet === wallet ? knowledge : consensusInputs.get(other.wallet)) ?? {
            entries: [],
          };
          return [other.wallet, entries.filter(({ atSeconds }) => atSeconds >= other.sinceSeconds)];
        }),
    );

  /** What was announced because of the other wallets that a channel watches. */
  const announcedOfOthers = (wallet: WalletAddress, watches: readonly Watch[]): readonly AnnouncedConsensus[] =>
    watches.flatMap((other) => (other.wallet === wallet ? [] : (consensusInputs.get(other.wallet)?.announced ?? [])));

  /** Looks in one channel for agreement on what the wallet has just bought. */
  const findChannelConsensus = (
    seen: Seen<ActivityItem>,
    knowledge: WalletKnowledge,
    watch: Watch,
    alreadyAnnounced: readonly AnnouncedConsensus[],
  ): ConsensusAlerts => {
    const { wallet, nowSeconds } = seen;
    const { channelId } = watch;
    const nothingNew = { announced: alreadyAnnounced, alerts: [] };
    const rule = channelSettings.get(channelId)?.consensus;
    if (rule === null || rule === undefined || isPaused(watch, nowSeconds)) return nothingNew;
    const watches = registry.ofChannel(channelId);
    const entries = entriesByWallet(seen, knowledge, watches);
    const windowSeconds = rule.hours * HOUR_SECONDS;
    let announced = alreadyAnnounced;
    const alerts: NewAlert[] = [];
    for (const { item } of seen.detection.fresh) {
      if (item.action !== 'Buy' || item.time < watch.sinceSeconds) continue;
      const purchase = { ...entryKeys(item), atSeconds: item.time };
      const before = [...announced, ...announcedOfOthers(wallet, watches)].filter(
        (other) => other.channelId === channelId && other.outcome === purchase.outcome,
      );
      const found = findConsensus(entries, purchase, { wallets: rule.wallets, windowSeconds }, before);
      if (found === null) continue;
      announced = addAnnounced(announced, channelId, found, nowSeconds - 2 * CONSENSUS_HOURS_LIMIT * HOUR_SECONDS);
      alerts.push({
        id: alertId([channelId, 'consensus', found.outcome, found.stakes.length, found.fromSeconds]),
        event: { kind: 'consensus', consensus: consensusNews(found, item, rule) },
        seenAtMs: nowSeconds * 1000,
        channels: [channelId],
      });
    }
    return { announced, alerts };
  };

  /** Looks in each of the wallet's channels for agreement among the wallets that it watches. */
  const findConsensusAlerts = (seen: Seen<ActivityItem>, knowledge: WalletKnowledge): ConsensusAlerts => {
    let announced: readonly AnnouncedConsensus[] = knowledge.announced;
    const alerts: NewAlert[] = [];
    for (const watch of channelsFor(seen.wallet)) {
      const found = findChannelConsensus(seen, knowledge, watch, announced);
      announced = found.announced;
      alerts.push(...found.alerts);
    }
    return { announced, alerts };
  };

  return {
    activity(seen, poll) {
      const { wallet } = seen;
      const page = addActivityPage(readKnowledge(poll[KNOWLEDGE], wallet, log), pageOf(seen));
      const alerts = alertsOf(seen, 'activity', (item, index) => {
        const { context = null, sizes = null } = page.meanings[index] ?? {};
        return {
          kind: 'activity',
          item,
          ...(context === null ? {} : { context }),
          ...(sizes === null ? {} : { sizes }),
        };
      });
      const asked = askOf(seen, page, alerts);
      const { alertedPositions, results } = updateAlertedPositions(seen, page, alerts, asked);
      const consensus = findConsensusAlerts(seen, page.knowledge);
      const announced = [...consensus.announced];
      const knowledge: WalletKnowledge = { ...page.knowledge, alertedPositions, announced, questions: asked.open };
      // Another wallet's poll may look before this one is stored: neither must overlook the other, nor announce it again.
      if (registry.ofWallet(wallet).length > 0) remember(wallet, knowledge);
      return {
        poll: { [KNOWLEDGE]: knowledge },
        alerts: [...gapsOf(seen, 'activity'), ...alerts, ...results, ...consensus.alerts],
      };
    },
    transfers(seen, poll) {
      const knowledge = addTransfersPage(readKnowledge(poll[KNOWLEDGE], seen.wallet, log), pageOf(seen));
      const alerts = alertsOf(seen, 'deposits-withdrawals', (item) => ({ kind: 'transfer', item }));
      return { poll: { [KNOWLEDGE]: knowledge }, alerts: [...gapsOf(seen, 'deposits-withdrawals'), ...alerts] };
    },
    onDelivered(poll, { wallet, channelId, ids, delivered }) {
      const parsed = withPositionsSchema.safeParse(poll[KNOWLEDGE]);
      if (!parsed.success || !parsed.data.alertedPositions.some(({ undelivered }) => undelivered.length > 0)) {
        return { poll, alerts: [] };
      }
      const nowSeconds = venueNowSeconds();
      const before = parsed.data.alertedPositions;
      const { alertedPositions, results } = countDelivered(before, channelId, ids, delivered);
      return {
        poll: { ...poll, [KNOWLEDGE]: { ...parsed.data, alertedPositions } },
        alerts: results.map((result) => resultAlert(wallet, result, nowSeconds)),
      };
    },
    onCaughtUp(poll, alerts) {
      const parsed = withPositionsSchema.safeParse(poll[KNOWLEDGE]);
      if (!parsed.success) return poll;
      const asked = new Set(parsed.data.questions.map(({ market }) => market));
      // What the channels followed before has been counted with these alerts already.
      const followed = alerts.reduce<AlertedPositions>((before, alert) => {
        const { event } = alert;
        if (event.kind === 'gap' && event.gap.endpoint === 'activity') return [];
        const isDoubtful = event.kind === 'activity' && event.context === undefined;
        return updateByAlert(before, alert, isDoubtful, asked).alertedPositions;
      }, []);
      const alertedPositions = addPositions(parsed.data.alertedPositions, followed);
      return { ...poll, [KNOWLEDGE]: { ...parsed.data, alertedPositions } };
    },
    withoutUnwatched(wallet, poll) {
      const parsed = withPositionsSchema.safeParse(poll[KNOWLEDGE]);
      if (!parsed.success) return { poll, alerts: [] };
      const channels = remembering(wallet);
      const alertedPositions = keepChannels(parsed.data.alertedPositions, channels);
      const announced = parsed.data.announced.filter(({ channelId }) => channels.has(channelId));
      return { poll: { ...poll, [KNOWLEDGE]: { ...parsed.data, alertedPositions, announced } }, alerts: [] };
    },
    unread(except) {
      for (const [wallet, beforeSeconds] of unreadSeconds) if (!except.has(wallet)) return { wallet, beforeSeconds };
      return undefined;
    },
    readLater(wallet) {
      const beforeSeconds = unreadSeconds.get(wallet);
      unreadSeconds.delete(wallet);
      if (beforeSeconds !== undefined) unreadSeconds.set(wallet, beforeSeconds);
    },
    withReadBack(wallet, poll, history) {
      const knowledge = readKnowledge(poll[KNOWLEDGE], wallet, log);
      if (knowledge === undefined) return { poll, alerts: [] };
      const fills = history.flatMap((item) => recordFill(item) ?? []);
      const boundaries = boundariesOf(wallet);
      return { poll: { ...poll, [KNOWLEDGE]: withReadBack(knowledge, fills, boundaries) }, alerts: [] };
    },
    openMarkets: openMarkets.batches,
    withSettlements(wallet, poll, settlements) {
      const knowledge = readKnowledge(poll[KNOWLEDGE], wallet, log);
      if (knowledge === undefined) return null;
      const settled = withSettlements(knowledge, settlements, boundariesOf(wallet));
      if (settled === null) return null;
      const nowSeconds = venueNowSeconds();
      return {
        poll: { ...poll, [KNOWLEDGE]: settled.knowledge },
        alerts: settled.results.map((result) => resultAlert(wallet, result, nowSeconds)),
      };
    },
    cacheWallet(wallet, poll) {
      const parsed = cachedSchema.safeParse(poll[KNOWLEDGE]);
      if (parsed.success) remember(wallet, parsed.data);
      else forget(wallet);
    },
    evictWallet: forget,
    recordIn(channelId, wallet) {
      const known = records.get(wallet)?.get(channelId);
      return known === undefined
        ? null
        : { ...known, isBetterThanLuck: isBetterThanLuck(known.since, rankedIn(channelId)) };
    },
    rankedIn,
    askers: () => openQuestions.keys(),
    questions: (wallet) => openQuestions.get(wallet) ?? [],
    withAnswers(wallet, poll, answers) {
      const before = readKnowledge(poll[KNOWLEDGE], wallet, log);
      if (before === undefined) return { poll, alerts: [] };
      const nowSeconds = venueNowSeconds();
      const { knowledge, contexts, results } = withAnswers(before, answers, nowSeconds, boundariesOf(wallet));
      const alerts = results.map((result) => resultAlert(wallet, result, nowSeconds));
      return { poll: { ...poll, [KNOWLEDGE]: knowledge }, alerts, contexts };
    },
  };
}

/**
 * The followed purchases after one alert, and the results that it gives.
 *
 * @param isDoubtful whether nobody can tell what is sold of the purchases in its market
 * @param asked markets of which the venue will tell: their sales count once it has
 */
function updateByAlert(
  before: AlertedPositions,
  { id, event, channels }: NewAlert,
  isDoubtful: boolean,
  asked: ReadonlySet<string>,
): { readonly alertedPositions: AlertedPositions; readonly results: readonly MarketResult[] } {
  if (event.kind !== 'activity') return { alertedPositions: before, results: [] };
  const { item, context } = event;
  const isAsked = asked.has(marketKey(item));
  if (isDoubtful && !isAsked) return { alertedPositions: withoutMarket(before, item), results: [] };
  const isAlertedPurchase = item.action === 'Buy' && channels.length > 0;
  const alertedPositions = isAlertedPurchase ? addPurchase(before, { alertId: id, item, channels }) : before;
  const isSale = item.action === 'Sell' || item.action === 'Redeem';
  if (context === undefined || !isSale) return { alertedPositions, results: [] };
  return addSale(alertedPositions, item, context);
}

/** What a watch that begins is to get of what was found before it was known. */
export function newcomer({ watch, fromSeconds }: BegunWatch): Newcomer {
  const { wallet, channelId } = watch;
  return { wallet, channelId, isWanted: (alert) => wantsSince(watch, fromSeconds, alert) };
}

function wantsSince(watch: Watch, fromSeconds: number, { event, seenAtMs }: NewAlert): boolean {
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

/** Tells a channel that its watch of the wallet cannot be read, and that no alerts come until it can. */
export function unreadableWatchAlert(wallet: WalletAddress, channelId: string, nowMs: number): NewAlert {
  const nowSeconds = Math.floor(nowMs / 1000);
  const gap: Gap = { cause: 'watch', endpoint: 'activity', fromSeconds: nowSeconds, toSeconds: nowSeconds };
  return {
    id: alertId([wallet, 'watch', channelId]),
    event: { kind: 'gap', gap },
    seenAtMs: nowMs,
    channels: [channelId],
  };
}

/** Eight characters of base 32: short enough to read out, and the same for the same record whenever it is found. */
function alertId(parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return Array.from(digest.subarray(0, 8), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte & 31)).join('');
}
