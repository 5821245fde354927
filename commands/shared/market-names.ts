import type { Market } from '../../src/portfolio/market.ts';
import { spelled } from './wallet-names.ts';

/** A market's title, slug and id as they are compared with what is typed. */
export function spelledNames({ marketTitle, marketSlug, marketId }: Market): readonly string[] {
  return [marketTitle, marketSlug, marketId].map(spelled);
}
