import * as z from 'zod';
import type { ActivityItem } from '../feed/interface.ts';

/** Code points of a market's title that are stored with a position. */
const TITLE_LIMIT = 120;

/** What is stored of a market so that it can be shown and linked. */
export const marketSchema = z.object({
  title: z.string(),
  marketId: z.string(),
  marketSlug: z.string(),
  eventSlug: z.string(),
});
export type Market = z.infer<typeof marketSchema>;

/** The market of an item, its title cut to 120 code points. */
export function marketOf({ marketTitle, marketId, marketSlug, eventSlug }: ActivityItem): Market {
  return { title: Array.from(marketTitle).slice(0, TITLE_LIMIT).join(''), marketId, marketSlug, eventSlug };
}

/** Identifies the outcome of a market: its token id; where the venue gives none, market, outcome index and side. */
export function outcomeKey(
  item: Pick<ActivityItem, 'tokenId' | 'conditionId' | 'marketId' | 'marketSlug' | 'outcomeIndex' | 'positionSide'>,
): string {
  if (item.tokenId !== '') return item.tokenId;
  return `${marketKey(item)}#${item.outcomeIndex}#${item.positionSide}`;
}

/** Identifies the market: the first that the venue gives of condition id, market id and slug. */
export function marketKey(item: Pick<ActivityItem, 'conditionId' | 'marketId' | 'marketSlug'>): string {
  return item.conditionId || item.marketId || item.marketSlug;
}
