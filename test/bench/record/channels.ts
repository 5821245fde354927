import type { Standing } from '../../../src/portfolio/record/standing.ts';
import { judge, type KeptVerdict } from '../../../src/portfolio/record/verdict.ts';
import type { Random } from '../schedule-random.ts';

/** Number of markets, one per day, after which channels are no longer judged. */
const MARKETS = 360;
/** Number of markets from which a wallet is ranked. */
const RANKED_MARKETS = 20;
const DAY_SECONDS = 86_400;

/** The verdicts in channels that were judged after every market. */
export interface ChannelCounts {
  /** Channels in which a wallet was ever better than luck. */
  channelsWithBetter: number;
  /** Wallets that are better than luck at the end. */
  found: number;
  /** Verdicts that began or ended. */
  changes: number;
}

/**
 * Plays channels with this many wallets. Each wallet buys a market a day at 20 to 80 cents and
 * holds it to its end, and is judged after each of its markets.
 *
 * @param edge of each wallet: by how much the true probability exceeds the price, 0 to 1
 */
export function playChannels(
  channels: number,
  size: number,
  edge: number,
  random: Random,
): ChannelCounts {
  const counts: ChannelCounts = { channelsWithBetter: 0, found: 0, changes: 0 };
  for (let channel = 0; channel < channels; channel += 1) {
    const verdicts = Array.from({ length: size }, (): KeptVerdict | undefined => undefined);
    const wallets = Array.from({ length: size }, () => createBuyer(edge, random));
    let hasBetter = false;
    for (let market = 1; market <= MARKETS; market += 1) {
      for (const [nth, wallet] of wallets.entries()) {
        const before = verdicts[nth];
        const after = judge(before, wallet.buy(), size, market * DAY_SECONDS);
        const isChanged = (before?.state === 'better') !== (after?.state === 'better');
        if (isChanged) counts.changes += 1;
        if (after?.state === 'better') hasBetter = true;
        verdicts[nth] = after;
      }
    }
    if (hasBetter) counts.channelsWithBetter += 1;
    counts.found += verdicts.filter((verdict) => verdict?.state === 'better').length;
  }
  return counts;
}

/**
 * Creates a wallet that buys a market a day, each of a different event. `buy` returns its standing
 * after one more market.
 */
function createBuyer(edge: number, random: Random) {
  let markets = 0;
  let won = 0;
  let prices = 0;
  let cents = 0;
  let eventSquares = 0;
  let daySquares = 0;
  return {
    buy(): Standing {
      const price = 0.2 + 0.6 * random();
      const isWon = random() < price + edge;
      const result = ((isWon ? 1 : 0) - price) * 100;
      markets += 1;
      won += isWon ? 1 : 0;
      prices += price;
      cents += result;
      eventSquares += price * (1 - price);
      daySquares += result ** 2;
      return {
        markets,
        days: markets,
        bought: markets,
        won,
        withoutEnd: 0,
        priceCents: (prices / markets) * 100,
        edgeCents: cents / markets,
        errorCents: Math.max(Math.sqrt(eventSquares) * 100, Math.sqrt(daySquares)) / markets,
        isRanked: markets >= RANKED_MARKETS,
        enoughAtSeconds: null,
        matureToSeconds: markets * DAY_SECONDS,
        oneIn: 1,
      };
    },
  };
}
