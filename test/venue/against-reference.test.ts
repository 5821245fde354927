import { DEMO_KEY, type VenueKey } from '@walletbell/venue-server/keys';
import { openLedger } from '@walletbell/venue-server/ledger';
import { startVenue } from '@walletbell/venue-server/venue';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVenueClient } from '../../src/venue/client.ts';
import { createBudget } from '../../src/venue/rate-limit/budget.ts';
import { quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { redemption, trade, transfer } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';

const wallet = WALLET;
const person = { priority: 'person' } as const;
const HOUR_MS = 3_600_000;

/** The bot's own client in front of the venue server, over real HTTP. */
async function openVenueAndClient(
  key: Partial<VenueKey> = {},
  options: { apiKey?: string; nowMs?: () => number } = {},
) {
  const log = quietLog();
  const ledger = await openLedger({ path: ':memory:' });
  const now = options.nowMs ?? Date.now;
  const venue = await startVenue({ ledger, keys: [{ ...DEMO_KEY, ...key }], log, now });
  const machine = testMachine({ random: () => 0 });
  const budget = createBudget(machine, { share: 1, personMaxWaitMs: 200 });
  const apiKey = options.apiKey ?? DEMO_KEY.key;
  const deps = { baseUrl: venue.url, apiKey, budget, retries: { person: 0 } };
  const client = createVenueClient(machine, deps);
  let closing: Promise<void> | undefined;
  const closeLedger = () => {
    closing ??= ledger.close();
    return closing;
  };
  onTestFinished(async () => {
    await client.close();
    await venue.close();
    await closeLedger();
  });
  return { ledger, venue, budget, client, closeLedger };
}

describe('the client against the venue server', () => {
  it('reads all pages of both lists by cursor', async () => {
    const { ledger, client } = await openVenueAndClient();
    for (let index = 0; index < 25; index += 1) {
      const item = index % 5 === 0 ? redemption() : trade({ quantity: index });
      await ledger.addActivity(WALLET, index, item);
      await ledger.addTransfer(WALLET, transfer({ amount: index }));
    }
    const all = async (read: typeof client.activity | typeof client.transfers) => {
      const items: unknown[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const from = cursor === undefined ? {} : { cursor };
        const page = await read(wallet, { limit: 7, ...from }, person);
        expect(page.skipped).toEqual([]);
        items.push(...page.items);
        cursor = page.nextCursor;
      }
      return items;
    };
    const newestFirst = (await ledger.allActivity(WALLET)).toSorted((a, b) => b.time - a.time);
    expect(await all(client.activity)).toEqual(newestFirst);
    expect(await all(client.transfers)).toHaveLength(25);
  });

  it('passes on every filter', async () => {
    const { ledger, client } = await openVenueAndClient();
    const items = [1, 2, 3].map((index) =>
      trade({ time: 1_750_000_000 + index, marketId: String(index) }),
    );
    for (const [block, item] of items.entries()) await ledger.addActivity(WALLET, block, item);
    const found = async (filters: Parameters<typeof client.activity>[1]) =>
      (await client.activity(wallet, filters, person)).items.map(({ marketId }) => marketId);
    expect(await found({ marketIds: ['1', '3'] })).toEqual(['3', '1']);
    const [at, txHash] = [1_750_000_002, items[1]?.txHash.toUpperCase().replace('0X', '0x') ?? ''];
    for (const filters of [
      { txHash },
      { fromTimestampSeconds: at, toTimestampSeconds: at },
      { fromBlock: 1, toBlock: 1 },
    ])
      expect(await found(filters)).toEqual(['2']);
  });

  it('learns the rate limit from the headers, also where the venue’s clock is an hour off', async () => {
    const { client, budget } = await openVenueAndClient(
      { limit: 50, windowSeconds: 30 },
      { nowMs: () => Date.now() + HOUR_MS },
    );
    const beforeMs = Date.now();
    await client.activity(wallet, {}, person);
    const tookMs = Date.now() - beforeMs;
    const { limit, remaining, skewMs, resetAtMs } = budget.snapshot();
    expect({ limit, remaining }).toEqual({ limit: 50, remaining: 49 });
    // The venue says whole seconds, cut off, at some moment of the request.
    const lateMs = HOUR_MS - (skewMs ?? 0);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    expect(lateMs).toBeLessThanOrEqual(1_000 + tookMs);
    const sinceMs = (resetAtMs ?? 0) - lateMs - beforeMs;
    expect(sinceMs).toBeGreaterThanOrEqual(-1_000);
    expect(sinceMs).toBeLessThanOrEqual(31_000 + tookMs);
  });

  it('distinguishes a refused key, a missing endpoint, a used-up window, a refused parameter and a fault', async () => {
    const fails = (call: Promise<unknown>, kind: string, text = '') =>
      expect(call).rejects.toMatchObject({ kind, message: expect.stringContaining(text) });
    const refused = await openVenueAndClient({}, { apiKey: 'not-a-key-of-the-venue' });
    await fails(refused.client.activity(wallet, {}, person), 'unauthorized');

    const partial = await openVenueAndClient({ endpoints: ['activity'] });
    const call = { endpoint: 'deposits-withdrawals', wallet };
    const lacking = partial.client.transfers(wallet, {}, person);
    await expect(lacking).rejects.toMatchObject({ kind: 'notInPlan', call });
    await partial.client.activity(wallet, {}, person);

    const shared = await openVenueAndClient({ limit: 2, windowSeconds: 3_600 });
    for (let other = 0; other < 2; other += 1) {
      const headers = { authorization: `Bearer ${DEMO_KEY.key}` };
      await fetch(`${shared.venue.url}/v1/trader/${WALLET}/activity`, { headers });
    }
    await fails(shared.client.activity(wallet, {}, person), 'rateLimited');
    await fails(shared.client.activity(wallet, {}, person), 'budgetExhausted');

    const strict = await openVenueAndClient();
    const odd = { cursor: 'bm90IGEgY3Vyc29y' };
    await fails(strict.client.activity(wallet, odd, person), 'badResponse', '(status 400');
    await strict.closeLedger();
    await fails(strict.client.activity(wallet, {}, person), 'unreachable', 'answered 500');
  });
});
