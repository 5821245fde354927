import type { Language } from '../language/language.ts';
import type { NumberFormat } from '../language/number-format.ts';
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

/** Stands between what was held before and what is held now. */
export const ARROW = ' → ';
/** Code points of an outcome's name among figures. */
const SIDE_MAX = 24;

type CombinedContext = NonNullable<ReturnType<typeof combineContexts>>;

/**
 * Says in one line how a trade changes the position: `1,000 → 2,234.5 shares, avg 58.2¢`, of a sale
 * its gain, `−$24.80 (−5.6%) · closed · entry 69.98¢`. Undefined if not exact. `saysShares`: it
 * says how many shares were traded.
 *
 * @param fills of one wallet, market and action, oldest first
 */
export function positionLine(fills: readonly KnownFill[], language: Language) {
  const story = combineContexts(fills);
  if (story === undefined) return undefined;
  const isPurchase = story.action === 'Buy';
  const parts = isPurchase ? purchaseParts(story, language) : saleParts(story, language);
  const { otherSide } = language.texts.news.position;
  const opposite = new Exact(story.context.oppositeShares);
  if (opposite.gt(0)) parts.push(otherSide(language.format.shares(opposite.toNumber())));
  return { text: parts.join(SEPARATOR), saysShares: isPurchase };
}

/**
 * `4.2 × usual size`, of the largest trade among fills, bold if unusual; undefined with too few
 * known trades.
 */
export function sizeText(
  fills: readonly KnownFill[],
  { texts, format: { quantity } }: Language,
): string | undefined {
  const size = largestSize(fills);
  if (size === null || size.median <= 0) return undefined;
  const text = texts.news.position.size(timesText(size.usdc / size.median, quantity));
  return size.usdc > size.p95 ? `**${text}**` : text;
}

/** `4.2`, `12`, `<0.1`: a multiple, to a tenth below 9.95. */
function timesText(times: number, quantity: NumberFormat['quantity']): string {
  if (times < 0.05) return `<${quantity(0.1)}`;
  if (times < 9.95) return quantity(Math.round(times * 10) / 10);
  return quantity(Math.round(times));
}

/** A sale's gain, or else an unusual size, for a line of a list. */
export function briefContext(fills: readonly KnownFill[], language: Language): string[] {
  const { realized = null, costOfSold = '0' } = combineContexts(fills)?.context ?? {};
  if (realized !== null) {
    return [gainText(realized, costOfSold, language, language.format.roundUsdc)];
  }
  const size = sizeText(fills, language);
  return size?.startsWith('**') ? [size] : [];
}

/** A wallet's shares of an outcome: `3,100 Yes at 55¢`. */
export function holdingText(
  { shares, side, entryCents }: Omit<HeldOutcome, 'cost'>,
  language: Language,
): string {
  const { alerts, news } = language.texts;
  const what = alerts.holdings.of(
    language.format.quantity(Number(shares)),
    wordAmongFigures(side, SIDE_MAX, alerts.headline.unknownOutcome),
  );
  return news.alsoHere.at(what, language.format.cents(entryCents));
}

/**
 * A figure with its sign, none of zero: `+$12.00`, `−$3.50`, `$0.00`. @param write how it is
 * written without
 */
export function signed(figure: Exact, write: (size: number) => string): string {
  return signOf(figure) + write(figure.abs().toNumber());
}

/** The sign of a figure; none of zero. */
export function signOf(figure: Exact): string {
  if (figure.isZero()) return '';
  return figure.isNegative() ? '−' : '+';
}

/**
 * A gain of what something had cost as a percentage, to a tenth: `+12.5%`. Undefined where that was
 * nothing.
 */
export function gainPercent(
  gain: Exact | string,
  cost: Exact | string,
  { format }: Language,
): string | undefined {
  if (!new Exact(cost).gt(0)) return undefined;
  return signed(quotient(gain, cost).times(100).toDecimalPlaces(1), format.percent);
}

function purchaseParts(
  { traded, isWithoutGap, context }: CombinedContext,
  language: Language,
): string[] {
  const { entryCents, isFirstInMarket } = context;
  const before = Number(context.sharesBefore);
  const after = Number(context.sharesAfter);
  const { position } = language.texts.news;
  const { cents, quantity, shares } = language.format;
  if (isOpening(context) && isWithoutGap) {
    return presentParts(
      position.opens(shares(traded.toNumber())),
      isFirstInMarket && position.firstInMarket,
    );
  }
  const entry = entryCents === null ? undefined : cents(entryCents);
  const held = position.held(shares(after), entry);
  if (isWithoutGap) return [`${quantity(before)}${ARROW}${held}`];
  return [position.now(held), position.bought(quantity(traded.toNumber()))];
}

function saleParts({ context }: CombinedContext, language: Language): string[] {
  const { sharesAfter, isClosed, entryCents, realized, costOfSold } = context;
  const { position } = language.texts.news;
  const { cents, shares } = language.format;
  return presentParts(
    realized !== null && gainText(realized, costOfSold, language),
    isClosed ? position.closes : position.left(shares(Number(sharesAfter))),
    entryCents !== null && position.entry(cents(entryCents)),
  );
}

/**
 * A sale's gain, in USDC and of what its shares had cost: `**−$24.80** (−5.6%)`. @param amount
 * writes USDC
 */
export function gainText(
  realized: Exact | string,
  costOfSold: Exact | string,
  language: Language,
  amount: NumberFormat['usdc'] = language.format.usdc,
): string {
  return language.texts.news.gain(
    `**${signed(new Exact(realized), amount)}**`,
    gainPercent(realized, costOfSold, language),
  );
}
