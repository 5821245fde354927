import type { ActivityItem } from '../venue/schema.ts';

/** Which outcome of which market: the token's identifier where the venue gives one. */
export function outcomeKey(
  item: Pick<ActivityItem, 'tokenId' | 'conditionId' | 'marketId' | 'marketSlug' | 'outcomeIndex' | 'positionSide'>,
): string {
  if (item.tokenId !== '') return item.tokenId;
  return `${marketKey(item)}#${item.outcomeIndex}#${item.positionSide}`;
}

/** Which market: the first that the venue gives of the condition's, the market's and the slug's identifier. */
export function marketKey(item: Pick<ActivityItem, 'conditionId' | 'marketId' | 'marketSlug'>): string {
  return item.conditionId || item.marketId || item.marketSlug;
}
