import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { contextLines as linesIn, briefContext as wordsIn } from '../../src/embeds/context-lines.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { TradeContext } from '../../src/portfolio/trade-context.ts';
import type { ActivityItem } from '../../src/venue/schema.ts';
import { activityItem, WALLET } from '../venue/samples.ts';

const contextLines = (alerts: readonly Alert[]) => linesIn(alerts, ENGLISH);
const contextWords = (alerts: readonly Alert[]) => wordsIn(alerts, ENGLISH);
const SINCE = 1_790_000_000;
const known: TradeContext = {
  sharesBefore: '0',
  sharesAfter: '0',
  entryCents: 55,
  realized: null,
  costOfSold: '0',
  unknownShares: '0',
  oppositeShares: '0',
  isFirstInMarket: false,
  sinceSeconds: 0,
  isWhole: true,
  size: null,
};

function alert(action: string, context: Partial<TradeContext> | undefined, changes: Partial<ActivityItem> = {}): Alert {
  const item = { ...activityItem(), action, ...changes };
  const event = { kind: 'activity', item, context: context && { ...known, ...context } } as const;
  return { id: 'a1', wallet: WALLET, channelId: '1', event, seenAtMs: 0 };
}

const closing = { sharesBefore: '100', realized: '-12.5', costOfSold: '50' };

describe('what an alert says of the position', () => {
  it.each<[string, string, Partial<TradeContext>, string, string]>([
    [
      'opens',
      'Buy',
      { sharesAfter: '10', isFirstInMarket: true },
      'Opens a position · first trade in this market',
      'opens',
    ],
    [
      'adds',
      'Buy',
      { sharesBefore: '1000', sharesAfter: '1234.5' },
      'Adds to 1,000 shares · now 1,234.5 shares · average entry 55¢',
      'adds',
    ],
    [
      'reduces',
      'Sell',
      { sharesBefore: '100', sharesAfter: '40', realized: '12', costOfSold: '33' },
      'Reduces to 40 shares · realized **+$12.00** (+36.4 %) · average entry 55¢',
      'reduces, realized +$12.00',
    ],
    [
      'closes at a loss',
      'Redeem',
      closing,
      'Closes the position · realized **−$12.50** (−25 %) · average entry 55¢',
      'closes, realized −$12.50',
    ],
    [
      'knows a part',
      'Sell',
      { ...closing, unknownShares: '60' },
      'Realized **−$12.50** (−25 %) on what was seen bought · average entry 55¢ · 60 shares not seen bought: result unknown',
      'partly not seen bought, realized −$12.50',
    ],
    [
      'knows nothing',
      'Redeem',
      { entryCents: null, unknownShares: '60' },
      '60 shares not seen bought: result unknown',
      'not seen bought, result unknown',
    ],
  ])('%s', (_name, action, context, line, texts) => {
    expect(contextLines([alert(action, context)])).toEqual([line]);
    expect(contextWords([alert(action, context)])).toBe(texts);
    const cut = { ...context, isWhole: false, sinceSeconds: SINCE };
    expect(contextLines([alert(action, cut)])).toEqual([`${line} · as far as seen since <t:${SINCE}:f>`]);
    expect(contextWords([alert(action, cut)])).toBe(`${texts} (seen since <t:${SINCE}:d>)`);
  });

  it('names the other side that is held, and a size beyond what is usual', () => {
    const size = { usdc: 5000, p95: 900, trades: 200 };
    expect(contextLines([alert('Buy', { sharesAfter: '10', oppositeShares: '20', size })])).toEqual([
      'Opens a position',
      'Also holds 20 shares of the other side',
      '**Unusual size**: $5,000.00 · 95 % of its last 200 trades were $900.00 or less',
    ]);
    expect(contextWords([alert('Buy', { sharesAfter: '10', size })])).toBe('opens, **unusual size**');
    expect(contextLines([alert('Buy', { sharesAfter: '10', size: { ...size, usdc: 900 } })])).toHaveLength(1);
  });

  it('tells fills that belong together as one: from what was held before the first to after the last', () => {
    const fills = [
      alert('Sell', { sharesBefore: '100', sharesAfter: '60', realized: '4', costOfSold: '20' }),
      alert('Sell', { sharesBefore: '60', sharesAfter: '0', realized: '6', costOfSold: '30' }),
    ];
    expect(contextLines(fills)).toEqual(['Closes the position · realized **+$10.00** (+20 %) · average entry 55¢']);
  });

  it('says nothing where a page of the story is missing, or came after a later one', () => {
    expect(contextLines([alert('Merge', undefined)])).toEqual([]);
    expect(contextWords([alert('Buy', undefined), alert('Buy', { sharesAfter: '10' })])).toBeUndefined();
    const late = alert('Buy', { sharesAfter: '5' }, { time: activityItem().time - 60 });
    expect(contextLines([alert('Buy', { sharesAfter: '10' }), late])).toEqual([]);
  });
});
