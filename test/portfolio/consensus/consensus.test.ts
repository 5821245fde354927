import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnnouncedConsensus,
  addAnnounced,
  type Consensus,
  type ConsensusRule,
  findConsensus,
} from '../../../src/portfolio/consensus/consensus.ts';
import { addEntries, type Entry, entryKeys } from '../../../src/portfolio/consensus/entries.ts';
import { activityItem } from '../../venue/samples.ts';

const START = 1_790_000_000;
const HOUR = 3_600;
const CHANNEL = '100000000000000002';
const rule: ConsensusRule = { wallets: 3, windowSeconds: 2 * HOUR };

interface Purchase {
  readonly wallet: string;
  readonly outcome: string;
  readonly atSeconds: number;
}

function entry({ outcome, atSeconds }: Purchase): Entry {
  return { outcome, market: 'm', side: outcome === 'y' ? 'Yes' : 'No', atSeconds, shares: '10', usdc: '5' };
}

/** What a channel gets of purchases in the order in which they are detected; after each the state may be stored and read again. */
function announce(purchases: readonly Purchase[], by = rule): Consensus<string>[] {
  const entries = new Map<string, Entry[]>();
  let announced: AnnouncedConsensus[] = [];
  const alerts: Consensus<string>[] = [];
  for (const purchase of purchases) {
    entries.set(purchase.wallet, [...(entries.get(purchase.wallet) ?? []), entry(purchase)]);
    const mine = announced.filter(({ outcome }) => outcome === purchase.outcome);
    const found = findConsensus(entries, entry(purchase), by, mine);
    if (found === null) continue;
    alerts.push(found);
    announced = JSON.parse(JSON.stringify(addAnnounced(announced, CHANNEL, found, START - 100 * HOUR)));
  }
  return alerts;
}

const purchase = (wallet: string, hours: number, outcome = 'y'): Purchase => ({
  wallet,
  outcome,
  atSeconds: START + hours * HOUR,
});

describe('consensus', () => {
  it('is announced when enough wallets buy an outcome, again when there are more, and never twice', () => {
    const alerts = announce([
      purchase('a', 0),
      purchase('a', 0.1),
      purchase('b', 0.5),
      purchase('c', 1),
      purchase('c', 1.1),
      purchase('d', 1.5),
    ]);
    expect(alerts.map(({ stakes, isEscalation }) => [stakes.length, isEscalation])).toEqual([
      [3, false],
      [4, true],
    ]);
    expect(alerts[0]?.stakes[0]?.shares.toNumber()).toBe(20);
  });

  it('leaves out wallets that took both sides, and names those on the other side', () => {
    const alerts = announce([
      purchase('hedger', 0),
      purchase('hedger', 0.1, 'n'),
      purchase('bear', 0.2, 'n'),
      purchase('a', 0.3),
      purchase('b', 0.4),
      purchase('c', 0.5),
    ]);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.stakes.map(({ wallet }) => wallet).sort()).toEqual(['a', 'b', 'c']);
    expect(alerts[0]?.opposing.map(({ wallet }) => wallet)).toEqual(['bear']);
    expect(alerts[0]?.hedged).toEqual(['hedger']);
  });

  it('begins anew when the window has passed', () => {
    const wave = (hours: number) => [purchase('a', hours), purchase('b', hours + 0.5), purchase('c', hours + 1)];
    expect(announce([...wave(0), ...wave(10)]).map(({ isEscalation }) => isEscalation)).toEqual([false, false]);
  });

  it('is announced exactly once and once for each further wallet within a window, whatever the order of arrival', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 7 }, (_, index) => purchase(`w${index}`, index * 0.3)),
          { minLength: 3 },
        ),
        (purchases) => {
          const levels = announce(purchases).map(({ stakes }) => stakes.length);
          expect(levels).toEqual(Array.from({ length: purchases.length - 2 }, (_, index) => index + 3));
        },
      ),
    );
  });

  it('never overlaps with one that was announced of as many wallets, and misses none, in any history', () => {
    const drawn = fc.array(
      fc.record({
        wallet: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        outcome: fc.constantFrom('y', 'y', 'y', 'n'),
        atSeconds: fc.integer({ min: 0, max: 24 * HOUR }).map((seconds) => START + seconds),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(drawn, (purchases) => {
        const alerts = announce(purchases);
        for (const [index, alert] of alerts.entries()) {
          expect(alert.toSeconds - alert.fromSeconds).toBeLessThanOrEqual(rule.windowSeconds);
          expect(new Set(alert.stakes.map(({ wallet }) => wallet)).size).toBe(alert.stakes.length);
          for (const earlier of alerts.slice(0, index)) {
            const overlaps = earlier.fromSeconds <= alert.toSeconds && earlier.toSeconds >= alert.fromSeconds;
            if (earlier.outcome === alert.outcome && overlaps) {
              expect(alert.stakes.length).toBeGreaterThan(earlier.stakes.length);
            }
          }
        }
        // By brute force over what is known in the end, without hedgers: each window with enough wallets was announced.
        const hedgers = new Set(
          purchases
            .filter(({ wallet, outcome }) => purchases.some((p) => p.wallet === wallet && p.outcome !== outcome))
            .map(({ wallet }) => wallet),
        );
        for (const { outcome, atSeconds } of purchases) {
          const inWindow = purchases.filter(
            (p) =>
              p.outcome === outcome &&
              !hedgers.has(p.wallet) &&
              p.atSeconds >= atSeconds &&
              p.atSeconds <= atSeconds + rule.windowSeconds,
          );
          if (new Set(inWindow.map(({ wallet }) => wallet)).size < rule.wallets) continue;
          const toSeconds = Math.max(...inWindow.map((p) => p.atSeconds));
          expect(
            alerts.some((a) => a.outcome === outcome && a.fromSeconds <= toSeconds && a.toSeconds >= atSeconds),
          ).toBe(true);
        }
      }),
      { numRuns: 250 },
    );
  });
});

describe('the purchases that consensus is found in', () => {
  it('are merged within a minute, and forgotten when no window reaches them', () => {
    const item = { ...activityItem(), time: START };
    const entries = addEntries(
      [],
      [item, { ...item, time: START + 30, txHash: '0x2' }, { ...item, action: 'Sell' }],
      START,
    );
    expect(entries).toEqual([{ ...entryKeys(item), side: 'Yes', atSeconds: START, shares: '240', usdc: '104.4' }]);
    expect(addEntries(entries, [], START + 73 * HOUR)).toEqual([]);
  });
});
