import { hash } from 'node:crypto';
import type { ActivityItem } from './records.ts';

/** What the venue names a market by; each may be empty. */
type MarketNames = Pick<ActivityItem, 'conditionId' | 'marketId' | 'marketSlug'>;
/** What it names an outcome by. */
export type OutcomeNames = MarketNames & Pick<ActivityItem, 'tokenId' | 'outcomeIndex' | 'positionSide'>;

/** Begins the short hash of an outcome without a token id: base64url has no such character. */
const WITHOUT_TOKEN = '#';

/** Identifies the outcome of a market: its token id; where the venue gives none, market, outcome index and side. */
export function outcomeKey(item: OutcomeNames): string {
  if (item.tokenId !== '') return item.tokenId;
  return `${marketKey(item)}#${item.outcomeIndex}#${item.positionSide}`;
}

/** Identifies the market: the first that the venue gives of condition id, market id and slug. */
export function marketKey(item: MarketNames): string {
  return item.conditionId || item.marketId || item.marketSlug;
}

/**
 * What stands for a market, an event or an outcome in what is stored of a wallet: enough to tell some thousands apart.
 *
 * @returns ten characters of a SHA-256
 */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 10);
}

/** What stands for an outcome: ten characters, of which {@link isNamedByToken} knows whether the venue gave its token id. */
export function outcomeHash(item: OutcomeNames): string {
  return outcomeHashOf(outcomeKey(item));
}

/** The same by its {@link outcomeKey}. No token id holds the sign that stands in the key of an outcome without one. */
export function outcomeHashOf(key: string): string {
  const short = shortHash(key);
  return key.includes(WITHOUT_TOKEN) ? WITHOUT_TOKEN + short.slice(1) : short;
}

/** Whether an outcome is known by its token id: of any other nobody can tell whether it is one that has another name. */
export function isNamedByToken(outcome: string): boolean {
  return !outcome.startsWith(WITHOUT_TOKEN);
}
