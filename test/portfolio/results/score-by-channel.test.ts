import { expect, it } from 'vitest';
import type { AlertedPositions } from '../../../src/portfolio/results/alerted-positions.ts';
import { NO_MARKETS } from '../../../src/portfolio/results/record.ts';
import { largestScore, scoreOf, scoresByChannel } from '../../../src/portfolio/results/score.ts';

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

it('is that of a channel by its own alerts alone, once twenty of its markets are closed', () => {
  const scores = scoresByChannel(all);
  expect([...scores.keys()]).toEqual(['a', 'c']);
  expect(scores.get('a')?.perDollar).toBeCloseTo(0.1);
  expect(scores.get('c')).toEqual(scoreOf(all, new Set(['c'])));
});

it('counts a market once that several channels had alerts of: the one with most closed markets speaks for all', () => {
  expect(largestScore(all, ['b', 'a'])).toEqual(scoreOf(all, new Set(['a'])));
  expect(largestScore(all, ['a', 'c'])).toEqual(scoreOf(all, new Set(['c'])));
  expect(largestScore(all, ['d'])).toBeNull();
  expect(largestScore(all, [])).toBeNull();
});
