import type { Alert, AlertGroup } from '../alerts/alert.ts';
import { fillEvents, fillsOf } from '../alerts/kinds/activity.ts';
import { resultsOf } from '../alerts/kinds/result.ts';
import type { WalletAddress } from '../domain/address.ts';
import { activityIdentity } from '../domain/identity.ts';
import { combineContexts, largestSize } from '../embeds/context-lines.ts';
import { stored } from '../lib/exact.ts';
import type { Machine } from '../lib/machine.ts';
import { type RoomRecord, roomRecordOf } from '../portfolio/record/room-record.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import type { Registry } from '../watches/registry.ts';
import type { Watch } from '../watches/watch.ts';
import type { DetailsRecord, DetailsRecords } from './records.ts';
import { groupsWithDetails, targetOf } from './target.ts';

/** Records of an alert that are named one by one. */
const IDENTITIES_LIMIT = 1_000;

export type KeepDetails = ReturnType<typeof createDetailsKeeper>;

/**
 * Keeps what is known at this moment of the alerts of a message that is about to be sent, or edited. Never rejects: an alert
 * is worth more than its details, and without a record these are given as of when somebody asks.
 */
export function createDetailsKeeper({
  records,
  registry,
  knowledgeOf,
  nowMs,
  log,
  ...deps
}: Pick<Machine, 'log' | 'nowMs'> & {
  readonly records: Pick<DetailsRecords, 'set'>;
  readonly registry: Pick<Registry, 'get'>;
  /** What is stored of a wallet; undefined if nothing. */
  readonly knowledgeOf: (wallet: WalletAddress) => Promise<WalletKnowledge | undefined>;
  /** How many wallets a channel has ever ranked. */
  readonly rankedIn: (channelId: string) => number;
  /** The venue's clock, epoch ms. */
  readonly venueNowMs: () => number;
}) {
  const recordFor = async (watch: Watch) => {
    const known = await knowledgeOf(watch.wallet);
    if (known === undefined) return null;
    return roomRecordOf(known.record, watch, deps.venueNowMs() / 1000, deps.rankedIn(watch.channelId));
  };
  /** @param groups of the message, with contexts that the channel's owner may know */
  return async (channelId: string, groups: readonly AlertGroup[]): Promise<void> => {
    const walletRecords = new Map<WalletAddress, RoomRecord | null>();
    const keep = async (alerts: readonly [Alert, ...Alert[]]) => {
      const [{ wallet, id }] = alerts;
      const target = targetOf(alerts);
      const watch = registry.get(channelId, wallet);
      if (target === null || watch === undefined) return;
      if (!walletRecords.has(wallet)) walletRecords.set(wallet, await recordFor(watch));
      const identities = fillsOf(alerts).map(activityIdentity);
      const record: DetailsRecord = {
        version: 1,
        ownerId: watch.ownerId,
        channelId,
        wallet,
        reference: id,
        createdAtMs: nowMs(),
        seenAtMs: Math.min(...alerts.map(({ seenAtMs }) => seenAtMs)),
        target,
        identities: identities.length > IDENTITIES_LIMIT ? null : identities,
        position: positionOf(alerts),
        size: largestSize(fillEvents(alerts)),
        results: resultsOf(alerts),
        record: walletRecords.get(wallet) ?? null,
      };
      await records.set(record);
    };
    try {
      for (const alerts of groupsWithDetails(groups)) await keep(alerts);
    } catch (error) {
      log.error({ event: 'details.not_kept', channel: channelId, err: error });
    }
  };
}

/** The contexts of the alerts as one: from before the first to after the last. */
function positionOf(alerts: readonly Alert[]): TradeContext | null {
  const combined = combineContexts(fillEvents(alerts));
  if (combined === undefined) return null;
  const { before, after, isClosed, entryCents, realized, costOfSold, opposite, isFirstInMarket } = combined;
  return {
    sharesBefore: stored(before),
    sharesAfter: stored(after),
    isClosed,
    entryCents,
    realized: realized === null ? null : stored(realized),
    costOfSold: stored(costOfSold),
    oppositeShares: stored(opposite),
    isFirstInMarket,
  };
}
