import type { ActivityItem } from '@walletbell/venue-server/records';
import { expect, it, onTestFinished } from 'vitest';
import { play } from '../../packages/venue-server/test/play.ts';
import { IS_THOROUGH, within } from '../support/thorough.ts';
import { listIn, marketsOf } from './rows-of-records.ts';
import { pagesOf, startInTest } from './running.ts';

const SECONDS = IS_THOROUGH ? 3_600 : 1_800;
type Shown = Readonly<Record<string, unknown>>;

/** A figure in steps of a hundredth of a cent, so that equal ones are equal texts. */
const figure = (value: unknown) => (Math.round(Number(value) * 1e4) / 1e4 + 0).toFixed(4);
const FIGURES = ['price', 'quantity', 'fee', 'grossValue', 'transferNetAmount'];
const WORDS = ['time', 'action', 'txHash', 'marketId', 'tokenId', 'positionSide', 'outcomeIndex'];
const lineOf = (item: Shown) =>
  [...WORDS.map((name) => item[name]), ...FIGURES.map((name) => figure(item[name]))].join(' ');

it(
  'gives trades back through the form of the source, equal to the cent, redemptions without a token included',
  async () => {
    const { simulator, entered: played, until } = await play('an hour');
    await until(0);
    await until(SECONDS);
    // Some are listed late.
    const entered = played.toSorted((a, b) => a.item.time - b.item.time);
    const activity = entered.flatMap((record) => (record.kind === 'activity' ? record.item : []));
    const markets = marketsOf(activity);
    const { source, get, stop } = await startInTest({ requestsPerMinute: 6_000 });
    onTestFinished(stop);
    listIn(source, entered, markets);
    const listOf = async (wallet: string, endpoint: string) => {
      const pages = await pagesOf((query) => get(`/v1/trader/${wallet}/${endpoint}${query}`), 100);
      return pages.flat().toReversed();
    };
    /** Whether a market has paid both of its sides: then a redemption does not say of which it was. */
    const paidBoth = (item: ActivityItem) =>
      markets.get(item.conditionId)?.payouts?.every((part) => part > 0) === true;
    let redeemed = 0;
    for (const { address } of simulator.traders) {
      const own = entered.filter(({ wallet }) => wallet === address);
      const expected = own.flatMap((record) => {
        if (record.kind === 'transfer') return [];
        const { item } = record;
        if (item.action !== 'Redeem') return lineOf(item);
        if (item.grossValue === 0) return [];
        redeemed += 1;
        const unknown = {
          tokenId: '',
          positionSide: '',
          outcomeIndex: null,
          price: 0,
          quantity: 0,
        };
        return lineOf(paidBoth(item) ? { ...item, ...unknown } : item);
      });
      expect((await listOf(address, 'activity')).map(lineOf)).toEqual(expected);
      const transferOf = (item: Shown) => [
        ...['txHash', 'type', 'time'].map((name) => item[name]),
        figure(item['amount']),
      ];
      expect((await listOf(address, 'deposits-withdrawals')).map(transferOf)).toEqual(
        own.flatMap(({ kind, item }) => (kind === 'activity' ? [] : [transferOf({ ...item })])),
      );
    }
    expect(activity.length).toBeGreaterThan(500);
    expect(redeemed).toBeGreaterThan(25);
  },
  within(120_000),
);
