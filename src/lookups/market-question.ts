import type { PersonsLookUps } from '../discord/quotas/lookups.ts';
import type { WalletAddress } from '../domain/address.ts';
import { marketKey } from '../portfolio/market.ts';
import type { Position } from '../portfolio/positions/position.ts';
import { answerQuestion, readHistory } from '../portfolio/positions/question.ts';
import type { WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import { readMarkets } from './read-pages.ts';

/** Pages that are read of a wallet in a market: five hundred records. */
const PAGES_LIMIT = 5;

/**
 * Asks the venue for all that a wallet did in a market. Nothing is stored of it.
 *
 * @param kept what is known of the wallet: what was detected while a question is open must be in the answer
 * @param nowSeconds the venue's clock, Unix seconds
 * @returns its positions, none if it never traded there; null where the answer does not tell what is held: it is not whole, has
 *   too many pages, lacks what had been seen, or sells more than was bought
 */
export async function askMarket(
  venue: Pick<PersonsLookUps, 'activity'>,
  wallet: WalletAddress,
  marketId: string,
  kept: Pick<WalletKnowledge, 'portfolio' | 'questions'> | undefined,
  nowSeconds: number,
): Promise<readonly Position[] | null> {
  const open = kept?.questions.find((question) => question.marketId === marketId);
  const newestFirst = await readMarkets([open ?? { marketId, live: [] }], nowSeconds, PAGES_LIMIT, (filters) =>
    venue.activity(wallet, filters),
  );
  if (typeof newestFirst === 'string') return null;
  const [newest] = newestFirst;
  if (newest === undefined) {
    const hasTraded = kept?.portfolio.positions.some((position) => position.marketId === marketId) === true;
    return open === undefined && !hasTraded ? [] : null;
  }
  const market = marketKey(newest);
  const all = { market, marketId, boundarySeconds: Number.MAX_SAFE_INTEGER, seenSeconds: nowSeconds, live: [] };
  const history = await readHistory(open ?? all, newestFirst);
  if (typeof history === 'string') return null;
  if (kept === undefined || open === undefined) return history.positions;
  const answered = answerQuestion(kept.portfolio, open, open.live, history, nowSeconds, []);
  return answered?.portfolio.positions.filter((position) => position.market === market) ?? null;
}
