import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { entryKeys, marketKey, outcomeKey } from '../../src/portfolio/market.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import {
  addUnknown,
  type OpenQuestion,
  readHistory,
} from '../../src/portfolio/positions/question.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import {
  type Answer,
  addActivityPage,
  knowledgeSchema,
  type WalletKnowledge,
  withAnswers,
} from '../../src/portfolio/wallet-knowledge.ts';
import { detectedPage } from '../support/detected-page.ts';
import { sampleTrade } from '../support/records.ts';
import { randomRuns, within } from '../support/thorough.ts';
import { addPage, fillOf } from './fills.ts';
import { divide, fraction, inOrder, isClose, oracle, subtract } from './oracle.ts';

const START = 1_790_000_000;
const EMPTY = newPortfolio(START, true);

/** What the wallet does between two polls, and what becomes of it. */
const step = fc.record({
  trades: fc.array(
    fc.record({
      outcome: fc.constantFrom('11', '12', '21', '31'),
      action: fc.constantFrom('Buy', 'Buy', 'Sell', 'Redeem'),
      afterSeconds: fc.constantFrom(0, 0, 1, 40, 2_000),
      /** How much earlier than the others of the poll it was traded: it is listed late. */
      lateSeconds: fc.constantFrom(0, 0, 0, 0, 30, 2_500, 9_000),
      quantity: fc.constantFrom(5, 10, 10, 20, 9.99, 0.01),
      cents: fc.integer({ min: 1, max: 99 }),
    }),
    { maxLength: 5 },
  ),
  restSeconds: fc.constantFrom(1, 60, 5_000, 40_000),
  /** More than a page shows: the older half of these is never seen, and a gap says so. */
  isGap: fc.boolean(),
  /** A hundred other markets are bought into, so that positions are given up. */
  isCrowded: fc.integer({ min: 0, max: 7 }).map((drawn) => drawn === 0),
  /** When the venue answers what it is asked after this poll, and how. */
  answer: fc.constantFrom(
    'at once',
    'at once',
    'after the next poll',
    'never',
    'without a record',
    'of another market',
  ),
});

/**
 * Compares what is said of an item with all that the wallet ever did and the venue has listed by
 * now, in that order.
 */
function check(said: TradeContext, item: ActivityItem, all: readonly ActivityItem[]): void {
  const own = all.filter((other) => marketKey(other) === marketKey(item));
  const sorted = own.toSorted(inOrder);
  const place = sorted.indexOf(item);
  const until = (count: number) =>
    oracle(sorted.slice(0, count).filter((other) => outcomeKey(other) === outcomeKey(item)));
  const [before, after] = [until(place), until(place + 1)];
  expect(until(sorted.length).unknownSold.n).toBe(0n);
  expect(isClose(fraction(said.sharesBefore), before.shares)).toBe(true);
  expect(isClose(fraction(said.sharesAfter), after.shares)).toBe(true);
  const { shares, entry } = item.action === 'Buy' ? after : before;
  expect(Math.abs((said.entryCents ?? 0) - Number(toNumber(divide(entry, shares))))).toBeLessThan(
    1e-6,
  );
  if (item.action !== 'Buy') {
    expect(isClose(fraction(said.realized ?? ''), subtract(after.realized, before.realized))).toBe(
      true,
    );
  }
  const others = new Set(own.map(outcomeKey));
  others.delete(outcomeKey(item));
  const opposite = [...others].map((key) =>
    oracle(own.filter((other) => outcomeKey(other) === key && other.time <= item.time)),
  );
  expect(Number(said.oppositeShares)).toBeCloseTo(
    opposite.reduce((sum, held) => sum + toNumber(held.shares), 0),
    9,
  );
  if (said.isFirstInMarket) expect(place).toBe(0);
}

function toNumber({ n, d }: { readonly n: bigint; readonly d: bigint }): number {
  return Number((n * 1_000_000_000_000n) / d) / 1e12;
}

type History = typeof history extends fc.Arbitrary<infer Drawn> ? Drawn : never;
const history = fc.record({
  /** What it did before it was watched; the first page shows all of it, or its newer half. */
  before: step,
  isCut: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
  steps: fc.array(step, { maxLength: 12 }),
  hasGaps: fc.boolean(),
});

/** What the venue answers to a question at this moment, newest first. */
async function answerTo(
  question: OpenQuestion,
  all: readonly ActivityItem[],
  how: string,
): Promise<Answer> {
  const newestFirst = all.toReversed().toSorted((a, b) => b.time - a.time);
  const own = newestFirst.filter(
    (item) => (entryKeys(item).market === question.market) === (how !== 'of another market'),
  );
  const listed = how === 'without a record' ? own.slice(1) : own;
  return { question, history: await readHistory(question, listed) };
}

/**
 * Plays the history poll by poll.
 *
 * @returns how many alerts said something of the position, with what the page told and with what
 *   the venue answered
 */
async function play({ before, isCut, steps, hasGaps }: History) {
  let [nowSeconds, count, paged, asked] = [START, 0, 0, 0];
  const itemsById = new Map<string, ActivityItem>();
  let late: readonly Answer[] = [];
  const all: ActivityItem[] = [];
  const draw = ({ trades, isCrowded }: typeof before): ActivityItem[] => {
    const items = trades.map((drawn) => {
      nowSeconds += drawn.afterSeconds;
      count += 1;
      return fillOf(drawn, nowSeconds - drawn.lateSeconds, count);
    });
    const crowd = Array.from({ length: isCrowded ? 101 : 0 }, () => {
      count += 1;
      return fillOf(
        { outcome: `9${count}1`, action: 'Buy', quantity: 1, cents: 50 },
        nowSeconds,
        count,
      );
    });
    return [...items, ...crowd].toSorted((a, b) => a.time - b.time);
  };
  const past = draw(before);
  all.push(...past);
  nowSeconds += before.restSeconds;
  let sinceSeconds = nowSeconds;
  let newestSeconds = nowSeconds;
  let knowledge: WalletKnowledge | undefined;
  for (const [index, current] of steps.entries()) {
    const isFirst = index === 0;
    const fresh = draw(current).filter(({ time }) => !isFirst || time >= sinceSeconds);
    const isGap = hasGaps && current.isGap && !isFirst && fresh.length > 1;
    const lost = isGap ? fresh.slice(0, fresh.length / 2) : [];
    const gapEndSeconds = lost.at(-1)?.time ?? null;
    const shown = fresh.filter(({ time }) => gapEndSeconds === null || time > gapEndSeconds);
    all.push(...fresh);
    const older = isFirst ? past.slice(isCut ? Math.ceil(past.length / 2) : 0) : [];
    const page = addActivityPage(knowledge, {
      ...detectedPage(shown, { sinceSeconds, boundaries: [START], nowSeconds }),
      items: [...older, ...shown].toReversed(),
      isCut: isCut && past.length > 0,
      isFirst,
      gapEndSeconds,
    });
    const unknown = page.meanings.flatMap(({ context, isUnknown }, at) => {
      const item = shown[at];
      if (item === undefined) return [];
      if (context !== null) {
        paged += 1;
        check(context, item, all);
      }
      const alertId = `${index} ${at}`;
      itemsById.set(alertId, item);
      return isUnknown ? [{ alertId, item, isWanted: true }] : [];
    });
    const detected = {
      beforeSeconds: newestSeconds,
      // A page that cannot show all shows something of the second in which the gap ends.
      seenSeconds: Math.max(newestSeconds, gapEndSeconds ?? 0, ...shown.map(({ time }) => time)),
    };
    newestSeconds = detected.seenSeconds;
    const { open } = addUnknown(
      page.knowledge.questions,
      unknown,
      detected,
      page.knowledge.refusedMarkets,
    );
    const answers = await Promise.all(
      open
        .filter(() => current.answer !== 'never')
        .map((question) => answerTo(question, all, current.answer)),
    );
    const isLate = current.answer === 'after the next poll';
    const answered = withAnswers(
      knowledgeSchema.parse(JSON.parse(JSON.stringify({ ...page.knowledge, questions: open }))),
      [...late, ...(isLate ? [] : answers)],
    );
    late = isLate ? answers : [];
    for (const [alertId, context] of answered.contexts) {
      asked += 1;
      const item = itemsById.get(alertId);
      if (item !== undefined) check(context, item, all);
    }
    knowledge = knowledgeSchema.parse(JSON.parse(JSON.stringify(answered.knowledge)));
    nowSeconds += current.restSeconds;
    sinceSeconds = nowSeconds;
  }
  return { paged, asked };
}

describe('what an alert says of a position', () => {
  it(
    'is what the whole history says, or nothing: after cuts, gaps, late records and odd answers, in any order',
    async () => {
      let [paged, asked, plays] = [0, 0, 0];
      await fc.assert(
        fc.asyncProperty(history, async (drawn) => {
          const said = await play(drawn);
          plays += 1;
          paged += said.paged;
          asked += said.asked;
        }),
        randomRuns(200),
      );
      expect(paged).toBeGreaterThan(plays);
      // Few histories may have none.
      if (plays >= 100) expect(asked).toBeGreaterThan(plays / 10);
    },
    within(120_000),
  );

  const traded = (changes: Partial<ActivityItem>, atSeconds: number) => ({
    ...sampleTrade(),
    time: START + atSeconds,
    quantity: 100,
    transferNetAmount: changes.action === 'Sell' ? -60 : 40,
    ...changes,
  });
  const elsewhere = { tokenId: '9', conditionId: '0x9' };

  it('is nothing for a record of a position that has been closed for long', () => {
    const closed = addPage(EMPTY, traded({}, 0), traded({ action: 'Sell' }, 60)).portfolio;
    const later = addPage(closed, traded(elsewhere, 7_200)).portfolio;
    const { meanings, portfolio } = addPage(later, traded({}, 30));
    expect(meanings[0]).toMatchObject({ context: null, isUncertain: true });
    expect(addPage(portfolio, traded({}, 7_300)).meanings[0]?.context).toBeNull();
  });

  it('is nothing of an outcome where it is not known any more what was held of the other one at that time', () => {
    const no = { tokenId: '13', positionSide: 'No', outcomeIndex: 1 };
    const held = addPage(EMPTY, traded(no, 0), traded(no, 7_200)).portfolio;
    expect(addPage(held, traded({}, 10)).meanings[0]?.context).toMatchObject({
      oppositeShares: '100',
    });
    expect(addPage(held, traded({}, -10)).meanings[0]?.context).toBeNull();
  });

  it('calls a purchase the first in its market once, also after the position was closed and counted', () => {
    let knowledge: WalletKnowledge | undefined;
    const see = (items: ActivityItem[], nowSeconds = START) => {
      const fresh = items.filter(({ time }) => time >= START);
      const page = detectedPage(fresh, { sinceSeconds: START, boundaries: [START], nowSeconds });
      const isFirst = knowledge === undefined;
      const added = addActivityPage(knowledge, { ...page, items: items.toReversed(), isFirst });
      knowledge = added.knowledge;
      return added.meanings.map(({ context }) => [context?.sharesAfter, context?.isFirstInMarket]);
    };
    const before = { tokenId: '7', conditionId: '0x7' };
    const inPast = [traded(before, -90_000), traded({ ...before, action: 'Sell' }, -80_000)];
    expect(see([...inPast, traded({}, 0)])).toEqual([['100', true]]);
    see([traded({ action: 'Sell' }, 60)], START + 60);
    see([traded(elsewhere, 7_200)], START + 7_200);
    expect(knowledge?.portfolio.positions).toHaveLength(1);
    const again = see([traded({}, 7_300), traded(before, 7_301)], START + 7_301);
    expect(again).toEqual(Array.from({ length: 2 }, () => ['100', false]));
  });
});
