import type { DetectedPage } from '../../src/portfolio/wallet-knowledge.ts';

/**
 * Returns a whole later page without a gap, all of it new, with what a test changes.
 * @param fresh oldest first
 */
export function detectedPage<Item>(
  fresh: readonly Item[],
  changes: Partial<DetectedPage<Item>> & Pick<DetectedPage<Item>, 'nowSeconds'>,
): DetectedPage<Item> {
  return {
    items: fresh.toReversed(),
    fresh,
    known: [],
    isCut: false,
    isFirst: false,
    sinceSeconds: 0,
    boundaries: [],
    gapEndSeconds: null,
    ...changes,
  };
}
