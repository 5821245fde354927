import type { Market } from '../../src/portfolio/market.ts';
import { spelled } from './wallet-names.ts';

/** Returns a market's title, slug and id in the form that is compared with typed text. */
export function spelledNames({ marketTitle, marketSlug, marketId }: Market): readonly string[] {
  return [marketTitle, marketSlug, marketId].map(spelled);
}
