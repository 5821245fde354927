import fc from 'fast-check';
import type { Standing } from '../../src/portfolio/results/standing.ts';

/** A standing with these figures: an error of 0.05, and 19 of 31 closed markets won. */
export function standing(perDollar: number, changes: Partial<Omit<Standing, 'score'>> = {}, closed = 31): Standing {
  const isSmall = closed < 20;
  return {
    score: {
      markets: closed,
      winRate: 19 / 31,
      winRateLow: 0.4,
      winRateHigh: 0.8,
      perDollar,
      perDollarError: 0.05,
      isSmall,
      open: 0,
      oldestOpenSeconds: null,
      abandoned: 0,
    },
    won: Math.min(19, closed),
    overdue: 0,
    givenUp: 0,
    withOverdue: { perDollar, error: 0.05 },
    lowerBound: isSmall ? null : perDollar - 0.05,
    ...changes,
  };
}

const share = fc.oneof(
  fc.double({ min: -1, max: 3, noNaN: true }),
  fc.double({ min: -1, max: 1e12, noNaN: true }),
  fc.constantFrom(0, -1),
);
const error = fc.oneof(fc.double({ min: 0, max: 2, noNaN: true }), fc.double({ min: 0, max: 1e12, noNaN: true }));

/** Any standing that the sums can give. */
export const anyStanding: fc.Arbitrary<Standing> = fc
  .record({
    closed: fc.nat(500),
    won: fc.nat(500),
    open: fc.nat(40),
    overdue: fc.nat(40),
    givenUp: fc.nat(10_000),
    share,
    error,
    other: share,
  })
  .map(({ closed, won, open, overdue, givenUp, share: perDollar, error: own, other }) => {
    const sample = standing(
      other,
      {
        won: Math.min(won, closed),
        overdue,
        givenUp,
        withOverdue: { perDollar, error: closed + overdue < 2 ? null : own },
        lowerBound: closed < 20 ? null : perDollar - own,
      },
      closed,
    );
    return { ...sample, score: { ...sample.score, open, oldestOpenSeconds: open === 0 ? null : 1_795_257_000 } };
  });
