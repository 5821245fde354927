import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../src/ledger.ts';
import type { ActivityItem } from '../src/records.ts';
import { CAST, type Part, RHYTHMS } from '../src/simulator/cast.ts';
import { createMarkets, type Market } from '../src/simulator/markets.ts';
import { createPlayer, DEEDS } from '../src/simulator/trader.ts';
import { randomRuns, variants } from './helpers.ts';
import { activityOf, kindOf, play } from './play.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const DAY_SECONDS = 86_400;
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
/** Standard error of the mean. */
const errorOf = (values: readonly number[]) => {
  const about = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - about) ** 2)) / values.length);
};
const KINDS = {
  deposit: 'deposit',
  buy: 'Buy',
  sell: 'Sell',
  redeem: 'Redeem',
  withdraw: 'withdrawal',
};
const inHundredths = (shares: number) => Math.round(shares * 100);

/** Returns the first record that sells or redeems more of an outcome than was bought before. */
function firstOverdrawn(items: readonly ActivityItem[]): ActivityItem | undefined {
  const held = new Map<string, number>();
  return items.find(({ tokenId, action, quantity }) => {
    const left = (held.get(tokenId) ?? 0) + inHundredths(quantity) * (action === 'Buy' ? 1 : -1);
    held.set(tokenId, left);
    return left < 0;
  });
}

/** Returns the markets of a day, each with a moment of its life. */
function marketsOfADay(): { readonly market: Market; readonly atSeconds: number }[] {
  const markets = createMarkets('calibrated', 200);
  const met = new Map<Market, number>();
  for (let atSeconds = 0; atSeconds < DAY_SECONDS; atSeconds += 600) {
    for (const market of markets.open(atSeconds)) met.set(market, atSeconds);
  }
  return [...met].map(([market, atSeconds]) => ({ market, atSeconds }));
}

describe('the markets of the simulated world', () => {
  const met = marketsOfADay();

  it('are priced at the mean of what they end at: at any time, for favourites and for long shots', () => {
    expect(met.length).toBeGreaterThan(5_000);
    const bands = new Map<number, number[]>();
    for (const [index, { market, atSeconds }] of met.entries()) {
      const side = index % 2 === 0 ? 'Yes' : 'No';
      const priceCents = market.priceCents(side, atSeconds);
      const band = Math.floor(priceCents / 10);
      const results = bands.get(band) ?? [];
      results.push(market.endCents(side) - priceCents);
      bands.set(band, results);
    }
    expect(bands.size).toBe(10);
    for (const [band, results] of bands) {
      expect(Math.abs(mean(results)), `${band}0 to ${band}9 cents`).toBeLessThan(
        3.5 * errorOf(results),
      );
    }
  });

  it('end with one side at 100 and the other at 0, now and then at 50 each, and some are never settled', () => {
    const shareOf = (isCounted: (market: Market) => boolean) =>
      met.filter(({ market }) => isCounted(market)).length / met.length;
    expect(shareOf((market) => market.endCents('Yes') + market.endCents('No') === 100)).toBe(1);
    expect(shareOf((market) => market.settlesAtSeconds > market.closesAtSeconds)).toBe(1);
    expect(shareOf((market) => market.endCents('Yes') === 100)).toBeGreaterThan(0.45);
    expect(shareOf((market) => market.endCents('Yes') === 0)).toBeGreaterThan(0.45);
    expect(shareOf((market) => market.endCents('Yes') === 50)).toBeGreaterThan(0.005);
    const unsettled = shareOf((market) => market.settlesAtSeconds === Number.POSITIVE_INFINITY);
    expect(unsettled).toBeGreaterThan(0.005);
    expect(unsettled).toBeLessThan(0.02);
  });

  it('end as they would have ended when they end early, and others open in their places', () => {
    const markets = createMarkets('early', 24);
    const open = markets.open(0);
    const ends = open.map((market) => market.endCents('Yes'));
    for (const market of open) market.end(10);
    expect(open.map((market) => market.endCents('Yes'))).toEqual(ends);
    expect(open.every((market) => market.settlesAtSeconds === 10)).toBe(true);
    const next = markets.open(10);
    expect(next).toHaveLength(24);
    expect(next.filter((market) => open.includes(market))).toEqual([]);
  });
});

describe('the traders of the simulated world', () => {
  const step = fc.oneof(
    fc.record({ wait: fc.double({ min: 0, max: 400, noNaN: true }) }),
    fc.record({ trader: fc.nat({ max: 9 }), deed: fc.constantFrom(...DEEDS) }),
  );

  it('sell and redeem only what they have bought before, in the venue’s order and in that of the ledger', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 4 }),
        fc.constantFrom(0, 0.3, 60),
        fc.boolean(),
        fc.array(step, { maxLength: 40 }),
        async (seed, hours, isPaused, steps) => {
          const { simulator, entered, setSeconds, listed, ledger } = await play(seed);
          if (hours > 0) await simulator.backfill(hours);
          const before = new Map<string, ActivityItem[]>();
          for (const { address } of simulator.traders) before.set(address, await listed(address));
          let seconds = 0;
          for (const next of steps) {
            if ('wait' in next) {
              seconds += next.wait;
              setSeconds(seconds);
              if (!isPaused) await simulator.tick();
            } else {
              const records = await simulator.act(
                simulator.traders[next.trader]?.address ?? '',
                next.deed,
              );
              expect(records.map(kindOf).at(-1)).toBe(KINDS[next.deed]);
            }
          }
          await simulator.tick();
          for (const { address, handle } of simulator.traders) {
            expect(firstOverdrawn(await listed(address)), handle).toBeUndefined();
            const since = activityOf(entered.filter(({ wallet }) => wallet === address));
            expect(
              firstOverdrawn([...(before.get(address) ?? []), ...since]),
              handle,
            ).toBeUndefined();
          }
          await ledger.close();
        },
      ),
      randomRuns(16),
    );
  });

  it('are of as many styles, named in the documentation, and one of them alone has an edge', async () => {
    const { traders } = (await play('cast')).simulator;
    expect(new Set(traders.map(({ style }) => style)).size).toBe(traders.length);
    expect(traders.filter(({ edgeCents }) => edgeCents !== 0)).toMatchObject([
      { handle: 'copperline', edgeCents: 15 },
    ]);
    const rows = [
      ...README.slice(README.indexOf('## Simulated traders')).matchAll(/^\| (?!trader|-).*$/gm),
    ];
    const expected = traders.map(({ handle, pace, style }) => `| ${handle} | ${pace} | ${style} |`);
    expect(rows.map(([row]) => row)).toEqual(expected);
  });
});

interface Lot {
  readonly first: ActivityItem;
  quantity: number;
  left: number;
  cents: number;
}

/**
 * Returns the result of the first purchase in each market: shares, remaining shares, and the
 * proceeds minus the price, in cents.
 */
function firstLots(items: readonly ActivityItem[]): Lot[] {
  const lots = new Map<string, Lot>();
  for (const item of items) {
    const lot = lots.get(item.conditionId) ?? { first: item, quantity: 0, left: 0, cents: 0 };
    lots.set(item.conditionId, lot);
    const isOtherSide = item.tokenId !== lot.first.tokenId;
    if (item.txHash === lot.first.txHash) {
      lot.quantity += item.quantity;
      lot.left += item.quantity;
      lot.cents -= item.price * item.quantity;
    } else if (isOtherSide === (item.action === 'Buy')) {
      const shares = Math.min(lot.left, item.quantity);
      lot.left -= shares;
      lot.cents += shares * (isOtherSide ? 100 - item.price : item.price);
    }
  }
  return [...lots.values()];
}

describe('a style', () => {
  /** Seconds between turns, long enough to meet many new markets. */
  const STEP_SECONDS = { fast: 60, brisk: 600, steady: 9_000, slow: 43_200 };
  const TURNS = 2_500;
  /**
   * Everything bought before this last part of the turns has ended and been redeemed, unless it
   * never is.
   */
  const LAST_TURNS = 100;

  /**
   * Returns the results of a trader's first purchases in cents per share, before fees, when the
   * trader has its markets to itself.
   */
  function resultsOf(part: Part): number[] {
    const seed = `style of ${part.handle}`;
    const all = createMarkets(seed, 32);
    const { term } = RHYTHMS[part.pace];
    const markets = {
      open: (atSeconds: number) => all.open(atSeconds).filter((market) => market.term === term),
    };
    const player = createPlayer(part, markets, seed);
    const items: ActivityItem[] = [];
    const keep = (records: readonly LedgerRecord[]) => void items.push(...activityOf(records));
    for (let turn = 0; turn < TURNS; turn += 1) {
      const atSeconds = turn * STEP_SECONDS[part.pace];
      while (player.redeemsAtSeconds() <= atSeconds) keep(player.redeem());
      keep(player.play(atSeconds, atSeconds));
    }
    expect(firstOverdrawn(items)).toBeUndefined();
    return firstLots(items)
      .filter(({ first }) => first.time < (TURNS - LAST_TURNS) * STEP_SECONDS[part.pace])
      .map(({ cents, quantity }) => cents / quantity);
  }

  const tried = variants(CAST, ({ handle }) =>
    ['copperline', 'tidewatcher', 'northbound'].includes(handle),
  );
  it.each(tried.map((part) => [part.handle, part.style.words, part] as const))(
    'of %s (%s) has first purchases that come to its edge in the mean',
    (_handle, _words, part) => {
      const results = resultsOf(part);
      expect(results.length).toBeGreaterThan(500);
      // Markets that are never settled pay nothing back, which costs about half a cent.
      expect(Math.abs(mean(results) - part.style.edgeCents)).toBeLessThan(
        3.5 * errorOf(results) + 0.5,
      );
    },
  );
});

describe('months of history', () => {
  it('are some thousands of records a trader, from many days, with every kind of end', async () => {
    const { simulator, listed } = await play('months');
    await simulator.backfill(2_000);
    const kinds = new Map<string, number>();
    for (const { address, handle } of simulator.traders) {
      const items = await listed(address);
      expect(items.length, handle).toBeGreaterThan(500);
      expect(items.length, handle).toBeLessThan(4_000);
      expect(new Set(items.map(({ conditionId }) => conditionId)).size, handle).toBeGreaterThan(60);
      expect(
        new Set(items.map(({ time }) => Math.floor(time / DAY_SECONDS))).size,
        handle,
      ).toBeGreaterThan(30);
      expect(firstOverdrawn(items), handle).toBeUndefined();
      for (const { action, price } of items) {
        const kind = action === 'Redeem' ? `Redeem at ${price}` : action;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }
    expect([...kinds.keys()].sort()).toEqual([
      'Buy',
      'Redeem at 0',
      'Redeem at 100',
      'Redeem at 50',
      'Sell',
    ]);
    expect(kinds.get('Redeem at 0')).toBeLessThan((kinds.get('Redeem at 100') ?? 0) / 4);
  });
});
