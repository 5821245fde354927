import { entryKeys } from '../../portfolio/market.ts';
import { compareRecords, isClosed, type Position } from '../../portfolio/positions/position.ts';
import {
  addTrade,
  addUnannounced,
  onlyChannels,
  type Unannounced,
} from '../../portfolio/positions/unannounced.ts';
import { alertedIn } from '../../portfolio/results/alerted-positions.ts';
import type { TradeContext } from '../../portfolio/trade-context.ts';
import { effectOf } from '../../portfolio/trades/combined.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import { isOnFor, type Watch } from '../../watches/watch.ts';
import { namesOf } from '../decisions.ts';
import type { ActivityEvent } from '../kinds/activity.ts';
import type { WalletEvent } from '../kinds/kinds.ts';

/**
 * Returns the unannounced positions after trades that have not been posted yet.
 * @param events oldest first
 * @param nowSeconds the venue's clock, in Unix seconds
 */
export function afterTrades(
  before: Unannounced,
  events: readonly WalletEvent[],
  watches: readonly Omit<Watch, 'joined'>[],
  nowSeconds: number,
): Unannounced {
  let unannounced = before;
  for (const event of events) {
    if (event.kind !== 'activity') continue;
    const { item } = event;
    const effect = effectOf([event]);
    const names = namesOf({ kind: 'activity', item });
    const channels: string[] = [];
    for (const watch of watches) {
      const isWatching = effect === 'opens' && isOnFor(watch, item, names, nowSeconds);
      if (isWatching) channels.push(watch.channelId);
    }
    unannounced = addTrade(unannounced, entryKeys(item).outcome, effect, channels);
  }
  return unannounced;
}

/**
 * Returns the unannounced positions after the venue has answered what trades did. Their alerts may
 * have been sent in the meantime. The venue is not asked about a purchase that no channel wanted;
 * its answer about a later one shows when the position was opened.
 * @param before the knowledge with the questions that were open
 * @param after the knowledge with the answers, and with alerts since
 * @param contexts what the trades did, by alert
 */
export function afterAnswers(
  before: WalletKnowledge,
  after: WalletKnowledge,
  contexts: ReadonlyMap<string, TradeContext>,
  watches: readonly Watch[],
  nowSeconds: number,
): Unannounced {
  const asked = before.questions
    .flatMap(({ live }) => live)
    .toSorted((a, b) => compareRecords(a.item, b.item));
  const answered: ActivityEvent[] = [];
  for (const { alertId, item } of asked) {
    const context = contexts.get(alertId);
    if (context !== undefined) answered.push({ kind: 'activity', item, context });
  }
  const outcomes = new Set(answered.map(({ item }) => entryKeys(item).outcome));
  const isTold = alertedIn(after.alertedPositions, outcomes);
  const isOpen = ({ outcome, held }: Position) => outcomes.has(outcome) && !isClosed(held);
  const open = [];
  for (const { outcome, held } of after.portfolio.positions.filter(isOpen)) {
    const opening = { time: held.sinceSeconds };
    const watching = watches.filter((watch) => isOnFor(watch, opening, [], nowSeconds));
    const channels = watching.map(({ channelId }) => channelId);
    open.push({ outcome, channels });
  }
  const known = afterTrades(after.unannounced, answered, watches, nowSeconds);
  return onlyChannels(
    addUnannounced(known, open),
    (channelId, outcome) => !isTold(channelId, outcome),
  );
}

/** Returns the unannounced positions after a channel has received these events. */
export function afterPosting(
  before: Unannounced,
  channelId: string,
  events: readonly WalletEvent[],
): Unannounced {
  const told = new Set<string>();
  for (const event of events) {
    if (event.kind === 'activity') told.add(entryKeys(event.item).outcome);
  }
  const isTold = ({ outcome, channels }: Unannounced[number]) =>
    told.has(outcome) && channels.includes(channelId);
  if (!before.some(isTold)) return before;
  // Other positions remain the same objects. A comparison by identity then finds the changed ones
  // without checking their channels, of which there may be a thousand.
  return before.flatMap((position) =>
    isTold(position) ? onlyChannels([position], (other) => other !== channelId) : [position],
  );
}
