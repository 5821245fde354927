import type { ActivityItem } from '../domain/records.ts';
import { gainPercent, signOf } from '../embeds/context-lines.ts';
import { present } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import { Exact } from '../lib/exact.ts';
import { entryKeys } from '../portfolio/market.ts';
import { type Portfolio, positionsIn } from '../portfolio/portfolio.ts';
import { averageEntryCents, EMPTY_HOLDING } from '../portfolio/positions/position.ts';
import type { RoomRecord } from '../portfolio/record/room-record.ts';
import type { ResultNews } from '../portfolio/results/alerted-positions.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import type { DetailsRecord } from './records.ts';

/** Digits behind the point of what is worked out by a division. */
const ROUNDED_DIGITS = 6;

/**
 * What is held of an item's outcome: shares, average entry price if any, and cost; null if not
 * known exactly.
 */
export function positionNow(portfolio: Portfolio, item: ActivityItem) {
  const { market, outcome } = entryKeys(item);
  const known = positionsIn(portfolio, { marketId: item.marketId, key: market });
  if (known === null) return null;
  const held = known.find((position) => position.outcome === outcome)?.held ?? EMPTY_HOLDING;
  return { shares: held.shares, entryCents: averageEntryCents(held), cost: held.cost };
}

/** What is known beside the venue's records, and as of when: the alert, or now. */
export type Knowledge =
  | ({ readonly when: 'atAlert' } & Pick<
      DetailsRecord,
      'record' | 'position' | 'size' | 'results' | 'seenAtMs'
    >)
  | {
      readonly when: 'asOfNow';
      readonly record: RoomRecord | null;
      readonly position: ReturnType<typeof positionNow>;
    };

export function positionLines(knowledge: Knowledge, language: Language): readonly string[] {
  const { position } = language.texts.details;
  if (knowledge.when === 'atAlert') {
    const { size, results } = knowledge;
    const known =
      knowledge.position === null
        ? [position.unknownThen]
        : linesThen(knowledge.position, language);
    const lines = [...known, ...results.map((result) => resultLine(result, language))];
    if (size === null) return lines;
    const [usdc, trades] = [language.exact.usdc(size.usdc), language.format.quantity(size.trades)];
    return [...lines, position.size(usdc, trades, rounded(size.p95, language.exact.usdc))];
  }
  const held = knowledge.position;
  if (held === null) return [position.unknownNow];
  return [
    present(
      position.holds(sharesText(held.shares, language)),
      held.entryCents === null
        ? undefined
        : position.entry(rounded(held.entryCents, language.exact.cents)),
      new Exact(held.cost).isZero()
        ? undefined
        : position.cost(rounded(held.cost, language.exact.usdc)),
    ),
  ];
}

function linesThen(known: TradeContext, language: Language): readonly string[] {
  const { position } = language.texts.details;
  const { realized, costOfSold, oppositeShares } = known;
  return [
    present(
      `${language.exact.quantity(known.sharesBefore)} → ${sharesText(known.sharesAfter, language)}`,
      known.entryCents === null
        ? undefined
        : position.entry(rounded(known.entryCents, language.exact.cents)),
    ),
    ...(realized === null
      ? []
      : [position.realized(...gainOf(new Exact(realized), costOfSold, language))]),
    ...(new Exact(oppositeShares).isZero()
      ? []
      : [position.otherSide(sharesText(oppositeShares, language))]),
    ...(known.isFirstInMarket ? [position.firstInMarket] : []),
  ];
}

function resultLine({ paid, received, fees }: ResultNews, language: Language): string {
  const { news, details } = language.texts;
  return present(
    details.position.result(...gainOf(new Exact(received).minus(paid), paid, language)),
    news.result.cost(rounded(paid, language.exact.usdc)),
    news.result.received(rounded(received, language.exact.usdc)),
    new Exact(fees).isZero() ? undefined : news.result.fees(rounded(fees, language.exact.usdc)),
  );
}

/** A gain with its sign, and as a part of what was paid. */
function gainOf(
  gain: Exact,
  paid: string,
  language: Language,
): [gain: string, percent: string | undefined] {
  const signed = rounded(gain, (figure) => signOf(gain) + language.exact.usdc(figure.abs()));
  return [signed, gainPercent(gain, paid, language)];
}

/** A moment to the second, in the reader's own zone. @param seconds Unix seconds */
export function moment(seconds: number): string {
  return `<t:${seconds}:d> <t:${seconds}:T>`;
}

/** A number of shares with its unit and all its digits. */
export function sharesText(shares: Exact | string, { texts, exact }: Language): string {
  const figure = new Exact(shares);
  return texts.format.shares(exact.quantity(figure), figure.toNumber());
}

/** A figure that was worked out: after ≈ where it has been rounded. */
export function rounded(worked: Exact | number | string, write: (figure: Exact) => string): string {
  const whole = new Exact(worked);
  const figure = whole.toDecimalPlaces(ROUNDED_DIGITS);
  return `${figure.eq(whole) ? '' : '≈ '}${write(figure)}`;
}
