import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../commands/shared/context.ts';
import {
  choosable,
  marketChoices,
  marketIdOf,
  seenMarkets,
} from '../../commands/shared/market-choices.ts';
import type { ActivityItem } from '../../src/domain/records.ts';
import { beginScan } from '../../src/lookups/page-scan.ts';
import { sampleTrade } from '../support/records.ts';
import { WALLET_A } from '../support/wallets.ts';

/** A list whose records are counted as they are looked at, each in a market of its own. */
function listOf(ownerId: string, name: string, records: number, onLook: () => void = () => {}) {
  const scan = beginScan<ActivityItem>({ ownerId, wallet: WALLET_A, anchorSeconds: null });
  for (let index = 0; index < records; index += 1) {
    const item = {
      ...sampleTrade(),
      marketSlug: `${name}-${index}`,
      marketTitle: `${name} ${index}?`,
    };
    const marketId = `${BigInt(`0x${Buffer.from(name).toString('hex')}`)}${index}`;
    const get = () => {
      onLook();
      return marketId;
    };
    scan.items.push(Object.defineProperty(item, 'marketId', { get }));
  }
  return scan;
}

/** To people of the server `g`, after these lists. */
const contextOf = (scans: readonly ReturnType<typeof listOf>[]) =>
  ({
    scans: { activity: { values: () => scans } },
    place: { ownerId: 'g' },
  }) as unknown as CommandContext;
const suggest = (typed: string, context: CommandContext) =>
  marketChoices(typed, seenMarkets(context, null).map(choosable));

describe('the markets that are suggested', () => {
  it('are those of the lists of the server, of the last one first', () => {
    const scans = [listOf('g', 'rain', 2), listOf('other', 'secret', 2), listOf('g', 'snow', 1)];
    expect(suggest('', contextOf(scans)).map(({ name }) => name)).toEqual([
      'snow 0?',
      'rain 0?',
      'rain 1?',
    ]);
    expect(marketIdOf(contextOf(scans), 'rain-1')).toBe(scans[0]?.items[1]?.marketId);
    expect(marketIdOf(contextOf(scans), 'secret-1')).toBeUndefined();
    const unnamed = beginScan<ActivityItem>({
      ownerId: 'g',
      wallet: WALLET_A,
      anchorSeconds: null,
    });
    unnamed.items.push({ ...sampleTrade(), marketSlug: '' });
    expect(marketIdOf(contextOf([unnamed]), ''), 'blanks name no market').toBeUndefined();
  });

  it('have their ids where titles are alike, or begin alike for longer than Discord shows', () => {
    const item = sampleTrade();
    const long = 'A'.repeat(199);
    const titles = ['Rain?', 'Rain?', `${long}B`, `${long}C`, 'Snow?'];
    const markets = titles.map((marketTitle, index) => {
      return choosable({ ...item, marketTitle, marketId: `90${index}` });
    });
    const names = marketChoices('', markets).map(({ name }) => name);
    expect(names.map((name) => / · (\d+)$/.exec(name)?.[1])).toEqual([
      '900',
      '901',
      '902',
      '903',
      undefined,
    ]);
    expect(names.filter((name) => Array.from(name).length > 100)).toEqual([]);
  });

  it('take no longer the more and longer lists there are', () => {
    let looks = 0;
    const look = () => {
      looks += 1;
    };
    const scans = Array.from({ length: 40 }, (_, index) => listOf('g', `m${index}`, 500, look));
    suggest('nothing is named so', contextOf(scans));
    expect(looks).toBeLessThan(30_000);
    looks = 0;
    marketIdOf(contextOf(scans), 'no-such-slug');
    expect(looks).toBeLessThan(30_000);
  });
});
