import * as z from 'zod';
import { cutText } from '../lib/text/cut-text.ts';

export {
  entryKeys,
  isNamedByToken,
  isOutcomeNamed,
  marketKey,
  outcomeKey,
  shortHash,
} from '../domain/market-keys.ts';

/** Code points of a market's title that are stored, and the most that is ever shown of it. */
const TITLE_MAX = 250;

/** Fields that are stored of a market so that it can be shown and linked. */
export const marketSchema = z.object({
  marketTitle: z.string(),
  marketId: z.string(),
  marketSlug: z.string(),
  eventSlug: z.string(),
});
export type Market = z.infer<typeof marketSchema>;

/**
 * True if the venue can be asked for a market by this: a number as text. With anything else it may
 * refuse.
 */
export function isMarketId(text: string): boolean {
  return /^\d{1,78}$/.test(text);
}

/** The market of an item, its title cut as it is shown. */
export function marketOf({ marketTitle, marketId, marketSlug, eventSlug }: Market): Market {
  return {
    marketTitle: shownTitle(marketTitle),
    marketId,
    marketSlug,
    eventSlug,
  };
}

/**
 * A market's title, cut where it is very long: alike in an alert of today and in what was stored of
 * it before.
 */
export function shownTitle(title: string): string {
  return cutText(title, TITLE_MAX);
}
