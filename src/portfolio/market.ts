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

/** Maximum number of code points stored and shown of a market's title. */
const TITLE_MAX = 250;

/** Stored fields of a market, needed to show and link it. */
export const marketSchema = z.object({
  marketTitle: z.string(),
  marketId: z.string(),
  marketSlug: z.string(),
  eventSlug: z.string(),
});
export type Market = z.infer<typeof marketSchema>;

/**
 * True if the venue accepts this as a market's id: a number as text. It may reject anything else.
 */
export function isMarketId(text: string): boolean {
  return /^\d{1,78}$/.test(text);
}

/** Returns the market of an item, with its title cut as it is shown. */
export function marketOf({ marketTitle, marketId, marketSlug, eventSlug }: Market): Market {
  return {
    marketTitle: shownTitle(marketTitle),
    marketId,
    marketSlug,
    eventSlug,
  };
}

/**
 * Returns a market's title, cut if it is very long. It is the same in a new alert and in stored
 * data.
 */
export function shownTitle(title: string): string {
  return cutText(title, TITLE_MAX);
}
