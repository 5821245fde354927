import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeldTogether, type HeldHere } from '../../commands/shared/held-together.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { costsIn, createHeldIndex } from '../../src/portfolio/positions/held-markets.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { fillOf } from '../portfolio/fills.ts';
import { walletOf } from '../support/wallets.ts';

const START = 1_790_000_000;
const WALLETS = [0, 1, 2, 3].map(walletOf);
const wallet = fc.constantFrom(...WALLETS);

const fills = fc.array(
  fc.record({
    outcome: fc.constantFrom('11', '12', '21', '31', '41'),
    action: fc.constantFrom('Buy', 'Buy', 'Sell'),
    quantity: fc.integer({ min: 1, max: 3 }).map((hundreds) => hundreds * 100),
    cents: fc.integer({ min: 1, max: 99 }),
  }),
  { maxLength: 8 },
);
/** What happens to a wallet: it trades, is forgotten, or a channel with some wallets asks. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('trades' as const), wallet, fills }),
    fc.record({ kind: fc.constant('is forgotten' as const), wallet }),
    fc.record({
      kind: fc.constant('asks' as const),
      channel: fc.constantFrom('a', 'b'),
      wallets: fc.subarray(WALLETS),
    }),
  ),
  { maxLength: 30 },
);

type HeldIndex = ReturnType<typeof createHeldIndex>;

const told = ({ key, market, holders, names, held }: HeldHere) => ({
  key,
  title: market.marketTitle,
  holders,
  names,
  held: held(),
});

/** The same by looking at all of the wallets. */
function reckon(index: HeldIndex, wallets: readonly WalletAddress[]) {
  const keys = new Set(
    wallets.flatMap((each) => costsIn(index.textOf(each)).map(({ key }) => key)),
  );
  return [...keys].map((key) => {
    const held = wallets
      .map((each) => index.heldIn(each, key) ?? [])
      .filter((own) => own.length > 0);
    const market = index.marketOf(key);
    const { marketTitle = '', marketSlug = '', marketId = '' } = market ?? {};
    const names = [marketTitle, marketSlug, marketId].map((name) => name.toLowerCase());
    return { key, title: marketTitle, holders: held.length, names, held };
  });
}

const costOf = ({ held }: Pick<ReturnType<typeof told>, 'held'>) =>
  held.flat().reduce((sum, { cost }) => sum + Math.round(1e6 * Number(cost)), 0);

describe('what the wallets of a channel hold together', () => {
  it('is what looking at each of them tells, whatever has changed since it was asked last', async () => {
    const asked = fc.asyncProperty(
      steps,
      fc.constantFrom(1, 20_000_000),
      async (all, keptBytes) => {
        const index = createHeldIndex();
        const together = createHeldTogether(index, keptBytes);
        for (const step of all) {
          if (step.kind === 'is forgotten') index.delete(step.wallet);
          if (step.kind === 'trades') {
            const items = step.fills.map((fill, nth) => fillOf(fill, START + nth, nth));
            index.set(step.wallet, addActivity(newPortfolio(START, true), items, START).portfolio);
          }
          if (step.kind !== 'asks') continue;
          const listed = (await together.in(step.channel, step.wallets)).map(told);
          const byKey = (a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key);
          const inOrder = (held: readonly unknown[]) =>
            held.map((own) => JSON.stringify(own)).sort();
          const comparable = (rows: typeof listed) =>
            rows.map((row) => ({ ...row, held: inOrder(row.held) })).sort(byKey);
          expect(comparable(listed)).toEqual(comparable(reckon(index, step.wallets)));
          const order = listed.map((row) => [row.holders, costOf(row)]);
          const sorted = order.toSorted(
            ([count = 0, cost = 0], [other = 0, more = 0]) => more - cost || other - count,
          );
          expect(order).toEqual(sorted);
        }
      },
    );
    await fc.assert(asked);
  });

  it('is not read again at each key, but of a wallet that has traded', async () => {
    const index = createHeldIndex();
    const buy = (outcome: string) =>
      addActivity(
        newPortfolio(START, true),
        [fillOf({ outcome, action: 'Buy', quantity: 100, cents: 50 }, START, 0)],
        START,
      ).portfolio;
    for (const each of WALLETS) index.set(each, buy('11'));
    let reads = 0;
    const counting: HeldIndex = {
      ...index,
      marketOf(key) {
        reads += 1;
        return index.marketOf(key);
      },
    };
    const together = createHeldTogether(counting);
    const first = await together.in('a', WALLETS);
    expect(reads).toBe(1);
    expect(await together.in('a', WALLETS)).toBe(first);
    index.set(WALLETS[0] as WalletAddress, buy('21'));
    expect(await together.in('a', WALLETS)).toHaveLength(2);
    expect(reads).toBe(2);
  });

  it('tells those who ask at the same time each of their own wallets', async () => {
    const index = createHeldIndex();
    for (const [nth, each] of WALLETS.entries()) {
      const fill = { outcome: `${nth}1`, action: 'Buy', quantity: 100, cents: 50 };
      const items = [fillOf(fill, START, 0)];
      index.set(each, addActivity(newPortfolio(START, true), items, START).portfolio);
    }
    const together = createHeldTogether(index);
    await together.in('a', WALLETS);
    const answers = await Promise.all(
      [0, 1, 2, 3].map((most) => together.in('a', WALLETS.slice(0, most))),
    );
    expect(answers.map(({ length }) => length)).toEqual([0, 1, 2, 3]);
  });
});
