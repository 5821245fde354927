import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { shortHash } from '../../src/portfolio/market.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { addPurchase } from '../../src/portfolio/results/alerted-positions.ts';
import {
  addActivityPage,
  newKnowledge,
  type WalletKnowledge,
  withReadBack,
  withSettlements,
} from '../../src/portfolio/wallet-knowledge.ts';
import { detectedPage } from '../support/detected-page.ts';
import { sampleTrade } from '../support/records.ts';

const START = 1_790_000_000;
let count = 0;

/** A record in a market, which belongs to an event of its own unless it is told. */
function record(market: string, changes: Partial<ActivityItem> = {}): ActivityItem {
  count += 1;
  return {
    ...sampleTrade(),
    time: START + count,
    txHash: `0x${count}`,
    action: 'Buy',
    tokenId: `${market}1`,
    conditionId: `0x${market}`,
    marketId: market,
    marketSlug: `market-${market}`,
    eventSlug: `event-${market}`,
    positionSide: 'Yes',
    outcomeIndex: 0,
    quantity: 100,
    price: 40,
    fee: 0,
    grossValue: 40,
    transferNetAmount: 40,
    ...changes,
  };
}

/** An action that the interface does not describe. */
const other = (changes: Partial<ActivityItem>) =>
  record('1', {
    action: 'Conversion',
    tokenId: '',
    positionSide: '',
    outcomeIndex: -1,
    ...changes,
  });
const unnamed = { conditionId: '', marketId: '', marketSlug: '' };

function page(before: WalletKnowledge, fresh: readonly ActivityItem[]) {
  const nowSeconds = START + count + 10;
  return addActivityPage(
    before,
    detectedPage(fresh, { sinceSeconds: START, boundaries: [START], nowSeconds }),
  );
}

/** What is known after purchases in markets 1 and 2 of one event, and 3 of another, all alerted. */
function known(): WalletKnowledge {
  const bought = ['1', '2', '3'].map((market) =>
    record(market, { eventSlug: market === '3' ? 'another' : 'the-event' }),
  );
  const { knowledge } = page(newKnowledge(newPortfolio(START, true)), bought);
  const alertedPositions = bought.reduce(
    (open, item) => addPurchase(open, { alertId: item.txHash, item, channels: ['c'] }),
    knowledge.alertedPositions,
  );
  return { ...knowledge, alertedPositions };
}

/** Markets of which anything is left: a position, an account, a record, a result to come. */
function left(knowledge: WalletKnowledge) {
  const { portfolio, record, alertedPositions } = knowledge;
  const hashes = {
    positions: portfolio.positions.map(({ market }) => market),
    accounts: portfolio.accounts.markets.map(({ market }) => market),
    record: record.markets.map(({ market }) => market),
    results: alertedPositions.flatMap(({ isGivenUp, key }) => (isGivenUp ? [] : [key])),
  };
  const nameOf = (hash: string) =>
    ['1', '2', '3', '4'].find((name) => shortHash(`0x${name}`) === hash);
  return Object.fromEntries(
    Object.entries(hashes).map(([part, own]) => [part, own.map(nameOf).toSorted().join('')]),
  );
}
const all = (markets: string) => ({
  positions: markets,
  accounts: markets,
  record: markets,
  results: markets,
});

describe('an action that the interface does not describe', () => {
  it.each<[string, Partial<ActivityItem>, string]>([
    ['gives up its market', { conditionId: '0x2' }, '13'],
    ['gives up its event where it names no market', { ...unnamed, eventSlug: 'the-event' }, '3'],
    ['gives up all markets where it names no event', { ...unnamed, eventSlug: '' }, ''],
    [
      'of an event that the wallet is not in gives up nothing',
      { ...unnamed, eventSlug: 'x' },
      '123',
    ],
  ])('%s', (_, changes, markets) => {
    const before = known();
    expect(left(before)).toEqual(all('123'));
    expect(left(page(before, [other(changes)]).knowledge)).toEqual(all(markets));
  });

  it('is the end of what is known of the market: later trades there count for nothing', () => {
    const { knowledge } = page(known(), [other({ conditionId: '0x1' })]);
    const sold = { action: 'Sell', transferNetAmount: -90, grossValue: 90 };
    const after = page(knowledge, [record('1'), record('1', sold)]);
    expect(left(after.knowledge)).toEqual(all('23'));
    for (const meaning of after.meanings) {
      expect(meaning).toMatchObject({ context: null, isUncertain: true, isUnknown: false });
    }
  });

  it('on one page with the purchase, in either order, leaves nothing of it', () => {
    const before = newKnowledge(newPortfolio(START, true));
    const bought = record('4');
    const merged = other({ conditionId: '0x4' });
    for (const items of [
      [bought, merged],
      [merged, bought],
    ]) {
      expect(left(page(before, items).knowledge)).toEqual(all(''));
    }
  });

  it('has no result of a settlement', () => {
    const { knowledge } = page(known(), [other({ conditionId: '0x1' })]);
    const settlement = {
      market: shortHash('0x1'),
      payouts: new Map([[shortHash('11'), 1]]),
      atSeconds: START + 3_600,
    };
    expect(withSettlements(knowledge, [settlement], [START])?.results ?? []).toEqual([]);
  });

  it('in what is read back gives up its market too', () => {
    const before = { ...known(), unread: { beforeSeconds: START, fills: [] } };
    const history = [
      record('1', { time: START - 10 }),
      other({ conditionId: '0x1', time: START - 5 }),
    ];
    const after = withReadBack(before, START, history, [START]);
    expect(left(after)['record']).not.toContain('1');
    expect(after.givenUpMarkets).toEqual([shortHash('0x1')]);
  });
});

describe('a record whose outcome is not named', () => {
  it.each(['Buy', 'Sell', 'Redeem'])('a %s gives up its market', (action) => {
    const blank = { action, tokenId: '', positionSide: '', outcomeIndex: -1 };
    const { knowledge, meanings } = page(known(), [
      record('1', { eventSlug: 'the-event', ...blank }),
    ]);
    expect(left(knowledge)).toEqual(all('23'));
    expect(meanings).toMatchObject([{ context: null, isUncertain: true, isUnknown: false }]);
  });

  it('is named by its side alone', () => {
    const item = record('1', { eventSlug: 'the-event', tokenId: '', outcomeIndex: -1 });
    // A position of its own beside that of the token, since it may be another outcome.
    expect(page(known(), [item]).knowledge.givenUpMarkets).toEqual([]);
  });
});
