import type { Standing } from '../../../src/portfolio/record/standing.ts';
import { judge, type KeptVerdict } from '../../../src/portfolio/record/verdict.ts';
import type { Random } from '../schedule-random.ts';

/** Markets after which rooms are no longer looked at: a market a day. */
const MARKETS = 360;
/** From so many on a wallet is ranked. */
const RANKED_MARKETS = 20;
const DAY_SECONDS = 86_400;

/** What rooms of wallets found that were looked at after every market. */
export interface RoomCounts {
  /** Rooms in which a wallet ever was better than luck. */
  roomsWithBetter: number;
  /** Wallets that are at the end. */
  found: number;
  /** Verdicts that began or ended. */
  changes: number;
}

/**
 * Plays rooms of so many wallets that each buy a market a day at 20 to 80 cents and hold it to its
 * end, and judges each wallet after each of its markets.
 *
 * @param edge of each wallet: the true probability is so much above the price, 0 to 1; 0 for none
 */
export function playRooms(rooms: number, size: number, edge: number, random: Random): RoomCounts {
  const counts: RoomCounts = { roomsWithBetter: 0, found: 0, changes: 0 };
  for (let room = 0; room < rooms; room += 1) {
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
    if (hasBetter) counts.roomsWithBetter += 1;
    counts.found += verdicts.filter((verdict) => verdict?.state === 'better').length;
  }
  return counts;
}

/**
 * A wallet that buys a market a day, each of an event of its own. `buy` tells how its record stands
 * after one more.
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
