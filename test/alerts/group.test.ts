import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupAlerts, groupKey, marketKey, sumUp, usdcOf } from '../../src/alerts/group.ts';
import { renderFills } from '../../src/embeds/fills-embed.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { marketKey as marketOf, outcomeKey } from '../../src/portfolio/market.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import type { ActivityItem } from '../../src/venue/schema.ts';
import { activityItem, transferItem } from '../venue/samples.ts';

const SCALE = 700n;
const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;

/** A double as it is written, times 10^700: whole, whatever double it is. */
function scaled(value: number): bigint {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const digits = BigInt(whole + fraction) * 10n ** (SCALE + BigInt(exponent) - BigInt(fraction.length));
  return sign === '-' ? -digits : digits;
}

function decimalScaled(value: Decimal): bigint {
  const text = value.toFixed(Number(SCALE));
  return BigInt(text.replace('.', ''));
}

const figure = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((micro) => micro / 1e6),
  fc.constantFrom(0.1, 0.2, 0.3, 1e-300, 5e-324),
);
const items = fc.array(
  fc
    .record({
      price: fc.oneof(
        fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
        fc.double({ min: 0, max: 100, noNaN: true }),
      ),
      quantity: figure.map(Math.abs),
      fee: figure,
      grossValue: figure,
      transferNetAmount: figure,
      txHash: fc.constantFrom('0xA', '0xa', '0xb', '0xc'),
      time: fc.integer({ min: 0, max: 2_000_000_000 }),
    })
    .map((changes): ActivityItem => ({ ...activityItem(), ...changes })),
  { minLength: 1, maxLength: 30 },
);
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + scaled(value), 0n);

describe('the figures of a group', () => {
  it('are exact sums, whatever the fills', () => {
    fc.assert(
      fc.property(items, (fills) => {
        const format = sumUp(fills);
        expect(decimalScaled(format.shares)).toBe(sumOf(fills.map(({ quantity }) => quantity)));
        expect(decimalScaled(format.grossUsdc)).toBe(sumOf(fills.map(({ grossValue }) => grossValue)));
        expect(decimalScaled(format.feeUsdc)).toBe(sumOf(fills.map(({ fee }) => fee)));
        expect(decimalScaled(format.netUsdc)).toBe(sumOf(fills.map(({ transferNetAmount }) => transferNetAmount)));
        expect(format.fills).toBe(fills.length);
        expect(format.transactions).toBe(new Set(fills.map(({ txHash }) => txHash.toLowerCase())).size);
        const alerts = fills.map((item) => ({
          id: 'x',
          wallet: WALLET,
          channelId: '1',
          event: { kind: 'activity', item } as const,
          seenAtMs: 0,
        }));
        const turnover = usdcOf(alerts);
        expect(turnover && decimalScaled(turnover)).toBe(
          sumOf(fills.map(({ transferNetAmount }) => Math.abs(transferNetAmount))),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('weigh the price by the volume, to the last of thirty digits', () => {
    fc.assert(
      fc.property(items, (fills) => {
        const { averageCents, lowestCents, highestCents } = sumUp(fills);
        const shares = sumOf(fills.map(({ quantity }) => quantity));
        if (shares === 0n) {
          expect(averageCents).toBeNull();
          return;
        }
        const weighted = fills.reduce((sum, { price, quantity }) => sum + scaled(price) * scaled(quantity), 0n);
        // The average times the shares, against the sum of price times quantity: all times 10^1400.
        const error = decimalScaled(averageCents as Decimal) * shares - weighted;
        expect((error < 0n ? -error : error) * 10n ** 30n <= weighted + shares).toBe(true);
        expect(averageCents?.gte(lowestCents) || averageCents?.minus(lowestCents).abs().lt(1e-30)).toBe(true);
        expect(averageCents?.lte(highestCents) || averageCents?.minus(highestCents).abs().lt(1e-30)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

const fill = (id: string, changes: Partial<ActivityItem>) => ({
  id,
  wallet: WALLET,
  channelId: '1',
  event: { kind: 'activity', item: { ...activityItem(), ...changes } } as const,
  seenAtMs: 0,
});

describe('fills belong together', () => {
  it('if wallet, market, outcome and action are the same, and nothing else does', () => {
    const others = [
      { conditionId: '0xd' },
      { positionSide: 'No' },
      { outcomeIndex: 1 },
      { tokenId: '5' },
      { action: 'Sell' },
    ];
    const apart = others.map((changes, index) => fill(`b${index}`, changes));
    const elsewhere = { ...fill('c', {}), wallet: `0x${'b'.repeat(40)}` as WalletAddress };
    const transfers = ['t1', 't2'].map((id) => ({
      ...fill(id, {}),
      event: { kind: 'transfer', item: transferItem() } as const,
    }));
    const together = [fill('a1', { price: 1 }), ...apart, fill('a2', { marketTitle: 'Re-worded' }), elsewhere];
    const groups = groupAlerts([...together, ...transfers]).map((group) => group.map(({ id }) => id));
    expect(groups).toEqual([['a1', 'a2'], ...apart.map(({ id }) => [id]), ['c'], ['t1'], ['t2']]);
  });
});

describe('an alert of several fills reads', () => {
  const buys = [
    fill('k1', { quantity: 500, price: 63, grossValue: 315, fee: 0.1, transferNetAmount: 315.1, time: 1_790_000_000 }),
    fill('k2', { quantity: 734.5, price: 64, grossValue: 470.08, fee: 0.2, transferNetAmount: 470.28 }),
    fill('k3', { quantity: 0.1, price: 64.5, grossValue: 0.0645, fee: 0, transferNetAmount: 0.0645, txHash: '0x2' }),
  ].map((alert, index) => ({
    ...alert,
    event: { ...alert.event, item: { ...alert.event.item, time: 1_790_000_000 + index * 10 } },
  }));
  const context = {
    label: 'Whale',
    language: ENGLISH,
    labelOf: () => 'Whale',
    links: createLinks({}),
    sentAtMs: 1_790_000_028_000,
  };
  const page = (alerts: typeof buys) => {
    const { title, description, footer } = renderFills(alerts as never, context);
    return `\n${title}\n${description}\n(${footer?.text})\n`;
  };

  it('for a purchase: what it came to, at which prices, and its largest fills', () => {
    expect(page(buys)).toMatchInlineSnapshot(`
      "
      Whale bought 1,234.6 Yes at 63.6¢ avg
      **Rain on Sunday?**
      Paid **$785.44** · gross $785.14 · fees $0.30
      average 63.6¢ (63.6 %) · best 63¢ · worst 64.5¢ · taker
      **3 fills** in 2 transactions:
      • 734.5 at 64¢ · $470.28
      • 500 at 63¢ · $315.10
      • 0.1 at 64.5¢ · $0.06
      <t:1790000020:R> · <t:1790000000:f> to <t:1790000020:f> · 0xaAaA…aaAa
      (Rang 8 s after the last fill, 28 s after the first · #k1)
      "
    `);
  });

  it('for redemptions: no price, for nobody traded at one', () => {
    const redeemed = buys.map((alert) => ({
      ...alert,
      event: { ...alert.event, item: { ...alert.event.item, action: 'Redeem', price: 100, transferNetAmount: -5 } },
    }));
    expect(page(redeemed)).toMatchInlineSnapshot(`
      "
      Whale redeemed 1,234.6 Yes, paid out $15.00
      **Rain on Sunday?**
      Received **$15.00** · gross $785.14 · fees $0.30
      **3 redemptions** in 2 transactions:
      • 734.5 · $5.00
      • 500 · $5.00
      • 0.1 · $5.00
      <t:1790000020:R> · <t:1790000000:f> to <t:1790000020:f> · 0xaAaA…aaAa
      (Rang 8 s after the last redemption, 28 s after the first · #k1)
      "
    `);
  });

  it('for a sale at one price, and says how many fills it does not list', () => {
    const sold = Array.from({ length: 8 }, (_, index) =>
      fill(`s${index}`, { action: 'Sell', price: 71, quantity: index + 1, transferNetAmount: -0.71 * (index + 1) }),
    );
    expect(page(sold)).toMatchInlineSnapshot(`
      "
      Whale sold 36 Yes at 71¢
      **Rain on Sunday?**
      Received **$25.56** · gross $417.60 · fees $4.16
      all at 71¢ (71 %) · taker
      **8 fills** in one transaction:
      • 8 at 71¢ · $5.68
      • 7 at 71¢ · $4.97
      • 6 at 71¢ · $4.26
      • 5 at 71¢ · $3.55
      • 4 at 71¢ · $2.84
      … and 3 smaller
      <t:1790000000:R> · <t:1790000000:f> · 0xaAaA…aaAa
      (Rang 28 s after the fills · #s0)
      "
    `);
  });
});

describe('which market and outcome a trade is of', () => {
  const id = (name: string) => fc.constantFrom('', `${name}1`, `${name}2`);
  const trade = fc
    .record({ tokenId: id('t'), conditionId: id('c'), marketId: id('m'), marketSlug: id('s') })
    .map((changes): ActivityItem => ({ ...activityItem(), ...changes }));
  const alertOf = (item: ActivityItem) => ({
    id: 'x',
    wallet: WALLET,
    channelId: '1',
    event: { kind: 'activity', item } as const,
    seenAtMs: 0,
  });

  it('is the same to alerts as to the book, whichever identifiers the venue leaves out', () => {
    fc.assert(
      fc.property(trade, trade, (one, other) => {
        const [a, b] = [alertOf(one), alertOf(other)];
        const isSameMarket = marketOf(one) === marketOf(other);
        expect(marketKey(WALLET, a) === marketKey(WALLET, b)).toBe(isSameMarket);
        expect(groupKey(a) === groupKey(b)).toBe(isSameMarket && outcomeKey(one) === outcomeKey(other));
      }),
    );
  });
});
