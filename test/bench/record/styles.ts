import type { ActivityItem } from '../../../src/domain/records.ts';
import { sampleTrade } from '../../support/records.ts';
import type { Random } from '../schedule-random.ts';

export const DAY = 86_400;
export const HOUR = 3_600;

/** A market whose price is always the true probability, except for what a wallet knows better. */
interface SimulatedMarket {
  readonly id: number;
  readonly event: string;
  readonly resolvesSeconds: number;
  /**
   * Returns the price of Yes at a time, 0 to 1; at the end 0 or 1. Times of one market must ascend.
   */
  yesPrice(atSeconds: number): number;
}

/** Actions of a simulated wallet. */
export type Trader = ReturnType<typeof createTrader>;

type Side = 'Yes' | 'No';

interface MarketSpec {
  readonly atSeconds: number;
  readonly lastsSeconds: number;
  readonly price: number;
  readonly event?: string;
  readonly shared?: Shared;
}

interface BuySpec {
  readonly side?: Side;
  readonly fills?: number;
}

/** Price steps that several markets share. */
interface Shared {
  readonly weight: number;
  readonly end: number;
}

/** A style of trading. */
export interface Style {
  readonly name: string;
  /** Mean number of markets per day; 1.5 by default. */
  readonly perDay?: number;
  play(trader: Trader, atSeconds: number): void;
  /** Number of purchases per call of `play`; 1 by default. */
  readonly batch?: number;
}

/**
 * Returns the standard normal distribution function (Abramowitz and Stegun 26.2.17, accurate to
 * 7.5·10⁻⁸).
 */
function phi(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    ((((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782) * t + 0.31938153) *
    t *
    Math.exp((-x * x) / 2) *
    0.3989422804014327;
  return x > 0 ? 1 - tail : tail;
}

/** Returns the inverse of {@link phi}, by bisection. */
function phiInverse(p: number): number {
  let [low, high] = [-8, 8];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (phi(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Duration of a wallet's play, and its skill. */
interface Span {
  readonly random: Random;
  readonly days: number;
  /**
   * Skill of the wallet: by how much the true probability exceeds the price, 0 to 1; 0 for none.
   */
  readonly edge: number;
}

/** A wallet's records, and the outcomes of its markets, including those that end later. */
export interface Life {
  /** Records as the venue lists them, newest first. */
  readonly items: readonly ActivityItem[];
  /** Outcomes by condition id. */
  readonly ends: ReadonlyMap<string, MarketEnd>;
}

/** End time and winner of a market. */
interface MarketEnd {
  readonly atSeconds: number;
  readonly winner: Side;
}

/**
 * Plays a wallet for some days.
 *
 * @returns records as the venue lists them, newest first
 */
export function playStyle(style: Style, span: Span): readonly ActivityItem[] {
  return playLife(style, span).items;
}

/** Plays a wallet for some days, and its markets until they end. */
export function playLife(
  { batch = 1, perDay = 1.5, play }: Style,
  { random, days, edge }: Span,
): Life {
  const endSeconds = days * DAY;
  const trader = createTrader(random, endSeconds, edge);
  let atSeconds = 0;
  while (true) {
    atSeconds += (-Math.log(1 - random()) * DAY * batch) / perDay;
    if (atSeconds >= endSeconds) break;
    play(trader, atSeconds);
  }
  const items = trader.items.sort((a, b) => b.time - a.time);
  const ends = trader.markets.map((market): [string, MarketEnd] => {
    const atSeconds = market.resolvesSeconds;
    const winner = market.yesPrice(atSeconds) === 1 ? 'Yes' : 'No';
    return [conditionOf(market), { atSeconds, winner }];
  });
  return { items, ends: new Map(ends) };
}

const conditionOf = ({ id }: SimulatedMarket) => `0xc${id}`;

function createTrader(random: Random, endSeconds: number, edge: number) {
  const items: ActivityItem[] = [];
  const markets: SimulatedMarket[] = [];
  let transactions = 0;

  const add = (
    market: SimulatedMarket,
    atSeconds: number,
    side: Side,
    action: 'Buy' | 'Sell' | 'Redeem',
    fills: readonly { readonly shares: number; readonly price: number }[],
  ) => {
    transactions += 1;
    if (atSeconds >= endSeconds) return;
    for (const { shares, price } of fills) {
      items.push({
        ...sampleTrade(),
        time: Math.floor(atSeconds),
        action,
        recordType: action === 'Redeem' ? 'REDEEMS' : 'SUMMARY',
        actionType: action === 'Buy' ? 0 : action === 'Redeem' ? 1 : 2,
        price: price * 100,
        quantity: shares,
        fee: 0,
        grossValue: shares * price,
        transferNetAmount: (action === 'Buy' ? 1 : -1) * shares * price,
        txHash: `0x${transactions}`,
        tokenId: `${market.id}${side === 'Yes' ? '0' : '1'}`,
        marketId: String(market.id),
        eventSlug: market.event,
        conditionId: conditionOf(market),
        positionSide: side,
        outcomeIndex: side === 'Yes' ? 0 : 1,
        liquidityRole: action === 'Redeem' ? null : 'TAKER',
      });
    }
  };

  const priceOf = (market: SimulatedMarket, atSeconds: number, side: Side) => {
    const yes = market.yesPrice(atSeconds);
    return side === 'Yes' ? yes : 1 - yes;
  };

  return {
    random,
    items,
    markets,
    /**
     * Opens a market.
     *
     * @param spec `event`: the event's id, by default one of its own; `shared`: price steps shared
     *   with other markets
     */
    market(spec: MarketSpec): SimulatedMarket {
      const { atSeconds, lastsSeconds, price, event, shared } = spec;
      const id = markets.length + 1;
      // The true value is Φ((x + W)/√(1 − t)), a martingale that ends at 0 or 1. The quoted price
      // is `edge` below it at the start.
      const start = phiInverse(Math.min(0.999, Math.max(0.001, price + edge)));
      let [at, x] = [0, start];
      const share = shared?.weight ?? 0;
      const resolvesSeconds = atSeconds + lastsSeconds;
      let isFirst = true;
      const opened: SimulatedMarket = {
        id,
        event: event ?? `event-${id}`,
        resolvesSeconds,
        yesPrice(now) {
          if (isFirst && now < resolvesSeconds) {
            isFirst = false;
            return price;
          }
          const t = now >= resolvesSeconds ? 1 : Math.max(at, (now - atSeconds) / lastsSeconds);
          if (t > at) {
            const own = Math.sqrt(1 - share * share) * random.normal() * Math.sqrt(t - at);
            x += own + share * (shared?.end ?? 0) * (t - at);
            at = t;
          }
          if (at >= 1) return x > 0 ? 1 : 0;
          return Math.min(0.999, Math.max(0.001, phi(x / Math.sqrt(1 - at))));
        },
      };
      markets.push(opened);
      return opened;
    },
    buy(
      market: SimulatedMarket,
      atSeconds: number,
      usdc: number,
      { side = 'Yes', fills = 1 }: BuySpec = {},
    ): number {
      const price = priceOf(market, atSeconds, side);
      const shares = Math.max(1, Math.round((usdc / price) * 100) / 100);
      const parts = Array.from({ length: fills }, () => ({ shares: shares / fills, price }));
      add(market, atSeconds, side, 'Buy', parts);
      return shares;
    },
    sell(market: SimulatedMarket, atSeconds: number, shares: number, side: Side = 'Yes'): void {
      add(market, atSeconds, side, 'Sell', [{ shares, price: priceOf(market, atSeconds, side) }]);
    },
    /** Redeems shares of the winning side some time after the market's end. */
    redeem(
      market: SimulatedMarket,
      shares: number,
      side: Side = 'Yes',
      afterSeconds = 2 * HOUR,
    ): void {
      const won = priceOf(market, market.resolvesSeconds, side) === 1;
      if (won && shares > 0)
        add(market, market.resolvesSeconds + afterSeconds, side, 'Redeem', [{ shares, price: 1 }]);
    },
  };
}

export const between = (random: Random, low: number, high: number) => low + random() * (high - low);
const stake = (random: Random) => 100 * Math.exp(1.5 * random.normal());
const middling = (random: Random) => between(random, 0.25, 0.75);

/** Opens a market at a middling price. */
export function middlingMarket(
  trader: Trader,
  atSeconds: number,
  lastsSeconds: number,
  shared?: Shared,
): SimulatedMarket {
  return trader.market({
    atSeconds,
    lastsSeconds,
    price: middling(trader.random),
    ...(shared && { shared }),
  });
}

/** Buys at a price and holds to the end. */
export function hold(
  trader: Trader,
  atSeconds: number,
  spec: { readonly lasts?: number; readonly price?: number; readonly usdc?: number } = {},
): void {
  const { random } = trader;
  const market = trader.market({
    atSeconds,
    lastsSeconds: spec.lasts ?? between(random, 0.2, 3) * DAY,
    price: spec.price ?? middling(random),
  });
  const shares = trader.buy(market, atSeconds, spec.usdc ?? 100);
  trader.redeem(market, shares);
}

/**
 * Buys, checks the price every four hours, and sells everything once `shouldSell` returns true;
 * otherwise holds to the end. Prices in USDC per share.
 */
function sellWhen(
  trader: Trader,
  atSeconds: number,
  shouldSell: (price: number, paid: number) => boolean,
): void {
  const market = trader.market({
    atSeconds,
    lastsSeconds: 3 * DAY,
    price: middling(trader.random),
  });
  const shares = trader.buy(market, atSeconds, 100);
  const paid = 100 / shares;
  for (let hour = 2; hour < 70; hour += 4) {
    const now = atSeconds + hour * HOUR;
    if (!shouldSell(market.yesPrice(now), paid)) continue;
    trader.sell(market, now, shares);
    return;
  }
  trader.redeem(market, shares);
}

/** Returns the evening (18:00 UTC) of the day. */
const evening = (atSeconds: number) => Math.floor(atSeconds / DAY) * DAY + 18 * HOUR;

/** Styles of wallets; without an edge none of them knows more than the price. */
export const STYLES: readonly [Style, ...Style[]] = [
  { name: 'holds to the end', play: (trader, at) => hold(trader, at) },
  { name: 'holds, ten a day', perDay: 10, play: (trader, at) => hold(trader, at) },
  {
    name: 'holds, unequal stakes',
    play: (trader, at) => hold(trader, at, { usdc: stake(trader.random) }),
  },
  {
    name: 'favourites at 90 to 99',
    play: (trader, at) => hold(trader, at, { price: between(trader.random, 0.9, 0.99) }),
  },
  {
    name: 'long shots at 2 to 10',
    perDay: 3,
    play: (trader, at) => hold(trader, at, { price: between(trader.random, 0.02, 0.1) }),
  },
  {
    name: 'fifteen-minute markets',
    perDay: 8,
    play: (trader, at) => hold(trader, at, { lasts: 900, price: between(trader.random, 0.4, 0.6) }),
  },
  {
    name: 'markets of two months among short ones',
    play: (trader, at) => hold(trader, at, { lasts: (trader.random() < 0.3 ? 60 : 1) * DAY }),
  },
  {
    name: 'sells its winners early',
    play: (trader, at) => sellWhen(trader, at, (price, paid) => price >= paid + 0.08),
  },
  {
    name: 'cuts its losses',
    play: (trader, at) => sellWhen(trader, at, (price, paid) => price <= paid - 0.1),
  },
  {
    name: 'four markets of one event',
    perDay: 2,
    batch: 4,
    play(trader, at) {
      // One step decides all four, so they end together, like thresholds of one quantity.
      const shared = { weight: 0.95, end: trader.random.normal() };
      const event = `ladder-${at}`;
      for (let nth = 0; nth < 4; nth += 1) {
        const market = trader.market({
          atSeconds: at,
          lastsSeconds: DAY,
          price: 0.3 + 0.1 * nth,
          event,
          shared,
        });
        trader.redeem(market, trader.buy(market, at + nth * 60, 100));
      }
    },
  },
  {
    name: 'averages down',
    play(trader, at) {
      const market = middlingMarket(trader, at, 2 * DAY);
      let shares = trader.buy(market, at, 100);
      let lastPrice = 100 / shares;
      for (let hour = 4; hour < 44; hour += 8) {
        const price = market.yesPrice(at + hour * HOUR);
        if (price > lastPrice - 0.08 || price < 0.03) continue;
        shares += trader.buy(market, at + hour * HOUR, 100);
        lastPrice = price;
      }
      trader.redeem(market, shares);
    },
  },
  {
    name: 'doubles down',
    play(trader, at) {
      const market = middlingMarket(trader, at, 2 * DAY);
      let shares = trader.buy(market, at, 100);
      const first = 100 / shares;
      let usdc = 100;
      for (let hour = 4; hour < 44; hour += 8) {
        const price = market.yesPrice(at + hour * HOUR);
        if (price > 0.97) break;
        if (price > first + 0.05) {
          trader.sell(market, at + hour * HOUR, shares);
          return;
        }
        if (price > first - 0.05 || price < 0.03) continue;
        usdc *= 2;
        shares += trader.buy(market, at + hour * HOUR, usdc);
      }
      trader.redeem(market, shares);
    },
  },
  {
    name: 'splits and sells one side',
    play(trader, at) {
      const market = middlingMarket(trader, at, 2 * DAY);
      const bought = trader.buy(market, at, 50);
      // The split itself produces no record: 100 shares of each side for $100.
      trader.sell(market, at + HOUR, 100, 'No');
      trader.redeem(market, bought + 100);
    },
  },
  {
    name: 'hedges with the other side',
    play(trader, at) {
      const market = middlingMarket(trader, at, 2 * DAY);
      const yes = trader.buy(market, at, 100);
      const first = 100 / yes;
      for (let hour = 4; hour < 44; hour += 8) {
        const price = market.yesPrice(at + hour * HOUR);
        if (price < first + 0.1 || price > 0.97) continue;
        const no = trader.buy(market, at + hour * HOUR, yes * (1 - price), { side: 'No' });
        trader.redeem(market, no, 'No');
        break;
      }
      trader.redeem(market, yes);
    },
  },
  {
    name: 'round trips',
    perDay: 3,
    play(trader, at) {
      const market = middlingMarket(trader, at, 2 * DAY);
      for (let trip = 0; trip < 5; trip += 1) {
        const begins = at + trip * 4 * HOUR;
        const shares = trader.buy(market, begins, 100, { fills: 2 });
        trader.sell(market, begins + 2 * HOUR, shares);
      }
    },
  },
  {
    name: 'eight markets an evening that win together',
    perDay: 8,
    batch: 8,
    play(trader, at) {
      const shared = { weight: 0.8, end: trader.random.normal() };
      for (let nth = 0; nth < 8; nth += 1) {
        const now = evening(at) + nth * 600;
        const market = middlingMarket(trader, now, 4 * HOUR, shared);
        trader.redeem(market, trader.buy(market, now, 100));
      }
    },
  },
  {
    name: 'BTC, ETH and SOL in the same quarter of an hour',
    perDay: 9,
    batch: 3,
    play(trader, at) {
      const shared = { weight: 0.9, end: trader.random.normal() };
      for (let nth = 0; nth < 3; nth += 1) {
        const market = trader.market({
          atSeconds: at,
          lastsSeconds: 900,
          price: between(trader.random, 0.4, 0.6),
          shared,
        });
        trader.redeem(market, trader.buy(market, at + nth * 5, 100), 'Yes', 600);
      }
    },
  },
  {
    name: 'stakes double after a loss',
    play(trader, at) {
      const { random } = trader;
      hold(trader, at, { usdc: 50 * 2 ** Math.floor(-Math.log2(1 - random())) });
    },
  },
  {
    name: 'redeems after weeks',
    play(trader, at) {
      const market = middlingMarket(trader, at, DAY);
      trader.redeem(
        market,
        trader.buy(market, at, 100),
        'Yes',
        between(trader.random, 0, 20) * DAY,
      );
    },
  },
  {
    name: 'mostly sleeps, sometimes twenty a day',
    perDay: 2,
    batch: 20,
    play(trader, at) {
      for (let nth = 0; nth < 20; nth += 1)
        hold(trader, at + nth * 900, { usdc: stake(trader.random) });
    },
  },
];
