import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyPolledPage } from '../../src/feed/polled-page.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { Desk } from './desk.ts';

const WALLET = `0x${'1'.repeat(40)}` as WalletAddress;
const CHANNEL = '200000000000000001';

const quantities = (desk: Desk) =>
  desk.allWaiting(CHANNEL).map(({ event }) => (event.kind === 'activity' ? event.item.quantity : event.kind));

describe('a page', () => {
  it('gives its alerts once, however often it or an older one comes again, over restarts too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ trades: fc.nat({ max: 3 }), again: fc.array(fc.nat(), { maxLength: 3 }) }), {
          maxLength: 8,
        }),
        async (rounds) => {
          const desk = new Desk();
          await desk.watch(WALLET, CHANNEL);
          const pages: AnyPolledPage[] = [];
          const expected: number[] = [];
          for (const [index, { trades, again }] of rounds.entries()) {
            for (let trade = 0; trade < trades; trade += 1) {
              expected.push(expected.length + 1);
              desk.trade(WALLET, { quantity: expected.length });
            }
            const page = desk.pageOf(WALLET, 10 + index);
            pages.push(page);
            await desk.take(page);
            for (const pick of again) await desk.take(pages[pick % pages.length] ?? page);
            if (again.length === 2) desk.restart();
          }
          expect(quantities(desk)).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('that was taken says again whether something on it is open', async () => {
    const desk = new Desk();
    await desk.watch(WALLET, CHANNEL);
    const item = desk.trade(WALLET, { quantity: 5 });
    desk.trade(WALLET, { ...item });
    const page = desk.pageOf(WALLET, 7);
    expect(await desk.take(page)).toEqual({ isOpen: true });
    expect(await desk.take(page)).toEqual({ isOpen: true });
    // The twin needs two more pages: one that comes again confirms nothing.
    expect(quantities(desk)).toEqual([5]);
    await desk.take(desk.pageOf(WALLET, 8));
    expect(quantities(desk)).toEqual([5]);
    await desk.take(desk.pageOf(WALLET, 9));
    expect(quantities(desk)).toEqual([5, 5]);
  });

  it('that is given up is announced as a gap, and the next one goes on', async () => {
    const desk = new Desk();
    await desk.watch(WALLET, CHANNEL);
    desk.trade(WALLET, { quantity: 1 });
    await desk.take(desk.pageOf(WALLET, 1));
    desk.trade(WALLET, { quantity: 2 });
    await desk.abandon(desk.pageOf(WALLET, 2));
    desk.trade(WALLET, { quantity: 3 });
    await desk.take(desk.pageOf(WALLET, 3));
    expect(quantities(desk)).toEqual([1, 'gap', 2, 3]);
  });
});
