import { describe, expect, it } from 'vitest';
import { positionLines, positionNow, rounded } from '../../src/details/knowledge-lines.ts';
import { ENGLISH, languageFor } from '../../src/language/language.ts';
import { Exact } from '../../src/lib/exact.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addActivity } from '../../src/portfolio/update.ts';
import { known } from '../embeds/every-alert.ts';
import { trade } from '../support/records.ts';

const START = 1_790_000_000;
const bought = trade({ time: START, quantity: 10, price: 40, transferNetAmount: 4.1, fee: 0.1 });
const portfolioOf = (isWhole: boolean) =>
  addActivity(newPortfolio(START - 100, isWhole), [bought], START + 1).portfolio;

describe('a position as of now', () => {
  it('is what is held, with its cost', () => {
    const held = { shares: '10', entryCents: 40, cost: '4.1' };
    expect(positionNow(portfolioOf(true), bought)).toEqual(held);
    const nothing = { shares: '0', entryCents: null, cost: '0' };
    expect(positionNow(portfolioOf(true), trade({ tokenId: '9' })), 'of the same market').toEqual(
      nothing,
    );
    expect(positionNow(portfolioOf(true), trade({ tokenId: '9', conditionId: '0x9' }))).toEqual(
      nothing,
    );
  });

  it('is said of no market that is not known from its first record on', () => {
    expect(positionNow(portfolioOf(false), bought)).toBeNull();
    const sold = { ...bought, action: 'Sell', quantity: 11, time: START + 2 };
    expect(
      positionNow(addActivity(portfolioOf(true), [sold], START + 3).portfolio, bought),
    ).toBeNull();
  });
});

it('marks what is rounded as alerts do: before the sign, with a space', () => {
  const third = new Exact(1).div(3);
  const sold = (realized: Exact, language = ENGLISH) => {
    const position = {
      ...known,
      sharesBefore: '1',
      sharesAfter: '0',
      entryCents: null,
      realized: String(realized),
    };
    const nothing = { size: null, results: [], record: null, seenAtMs: 0 };
    return positionLines({ when: 'atAlert', position, ...nothing }, language, null)[1];
  };
  expect(sold(third)).toContain('**≈ +\u2060$0.333333**');
  expect(sold(third.neg(), languageFor('zh-CN'))).toContain('**≈ −\u2060$0.333333**');
  expect(sold(new Exact('1.25'))).toContain('**+\u2060$1.25**');
  expect(sold(new Exact(0))).toContain('**$0.00**');
  const held = { shares: '1', entryCents: null, cost: String(third) };
  const [now] = positionLines({ when: 'asOfNow', record: null, position: held }, ENGLISH, null);
  expect(now).toContain('≈ $0.333333');
  expect(rounded(third, ENGLISH.exact.cents)).toBe('≈ 0.333333¢');
});
