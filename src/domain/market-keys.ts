import { hash } from 'node:crypto';
import type { ActivityItem } from './records.ts';

/**
 * First character of the short hash of an outcome without a token id; base64url does not use it.
 */
const WITHOUT_TOKEN = '#';

/**
 * Returns the identity of a market's outcome: its token id, or else market, outcome index and side.
 */
export function outcomeKey(item: ActivityItem): string {
  if (item.tokenId !== '') return item.tokenId;
  return `${marketKey(item)}#${item.outcomeIndex}#${item.positionSide}`;
}

/**
 * Returns the identity of a market: the first of condition id, market id and slug that is not
 * empty.
 */
export function marketKey(item: ActivityItem): string {
  return item.conditionId || item.marketId || item.marketSlug;
}

/**
 * Returns the stored short form of a market, an event or an outcome: ten characters of a SHA-256
 * distinguish thousands.
 */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 10);
}

/**
 * Returns the stored short form of an outcome: ten characters that show {@link isNamedByToken}
 * whether the venue gave its token id. No token id contains the `#` that the key of an outcome
 * without one contains.
 */
export function outcomeHash(item: ActivityItem): string {
  const key = outcomeKey(item);
  if (!key.includes(WITHOUT_TOKEN)) return shortHash(key);
  return WITHOUT_TOKEN + shortHash(key).slice(1);
}

/** Returns the short hashes of an item's market and outcome, which are equal for every wallet. */
export function entryKeys(item: ActivityItem) {
  return { market: shortHash(marketKey(item)), outcome: outcomeHash(item) };
}

/**
 * Whether an outcome is identified by its token id; any other may be the same outcome under another
 * name.
 */
export function isNamedByToken(outcome: string): boolean {
  return !outcome.startsWith(WITHOUT_TOKEN);
}

/** Whether a record identifies its outcome, by token, side or index. */
export function isOutcomeNamed({ tokenId, positionSide, outcomeIndex }: ActivityItem): boolean {
  return tokenId !== '' || positionSide !== '' || outcomeIndex >= 0;
}

/**
 * Returns the attributes that fills of one purchase or sale share: market, action and outcome. For
 * a redemption it is market and action, because it covers all outcomes.
 */
export function fillParts(item: ActivityItem): readonly unknown[] {
  const { action, positionSide, outcomeIndex } = item;
  if (action === 'Redeem') return [marketKey(item), action];
  return [marketKey(item), action, outcomeKey(item), positionSide, outcomeIndex];
}
