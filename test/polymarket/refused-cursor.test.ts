import { describe, expect, it } from 'vitest';
import {
  hash32,
  type SourceFault,
  sourceTrade,
  sourceTransfer,
} from '../support/polymarket-source.ts';
import { MARKET, openGateway, pagesOf, T0 } from './running.ts';

const CURSOR_REFUSED: SourceFault = {
  path: /^\/v2\/activity$/,
  query: /cursor=/,
  status: 400,
  body: '{"error":"offset is too large","code":"400"}',
};
/** Fills of two seconds, several of them equal to the letter. */
const FILLS = Array.from({ length: 24 }, (_, n) =>
  sourceTrade(MARKET, {
    timestamp: T0 + (n < 11 ? 0 : 1),
    transaction_hash: hash32(1 + (n % 3)),
    size: n % 2 === 0 ? 100 : 50,
  }),
);

describe('a cursor that the source refuses', () => {
  it.each([1, 2, 5, 7])(
    'does not end a walk in pages of %i: nothing is left out, nothing comes twice',
    async (limit) => {
      const { source, activity } = await openGateway();
      source.addMarkets(MARKET);
      source.list(...FILLS);
      const whole = (await activity('?limit=100')).items;
      const pages = await pagesOf(activity, limit, () => source.fail(CURSOR_REFUSED));
      expect(pages.flat()).toEqual(whole);
    },
  );

  it('once, in the middle of it, does not either, where newer rows have come', async () => {
    const { source, activity } = await openGateway();
    source.addMarkets(MARKET);
    source.list(...FILLS);
    const whole = (await activity('?limit=100')).items;
    const newer = (n: number) =>
      sourceTrade(MARKET, { timestamp: T0 + 1, transaction_hash: hash32(100 + n) });
    const pages = await pagesOf(activity, 5, (page) => {
      if (page > 2) return;
      source.fail(CURSOR_REFUSED);
      source.list(newer(page));
    });
    expect(pages.flat()).toEqual(whole);
  });

  it('keeps equal deposits without a hash apart', async () => {
    const { source, transfers } = await openGateway();
    source.list(...Array.from({ length: 9 }, () => sourceTransfer()));
    const whole = (await transfers()).items;
    const pages = await pagesOf(transfers, 2, () => source.fail(CURSOR_REFUSED));
    expect(pages.flat()).toEqual(whole);
    expect(new Set(whole.map(({ txHash }) => txHash)).size).toBe(9);
  });

  it('is said where the record before it is no longer listed', async () => {
    const { source, activity } = await openGateway();
    source.list(...FILLS);
    const { nextCursor } = await activity('?limit=5');
    const empty = JSON.stringify({ data: [], pagination: { has_more: false, next_cursor: null } });
    source.fail(CURSOR_REFUSED, { ...CURSOR_REFUSED, query: /end=/, status: 200, body: empty });
    const reply = await activity(`?limit=5&cursor=${encodeURIComponent(nextCursor ?? '')}`);
    expect(reply).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^cursor is no longer accepted.*offset is too large/),
    });
  });

  it('in the search for a transaction is a failure of the source, not of the request', async () => {
    const { source, activity } = await openGateway();
    source.list(
      ...Array.from({ length: 1_001 }, (_, n) =>
        sourceTrade(MARKET, { timestamp: T0 + n, transaction_hash: hash32(n + 1) }),
      ),
    );
    expect((await activity(`?txHash=${hash32(1)}`)).items).toHaveLength(1);
    source.fail(CURSOR_REFUSED);
    expect((await activity(`?txHash=${hash32(1)}&limit=7`)).status).toBe(502);
  });
});
