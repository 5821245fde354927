import type { AccountsQuestion } from '../../../src/portfolio/came-back.ts';
import { matureTo, sumOf } from '../../../src/portfolio/record/record.ts';
import { seededRandom } from '../schedule-random.ts';
import { ANSWERS, type AnswerName, outcomesOf, type Said } from './answers.ts';
import { ENDING_STYLES } from './ending-styles.ts';
import { playLife } from './styles.ts';
import { type TrueMarket, trueMarkets } from './truth.ts';
import { type Look, watchLife } from './watched-life.ts';

const LOOK_DAYS = [14, 60, 120, 240];
/** Edges of wallets: by how much the true probability exceeds the price, 0 to 1. */
const EDGES = [0, 0.1];
/** Shares of the markets that others settle. */
const OTHERS = [0, 0.3, 0.9];
/** Sum of the prices of first purchases from which a sum must be shown. */
const PRICES_NEEDED = 20;
/** Share of a sum that rounding and dust may account for. */
const ROUNDING = 0.001;
/** On this day at least this share of the style's wallets has a sum. */
const HOLDERS = { style: 'holds to the end', day: 60, share: 0.95 };
/**
 * Number of standard errors, plus a hundredth, by which a gain must exceed 0 to count. With fewer
 * runs the hundredth is small compared with the errors, and out of about three hundred cells a few
 * would exceed two by luck alone.
 */
const ERRORS = { runs: 500, enough: 2, fewer: 3 };
const ABOVE_ZERO = 0.01;

/** Promises that the stated sums must keep. */
export const PROMISES = {
  fair: 'without edge no more came back than was paid',
  true: 'what is said came back is what came back of all markets up to D, less at most what has no known end',
  sign: 'no gain is called a loss, and no loss a gain',
  shown: 'it is said of every wallet that has a D and whose prices come to 20, and of no other',
  date: 'D is that of the record and never goes back, and what has no known end by the record has none here',
} as const;
export type Promised = keyof typeof PROMISES;

export interface CameBackOptions {
  readonly runs: number;
  readonly seed: number;
  readonly as: AnswerName;
  /** The name of a style; all styles if empty. */
  readonly style: string;
  readonly edges?: readonly number[];
  readonly others?: readonly number[];
}

/** The sums stated for wallets of a style on a day, and the promises they broke. */
export interface Cell {
  readonly style: string;
  readonly edgeCents: number;
  readonly othersPercent: number;
  readonly days: number;
  readonly runs: number;
  readonly shownPercent: number;
  /** The returned sum beyond what was paid, over all wallets, and its standard error around 0. */
  readonly gainPercent: number;
  readonly errorPercent: number;
  /** Largest deviations above and below the truth, relative to a wallet's cost. */
  readonly abovePercent: number;
  readonly belowPercent: number;
  /** Shares of the shown sums with each sign, and the number of wrong signs. */
  readonly plusPercent: number;
  readonly minusPercent: number;
  readonly wrongSigns: number;
  readonly broken: readonly Promised[];
}

/** One wallet on one day. */
interface Seen {
  readonly said: Said | null;
  readonly truth: Truth;
  readonly broken: readonly Promised[];
}

/** The true outcome of all markets first bought up to D. */
interface Truth {
  readonly untilSeconds: number | null;
  readonly prices: number;
  readonly paid: number;
  readonly back: number;
  readonly backUnknown: number;
}

/**
 * Plays wallets of each style and compares the stated sums with the truth; yields a cell for each
 * day on which they are compared.
 */
export function* checkCameBack(options: CameBackOptions): Generator<Cell> {
  const { runs, seed, as, style: name, edges = EDGES, others: parts = OTHERS } = options;
  for (const style of ENDING_STYLES.filter((each) => name === '' || each.name === name)) {
    for (const edge of edges) {
      for (const others of parts) {
        const cells = new Map(LOOK_DAYS.map((day): [number, Seen[]] => [day, []]));
        for (let nth = 0; nth < runs; nth += 1) {
          const seedOfRun = seed * 1_000_003 + nth * 7919 + 1;
          const life = playLife(style, {
            random: seededRandom(seedOfRun),
            days: Math.max(...LOOK_DAYS),
            edge,
          });
          for (const look of watchLife(life, others, seededRandom(seedOfRun + 1), LOOK_DAYS)) {
            const markets = trueMarkets(life, look.settlements, look.nowSeconds);
            cells.get(look.day)?.push(see(look, markets, as));
          }
        }
        const about = { style: style.name, edgeCents: edge * 100, othersPercent: others * 100 };
        for (const [days, seen] of cells) yield sumUp({ ...about, days, runs }, seen);
      }
    }
  }
}

function see(look: Look, markets: readonly TrueMarket[], as: AnswerName): Seen {
  const { portfolio, record } = look.knowledge;
  const question: AccountsQuestion = {
    accounts: portfolio.accounts,
    record,
    fromSeconds: 0,
    nowSeconds: look.nowSeconds,
    settlementOf: (market) => look.settlements.get(market),
  };
  const said = ANSWERS[as](question);
  const truth = truthOf(look, markets);
  const broken: Promised[] = [];
  if (said !== null && isUntrue(said, truth)) broken.push('true');
  if (said !== null && isFalseSign(said, truth)) broken.push('sign');
  const isDue = truth.untilSeconds !== null && truth.prices >= PRICES_NEEDED;
  if ((said !== null) !== isDue) broken.push('shown');
  const isOtherDate = said !== null && said.untilSeconds !== truth.untilSeconds;
  if (isOtherDate || look.wentBack || hasOtherEnds(look, question)) broken.push('date');
  return { said, truth, broken };
}

function truthOf(
  { knowledge: { record }, nowSeconds }: Look,
  markets: readonly TrueMarket[],
): Truth {
  const untilSeconds = matureTo(record.markets, record.matureToSeconds, nowSeconds);
  const counted = markets.filter(
    ({ firstSeconds }) => untilSeconds !== null && firstSeconds <= untilSeconds,
  );
  return {
    untilSeconds,
    prices: sumOf(counted, ({ price }) => price),
    paid: sumOf(counted, ({ paid }) => paid),
    back: sumOf(counted, ({ back }) => back),
    backUnknown: sumOf(counted, ({ backUnknown }) => backUnknown),
  };
}

/**
 * Returns by how much the stated sum exceeds the truth, relative to the cost; negative if it is
 * below.
 */
function aboveTruth(said: Said, truth: Truth): number {
  return said.back / said.paid - truth.back / truth.paid;
}

function isUntrue(said: Said, truth: Truth): boolean {
  const above = aboveTruth(said, truth);
  return !(above <= ROUNDING && above >= -truth.backUnknown / truth.paid - ROUNDING);
}

function isFalseSign({ sign }: Said, { paid, back }: Truth): boolean {
  const rounding = paid * 1e-9;
  if (sign === '+') return back < paid + rounding;
  return sign === '-' && back > paid - rounding;
}

/** Whether a market that is unresolved according to the record has a known outcome here. */
function hasOtherEnds({ knowledge: { record } }: Look, question: AccountsQuestion): boolean {
  const ended = new Set(
    outcomesOf(question)
      .filter(({ outcome }) => outcome.withoutEnd.shares.isZero())
      .map(({ market }) => market),
  );
  return record.markets.some(
    ({ closedSeconds, market }) => closedSeconds === null && ended.has(market),
  );
}

type About = Pick<Cell, 'style' | 'edgeCents' | 'othersPercent' | 'days' | 'runs'>;

function sumUp(about: About, seen: readonly Seen[]): Cell {
  const shown = seen.flatMap(({ said, truth }) =>
    said === null ? [] : [{ ...said, truth, above: aboveTruth(said, truth) }],
  );
  const paid = sumOf(shown, (each) => each.paid);
  const gain = shown.length === 0 ? 0 : sumOf(shown, (each) => each.back - each.paid) / paid;
  // Around 0, which is the truth without an edge. Around their mean, one wallet with most of the
  // cost would have no error.
  const squares = sumOf(shown, (each) => (each.back - each.paid) ** 2);
  const error = shown.length === 0 ? 0 : Math.sqrt(squares) / paid;
  const shareOf = (count: number, of: number) => (of === 0 ? 0 : (100 * count) / of);
  const broken = new Set(seen.flatMap((each) => each.broken));
  const errors = about.runs >= ERRORS.runs ? ERRORS.enough : ERRORS.fewer;
  if (about.edgeCents === 0 && gain > errors * error + ABOVE_ZERO) broken.add('fair');
  const isOfHolders = about.style === HOLDERS.style && about.days === HOLDERS.day;
  if (isOfHolders && shown.length < HOLDERS.share * seen.length) broken.add('shown');
  return {
    ...about,
    shownPercent: shareOf(shown.length, seen.length),
    gainPercent: 100 * gain,
    errorPercent: 100 * error,
    abovePercent: 100 * Math.max(0, ...shown.map(({ above }) => above)),
    belowPercent: 100 * Math.max(0, ...shown.map(({ above }) => -above)),
    plusPercent: shareOf(shown.filter(({ sign }) => sign === '+').length, shown.length),
    minusPercent: shareOf(shown.filter(({ sign }) => sign === '-').length, shown.length),
    wrongSigns: shown.filter((each) => isFalseSign(each, each.truth)).length,
    broken: [...broken],
  };
}
