import { describe, expect, it } from 'vitest';
import { importLineSchema } from '../src/contract.ts';
import { type LedgerRecord, openLedger } from '../src/ledger.ts';
import { createSimulator } from '../src/simulator/simulator.ts';
import { activityOf, kindOf, play } from './play.ts';
import { START_SECONDS } from './support.ts';

/** Creates a world and plays it from its start. */
async function begin(seed: string, backfillHours = 0) {
  const world = await play(seed);
  if (backfillHours > 0) await world.simulator.backfill(backfillHours);
  await world.until(0);
  return world;
}

const of = (records: readonly LedgerRecord[], wallet: string) =>
  records.filter((record) => record.wallet === wallet);

function groups<T>(list: readonly T[], key: (value: T) => string): T[][] {
  const found = new Map<string, T[]>();
  for (const value of list) found.set(key(value), [...(found.get(key(value)) ?? []), value]);
  return [...found.values()];
}

describe('the simulator', () => {
  it('plays the same for the same seed, however often it is ticked', async () => {
    const [often, seldom, other] = await Promise.all([
      begin('seven'),
      begin('seven'),
      begin('eight'),
    ]);
    for (let seconds = 0.5; seconds <= 240; seconds += 0.5) await often.until(seconds);
    await seldom.until(31.7);
    await seldom.until(240);
    await other.until(240);
    expect(often.entered.length).toBeGreaterThan(100);
    expect(seldom.entered).toEqual(often.entered);
    expect(other.entered).not.toEqual(often.entered);
    expect(other.simulator.traders).toEqual(often.simulator.traders);
  });

  it.each(['a', 'b', 'c', 'd', 'e'])(
    'shows all five kinds of each fast trader within 30 seconds, twice (seed %s)',
    async (seed) => {
      const { simulator, entered, until } = await begin(seed, 0.2);
      await until(26);
      const fast = simulator.traders.filter(({ pace }) => pace === 'fast');
      expect(fast.length).toBeGreaterThanOrEqual(3);
      for (const { address } of fast) {
        const transactions = groups(of(entered, address), (record) => record.item.txHash);
        for (const kind of ['Buy', 'Sell', 'Redeem', 'deposit', 'withdrawal']) {
          expect(
            transactions.filter(([record]) => record !== undefined && kindOf(record) === kind)
              .length,
          ).toBeGreaterThanOrEqual(2);
        }
      }
    },
  );

  it('enters into the ledger exactly what it reports', async () => {
    const { simulator, entered, until, ledger } = await begin('reconciled');
    for (let seconds = 10; seconds <= 600; seconds += 10) await until(seconds);
    for (const { address } of simulator.traders) {
      const kept = [
        ...(await ledger.allActivity(address)),
        ...(await ledger.allTransfers(address)),
      ];
      const told = of(entered, address).map((record) => record.item);
      const sorted = (items: readonly unknown[]) =>
        items.map((item) => JSON.stringify(item)).sort();
      expect(sorted(kept)).toEqual(sorted(told));
    }
  });

  it('keeps to the contract, with figures that add up, and leaves out none of the hard cases', async () => {
    const { simulator, entered, until } = await begin('long');
    const endSeconds = 3_600;
    for (let seconds = 60; seconds <= endSeconds; seconds += 60) await until(seconds);
    expect(entered.length).toBeGreaterThan(2_000);

    expect(entered.filter((record) => !importLineSchema.safeParse(record).success)).toEqual([]);
    expect(entered.filter((record) => record.item.time > START_SECONDS + endSeconds)).toEqual([]);
    const faulty = activityOf(entered).filter(
      ({ action, price, quantity, fee, grossValue, transferNetAmount: net }) => {
        const isNear = (value: number, expected: number) => Math.abs(value - expected) < 2e-6;
        const isSummed = isNear(grossValue, (price / 100) * quantity) && quantity > 0 && fee >= 0;
        if (action === 'Buy') return !(isSummed && net > 0 && isNear(net, grossValue + fee));
        if (action === 'Sell') return !(isSummed && net < 0 && isNear(net, fee - grossValue));
        return !(isSummed && [0, 50, 100].includes(price) && fee === 0 && isNear(net, -grossValue));
      },
    );
    expect(faulty).toEqual([]);

    const transactions = groups(activityOf(entered), (item) => item.txHash);
    expect(transactions.filter((items) => items.length > 1).length).toBeGreaterThan(100);
    expect(transactions.some((items) => items.length >= 6)).toBe(true);
    expect(
      transactions.some(
        (items) => groups(items, (item) => JSON.stringify(item)).length < items.length,
      ),
    ).toBe(true);
    const seconds = groups(activityOf(entered), (item) => `${item.trader} ${item.time}`);
    expect(seconds.some((items) => new Set(items.map((item) => item.txHash)).size > 1)).toBe(true);
    const late = simulator.traders.some(({ address }) => {
      const times = of(entered, address).map((record) => record.item.time);
      return times.some((time, index) => index > 0 && time < (times[index - 1] ?? 0));
    });
    expect(late).toBe(true);

    const deposits = entered.flatMap((record) =>
      record.kind === 'transfer' && record.item.type === 'deposit' ? [record.item] : [],
    );
    const bridged = deposits.filter(({ address }) => /^0x0{40}$/.test(address));
    expect(bridged.length).toBeGreaterThan(0);
    expect(bridged.length).toBeLessThan(deposits.length);

    const titles = new Set(activityOf(entered).map((item) => item.marketTitle));
    for (const awkward of [/@everyone/, /\*\*/, /🏆/, /.{256,}/, /[\u0600-\u06ff]/]) {
      expect(
        [...titles].some((title) => awkward.test(title)),
        String(awkward),
      ).toBe(true);
    }

    const perPace = (pace: string) =>
      Math.max(
        ...simulator.traders
          .filter((trader) => trader.pace === pace)
          .map(({ address }) => of(entered, address).length),
      );
    expect(perPace('fast')).toBeGreaterThan(5 * perPace('brisk'));
    expect(perPace('brisk')).toBeGreaterThan(3 * perPace('steady'));
  });

  it('writes a history before the live play, once', async () => {
    const { ledger, simulator } = await play('history');
    const hours: number[] = [];
    const records = await simulator.backfill(1, (done) => hours.push(done));
    expect(hours).toEqual(hours.toSorted((a, b) => a - b));
    expect(hours.at(-1)).toBe(1);
    const { activity, transfers } = await ledger.counts();
    expect(activity + transfers).toBe(records);
    expect(records).toBeGreaterThan(500);
    for (const { address } of simulator.traders) {
      for (const { time } of await ledger.allActivity(address)) {
        expect(time).toBeGreaterThanOrEqual(START_SECONDS - 3_600);
        expect(time).toBeLessThanOrEqual(START_SECONDS);
      }
    }
    await expect(simulator.backfill(1)).rejects.toThrow(/once, before the first tick/);
  });

  it('plays by itself between start and stop, and reports a failure of the ledger', async () => {
    const ledger = await openLedger({ path: ':memory:' });
    let nowSeconds = START_SECONDS;
    const failed = new Promise<unknown>((resolve) => {
      const simulator = createSimulator({
        ledger,
        seed: 1,
        nowSeconds: () => {
          nowSeconds += 1;
          return nowSeconds;
        },
        onRecord: () => {
          ledger.close().catch(() => {});
        },
        onError: (error) => simulator.stop().then(() => resolve(error)),
      });
      simulator.start(1);
      simulator.start(1);
    });
    expect(String(await failed)).toContain('is closed');
  });

  it('lets a trader act on command at once, and refuses an address that is no trader’s', async () => {
    const { simulator, entered } = await begin('told');
    for (const { address, handle } of simulator.traders) {
      for (const [deed, kind] of [
        ['sell', 'Sell'],
        ['redeem', 'Redeem'],
        ['deposit', 'deposit'],
        ['buy', 'Buy'],
        ['withdraw', 'withdrawal'],
      ] as const) {
        const records = await simulator.act(address, deed);
        expect(of(records, address), handle).toEqual(records);
        expect(entered.slice(-records.length), handle).toEqual(records);
        const transactions = groups(records, (record) => record.item.txHash);
        const kinds = transactions.map((one) => new Set(one.map(kindOf)));
        // Without a holding, a sale or a redemption is preceded by a purchase.
        expect(kinds, handle).toEqual([
          ...kinds.slice(0, -1).map(() => new Set(['Buy'])),
          new Set([kind]),
        ]);
      }
    }
    await expect(simulator.act('0x0', 'buy')).rejects.toThrow('no simulated trader 0x0');
  });
});
