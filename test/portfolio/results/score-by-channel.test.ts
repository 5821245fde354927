import { expect, it } from 'vitest';
import type { AlertedPositions } from '../../../src/portfolio/results/alerted-positions.ts';
import { NO_MARKETS } from '../../../src/portfolio/results/record.ts';
import { scoreOf, scoresByChannel } from '../../../src/portfolio/results/score.ts';

it('is told of a channel by its own alerts alone, once twenty of its markets are closed', () => {
  const record = (channelId: string, markets: number, received: string) => ({
    channelId,
    markets,
    won: 12,
    paid: '100',
    received,
    fees: '0',
    paidPaid: 600,
    receivedReceived: 700,
    paidReceived: 640,
    abandoned: 0,
    overdue: NO_MARKETS,
  });
  const all: AlertedPositions = {
    open: [],
    records: [record('a', 20, '110'), record('b', 19, '300'), record('c', 90, '50')],
  };
  const scores = scoresByChannel(all);
  expect([...scores.keys()]).toEqual(['a', 'c']);
  expect(scores.get('a')?.perDollar).toBeCloseTo(0.1);
  expect(scores.get('c')).toEqual(scoreOf(all, new Set(['c'])));
});
