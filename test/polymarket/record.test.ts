import { describe, expect, it } from 'vitest';
import {
  activityRecord,
  isActivity,
  placeHash,
  transferRecord,
} from '../../src/polymarket/record.ts';
import { activityRowSchema, readMarkets, readPayouts } from '../../src/polymarket/source-rows.ts';
import {
  ROW_WALLET,
  type SourceRow,
  sourceMarket,
  sourceRedeem,
  sourceTrade,
  sourceTransfer,
  tokensOf,
} from '../support/polymarket-source.ts';

const MARKET = sourceMarket(7);
const [YES = '', NO = ''] = tokensOf(MARKET);
const [market = null] = readMarkets([MARKET]) ?? [];

const NO_OUTCOME = { tokenId: '', positionSide: '', outcomeIndex: null };

const shown = (row: SourceRow, facts: Partial<Parameters<typeof activityRecord>[1]> = {}) => {
  const read = activityRowSchema.parse(row);
  const options = { txHash: read.transaction_hash, trader: ROW_WALLET };
  return activityRecord(read, { market, payouts: null, ...facts }, options);
};

describe('a trade', () => {
  it('is a Buy in the terms of the interface, without a role', () => {
    expect(shown(sourceTrade(MARKET))).toEqual({
      isComplete: true,
      record: {
        time: 1_790_000_000,
        action: 'Buy',
        recordType: 'SUMMARY',
        actionType: 0,
        price: 40,
        quantity: 100,
        fee: 0,
        grossValue: 40,
        transferNetAmount: 40,
        txHash: sourceTrade(MARKET).transaction_hash,
        tokenId: YES,
        marketId: '500007',
        marketSlug: 'will-number-7-come-up',
        eventSlug: 'numbers-7',
        conditionId: MARKET.conditionId,
        marketTitle: 'Will number 7 come up?',
        positionSide: 'Yes',
        outcomeIndex: 0,
        logo: 'https://example.com/icon.png',
        trader: ROW_WALLET,
        liquidityRole: null,
      },
    });
  });

  it.each([
    ['BUY', 40.8, { grossValue: 40, fee: 0.8, transferNetAmount: 40.8 }],
    ['SELL', 39.2, { grossValue: 40, fee: 0.8, transferNetAmount: -39.2 }],
    // Less than the gross value of a purchase, or more than a fee can be: the amount says it all.
    ['BUY', 39.2, { grossValue: 39.2, fee: 0, transferNetAmount: 39.2 }],
    ['SELL', 40.8, { grossValue: 40.8, fee: 0, transferNetAmount: -40.8 }],
    ['BUY', 43, { grossValue: 43, fee: 0, transferNetAmount: 43 }],
    ['BUY', 40.000_000_1, { grossValue: 40, fee: 0, transferNetAmount: 40 }],
  ])('with side %s and %d USDC has the fee between gross and net', (side, usdc, figures) => {
    expect(shown(sourceTrade(MARKET, { side, usdc_size: usdc })).record).toMatchObject(figures);
  });

  it('takes no rounding of a ten-digit price for a fee', () => {
    const price = 1 / 3;
    const figures = { size: 3_000_000, price: Number(price.toFixed(10)), usdc_size: 1_000_000 };
    const row = sourceTrade(MARKET, figures);
    expect(shown(row).record).toMatchObject({ fee: 0, grossValue: 1_000_000, price: 33.333333 });
  });

  it('keeps the smallest amounts', () => {
    const row = sourceTrade(MARKET, { size: 9e-6, price: 0.5, usdc_size: 4.5e-6 });
    expect(shown(row).record.quantity).toBe(0.000009);
  });

  it('is of the outcome that the market lists for its token, whatever the row says', () => {
    const row = sourceTrade(MARKET, { token_id: NO, outcome: 'Yes', outcome_index: 0 });
    expect(shown(row).record).toMatchObject({ tokenId: NO, positionSide: 'No', outcomeIndex: 1 });
  });

  it('has one token an outcome, whichever protocol it was made on', () => {
    const [moved = null] = readMarkets([{ ...MARKET, positionIds: '["91","92"]' }]) ?? [];
    const row = sourceTrade(MARKET, { token_id: '92', outcome: '' });
    expect(shown(row, { market: moved }).record).toMatchObject({
      tokenId: NO,
      positionSide: 'No',
      outcomeIndex: 1,
    });
  });

  it('without a label has no outcome index, and is not complete', () => {
    const row = sourceTrade(MARKET, { outcome: '', outcome_index: 999, token_id: '' });
    const { record, isComplete } = shown(row, { market: null });
    expect(record).toMatchObject({ ...NO_OUTCOME, marketId: '' });
    expect(isComplete).toBe(false);
  });

  it('of a combo is an action of its own', () => {
    const row = sourceTrade(MARKET, { is_combo: true, condition_id: `0x${'03'.repeat(31)}` });
    expect(shown(row).record).toMatchObject({ action: 'ComboBuy', recordType: 'COMBO' });
  });
});

describe('a redemption', () => {
  const won = [1, 0];

  it("is of the winner's token where the market paid one outcome alone", () => {
    expect(shown(sourceRedeem(MARKET, 80), { payouts: won })).toMatchObject({
      isComplete: true,
      record: {
        action: 'Redeem',
        recordType: 'REDEEMS',
        price: 100,
        quantity: 80,
        grossValue: 80,
        transferNetAmount: -80,
        tokenId: YES,
        positionSide: 'Yes',
        outcomeIndex: 0,
      },
    });
  });

  it('that names its token in a market that paid half is of twice the shares at 50 cents', () => {
    const row = sourceRedeem(MARKET, 50, { token_id: NO });
    const half = { price: 50, quantity: 100, tokenId: NO, outcomeIndex: 1 };
    expect(shown(row, { payouts: [0.5, 0.5] }).record).toMatchObject(half);
  });

  it('that lists more shares than dollars says itself what they paid', () => {
    const row = sourceRedeem(MARKET, 30, { token_id: YES, size: 100 });
    expect(shown(row).record).toMatchObject({ price: 30, quantity: 100, tokenId: YES });
  });

  it.each<[string, Partial<SourceRow>, { market?: null; payouts?: number[] }]>([
    ['a market that paid both sides, no token', {}, { payouts: [0.5, 0.5] }],
    ['a market whose end is not known', {}, {}],
    ['a market whose end is not known, with a token', { token_id: YES }, {}],
    ['a market that is not known', { token_id: YES, size: 200 }, { market: null }],
    ["a loser's token", { token_id: NO }, { payouts: [1, 0] }],
    ['a figure that the market contradicts', { token_id: YES, size: 200 }, { payouts: [1, 0] }],
  ])('of %s says nothing of how the market ended', (_, over, facts) => {
    const { record, isComplete } = shown(sourceRedeem(MARKET, 50, over), facts);
    expect(record).toMatchObject({
      ...NO_OUTCOME,
      action: 'Redeem',
      price: 0,
      quantity: 0,
      grossValue: 50,
    });
    expect(isComplete).toBe(false);
  });

  it('that paid nothing is left out', () => {
    expect(isActivity(activityRowSchema.parse(sourceRedeem(MARKET, 0)))).toBe(false);
  });
});

describe('what is said and never worked out', () => {
  it.each([
    ['SPLIT', 'Split', 25],
    ['MERGE', 'Merge', -25],
    ['MIGRATION', 'Migration', 0],
  ])('a %s is the action %s of its market', (type, action, net) => {
    const row = sourceTrade(MARKET, { type, side: '', token_id: '', size: 25, usdc_size: 25 });
    expect(shown(row).record).toMatchObject({
      action,
      recordType: type,
      transferNetAmount: net,
      conditionId: MARKET.conditionId,
      tokenId: '',
      outcomeIndex: null,
    });
  });

  it('a CONVERSION names its event alone', () => {
    const row = sourceTrade(MARKET, { type: 'CONVERSION', side: '', token_id: '' });
    expect(shown(row).record).toMatchObject({
      action: 'Conversion',
      conditionId: '',
      marketId: '',
      marketSlug: '',
      eventSlug: 'numbers-7',
    });
  });

  it.each(['REWARD', 'YIELD', 'MAKER_REBATE', 'TAKER_REBATE', 'REFERRAL_REWARD', 'TIP'])(
    'a %s is left out',
    (type) => {
      expect(isActivity(activityRowSchema.parse(sourceTrade(MARKET, { type })))).toBe(false);
    },
  );
});

describe('a deposit', () => {
  it('has no address and a hash of its place among equals', () => {
    const row = activityRowSchema.parse(sourceTransfer());
    const first = placeHash(row, 0);
    expect(first).toMatch(/^none-[0-9a-f]{40}$/);
    expect(placeHash(row, 1)).not.toBe(first);
    expect(transferRecord(row, first)).toEqual({
      txHash: first,
      type: 'deposit',
      amount: 50,
      time: 1_790_000_000,
      address: '',
    });
  });
});

describe('what a market paid', () => {
  const resolution = (over: object) => ({
    data: [{ condition_id: '0xABC', status: 'resolved', payouts: [1_000_000, 0], ...over }],
  });

  it('is read in millionths', () => {
    expect(readPayouts(resolution({}))).toEqual(new Map([['0xabc', [1, 0]]]));
    expect(readPayouts(resolution({ payouts: [500_000, 500_000] }))?.get('0xabc')).toEqual([
      0.5, 0.5,
    ]);
  });

  it.each([
    [{ status: 'proposed' }],
    [{ payouts: null }],
    [{ payouts: undefined, price: '1000000000000000000' }],
    [{ payouts: [1, 0] }],
    [{ payouts: [1_000_000, 1_000_000] }],
    [{ payouts: [2_000_000, -1_000_000] }],
    [{ payouts: [] }],
  ])('is unknown with %j', (over) => {
    expect(readPayouts(resolution(over))).toEqual(new Map());
  });
});
