import { hash } from 'node:crypto';
import type { ActivityItem } from './records.ts';

/** Begins the short hash of an outcome without a token id: base64url has no such character. */
const WITHOUT_TOKEN = '#';

/**
 * Identifies the outcome of a market: its token id; where the venue gives none, market, outcome
 * index and side.
 */
export function outcomeKey(item: ActivityItem): string {
  if (item.tokenId !== '') return item.tokenId;
  return `${marketKey(item)}#${item.outcomeIndex}#${item.positionSide}`;
}

/** Identifies the market: the first of condition id, market id and slug that is not empty. */
export function marketKey(item: ActivityItem): string {
  return item.conditionId || item.marketId || item.marketSlug;
}

/**
 * Stands for a market, an event or an outcome where it is stored: ten characters of a SHA-256 tell
 * thousands apart.
 */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 10);
}

/**
 * Stands for an outcome: ten characters, of which {@link isNamedByToken} knows whether the venue
 * gave its token id. No token id holds the sign that stands in the key of an outcome without one.
 */
export function outcomeHash(item: ActivityItem): string {
  const key = outcomeKey(item);
  if (!key.includes(WITHOUT_TOKEN)) return shortHash(key);
  return WITHOUT_TOKEN + shortHash(key).slice(1);
}

/** Short hashes of an item's market and outcome, equal for every wallet. */
export function entryKeys(item: ActivityItem): {
  readonly market: string;
  readonly outcome: string;
} {
  return { market: shortHash(marketKey(item)), outcome: outcomeHash(item) };
}

/** Tells whether an outcome is known by its token id: any other may be one with another name. */
export function isNamedByToken(outcome: string): boolean {
  return !outcome.startsWith(WITHOUT_TOKEN);
}

/** Whether a record says of which outcome it is, by token, side or index. */
export function isOutcomeNamed({ tokenId, positionSide, outcomeIndex }: ActivityItem): boolean {
  return tokenId !== '' || positionSide !== '' || outcomeIndex >= 0;
}

/**
 * Attributes that fills of one purchase or sale have in common: market, action and outcome. Of a
 * redemption market and action, since it is of all outcomes.
 */
export function fillParts(item: ActivityItem): readonly unknown[] {
  const { action, positionSide, outcomeIndex } = item;
  if (action === 'Redeem') return [marketKey(item), action];
  return [marketKey(item), action, outcomeKey(item), positionSide, outcomeIndex];
}
