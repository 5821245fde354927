import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { buy, deposit, hashOf, type Served, START_SECONDS, serve } from './support.ts';

/** What decides order and filtering of a record; few values, so that ties, twins and shared transactions are common. */
interface Plan {
  readonly time: number;
  readonly block: number;
  readonly market: number;
  readonly tx: number;
  readonly price: number;
}

const plans = fc.record<Plan>({
  time: fc.integer({ min: 0, max: 12 }),
  // Mostly in step with time, as on a chain, in spans of 16,384; sometimes anything, as a faulty import might have it.
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
// By default fast-check keeps to about ten elements, however many are allowed.
const histories = fc.array(plans, { maxLength: 40, size: 'max' });

let venue: Served;
let wallets = 0;
beforeAll(async () => {
  venue = await serve({
    keys: [
      {
        key: 'demo',
        label: 'demo',
        limit: 1_000_000,
        windowSeconds: 60,
        endpoints: ['activity', 'deposits-withdrawals'],
      },
    ],
  });
});
afterAll(() => venue.stop());

/** A wallet that no other run has used. */
function newWallet(): string {
  wallets += 1;
  return `0x${wallets.toString(16).padStart(40, '0')}`;
}

const blockOf = (plan: Plan) => (plan.block === -1 ? plan.time * 20_000 + plan.tx : plan.block);
const itemOf = (wallet: string, plan: Plan): ActivityItem =>
  buy({
    time: START_SECONDS + plan.time,
    trader: wallet,
    price: plan.price,
    txHash: hashOf(plan.tx),
    marketId: String(plan.market),
  });

async function record(wallet: string, history: readonly Plan[]): Promise<void> {
  await venue.ledger.addAll(
    history.map((plan) => ({ kind: 'activity', wallet, block: blockOf(plan), item: itemOf(wallet, plan) })),
  );
}

/** The order of the contract, by definition: newest first; of equal seconds, what came last first. */
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
  if (asked.tx !== undefined) query.set('txHash', hashOf(asked.tx).toUpperCase().replace('0X', '0x'));
  const [fromBlock, toBlock] = ordered(asked.blocks);
  const [fromTime, toTime] = ordered(asked.times);
  if (fromBlock !== undefined) query.set('fromBlock', String(fromBlock));
  if (toBlock !== undefined) query.set('toBlock', String(toBlock));
  if (fromTime !== undefined) query.set('fromTimestamp', String(START_SECONDS + fromTime));
  if (toTime !== undefined) query.set('toTimestamp', String(START_SECONDS + toTime));
  return query.toString();
}

/** Walks a list with limits that change from page to page; `between` runs before each page but the first. */
async function walkPages(
  path: string,
  query: string,
  limitList: readonly number[],
  between: (pageNumber: number) => Promise<void> = async () => {},
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor = '';
  for (let page = 0; ; page += 1) {
    if (page > 0) await between(page);
    const limit = limitList[page % limitList.length] ?? 1;
    const reply = await venue.get(`${path}?${query}&limit=${limit}${cursor}`);
    expect(reply.status, reply.message).toBe(200);
    expect(reply.items.length).toBeLessThanOrEqual(limit);
    items.push(...reply.items);
    if (reply.nextCursor === null) return items;
    // A page with a successor is full, so that a walk cannot starve.
    expect(reply.items).toHaveLength(limit);
    cursor = `&cursor=${encodeURIComponent(reply.nextCursor)}`;
  }
}

describe('walking by cursor over HTTP', () => {
  it('gives exactly the filtered history, for any records, filters and limits', async () => {
    await fc.assert(
      fc.asyncProperty(histories, filters, limits, async (history, asked, limitList) => {
        const wallet = newWallet();
        await record(wallet, history);
        const items = await walkPages(`/v1/trader/${wallet}/activity`, queryOf(asked), limitList);
        const expected = newestFirst(history).filter((plan) => fits(asked, plan));
        expect(items).toEqual(expected.map((plan) => itemOf(wallet, plan)));
      }),
      randomRuns(70),
    );
  });

  it('gives every record that was there at its start exactly once while others arrive, late ones too', async () => {
    const arrivals = fc.array(fc.array(plans, { maxLength: 6 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(histories, arrivals, filters, limits, async (history, arriving, asked, limitList) => {
        const wallet = newWallet();
        // Prices tell what was there at the start from what arrived.
        const before = history.map((plan) => ({ ...plan, price: plan.price }));
        const after = arriving.map((batch) => batch.map((plan) => ({ ...plan, price: plan.price + 50 })));
        await record(wallet, before);
        const items = await walkPages(`/v1/trader/${wallet}/activity`, queryOf(asked), limitList, async (page) => {
          await record(wallet, after[page - 1] ?? []);
        });
        const old = items.filter((item) => Number(item['price']) < 50);
        const expected = newestFirst(before).filter((plan) => fits(asked, plan));
        expect(old).toEqual(expected.map((plan) => itemOf(wallet, plan)));
        expect(items.map((item) => Number(item['time']))).toEqual(
          items.map((item) => Number(item['time'])).sort((left, right) => right - left),
        );
      }),
      randomRuns(50),
    );
  });

  it('goes on after the record at the cursor was taken back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plans, { minLength: 3, maxLength: 30 }), async (history) => {
        const wallet = newWallet();
        const ids = await venue.ledger.addAll(
          history.map((plan, index) => ({
            kind: 'activity',
            wallet,
            block: 1,
            item: buy({ time: START_SECONDS + plan.time, trader: wallet, txHash: hashOf(index) }),
          })),
        );
        const first = await venue.get(`/v1/trader/${wallet}/activity?limit=2`);
        const gone = ids[Number(first.items[1]?.['txHash'])] ?? -1;
        expect(await venue.ledger.remove('activity', gone)).toBe(true);
        const cursor = encodeURIComponent(first.nextCursor ?? '');
        const rest = await venue.get(`/v1/trader/${wallet}/activity?limit=100&cursor=${cursor}`);
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
            list.map((time) => ({
              kind: 'transfer',
              wallet,
              item: deposit({ time: START_SECONDS + time, amount, txHash: hashOf(time) }),
            })),
          );
        await add(before, 1);
        const items = await walkPages(`/v1/trader/${wallet}/deposits-withdrawals`, '', limitList, async (page) => {
          await add(arriving.slice((page - 1) * 5, page * 5), 2);
        });
        const old = items.filter((item) => item['amount'] === 1).map((item) => Number(item['time']) - START_SECONDS);
        expect(old).toEqual(before.toSorted((left, right) => right - left));
      }),
      randomRuns(60),
    );
  });
});
