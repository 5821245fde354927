import type { ActivityItem } from '../domain/records.ts';
import { gainPercent, signOf } from '../embeds/context-lines.ts';
import { CLOSE_SECONDS, present } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import { withSign } from '../language/number-format.ts';
import { Exact } from '../lib/exact.ts';
import { entryKeys } from '../portfolio/market.ts';
import { type Portfolio, positionsIn } from '../portfolio/portfolio.ts';
import { averageEntryCents, EMPTY_HOLDING } from '../portfolio/positions/position.ts';
import type { ChannelRecord } from '../portfolio/record/channel-record.ts';
import type { ResultNews } from '../portfolio/results/alerted-positions.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import type { DetailsRecord } from './records.ts';

/** Maximum decimals of a computed figure. */
const ROUNDED_DIGITS = 6;

/**
 * Returns a wallet's position in an item's outcome: shares, average entry price if any, and cost;
 * null if not known exactly.
 */
export function positionNow(portfolio: Portfolio, item: ActivityItem) {
  const { market, outcome } = entryKeys(item);
  const known = positionsIn(portfolio, { marketId: item.marketId, key: market });
  if (known === null) return null;
  const held = known.find((position) => position.outcome === outcome)?.held ?? EMPTY_HOLDING;
  return { shares: held.shares, entryCents: averageEntryCents(held), cost: held.cost };
}

/** Knowledge in addition to the venue's records, and its time: the alert, or now. */
export type Knowledge =
  | ({ readonly when: 'atAlert' } & Pick<
      DetailsRecord,
      'record' | 'position' | 'size' | 'results' | 'seenAtMs'
    >)
  | {
      readonly when: 'asOfNow';
      readonly record: ChannelRecord | null;
      /** `later`: not shown, because the channel is delayed. */
      readonly position: ReturnType<typeof positionNow> | 'later';
    };

/** Sum of all records of an alert with a single outcome. */
export interface WholeTrade {
  readonly isPurchase: boolean;
  readonly shares: Exact;
}

/**
 * @param trade null if not all of the alert's records are known, or if they have several outcomes
 */
export function positionLines(
  knowledge: Knowledge,
  language: Language,
  trade: WholeTrade | null,
): readonly string[] {
  if (knowledge.when === 'asOfNow') return [lineNow(knowledge.position, language)];
  const { position } = language.texts.details;
  const { size, results } = knowledge;
  const { exact, format } = language;
  const lines: string[] = [];
  if (knowledge.position === null) lines.push(position.unknownThen);
  else lines.push(...linesThen(knowledge.position, language, trade));
  for (const result of results) lines.push(resultLine(result, language));
  if (size !== null && size.usdc > size.p95) {
    const usdc = exact.usdc(size.usdc);
    const trades = format.quantity(size.trades);
    // A percentile is nobody's actual amount, so cents are precise enough.
    lines.push(position.size(usdc, trades, format.usdc(size.p95)));
  }
  return lines;
}

function lineNow(
  held: Extract<Knowledge, { when: 'asOfNow' }>['position'],
  language: Language,
): string {
  const { position } = language.texts.details;
  if (held === 'later') return position.laterNow;
  if (held === null) return position.unknownNow;
  const { shares, entryCents, cost } = held;
  return present(
    position.holds(sharesText(shares, language)),
    entryCents !== null && position.entry(rounded(entryCents, language.exact.cents)),
    !new Exact(cost).isZero() && position.cost(rounded(cost, language.exact.usdc)),
  );
}

function linesThen(
  known: TradeContext,
  language: Language,
  trade: WholeTrade | null,
): readonly string[] {
  const { position } = language.texts.details;
  const { sharesBefore, sharesAfter, entryCents, realized, costOfSold, oppositeShares } = known;
  const { exact } = language;
  const change = `${exact.quantity(sharesBefore)} → ${sharesText(sharesAfter, language)}`;
  const entry = entryCents !== null && position.entry(rounded(entryCents, exact.cents));
  const besides = trade !== null && meanwhile(known, trade, language);
  const lines = [present(change, entry, besides)];
  if (realized !== null) {
    lines.push(position.realized(...gainOf(new Exact(realized), costOfSold, language)));
  }
  if (!new Exact(oppositeShares).isZero()) {
    lines.push(position.otherSide(sharesText(oppositeShares, language)));
  }
  if (known.isFirstInMarket) lines.push(position.firstInMarket);
  return lines;
}

/**
 * Returns what the wallet did between the alert's own trades, if these do not account for the whole
 * change of its position.
 */
function meanwhile(
  { sharesBefore, sharesAfter }: TradeContext,
  { isPurchase, shares }: WholeTrade,
  language: Language,
): string | undefined {
  const { position } = language.texts.details;
  const own = isPurchase ? shares : shares.neg();
  const others = new Exact(sharesAfter).minus(sharesBefore).minus(own);
  if (others.isZero()) return undefined;
  const amount = sharesText(others.abs(), language);
  if (others.isNegative()) return position.soldMeanwhile(amount);
  return position.boughtMeanwhile(amount);
}

function resultLine({ paid, received, fees }: ResultNews, language: Language): string {
  const { news, details } = language.texts;
  const usdc = (amount: string) => rounded(amount, language.exact.usdc);
  const gain = new Exact(received).minus(paid);
  const parts = [
    details.position.result(...gainOf(gain, paid, language)),
    news.result.cost(usdc(paid)),
    news.result.received(usdc(received)),
  ];
  if (!new Exact(fees).isZero()) parts.push(news.result.fees(usdc(fees)));
  return present(...parts);
}

/** Returns a gain with its sign, and as a percentage of the amount paid. */
function gainOf(
  gain: Exact,
  paid: string,
  language: Language,
): [gain: string, percent: string | undefined] {
  const usdc = rounded(gain, (figure) => withSign(signOf(gain), language.exact.usdc(figure.abs())));
  return [usdc, gainPercent(gain, paid, language)];
}

/**
 * Returns a time to the second, in the reader's own zone.
 *
 * @param seconds Unix seconds
 * @param shownSeconds a time already shown with its date; a time less than 12 hours away needs no
 *   date
 */
export function moment(seconds: number, shownSeconds = Number.NEGATIVE_INFINITY): string {
  const time = `<t:${seconds}:T>`;
  const isNear = Math.abs(seconds - shownSeconds) < CLOSE_SECONDS;
  return isNear ? time : `<t:${seconds}:d> ${time}`;
}

/** Returns a number of shares with its unit and all its digits. */
export function sharesText(shares: Exact | string, { texts, exact }: Language): string {
  const figure = new Exact(shares);
  return texts.format.shares(exact.quantity(figure), figure.toNumber());
}

/** Formats a computed figure, with ≈ if it was rounded. */
export function rounded(worked: Exact | number | string, write: (figure: Exact) => string): string {
  const whole = new Exact(worked);
  const figure = whole.toDecimalPlaces(ROUNDED_DIGITS);
  return figure.eq(whole) ? write(figure) : `≈ ${write(figure)}`;
}
