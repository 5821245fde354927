import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_KEY } from '../src/keys.ts';
import { randomRuns } from './helpers.ts';
import {
  activity,
  hashOf,
  type Served,
  START_SECONDS,
  startTestVenue,
  transfer,
  walk,
} from './support.ts';

/**
 * The fields that determine a record's order and filtering. There are few values, so that ties,
 * equal records and shared transactions are common.
 */
interface Plan {
  readonly time: number;
  readonly block: number;
  readonly market: number;
  readonly tx: number;
  readonly price: number;
}

const plans = fc.record<Plan>({
  time: fc.integer({ min: 0, max: 12 }),
  // Mostly in step with time, as on a chain, in spans of 16,384; sometimes arbitrary, as after a
  // faulty import.
  block: fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 250_000 }) },
    { weight: 3, arbitrary: fc.constant(-1) },
  ),
  market: fc.integer({ min: 1, max: 4 }),
  tx: fc.integer({ min: 1, max: 6 }),
  price: fc.integer({ min: 1, max: 2 }),
});

const bounds = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined });
const filters = fc.record({
  markets: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
  tx: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 2 }),
  blocks: fc.tuple(bounds(250_000), bounds(250_000)),
  times: fc.tuple(bounds(12), bounds(12)),
});
type Filters = typeof filters extends fc.Arbitrary<infer T> ? T : never;
type Bounds = readonly [number | undefined, number | undefined];

const limits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
// By default fast-check generates only about ten elements, whatever the maximum.
const histories = fc.array(plans, { maxLength: 40, size: 'max' });

let venue: Served;
let wallets = 0;
beforeAll(async () => {
  venue = await startTestVenue({ keys: [{ ...DEMO_KEY, limit: 1_000_000 }] });
});
afterAll(() => venue.stop());

/** Returns a wallet that no other run has used. */
function newWallet(): string {
  wallets += 1;
  return `0x${wallets.toString(16).padStart(40, '0')}`;
}

const blockOf = (plan: Plan) => (plan.block === -1 ? plan.time * 20_000 + plan.tx : plan.block);
const recordOf = (trader: string, plan: Plan) =>
  activity(
    {
      time: START_SECONDS + plan.time,
      trader,
      price: plan.price,
      txHash: hashOf(plan.tx),
      marketId: String(plan.market),
    },
    blockOf(plan),
  );
const record = (wallet: string, history: readonly Plan[]) =>
  venue.ledger.addAll(history.map((plan) => recordOf(wallet, plan)));
const activityOf = (wallet: string) => (query: string) =>
  venue.get(`/v1/trader/${wallet}/activity${query}`);

/**
 * Returns the order required by the contract: newest first, and of equal seconds the last insertion
 * first.
 */
function newestFirst(history: readonly Plan[]): Plan[] {
  return history
    .map((plan, index) => ({ plan, index }))
    .sort((left, right) => right.plan.time - left.plan.time || right.index - left.index)
    .map(({ plan }) => plan);
}

const ordered = ([low, high]: Bounds): Bounds =>
  low !== undefined && high !== undefined && low > high ? [high, low] : [low, high];
const within = ([low, high]: Bounds, value: number) =>
  (low ?? -1) <= value && value <= (high ?? Number.MAX_SAFE_INTEGER);

function fits(asked: Filters, plan: Plan): boolean {
  return (
    (asked.markets.length === 0 || asked.markets.includes(plan.market)) &&
    (asked.tx === undefined || asked.tx === plan.tx) &&
    within(ordered(asked.blocks), blockOf(plan)) &&
    within(ordered(asked.times), plan.time)
  );
}

function queryOf(asked: Filters): string {
  const query = new URLSearchParams();
  for (const market of asked.markets) query.append('marketIds', String(market));
  if (asked.tx !== undefined)
    query.set('txHash', hashOf(asked.tx).toUpperCase().replace('0X', '0x'));
  const [fromBlock, toBlock] = ordered(asked.blocks);
  const [fromTime, toTime] = ordered(asked.times);
  if (fromBlock !== undefined) query.set('fromBlock', String(fromBlock));
  if (toBlock !== undefined) query.set('toBlock', String(toBlock));
  if (fromTime !== undefined) query.set('fromTimestamp', String(START_SECONDS + fromTime));
  if (toTime !== undefined) query.set('toTimestamp', String(START_SECONDS + toTime));
  return query.toString();
}

describe('walking by cursor over HTTP', () => {
  it('gives exactly the filtered history, for any records, filters and limits', async () => {
    await fc.assert(
      fc.asyncProperty(histories, filters, limits, async (history, asked, limitList) => {
        const wallet = newWallet();
        await record(wallet, history);
        const pages = await walk(activityOf(wallet), queryOf(asked), limitList);
        const expected = newestFirst(history).filter((plan) => fits(asked, plan));
        expect(pages.flat()).toEqual(expected.map((plan) => recordOf(wallet, plan).item));
      }),
      randomRuns(70),
    );
  });

  it('gives every record that was there at its start exactly once while others arrive, late ones too', async () => {
    const arrivals = fc.array(fc.array(plans, { maxLength: 6 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        histories,
        arrivals,
        filters,
        limits,
        async (history, arriving, asked, limitList) => {
          const wallet = newWallet();
          // The price distinguishes the initial records from those that arrived during the walk.
          const after = arriving.map((batch) =>
            batch.map((plan) => ({ ...plan, price: plan.price + 50 })),
          );
          await record(wallet, history);
          const pages = await walk(activityOf(wallet), queryOf(asked), limitList, (page) =>
            record(wallet, after[page - 1] ?? []),
          );
          const items = pages.flat();
          const old = items.filter((item) => Number(item['price']) < 50);
          const expected = newestFirst(history).filter((plan) => fits(asked, plan));
          expect(old).toEqual(expected.map((plan) => recordOf(wallet, plan).item));
          const times = items.map((item) => Number(item['time']));
          expect(times).toEqual(times.toSorted((left, right) => right - left));
        },
      ),
      randomRuns(50),
    );
  });

  it('goes on after the record at the cursor was taken back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plans, { minLength: 3, maxLength: 30 }), async (history) => {
        const wallet = newWallet();
        const ids = await venue.ledger.addAll(
          history.map((plan, index) => recordOf(wallet, { ...plan, tx: index })),
        );
        const first = await activityOf(wallet)('?limit=2');
        const gone = ids[Number(first.items[1]?.['txHash'])] ?? -1;
        expect(await venue.ledger.remove('activity', gone)).toBe(true);
        const cursor = encodeURIComponent(first.nextCursor ?? '');
        const rest = await activityOf(wallet)(`?limit=100&cursor=${cursor}`);
        const seen = [...first.items, ...rest.items].map((item) => item['txHash']);
        expect(seen.toSorted()).toEqual(history.map((_, index) => hashOf(index)).toSorted());
      }),
      randomRuns(15),
    );
  });

  it('gives exactly the transfers, also while others arrive', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(times, times, limits, async (before, arriving, limitList) => {
        const wallet = newWallet();
        const add = (list: readonly number[], amount: number) =>
          venue.ledger.addAll(
            list.map((time) =>
              transfer({ time: START_SECONDS + time, amount, txHash: hashOf(time) }, wallet),
            ),
          );
        await add(before, 1);
        const read = (query: string) =>
          venue.get(`/v1/trader/${wallet}/deposits-withdrawals${query}`);
        const pages = await walk(read, '', limitList, (page) =>
          add(arriving.slice((page - 1) * 5, page * 5), 2),
        );
        const old = pages
          .flat()
          .filter((item) => item['amount'] === 1)
          .map((item) => Number(item['time']) - START_SECONDS);
        expect(old).toEqual(before.toSorted((left, right) => right - left));
      }),
      randomRuns(60),
    );
  });
});
