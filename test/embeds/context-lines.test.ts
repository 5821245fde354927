import { describe, expect, it } from 'vitest';
import type { ActivityEvent } from '../../src/alerts/kinds/activity.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import {
  briefContext,
  leadingSize,
  positionLine,
  sizeText,
} from '../../src/embeds/context-lines.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { TradeContext, TradeSize } from '../../src/portfolio/trade-context.ts';
import { sampleTrade } from '../support/records.ts';
import { known } from './every-alert.ts';

const lineOf = (fills: readonly ActivityEvent[]) => positionLine(fills, ENGLISH)?.text;
const wordsOf = (fills: readonly ActivityEvent[]) => briefContext(fills, ENGLISH).join(' · ');
type Said = Partial<TradeContext> & { readonly size?: TradeSize };

function activityEvent(
  action: string,
  said: Said | undefined,
  changes: Partial<ActivityItem> = {},
): ActivityEvent {
  const item = { ...sampleTrade(), action, quantity: 60, ...changes };
  const { size, ...context } = said ?? {};
  return {
    kind: 'activity',
    item,
    context: said && { ...known, sharesAfter: '60', entryCents: 55, ...context },
    size,
  };
}

const bought = (said: Said) => activityEvent('Buy', said);
const sold = (
  sharesBefore: string,
  sharesAfter: string,
  realized: string,
  costOfSold: string,
  said: Said = {},
) => activityEvent('Sell', { sharesBefore, sharesAfter, realized, costOfSold, ...said });

const adding = { sharesBefore: '1000', sharesAfter: '1060', entryCents: 58.2 };
const closing = sold('60', '0', '-12.5', '50', { isClosed: true });

describe('what an alert says of the position', () => {
  it.each<[string, readonly ActivityEvent[], string]>([
    ['opens', [bought({})], 'New position: 60 shares'],
    [
      'opens a market',
      [bought({ isFirstInMarket: true })],
      'New position: 60 shares · first trade in this market',
    ],
    [
      'opens while the other side is held',
      [bought({ oppositeShares: '20' })],
      'New position: 60 shares · also holds 20 shares on the other side',
    ],
    ['adds', [bought(adding)], '**1,000 → 1,060 shares** · entry 58.2¢'],
    [
      'adds while something else has changed what is held',
      [bought({ sharesBefore: '1000', sharesAfter: '1050' })],
      '**Now 1,050 shares** · entry 55¢ · bought 60',
    ],
    [
      'opens twice, as all was sold in between',
      [bought({}), bought({ entryCents: 70, isFirstInMarket: false })],
      '**Now 60 shares** · entry 70¢ · bought 120',
    ],
    [
      'reduces',
      [sold('100', '40', '12', '33')],
      '**+\u2060$12.00** (+36.4%) · 40 shares left · entry 55¢',
    ],
    ['closes at a loss', [closing], '**−\u2060$12.50** (−25%) · all sold · entry 55¢'],
    [
      'closes but for next to nothing',
      [sold('60.01', '0.01', '-12.5', '50', { isClosed: true })],
      '**−\u2060$12.50** (−25%) · all sold · entry 55¢',
    ],
    [
      'closes in two fills',
      [sold('120', '60', '4', '20'), sold('60', '0', '6', '30', { isClosed: true })],
      '**+\u2060$10.00** (+20%) · all sold · entry 55¢',
    ],
    [
      'reduces twice, as more was bought in between',
      [sold('100', '40', '4', '20'), sold('140', '80', '6', '30', { entryCents: 70 })],
      '**+\u2060$10.00** (+20%) · 80 shares left',
    ],
  ])('%s; in a list it says the gain of a sale alone', (_name, fills, line) => {
    const isPurchase = fills[0]?.item.action === 'Buy';
    expect(positionLine(fills, ENGLISH)).toEqual({ text: line, showsShares: isPurchase });
    expect(wordsOf(fills)).toBe(isPurchase ? '' : line.split(' · ')[0]);
  });

  it.each<[number, string | undefined, string | undefined]>([
    [49, undefined, undefined],
    [1_949, undefined, undefined],
    [1_950, '2× usual', undefined],
    [2_949, '2.9× usual', undefined],
    [2_950, '3× usual', '**3× usual**'],
    [4_200, '4.2× usual', '**4.2× usual**'],
    [12_345, '12× usual', '**12× usual**'],
  ])(
    'says of $%d, where $1,000 is usual, in small print from twice on, first from three times on',
    (usdc, small, first) => {
      const fills = [
        activityEvent('Buy', { size: { usdc, median: 1_000, p95: 9_000, trades: 200 } }),
      ];
      expect(sizeText(fills, ENGLISH)).toBe(small);
      expect(leadingSize(fills, ENGLISH)).toBe(first);
      expect(wordsOf(fills)).toBe('');
    },
  );

  it('says of a size where nothing is known of the position', () => {
    const known = activityEvent('Buy', { size: { usdc: 480, median: 100, p95: 300, trades: 50 } });
    const unknown = { ...known, context: undefined };
    expect([lineOf([unknown]), leadingSize([unknown], ENGLISH)]).toEqual([
      undefined,
      '**4.8× usual**',
    ]);
  });

  it('says nothing of a size without enough trades to compare it with, or where they were of nothing', () => {
    expect(sizeText([activityEvent('Buy', {})], ENGLISH)).toBeUndefined();
    const size = { usdc: 5, median: 0, p95: 0, trades: 20 };
    expect(sizeText([activityEvent('Buy', { size })], ENGLISH)).toBeUndefined();
  });

  it('takes the largest trade among fills of several', () => {
    const sized = (usdc: number) =>
      activityEvent('Buy', { size: { usdc, median: 100, p95: 500, trades: 50 } });
    expect(leadingSize([sized(120), sized(480), sized(90)], ENGLISH)).toBe('**4.8× usual**');
  });

  it('says nothing of redemptions of several outcomes together', () => {
    const both = [
      activityEvent('Redeem', closing.context),
      activityEvent('Redeem', closing.context, { positionSide: 'No', tokenId: 'no' }),
    ];
    expect([lineOf(both), wordsOf(both)]).toEqual([undefined, '']);
    expect(lineOf(both.slice(1))).toContain('closed');
  });

  it('says nothing where a page of the story is missing, or came after a later one', () => {
    expect(lineOf([activityEvent('Merge', undefined)])).toBeUndefined();
    expect(wordsOf([activityEvent('Buy', undefined), activityEvent('Buy', {})])).toBe('');
    const late = activityEvent('Buy', { sharesAfter: '5' }, { time: sampleTrade().time - 60 });
    expect(lineOf([activityEvent('Buy', {}), late])).toBeUndefined();
  });
});
