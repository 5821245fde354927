import type { Language } from '../language/language.ts';
import { type NumberFormat, withSign } from '../language/number-format.ts';
import { Exact, quotient } from '../lib/exact.ts';
import type { HeldOutcome } from '../portfolio/positions/held-markets.ts';
import {
  combineContexts,
  isOpening,
  type KnownFill,
  largestSize,
} from '../portfolio/trades/combined.ts';
import { presentParts, SEPARATOR } from './embed-parts.ts';
import { wordAmongFigures } from './text/escape.ts';

/** Separates the position before from the position now. */
export const ARROW = ' → ';
/**
 * Multiple of the usual size from which an alert mentions it, and from which its first line does.
 */
const SIZE_SHOWN_FROM = 2;
const SIZE_LEADS_FROM = 3;
/** Maximum code points of an outcome's name among figures. */
const SIDE_MAX = 24;

type CombinedContext = NonNullable<ReturnType<typeof combineContexts>>;

/**
 * Returns a line about how a trade changes the position: `**1,000 → 2,234.5 shares** · entry
 * 58.2¢`, or for a sale its gain, `−$24.80 (−5.6%) · closed · entry 69.98¢`. Undefined if not
 * exact. `showsShares`: whether it states the number of shares traded.
 *
 * @param fills of one wallet, market and action, oldest first
 */
export function positionLine(fills: readonly KnownFill[], language: Language) {
  const story = combineContexts(fills);
  if (story === undefined) return undefined;
  const isPurchase = story.action === 'Buy';
  const parts = isPurchase ? purchaseParts(story, language) : saleParts(story, language);
  const opposite = otherSide(fills, language);
  if (opposite !== undefined) parts.push(opposite);
  return { text: parts.join(SEPARATOR), showsShares: isPurchase };
}

/**
 * Returns the shares held of the market's other outcomes as a text; undefined if there are none.
 */
export function otherSide(fills: readonly KnownFill[], language: Language): string | undefined {
  const opposite = new Exact(combineContexts(fills)?.context.oppositeShares ?? 0);
  if (!opposite.gt(0)) return undefined;
  return language.texts.news.position.otherSide(language.format.shares(opposite.toNumber()));
}

/**
 * Returns the largest trade among fills as a multiple of the usual size, to a tenth below 9.95;
 * undefined below twice, and if too few trades are known.
 */
function timesUsual(fills: readonly KnownFill[]): number | undefined {
  const size = largestSize(fills);
  if (size === null || size.median <= 0) return undefined;
  const times = size.usdc / size.median;
  const rounded = times < 9.95 ? Math.round(times * 10) / 10 : Math.round(times);
  if (rounded >= SIZE_SHOWN_FROM) return rounded;
  return undefined;
}

/** Returns `2.2× usual`, for small print. */
export function sizeText(fills: readonly KnownFill[], language: Language): string | undefined {
  const times = timesUsual(fills);
  if (times === undefined) return undefined;
  return timesText(times, language);
}

/** Returns `**4.2× usual**`, for a first line; undefined below three times. */
export function leadingSize(fills: readonly KnownFill[], language: Language): string | undefined {
  const times = timesUsual(fills);
  if (times === undefined || times < SIZE_LEADS_FROM) return undefined;
  return `**${timesText(times, language)}**`;
}

function timesText(times: number, { texts, format }: Language): string {
  return texts.news.position.size(format.quantity(times));
}

/** Returns a sale's gain, for a line of a list. */
export function briefContext(fills: readonly KnownFill[], language: Language): string[] {
  const { realized = null, costOfSold = '0' } = combineContexts(fills)?.context ?? {};
  if (realized !== null) {
    return [gainText(realized, costOfSold, language, language.format.roundUsdc)];
  }
  return [];
}

/**
 * Returns the amount that a wallet has paid for its shares of an outcome: `**$1,705** Yes at 55¢`.
 */
export function holdingText(
  { cost, side, entryCents }: Omit<HeldOutcome, 'shares'>,
  language: Language,
): string {
  const { alerts, news } = language.texts;
  const paid = `**${language.format.roundUsdc(Number(cost))}**`;
  const outcome = wordAmongFigures(side, SIDE_MAX, alerts.headline.unknownOutcome, language);
  const price = language.format.cents(entryCents);
  return news.alsoHere.at(`${paid} ${outcome}`, price);
}

/**
 * Returns a figure with its sign, none for zero: `+$12.00`, `−$3.50`, `$0.00`.
 *
 * @param write formats the absolute value
 */
export function signed(figure: Exact, write: (size: number) => string): string {
  return withSign(signOf(figure), write(figure.abs().toNumber()));
}

/** Returns the sign of a figure; empty for zero. */
export function signOf(figure: Exact): string {
  if (figure.isZero()) return '';
  return figure.isNegative() ? '−' : '+';
}

/**
 * Returns a gain as a percentage of the cost, to a tenth: `+12.5%`. Undefined if the cost is zero.
 */
export function gainPercent(
  gain: Exact | string,
  cost: Exact | string,
  { format }: Language,
): string | undefined {
  if (!new Exact(cost).gt(0)) return undefined;
  const percent = quotient(gain, cost).times(100);
  return signed(percent.toDecimalPlaces(1), format.percent);
}

function purchaseParts(
  { traded, isWithoutGap, context }: CombinedContext,
  language: Language,
): string[] {
  const { entryCents, isFirstInMarket } = context;
  const before = Number(context.sharesBefore);
  const after = Number(context.sharesAfter);
  const { position } = language.texts.news;
  const { cents, shareCount, shares } = language.format;
  if (isOpening(context) && isWithoutGap) {
    return presentParts(
      position.opens(shares(traded.toNumber())),
      isFirstInMarket && position.firstInMarket,
    );
  }
  const change = isWithoutGap ? changeText(before, after, language) : position.now(shares(after));
  return presentParts(
    `**${change}**`,
    entryCents !== null && position.entry(cents(entryCents)),
    !isWithoutGap && position.bought(shareCount(traded.toNumber())),
  );
}

/**
 * Returns `1,000 → 2,235 shares`; with all decimals if four digits would show the same number
 * twice.
 */
function changeText(before: number, after: number, { texts, format }: Language): string {
  const { quantity, shareCount, shares } = format;
  if (shareCount(before) !== shareCount(after)) {
    return `${shareCount(before)}${ARROW}${shares(after)}`;
  }
  return `${quantity(before)}${ARROW}${texts.format.shares(quantity(after), after)}`;
}

function saleParts({ action, context }: CombinedContext, language: Language): string[] {
  const { sharesAfter, isClosed, entryCents, realized, costOfSold } = context;
  const { position } = language.texts.news;
  const { cents, shares } = language.format;
  const over = action === 'Sell' ? position.allSold : position.closes;
  return presentParts(
    realized !== null && gainText(realized, costOfSold, language),
    isClosed ? over : position.left(shares(Number(sharesAfter))),
    entryCents !== null && position.entry(cents(entryCents)),
  );
}

/**
 * Returns a sale's gain in USDC and as a percentage of its shares' cost: `**−$24.80** (−5.6%)`.
 *
 * @param amount formats USDC
 */
export function gainText(
  realized: Exact | string,
  costOfSold: Exact | string,
  language: Language,
  amount: NumberFormat['usdc'] = language.format.usdc,
): string {
  const gain = signed(new Exact(realized), amount);
  const percent = gainPercent(realized, costOfSold, language);
  return language.texts.news.gain(`**${gain}**`, percent);
}
