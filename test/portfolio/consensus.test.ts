import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import {
  type AnnouncedConsensus,
  addAnnounced,
  addEntries,
  type Consensus,
  type Entry,
  findConsensus,
  leftOf,
  purchaseSeen,
  totalOf,
} from '../../src/portfolio/consensus.ts';
import { entryKeys } from '../../src/portfolio/market.ts';
import { sampleTrade } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';

const START = 1_790_000_000;
const HOUR = 3_600;
const CHANNEL = '100000000000000002';
const NAMES = ['a', 'b', 'c', 'd', 'e'] as WalletAddress[];
const rule = { wallets: 3, hours: 2 };

interface Purchase {
  readonly wallet: WalletAddress;
  readonly outcome: string;
  readonly atSeconds: number;
}

function entry({ outcome, atSeconds }: Purchase): Entry {
  return {
    outcome,
    market: 'm',
    side: outcome === 'y' ? 'Yes' : 'No',
    atSeconds,
    shares: '10',
    usdc: '5',
    netUsdc: '5.1',
    sold: '0',
  };
}

/**
 * What a channel gets of purchases in the order in which they are detected; after each the state
 * may be stored and read again.
 */
function announce(purchases: readonly Purchase[], by = rule): Consensus[] {
  const entries = new Map<WalletAddress, Entry[]>();
  let announced: AnnouncedConsensus[] = [];
  const alerts: Consensus[] = [];
  for (const purchase of purchases) {
    entries.set(purchase.wallet, [...(entries.get(purchase.wallet) ?? []), entry(purchase)]);
    const mine = announced.filter(({ outcome }) => outcome === purchase.outcome);
    const found = findConsensus(entries, entry(purchase), by, mine);
    if (found === null) continue;
    alerts.push(found);
    announced = JSON.parse(
      JSON.stringify(addAnnounced(announced, { channelId: CHANNEL }, found, START)),
    );
  }
  return alerts;
}

const purchase = (wallet: string, hours: number): Purchase => ({
  wallet: wallet as WalletAddress,
  outcome: 'y',
  atSeconds: START + hours * HOUR,
});

const histories = (hours: number) =>
  fc.array(
    fc.record({
      wallet: fc.constantFrom(...NAMES),
      outcome: fc.constantFrom('y', 'y', 'y', 'n'),
      atSeconds: fc.integer({ min: 0, max: hours * HOUR }).map((seconds) => START + seconds),
    }),
    { maxLength: 25 },
  );

describe('consensus', () => {
  it('names the wallet that entered first, but none of two in one second', () => {
    const at = (wallet: string, seconds: number) =>
      ({ wallet: wallet as WalletAddress, outcome: 'y', atSeconds: START + seconds }) as const;
    expect(announce([at('b', 60), at('a', 0), at('c', 90), at('a', 120)])[0]?.first).toBe('a');
    expect(announce([at('a', 0), at('b', 0), at('c', 90)])[0]?.first).toBeUndefined();
    const hedged = { ...at('e', -30), outcome: 'n' };
    const first = announce([hedged, at('e', -20), at('a', 0), at('b', 5), at('c', 9)]).at(
      -1,
    )?.first;
    expect(first, 'not one that bought both sides').toBe('a');
  });

  it('does not know what is left of a purchase that is listed after a sale', () => {
    const bought = { ...sampleTrade(), time: START, quantity: 10 };
    const sold = { ...bought, time: START + 60, action: 'Sell' };
    const soldWith = (known: readonly ActivityItem[]) =>
      addEntries(addEntries([], known, START + 60), [bought], START + 90, known).map(
        (entry) => entry.sold,
      );
    expect(soldWith([sold])).toEqual([null]);
    expect(soldWith([{ ...sold, time: START - 1 }])).toEqual(['0']);
    expect(soldWith([{ ...sold, tokenId: 'other' }])).toEqual(['0']);
  });

  it('names each wallet of its window on one side, and counts the hedgers and nobody else, in any history', () => {
    const by = { wallets: 2, hours: 3 };
    const windowSeconds = by.hours * HOUR;
    let hedges = 0;
    fc.assert(
      fc.property(histories(8), (purchases) => {
        for (const [nth, { atSeconds: completed }] of purchases.entries()) {
          const known = purchases.slice(0, nth + 1);
          const [found] = announce(known, by).slice(announce(known.slice(0, -1), by).length);
          if (found === undefined) continue;
          const hasHedged = (p: Purchase) =>
            known.some(
              (q) =>
                q.wallet === p.wallet &&
                q.outcome !== p.outcome &&
                Math.abs(q.atSeconds - p.atSeconds) <= windowSeconds,
            );
          const walletsOf = (some: readonly Purchase[]) =>
            [...new Set(some.map(({ wallet }) => wallet))].sort();
          const windows = known
            .map(({ atSeconds }) => atSeconds)
            .filter((from) => from <= completed && from >= completed - windowSeconds)
            .sort((a, b) => a - b)
            .map((from) => {
              const own = known.filter(
                (p) => p.atSeconds >= from && p.atSeconds <= from + windowSeconds,
              );
              const hedgers = walletsOf(own.filter(hasHedged));
              const others = own.filter(({ wallet }) => !hedgers.includes(wallet));
              const buyers = walletsOf(others.filter(({ outcome }) => outcome === found.outcome));
              return {
                buyers,
                against: walletsOf(others).filter((wallet) => !buyers.includes(wallet)),
                hedgers,
              };
            })
            .sort(
              (a, b) =>
                b.buyers.length - a.buyers.length ||
                b.against.length + b.hedgers.length - a.against.length - a.hedgers.length,
            );
          const { stakes, opposing, hedged } = found;
          const named = [stakes, opposing].map((some) => some.map(({ wallet }) => wallet).sort());
          expect([...named, hedged]).toEqual([
            windows[0]?.buyers,
            windows[0]?.against,
            windows[0]?.hedgers.length,
          ]);
          hedges += hedged;
        }
      }),
      randomRuns(400),
    );
    expect(hedges).toBeGreaterThan(0);
  });

  it('begins anew when the window has passed', () => {
    const wave = (hours: number) => [
      purchase('a', hours),
      purchase('b', hours + 0.5),
      purchase('c', hours + 1),
    ];
    expect(announce([...wave(0), ...wave(10)]).map(({ isEscalation }) => isEscalation)).toEqual([
      false,
      false,
    ]);
  });

  it('is announced exactly once and once for each further wallet within a window, whatever the order of arrival', () => {
    const purchases = NAMES.map((name, index) => purchase(name, index * 0.3));
    fc.assert(
      fc.property(fc.shuffledSubarray(purchases, { minLength: 3 }), (some) => {
        const levels = announce(some).map(({ stakes, isEscalation }) => [
          stakes.length,
          isEscalation,
        ]);
        const further = some.slice(3).map((_, index) => [index + 4, true]);
        expect(levels).toEqual([[3, false], ...further]);
      }),
    );
  });

  type Span = Pick<Consensus, 'outcome' | 'fromSeconds' | 'toSeconds'>;
  const isOne = (one: Span, other: Span) =>
    one.outcome === other.outcome &&
    one.fromSeconds <= other.toSeconds &&
    one.toSeconds >= other.fromSeconds;

  it('never overlaps with one of as many wallets, continues one of fewer, and misses none, in any history', () => {
    fc.assert(
      fc.property(histories(24), (purchases) => {
        const alerts = announce(purchases);
        for (const [index, alert] of alerts.entries()) {
          expect(alert.toSeconds - alert.fromSeconds).toBeLessThanOrEqual(rule.hours * HOUR);
          expect(new Set(alert.stakes.map(({ wallet }) => wallet)).size).toBe(alert.stakes.length);
          const same = alerts.slice(0, index).filter((earlier) => isOne(earlier, alert));
          expect(alert.isEscalation).toBe(same.length > 0);
          for (const { stakes } of same) expect(alert.stakes.length).toBeGreaterThan(stakes.length);
        }
        // By brute force over what is known in the end, without hedgers: each window with enough
        // wallets was announced, or is one with a window of as many that was.
        const hedgers = new Set(
          purchases
            .filter(({ wallet, outcome }) =>
              purchases.some((p) => p.wallet === wallet && p.outcome !== outcome),
            )
            .map(({ wallet }) => wallet),
        );
        const windowsOf = (some: readonly Purchase[]) =>
          some.map(({ outcome, atSeconds }) => {
            const own = some.filter(
              (p) =>
                p.outcome === outcome &&
                p.atSeconds >= atSeconds &&
                p.atSeconds <= atSeconds + rule.hours * HOUR,
            );
            const toSeconds = Math.max(...own.map((p) => p.atSeconds));
            const size = new Set(own.map(({ wallet }) => wallet)).size;
            return { outcome, fromSeconds: atSeconds, toSeconds, size };
          });
        const isAnnounced = (span: Span) => alerts.some((alert) => isOne(alert, span));
        for (const window of windowsOf(purchases.filter(({ wallet }) => !hedgers.has(wallet)))) {
          if (window.size < rule.wallets || isAnnounced(window)) continue;
          const joined = windowsOf(purchases).filter(
            (other) => other.size >= window.size && isOne(other, window),
          );
          expect(joined.some(isAnnounced)).toBe(true);
        }
      }),
      randomRuns(800),
    );
  });
});

describe('the purchases that consensus is found in', () => {
  it('are merged within a minute, and forgotten when no window reaches them', () => {
    const item = { ...sampleTrade(), time: START };
    const entries = addEntries(
      [],
      [item, { ...item, time: START + 30, txHash: '0x2' }, { ...item, action: 'Sell' }],
      START,
    );
    expect(entries).toEqual([
      {
        ...entryKeys(item),
        side: 'Yes',
        atSeconds: START,
        shares: '240',
        usdc: '104.4',
        netUsdc: '105.44',
        sold: '120',
      },
    ]);
    expect(addEntries(entries, [], START + 73 * HOUR)).toEqual([]);
  });

  it('keep what of them was sold: bought less sold of each wallet, in any history', () => {
    const wallets = NAMES.slice(0, 3);
    const step = fc.record({
      wallet: fc.constantFrom(...wallets),
      action: fc.constantFrom('Buy', 'Buy', 'Sell', 'Redeem'),
      millis: fc.integer({ min: 1, max: 900_000 }),
      cents: fc.integer({ min: 1, max: 99 }),
      isOther: fc.nat(3).map((n) => n === 0),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const entries = new Map(wallets.map((wallet) => [wallet, [] as Entry[]]));
        const held = new Map(wallets.map((wallet) => [wallet, { bought: 0, sold: 0, paid: 0 }]));
        let last = { ...sampleTrade(), time: START };
        for (const [index, { wallet, action, millis, cents, isOther }] of steps.entries()) {
          const shares = millis / 1_000;
          // What is done in another market says nothing of this one.
          const names = isOther ? { tokenId: '9', marketId: '9', conditionId: '0x9' } : {};
          const item = {
            ...sampleTrade(),
            action,
            time: START + index * 40,
            quantity: shares,
            ...names,
          };
          const seen = { ...item, grossValue: (millis * cents) / 100_000 };
          entries.set(wallet, addEntries(entries.get(wallet) ?? [], [seen], item.time));
          const own = held.get(wallet);
          if (isOther || own === undefined) continue;
          last = item;
          if (action === 'Buy') {
            own.bought += millis;
            own.paid += millis * cents;
          } else own.sold = Math.min(own.bought, own.sold + millis);
        }
        const buyers = wallets.filter((wallet) => (held.get(wallet)?.bought ?? 0) > 0);
        const at = { ...entryKeys(last), atSeconds: last.time };
        const found = findConsensus(entries, at, { wallets: 1, hours: 72 }, []);
        expect(found?.stakes.map(({ wallet }) => wallet).sort() ?? []).toEqual(buyers);
        for (const stake of found?.stakes ?? []) {
          const { bought = 0, sold = 0, paid = 0 } = held.get(stake.wallet) ?? {};
          const left = leftOf(stake);
          expect(left.shares.times(1_000).toNumber()).toBe(bought - sold);
          expect(left.usdc.toNumber()).toBeCloseTo((paid * (bought - sold)) / bought / 100_000, 9);
        }
        const order = found?.stakes.map((stake) => leftOf(stake).netUsdc.toNumber()) ?? [];
        expect(order).toEqual(order.toSorted((a, b) => b - a));
      }),
    );
  });

  it('lose what was bought last, and not what was bought after the sale', () => {
    const item = (minutes: number, changes = {}) => ({
      ...sampleTrade(),
      time: START + minutes * 60,
      ...changes,
    });
    const half = { action: 'Sell', quantity: 60 };
    const entries = addEntries([], [item(0), item(10), item(20, half), item(30)], START);
    expect(entries.map(({ sold }) => sold)).toEqual(['0', '60', '0']);
    const more = addEntries(entries, [item(40, { action: 'Sell', quantity: 200 })], START);
    expect(more.map(({ sold }) => sold)).toEqual(['20', '120', '120']);
    // Nobody knows what was sold over a gap.
    const unknown = addEntries(
      [{ ...(more[0] as Entry), sold: null }],
      [item(0.5), item(41, half)],
      START,
    );
    expect(unknown.map(({ sold }) => sold)).toEqual([null]);
  });
});

describe('what is kept of a market for a delayed channel', () => {
  const purchase = { market: 'm', atSeconds: START };
  const walletOf = (nth: number) => `0x${String(nth).padStart(40, '0')}` as WalletAddress;
  const entries = fc.array(
    fc.record({
      wallet: fc.integer({ min: 0, max: 120 }).map(walletOf),
      outcome: fc.constantFrom('y', 'n'),
      atSeconds: fc.integer({ min: START - 6 * HOUR, max: START }),
    }),
    { maxLength: 700, size: 'max' },
  );
  const byWallet = (bought: readonly Purchase[]) => {
    const known = new Map<WalletAddress, Entry[]>();
    for (const one of bought.toSorted((a, b) => a.atSeconds - b.atSeconds)) {
      known.set(one.wallet, [...(known.get(one.wallet) ?? []), entry(one)]);
    }
    return known;
  };
  const seenOf = (known: ReadonlyMap<WalletAddress, readonly Entry[]>) => {
    const { wallets = [] } = purchaseSeen(known, purchase, rule, true) ?? {};
    return new Map(
      wallets.map(({ wallet, entries }) => [
        wallet,
        entries.map((one): Entry => ({ ...one, market: 'm' })),
      ]),
    );
  };
  const near = ({ atSeconds }: Entry) => START - atSeconds <= 2 * rule.hours * HOUR;

  it('is every entry that may count, up to two hundred', () => {
    fc.assert(
      fc.property(entries, (bought) => {
        const known = byWallet(bought.filter(({ wallet }) => wallet < walletOf(4)).slice(0, 50));
        const seen = seenOf(known);
        for (const [wallet, own] of known) expect(seen.get(wallet) ?? []).toEqual(own.filter(near));
      }),
    );
  });

  it('beyond, is the sums and the newest entry of each wallet and outcome, and bounded', () => {
    fc.assert(
      fc.property(entries, (bought) => {
        const known = byWallet(bought);
        const seen = seenOf(known);
        const count = [...seen.values()].flat().length;
        expect(count).toBeLessThanOrEqual(Math.max(200, 2 * seen.size));
        for (const [wallet, own] of known) {
          for (const outcome of ['y', 'n']) {
            const before = own.filter(near).filter((one) => one.outcome === outcome);
            const after = (seen.get(wallet) ?? []).filter((one) => one.outcome === outcome);
            expect(totalOf(after)).toEqual(totalOf(before));
            expect(after.at(-1)?.atSeconds).toBe(before.at(-1)?.atSeconds);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
