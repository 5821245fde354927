import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, AlertGroup } from '../../src/alerts/alert.ts';
import { inRowOrder } from '../../src/alerts/row-order.ts';
import { inMarket, trade, transfer } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A } from '../support/wallets.ts';

const alertOf = (id: string, event: Alert['event']): Alert => ({
  id,
  wallet: WALLET_A,
  channelId: '1',
  event,
  seenAtMs: 0,
});
const bought = (id: string, market: number, usdc: number): AlertGroup => ({
  kind: 'alert',
  alerts: [
    alertOf(id, {
      kind: 'activity',
      item: trade({ ...inMarket(market), transferNetAmount: usdc }),
    }),
  ],
});
const moved = (id: string, amount: number): AlertGroup => ({
  kind: 'alert',
  alerts: [alertOf(id, { kind: 'transfer', item: transfer({ amount }) })],
});
const missing = (id: string): AlertGroup => {
  const gap = { endpoint: 'activity', cause: 'overflow', fromSeconds: 1, toSeconds: 2 } as const;
  return { kind: 'alert', alerts: [alertOf(id, { kind: 'gap', gap })] };
};
const idsOf = (groups: readonly AlertGroup[]) => groups.map(({ alerts }) => alerts[0].id);

describe('rows of a message', () => {
  it('have notices first, then the market with the most USDC, what was done in it together, and transfers last', () => {
    const groups = [
      bought('a1', 1, 50),
      moved('t', 9_000),
      bought('b', 2, 70),
      bought('a2', 1, -30),
      missing('g'),
      bought('c', 3, 60),
    ];
    expect(idsOf(inRowOrder(groups))).toEqual(['g', 'a1', 'a2', 'b', 'c', 't']);
  });

  it('are all there once, whatever is listed', () => {
    const group = fc.oneof(
      fc.record({
        market: fc.integer({ min: 1, max: 4 }),
        usdc: fc.integer({ min: -99, max: 99 }),
      }),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(group, { maxLength: 12 }), (plans) => {
        const groups = plans.map((plan, index) =>
          plan === null ? moved(`${index}`, 5) : bought(`${index}`, plan.market, plan.usdc),
        );
        const ordered = inRowOrder(groups);
        expect(idsOf(ordered).toSorted()).toEqual(idsOf(groups).toSorted());
        const markets = ordered.map(({ alerts: [{ event }] }) =>
          event.kind === 'activity' ? event.item.marketId : null,
        );
        const runs = markets.filter((market, index) => market !== markets[index - 1]);
        expect(new Set(runs).size, 'a market stands together').toBe(runs.length);
        // Within a market the order is that of the trades.
        for (const market of new Set(markets)) {
          const own = ordered.filter((_, index) => markets[index] === market);
          const places = idsOf(own).map(Number);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
      }),
      randomRuns(400),
    );
  });
});
