import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import type { Settlement } from '../../src/domain/settlement.ts';
import { cameBackOf, openOf } from '../../src/portfolio/came-back.ts';
import { entryKeys } from '../../src/portfolio/market.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import {
  addActivityPage,
  knowledgeSchema,
  newKnowledge,
  type WalletKnowledge,
  withSettlements,
} from '../../src/portfolio/wallet-knowledge.ts';
import { detectedPage } from '../support/detected-page.ts';
import { randomRuns } from '../support/thorough.ts';
import { fillOf } from './fills.ts';
import { handOf, type OracleEnd } from './share-oracle.ts';

const START = 1_790_000_000;
const HOUR = 3_600;
const DAY = 86_400;

interface Arrival {
  readonly item: ActivityItem;
  readonly seenAtSeconds: number;
}

const drawnMarket = fc.record({
  startHours: fc.integer({ min: 0, max: 300 }),
  cents: fc.integer({ min: 30, max: 95 }),
  shares: fc.integer({ min: 1, max: 9 }),
  later: fc.array(
    fc.record({
      action: fc.constantFrom('Buy', 'Sell', 'Redeem'),
      isNo: fc.boolean(),
      afterSeconds: fc.integer({ min: 1, max: 20_000 }),
      lateBySeconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
      shares: fc.integer({ min: 1, max: 12 }),
      cents: fc.integer({ min: 1, max: 99 }),
    }),
    { maxLength: 5 },
  ),
  end: fc.constantFrom<OracleEnd>('none', 'yes', 'no', 'half of yes', 'contradicted'),
});
const lives = fc.array(drawnMarket, { minLength: 60, maxLength: 80 });
type Life = readonly (typeof drawnMarket extends fc.Arbitrary<infer Market> ? Market : never)[];

/** What a wallet did, each market's records in order, as the venue came to show it. */
function arrivalsOf(life: Life): Arrival[] {
  let n = 0;
  return life.flatMap(({ startHours, cents, shares, later }, index) => {
    let time = START + startHours * HOUR + index;
    const outcomeOf = (isNo: boolean) => `${index + 1}${isNo ? 2 : 1}`;
    const first = { outcome: outcomeOf(false), action: 'Buy', quantity: shares, cents };
    const arrivals = [{ item: fillOf(first, time, ++n), seenAtSeconds: time }];
    for (const { action, isNo, afterSeconds, lateBySeconds, ...fill } of later) {
      time += afterSeconds;
      const drawn = { outcome: outcomeOf(isNo), action, quantity: fill.shares, cents: fill.cents };
      arrivals.push({ item: fillOf(drawn, time, ++n), seenAtSeconds: time + lateBySeconds });
    }
    return arrivals;
  });
}

/** Polls a wallet; between any two polls its document is stored and read again. */
function poll(arrivals: readonly Arrival[], boundaries: readonly number[]): WalletKnowledge {
  let knowledge = newKnowledge(newPortfolio(0, true));
  const inTurn = arrivals.toSorted((a, b) => a.seenAtSeconds - b.seenAtSeconds);
  for (let from = 0; from < inTurn.length; from += 10) {
    const seen = inTurn.slice(from, from + 10);
    const fresh = seen.map(({ item }) => item).toSorted((a, b) => a.time - b.time);
    const nowSeconds = Math.max(...seen.map(({ seenAtSeconds }) => seenAtSeconds));
    const added = addActivityPage(
      knowledge,
      detectedPage(fresh, { sinceSeconds: START, boundaries, nowSeconds }),
    );
    knowledge = knowledgeSchema.parse(JSON.parse(JSON.stringify(added.knowledge)));
  }
  return knowledge;
}

const PAYOUTS = { yes: [1, 0], no: [0, 1], 'half of yes': [0.5, undefined] } as const;

/** How the markets ended, contradicted ones after they had been settled. */
function settlementsOf(life: Life): Settlement[] {
  return life.flatMap(({ end }, index) => {
    if (end === 'none') return [];
    const { market } = entryKeys(
      fillOf({ outcome: `${index + 1}1`, action: 'Buy', quantity: 1, cents: 50 }, START, 1),
    );
    const payouts = new Map<string, number>();
    for (const [place, payout] of (end === 'contradicted' ? [1, 0] : PAYOUTS[end]).entries()) {
      const outcome = `${index + 1}${place + 1}`;
      const keys = entryKeys(fillOf({ outcome, action: 'Buy', quantity: 1, cents: 50 }, START, 1));
      if (payout) payouts.set(keys.outcome, payout);
    }
    return [{ market, payouts, atSeconds: START + 400 * HOUR }];
  });
}

describe('Came back', () => {
  it('is what a hand that holds each share says of each channel, in any life, stored or told lately', () => {
    let said = 0;
    fc.assert(
      fc.property(
        lives,
        fc.integer({ min: 0, max: 100 }),
        fc.boolean(),
        (life, channelHours, isStored) => {
          const fromSeconds = START + channelHours * HOUR;
          const nowSeconds = START + 60 * DAY;
          const polled = poll(arrivalsOf(life), [fromSeconds]);
          const settlements = settlementsOf(life);
          const contradicted = settlements
            .filter(
              (_, index) => life.filter(({ end }) => end !== 'none')[index]?.end === 'contradicted',
            )
            .map((settlement) => ({ ...settlement, payouts: new Map<string, number>() }));
          const settled = isStored
            ? withSettlements(polled, settlements, [fromSeconds])?.knowledge
            : polled;
          const told = isStored ? contradicted : [...settlements, ...contradicted];
          const byMarket = new Map(told.map((settlement) => [settlement.market, settlement]));
          const { portfolio, record } = settled ?? polled;
          const question = {
            accounts: portfolio.accounts,
            record,
            fromSeconds,
            nowSeconds,
            settlementOf: (market: string) => byMarket.get(market),
          };
          const { cameBack, reason } = cameBackOf(question);
          const hands = life.map(({ end }, index) =>
            handOf(
              arrivalsOf(life)
                .map(({ item }) => item)
                .filter(({ conditionId }) => conditionId === `0x${index + 1}`),
              end,
            ),
          );
          const untilSeconds = cameBack?.untilSeconds ?? Number.NEGATIVE_INFINITY;
          const isCounted = (hand: (typeof hands)[number]) =>
            hand.firstSeconds >= fromSeconds && hand.firstSeconds <= untilSeconds;
          const counted = hands.filter(isCounted);
          const sumOf = (of: typeof hands, name: keyof (typeof hands)[number]) =>
            of.reduce((total, hand) => total + hand[name], 0);
          const usdcOf = (...sum: Parameters<typeof sumOf>) => sumOf(...sum) / 100;
          const open = hands.filter((hand) => !isCounted(hand));
          expect(openOf(question).markets).toBe(open.filter(({ held }) => held > 1e-9).length);
          expect(Number(openOf(question).paidUsdc)).toBeCloseTo(usdcOf(open, 'held'), 6);
          if (cameBack === null) {
            expect(reason).toMatch(/^(noDate|tooEarly)$/);
            return;
          }
          said += 1;
          expect(cameBack.markets).toBe(counted.length);
          expect(Number(cameBack.paidUsdc)).toBeCloseTo(usdcOf(counted, 'paid'), 6);
          expect(Number(cameBack.backUsdc)).toBeCloseTo(usdcOf(counted, 'back'), 6);
          const { markets, paidUsdc } = cameBack.withoutEnd;
          expect(markets).toBe(counted.filter((hand) => hand.sharesWithoutEnd > 0).length);
          expect(Number(paidUsdc)).toBeCloseTo(usdcOf(counted, 'paidWithoutEnd'), 6);
          const gain = sumOf(counted, 'back') - sumOf(counted, 'paid');
          const most = gain + 100 * sumOf(counted, 'sharesWithoutEnd');
          const lossOrOpen = most < 0 ? '-' : '';
          expect(cameBack.sign).toBe(gain > 0 ? '+' : lossOrOpen);
        },
      ),
      { ...randomRuns(96, 8), endOnFailure: true },
    );
    expect(said).toBeGreaterThan(1);
  });
});
