import type { ActivityItem } from '../domain/records.ts';
import { gainPercent, signOf } from '../embeds/context-lines.ts';
import { present } from '../embeds/embed-parts.ts';
import { fullRecord } from '../embeds/record-lines.ts';
import type { Language } from '../language/language.ts';
import { Exact } from '../lib/exact.ts';
import { entryKeys } from '../portfolio/market.ts';
import { type Portfolio, positionsIn } from '../portfolio/portfolio.ts';
import { averageEntryCents, EMPTY_HOLDING } from '../portfolio/positions/position.ts';
import type { RoomRecord } from '../portfolio/record/standing.ts';
import type { ResultNews } from '../portfolio/results/alerted-positions.ts';
import type { TradeContext, TradeSize } from '../portfolio/trade-context.ts';
import type { DetailsRecord } from './records.ts';

/** Digits behind the point of what is worked out by a division. */
const ROUNDED_DIGITS = 6;

/** What is held of the outcome of an item: shares, average entry price if it is some, and what it cost; null if it is not known exactly. */
export function positionNow(portfolio: Portfolio, item: ActivityItem) {
  const { market, outcome } = entryKeys(item);
  const known = positionsIn(portfolio, { marketId: item.marketId, key: market });
  if (known === null) return null;
  const held = known.find((position) => position.outcome === outcome)?.held ?? EMPTY_HOLDING;
  return { shares: held.shares, entryCents: averageEntryCents(held), cost: held.cost };
}

/** What is known beside the venue's records, and as of when: the alert, or now. */
export type Knowledge =
  | ({ readonly when: 'atAlert' } & Pick<DetailsRecord, 'record' | 'position' | 'size' | 'results' | 'seenAtMs'>)
  | {
      readonly when: 'asOfNow';
      readonly record: RoomRecord | null;
      readonly position: ReturnType<typeof positionNow>;
    };

/** What is known of the position, a line each. */
export function positionLines(knowledge: Knowledge, language: Language): readonly string[] {
  const { position } = language.texts.details;
  if (knowledge.when === 'atAlert') {
    const known = knowledge.position === null ? [position.unknownThen] : linesThen(knowledge.position, language);
    return [
      ...known,
      ...knowledge.results.map((result) => resultLine(result, language)),
      ...(knowledge.size === null ? [] : [sizeLine(knowledge.size, language)]),
    ];
  }
  const held = knowledge.position;
  if (held === null) return [position.unknownNow];
  return [
    present(
      position.holds(sharesText(held.shares, language)),
      held.entryCents === null ? undefined : position.entry(roundedCents(held.entryCents, language)),
      new Exact(held.cost).isZero() ? undefined : position.cost(roundedUsdc(held.cost, language)),
    ),
  ];
}

function linesThen(known: TradeContext, language: Language): readonly string[] {
  const { position } = language.texts.details;
  const { realized, costOfSold, oppositeShares } = known;
  return [
    present(
      `${language.exact.quantity(known.sharesBefore)} → ${sharesText(known.sharesAfter, language)}`,
      known.entryCents === null ? undefined : position.entry(roundedCents(known.entryCents, language)),
    ),
    ...(realized === null ? [] : [position.realized(...gainOf(new Exact(realized), costOfSold, language))]),
    ...(new Exact(oppositeShares).isZero() ? [] : [position.otherSide(sharesText(oppositeShares, language))]),
    ...(known.isFirstInMarket ? [position.firstInMarket] : []),
  ];
}

/** What came of what the channel was alerted to. */
function resultLine({ paid, received, fees }: ResultNews, language: Language): string {
  const { news, details } = language.texts;
  return present(
    details.position.result(...gainOf(new Exact(received).minus(paid), paid, language)),
    news.result.cost(roundedUsdc(paid, language)),
    news.result.received(roundedUsdc(received, language)),
    new Exact(fees).isZero() ? undefined : news.result.fees(roundedUsdc(fees, language)),
  );
}

/** A gain with its sign, and as a part of what was paid. */
function gainOf(gain: Exact, paid: string, language: Language): [gain: string, percent: string | undefined] {
  return [signedUsdcText(gain, language), gainPercent(gain, paid, language)];
}

function sizeLine({ usdc, trades, p95 }: TradeSize, language: Language): string {
  const { texts, exact, format } = language;
  return texts.details.position.size(exact.usdc(usdc), format.quantity(trades), roundedUsdc(p95, language));
}

/** The wallet's record for the channel, a line each. */
export function recordLines(record: RoomRecord | null, language: Language): readonly string[] {
  const isEmpty = record === null || (record.since.markets === 0 && record.before === null);
  return isEmpty ? [language.texts.details.record.none] : fullRecord(record, language);
}

/** A moment to the second, in the reader's own zone. @param seconds Unix seconds */
export function moment(seconds: number): string {
  return `<t:${seconds}:d> <t:${seconds}:T>`;
}

/** A price that was worked out: after ≈ where it has been rounded. */
export function roundedCents(cents: Exact | number, { exact }: Language): string {
  return rounded(new Exact(cents), exact.cents);
}

/** The same of an amount of USDC. */
export function roundedUsdc(usdc: Exact | number | string, { exact }: Language): string {
  return rounded(new Exact(usdc), exact.usdc);
}

/** The same with its sign. */
export function signedUsdcText(usdc: Exact, { exact }: Language): string {
  return rounded(usdc, (figure) => signOf(usdc) + exact.usdc(figure.abs()));
}

/** A number of shares with its unit and all its digits. */
export function sharesText(shares: Exact | string, { texts, exact }: Language): string {
  const figure = new Exact(shares);
  return texts.format.shares(exact.quantity(figure), figure.toNumber());
}

function rounded(whole: Exact, write: (figure: Exact) => string): string {
  const figure = whole.toDecimalPlaces(ROUNDED_DIGITS);
  return `${figure.eq(whole) ? '' : '≈ '}${write(figure)}`;
}
