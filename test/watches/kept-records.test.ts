import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { remakeRecords } from '../../src/alerts/scheduled/remake-records.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { FirstPurchase } from '../../src/portfolio/record/first-purchase.ts';
import { keepSums } from '../../src/portfolio/record/kept-sums.ts';
import { EMPTY_RECORD, matureTo, type WalletRecord } from '../../src/portfolio/record/record.ts';
import { spanSumsOf, standingOf } from '../../src/portfolio/record/standing.ts';
import { createKeptRecords } from '../../src/watches/kept-records.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { testMachine } from '../support/machine.ts';
import { randomRuns } from '../support/thorough.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const DAY = 86_400;
const START = 20_000 * DAY;
const WALLET = walletOfDigit('1');

const drawnMarket = fc.record({
  afterSeconds: fc.integer({ min: 0, max: DAY }),
  event: fc.integer({ min: 0, max: 30 }),
  price: fc.integer({ min: 1, max: 99 }),
  /** Null: it has no end yet. */
  lastsSeconds: fc.option(fc.integer({ min: 1, max: 2 * DAY }), { freq: 6 }),
  isWon: fc.boolean(),
});
const drawnMarkets = fc.oneof(
  fc.array(drawnMarket, { maxLength: 60 }),
  fc.array(drawnMarket, { minLength: 20, maxLength: 60, size: 'max' }),
);

const drawnDays = fc.array(
  fc.record({
    daysBefore: fc.integer({ min: 1, max: 40 }),
    markets: fc.integer({ min: 1, max: 12 }),
    cents: fc.integer({ min: -300, max: 300 }),
  }),
  { maxLength: 3 },
);

const records = fc
  .record({
    markets: drawnMarkets,
    days: drawnDays,
    matureToSeconds: fc.option(fc.integer({ min: START - 50 * DAY, max: START + 20 * DAY })),
    oneIn: fc.constantFrom(1, 1, 4),
  })
  .map(({ markets: drawn, days, matureToSeconds, oneIn }): WalletRecord => {
    let atSeconds = START;
    const markets = drawn.map(
      ({ afterSeconds, event, price, lastsSeconds, isWon }, number): FirstPurchase => {
        atSeconds += afterSeconds;
        return {
          ...{
            market: `m${number}`,
            event: `e${event}`,
            outcome: 'yes',
            txHash: `0x${number}`,
            atSeconds,
          },
          closedSeconds: lastsSeconds === null ? null : atSeconds + lastsSeconds,
          ...{
            shares: 10,
            left: lastsSeconds === null ? 10 : 0,
            grossUsdc: price / 10,
            paidUsdc: price / 10,
          },
          backUsdc: lastsSeconds !== null && isWon ? 10 : 0,
        };
      },
    );
    const folded = days.map(({ daysBefore, markets: count, cents }) => {
      const bought = START - daysBefore * DAY;
      const sums = { eventSquares: count / 4, prices: count / 2, won: 1, withoutEnd: 0 };
      return { fromSeconds: bought, toSeconds: bought + 60, markets: count, cents, ...sums };
    });
    return { markets, days: folded, matureToSeconds, oneIn };
  });

const seconds = fc.integer({ min: START - 2 * DAY, max: START + 40 * DAY });

/** Records in memory, of channels that began at these times, at a time that can be set. */
function keep(wallet: WalletAddress, began: readonly number[]) {
  const clock = { seconds: 0 };
  const ofChannels = began.map((beganSeconds, channel) =>
    watchOf({
      wallet,
      channelId: `${100_000_000_000_000_000n + BigInt(channel)}`,
      sinceSeconds: beganSeconds,
    }),
  );
  const watches: Watch[] = [...ofChannels];
  const ofWallet = (asked: WalletAddress) => watches.filter((watch) => watch.wallet === asked);
  const kept = createKeptRecords({ registry: { ofWallet }, venueNowSeconds: () => clock.seconds });
  return { clock, ofChannels, watches, kept };
}

describe('a record in memory', () => {
  it('says to the digit what the stored one says, for each channel, until a market matures: then it says nothing', () => {
    let [said, stale] = [0, 0];
    fc.assert(
      fc.property(
        records,
        fc.array(seconds, { minLength: 1, maxLength: 3 }),
        seconds,
        seconds,
        (record, began, at, later) => {
          const { clock, ofChannels, kept } = keep(WALLET, began);
          clock.seconds = at;
          kept.set(WALLET, record);
          for (const now of [at, later]) {
            clock.seconds = now;
            for (const channel of ofChannels) {
              const asked = { fromSeconds: channel.sinceSeconds };
              const stored = standingOf(record, { ...asked, nowSeconds: now });
              const standing = kept.standingFor(channel);
              if (standing !== undefined) {
                expect(standing).toEqual(stored);
                said += 1;
                continue;
              }
              const [before, after] = [at, now].map((time) => {
                const reach =
                  matureTo(record.markets, record.matureToSeconds, time) ??
                  Number.NEGATIVE_INFINITY;
                return record.markets.filter(
                  (each) => each.atSeconds >= channel.sinceSeconds && each.atSeconds <= reach,
                );
              });
              expect(before).not.toEqual(after);
              expect(kept.stale()).toEqual([WALLET]);
              stale += 1;
            }
          }
        },
      ),
      randomRuns(1_000),
    );
    expect(said).toBeGreaterThan(0);
    expect(stale).toBeGreaterThan(0);
  });

  it('is not shown to a channel that it was not made for', () => {
    const { clock, ofChannels, watches, kept } = keep(WALLET, [START]);
    clock.seconds = START + DAY;
    kept.set(WALLET, EMPTY_RECORD);
    const [channel] = ofChannels;
    if (channel === undefined) throw new Error('There is one.');
    expect(kept.standingFor(channel)).toMatchObject({ markets: 0 });
    expect(kept.isTrueOf(WALLET)).toBe(true);
    expect(
      kept.standingFor({ ...channel, sinceSeconds: START + 60 }),
      'it has begun anew',
    ).toBeUndefined();
    const other = { ...channel, channelId: '100000000000000077' };
    watches.push(other);
    expect(kept.standingFor(other)).toBeUndefined();
    expect(kept.isTrueOf(WALLET)).toBe(false);
    watches.length = 0;
    kept.set(WALLET, EMPTY_RECORD);
    expect(kept.standingFor(channel), 'nobody watches it').toBeUndefined();
  });

  it('is numbers alone', () => {
    const sums = keepSums(spanSumsOf(EMPTY_RECORD, { nowSeconds: START }));
    expect(sums.every((number) => typeof number === 'number')).toBe(true);
    // With 8 bytes each, the array and the row around them: below 400.
    expect(sums.length).toBeLessThan(30);
  });
});

/**
 * Runs it for so many seconds, where each document takes so long.
 *
 * @returns wallets in the order of their reading, by second
 */
async function remake(staleWallets: readonly WalletAddress[], takesMs: number, forSeconds: number) {
  const ending = new AbortController();
  const left = [...staleWallets];
  const bySecond: WalletAddress[][] = [[]];
  let nowMs = 0;
  const machine = testMachine({
    monotonicMs: () => nowMs,
    async sleep() {
      if (bySecond.length === forSeconds) ending.abort();
      else bySecond.push([]);
    },
  });
  await remakeRecords(machine, {
    signal: ending.signal,
    outbox: {
      async stateOf(wallet) {
        nowMs += takesMs;
        if (takesMs < 0) throw new Error('the store is away');
        bySecond.at(-1)?.push(wallet);
        return {};
      },
    },
    walletIndex: {
      staleRecords: () => [...left],
      noteRecord: (wallet) => void left.splice(left.indexOf(wallet), 1),
    },
  });
  return bySecond;
}

describe('a record that a market has matured in', () => {
  const wallets = Array.from({ length: 16 }, (_, digit) => walletOfDigit(digit.toString(16)));

  it('is made anew within 20 ms of each second, the one first that has waited for longest', async () => {
    const bySecond = await remake(wallets, 6, 5);
    expect(bySecond.flat()).toEqual(wallets);
    // 24 ms, and the 4 that were too many are taken off what comes after.
    expect(bySecond.map(({ length }) => length)).toEqual([4, 3, 3, 4, 2]);
  });

  it('waits as long as a document took fifty times over, but a minute at the most, whatever the machine did', async () => {
    const slow = await remake(wallets.slice(0, 3), 200, 25);
    expect(slow.flatMap(({ length }, second) => (length > 0 ? [second] : []))).toEqual([0, 10, 20]);
    const asleep = await remake(wallets.slice(0, 2), 3_600_000, 60);
    expect(asleep.flatMap(({ length }, second) => (length > 0 ? [second] : []))).toEqual([0, 50]);
  });

  it('is tried again after a store that was away', async () => {
    await expect(remake(wallets, -1, 3)).resolves.toEqual([[], [], []]);
  });

  it('comes before those that have waited for less long', () => {
    const [first, second] = [walletOfDigit('8'), walletOfDigit('9')];
    const clock = { seconds: START };
    const ofWallet = (wallet: WalletAddress) => [watchOf({ wallet, sinceSeconds: START - DAY })];
    const kept = createKeptRecords({
      registry: { ofWallet },
      venueNowSeconds: () => clock.seconds,
    });
    const bought = (atSeconds: number): WalletRecord => ({
      ...EMPTY_RECORD,
      markets: Array.from({ length: 12 }, (_, number) => ({
        ...{ market: `m${number}`, event: `e${number}`, outcome: 'yes', txHash: `0x${number}` },
        ...{ atSeconds: atSeconds + number, closedSeconds: atSeconds + number + 60 },
        ...{ shares: 10, left: 0, grossUsdc: 5, paidUsdc: 5, backUsdc: 10 },
      })),
    });
    kept.set(second, bought(START + 100));
    kept.set(first, bought(START));
    expect(kept.stale()).toEqual([]);
    clock.seconds = START + DAY;
    expect(kept.stale(), 'to the second').toEqual([first]);
    clock.seconds = START + DAY + 200;
    expect(kept.stale()).toEqual([first, second]);
    kept.delete(first);
    expect(kept.stale()).toEqual([second]);
    clock.seconds = START;
    kept.set(second, bought(START));
    clock.seconds = START + DAY + 3_600;
    kept.set(second, bought(START));
    expect(kept.stale()).toEqual([]);
    clock.seconds = START;
    expect(kept.stale(), 'the clock was set back').toEqual([second]);
  });
});
