import { between, DAY, HOUR, hold, middlingMarket, STYLES, type Style } from './styles.ts';

/** Range of a long market's duration, in days. */
const LONG_DAYS = [20, 40] as const;
/** Day from which the wallet that moves to long markets buys only those. */
const MOVES_ON_DAY = 40;
/** Share of its winners that the forgetful wallet never redeems. */
const FORGOTTEN = 0.3;
const MONTH = 30 * DAY;

/** All styles, and those for which it matters how markets end. */
export const ENDING_STYLES: readonly Style[] = [
  ...STYLES,
  {
    name: 'one in ten long',
    play(trader, at) {
      const isLong = trader.random() < 0.1;
      hold(trader, at, isLong ? { lasts: between(trader.random, ...LONG_DAYS) * DAY } : {});
    },
  },
  {
    name: 'only long',
    play: (trader, at) => hold(trader, at, { lasts: between(trader.random, ...LONG_DAYS) * DAY }),
  },
  {
    name: 'moves to long markets',
    play(trader, at) {
      const isLong = at > MOVES_ON_DAY * DAY;
      hold(trader, at, isLong ? { lasts: between(trader.random, ...LONG_DAYS) * DAY } : {});
    },
  },
  {
    name: '30 % never redeemed',
    play(trader, at) {
      const { random } = trader;
      const market = middlingMarket(trader, at, between(random, 0.2, 3) * DAY);
      const shares = trader.buy(market, at, 100);
      if (random() >= FORGOTTEN) trader.redeem(market, shares);
    },
  },
  {
    name: 'merges',
    play(trader, at) {
      const market = middlingMarket(trader, at, 2 * DAY);
      const yes = trader.buy(market, at, 100);
      const later = at + between(trader.random, 4, 40) * HOUR;
      const noPrice = 1 - market.yesPrice(later);
      const no = trader.buy(market, later, between(trader.random, 0.2, 1) * yes * noPrice, {
        side: 'No',
      });
      // The pairs are merged, which produces no record.
      trader.redeem(market, yes - Math.min(yes, no));
      trader.redeem(market, no - Math.min(yes, no), 'No');
    },
  },
  {
    name: 'redeems monthly',
    play(trader, at) {
      const { random } = trader;
      const market = middlingMarket(trader, at, between(random, 0.2, 3) * DAY);
      const shares = trader.buy(market, at, 100);
      const monthEnd = Math.ceil(market.resolvesSeconds / MONTH) * MONTH;
      trader.redeem(market, shares, 'Yes', monthEnd - market.resolvesSeconds);
    },
  },
];
