import { type ActivityItem, actionKind } from '../domain/records.ts';
import type { Entry } from './consensus.ts';
import { isOutcomeNamed, marketKey, shortHash } from './market.ts';
import type { Portfolio } from './portfolio.ts';
import type { WalletRecord } from './record/record.ts';
import type { AlertedPositions } from './results/alerted-positions.ts';

/** Maximum number of markets remembered as given up; the newest are kept. */
const GIVEN_UP_LIMIT = 1_000;

/** Parts of a wallet's knowledge that name markets and their events. */
interface Known {
  readonly portfolio: Portfolio;
  readonly record: WalletRecord;
  readonly alertedPositions: AlertedPositions;
  readonly entries: readonly Entry[];
}

/**
 * Whether a record's effect on the holdings cannot be computed, because its action is not in the
 * API's description or its outcome has no name.
 */
export function isUnworkable(item: ActivityItem): boolean {
  return actionKind(item.action) === 'other' || !isOutcomeNamed(item);
}

/**
 * Finds the markets affected by records with an unknown action or outcome: their own; if they name
 * no market, those of their event; if they name neither, all known markets of the wallet.
 * @param items records of a page, oldest first
 * @returns keys of markets, from `entryKeys`
 */
export function marketsGivenUp(known: Known, items: readonly ActivityItem[]): ReadonlySet<string> {
  const markets = new Set<string>();
  for (const item of items.filter(isUnworkable)) {
    const name = marketKey(item);
    if (name !== '') {
      markets.add(shortHash(name));
      continue;
    }
    const { eventSlug } = item;
    for (const market of marketsOf(known, items, eventSlug === '' ? null : eventSlug)) {
      markets.add(market);
    }
  }
  return markets;
}

/**
 * Returns the known markets and those of the records.
 * @param eventSlug null for all events
 */
function marketsOf(
  { portfolio, record, alertedPositions, entries }: Known,
  items: readonly ActivityItem[],
  eventSlug: string | null,
): ReadonlySet<string> {
  const isMeant = (market: { readonly eventSlug: string }) =>
    eventSlug === null || market.eventSlug === eventSlug;
  const markets = new Set<string>();
  for (const position of portfolio.positions) {
    if (isMeant(position)) markets.add(position.market);
  }
  for (const { key, market } of alertedPositions) if (isMeant(market)) markets.add(key);
  for (const item of items) {
    const name = marketKey(item);
    if (name !== '' && isMeant(item)) markets.add(shortHash(name));
  }
  // A first purchase stores only its event's hash; accounts and entries store no event.
  const event = eventSlug === null ? null : shortHash(`event ${eventSlug}`);
  for (const first of record.markets) {
    if (event === null || first.event === event) markets.add(first.market);
  }
  if (eventSlug === null) {
    for (const { market } of portfolio.accounts.markets) markets.add(market);
    for (const { market } of entries) markets.add(market);
  }
  return markets;
}

/** Adds markets to those given up so far, the newest last. */
export function addGivenUp(
  before: readonly string[],
  markets: ReadonlySet<string>,
): readonly string[] {
  if (markets.size === 0) return before;
  return [...before.filter((market) => !markets.has(market)), ...markets].slice(-GIVEN_UP_LIMIT);
}
