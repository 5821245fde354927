import fc from 'fast-check';
import type { CameBack } from '../../src/portfolio/came-back.ts';
import type { ChannelRecord } from '../../src/portfolio/record/channel-record.ts';
import type { Standing } from '../../src/portfolio/record/standing.ts';
import { luckCentsOf } from '../../src/portfolio/record/verdict.ts';

/** A standing with this edge and an error of 5 cents: 19 of 31 markets won, bought at 55 cents. */
export function standing(
  edgeCents: number,
  changes: Partial<Standing> = {},
  markets = 31,
): Standing {
  const won = Math.min(19, markets);
  return {
    markets,
    days: Math.min(12, markets),
    bought: markets,
    won,
    withoutEnd: 0,
    priceCents: markets === 0 ? null : 55,
    edgeCents: markets === 0 ? null : edgeCents,
    errorCents: markets === 0 ? null : 5,
    isRanked: markets >= 20,
    enoughAtSeconds: null,
    matureToSeconds: markets === 0 ? null : 1_795_219_200,
    oneIn: 1,
    ...changes,
  };
}

/**
 * A channel's record with that standing, of one wallet ranked, and nothing before: better than luck
 * from 13 cents on.
 */
export function channelRecord(
  edgeCents: number,
  changes: Partial<Standing> = {},
  markets = 31,
): ChannelRecord {
  const since = standing(edgeCents, changes, markets);
  const verdict = since.isRanked && edgeCents > 13 ? 'better' : 'none';
  return { since, before: null, verdict, luckCents: luckCentsOf(since, 1) };
}

const cents = fc.oneof(fc.double({ min: -110, max: 100, noNaN: true }), fc.constantFrom(0, -100));
const seconds = fc.integer({ min: 1_500_000_000, max: 2_000_000_000 });

const anyStanding: fc.Arbitrary<Standing> = fc
  .record({
    markets: fc.nat(5_000),
    won: fc.nat(5_000),
    withoutEnd: fc.nat(5_000),
    days: fc.nat(400),
    edge: cents,
    error: fc.double({ min: 0, max: 100, noNaN: true }),
    price: fc.double({ min: 0, max: 100, noNaN: true }),
    enoughAtSeconds: fc.option(seconds),
    oneIn: fc.constantFrom(1, 2, 8),
  })
  .map(({ markets, won, withoutEnd, days, edge, error, price, enoughAtSeconds, oneIn }) =>
    standing(
      edge,
      {
        won: Math.min(won, markets),
        withoutEnd: Math.min(withoutEnd, markets),
        days: Math.min(days, markets),
        ...(markets === 0 ? {} : { errorCents: error, priceCents: price }),
        isRanked: markets >= 20 && days >= 8,
        enoughAtSeconds: markets >= 20 ? null : enoughAtSeconds,
        oneIn,
      },
      markets,
    ),
  );

/** Any record that a channel can be shown. */
export const anyChannelRecord: fc.Arbitrary<ChannelRecord> = fc
  .record({
    since: anyStanding,
    before: fc.option(anyStanding.filter(({ markets }) => markets > 0)),
    verdict: fc.constantFrom('better', 'moreCompared', 'none'),
    among: fc.integer({ min: 1, max: 500 }),
  })
  .map(({ since, before, verdict, among }) => ({
    since,
    before,
    verdict,
    luckCents: luckCentsOf(since, among),
  }));

const amount = fc.constantFrom('0', '0.000001', '48200', `${'9'.repeat(40)}.${'7'.repeat(12)}`);

/** Any sum of returned money that a channel can be shown. */
export const anyCameBack: fc.Arbitrary<CameBack> = fc
  .record({
    untilSeconds: seconds,
    markets: fc.integer({ min: 20, max: 5_000 }),
    paidUsdc: amount,
    backUsdc: amount,
    withoutEnd: fc.record({ markets: fc.nat(5_000), paidUsdc: amount }),
    gain: fc.constantFrom(
      { sign: '', gainUsdc: null } as const,
      { sign: '+', gainUsdc: '3900.5' } as const,
      { sign: '-', gainUsdc: '-0.000001' } as const,
    ),
  })
  .map(({ gain, ...sum }) => ({ ...sum, ...gain }));
