import type { ActivityItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import type { NumberFormat } from '../language/number-format.ts';
import { Exact, quotient, sum, toDecimalText } from '../lib/exact.ts';
import { outcomeKey } from '../portfolio/market.ts';
import type { HeldOutcome } from '../portfolio/positions/held-markets.ts';
import { DUST_SHARES } from '../portfolio/positions/position.ts';
import type { Effect, TradeContext, TradeSize } from '../portfolio/trade-context.ts';
import { SEPARATOR } from './embed-parts.ts';
import { wordAmongFigures } from './text/escape.ts';

/** From what was held before to what is held now. */
export const ARROW = ' → ';
/** Code points of an outcome's name among figures. */
const SIDE_MAX = 24;

interface KnownFill {
  readonly item: ActivityItem;
  readonly context?: TradeContext | undefined;
  readonly size?: TradeSize | undefined;
}

type CombinedContext = NonNullable<ReturnType<typeof combineContexts>>;

/**
 * What a trade does to the position, in one line: `1,000 → 2,234.5 shares, avg 58.2¢`, of a sale
 * what it has gained, `−$24.80 (−5.6%) · closed · entry 69.98¢`. Undefined if not exact.
 * `saysShares`: it says how many shares were traded.
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
 * What fills of one wallet, market and action do together, whatever was left out between; undefined
 * if not exact.
 */
export function effectOf(fills: readonly KnownFill[]): Effect | undefined {
  const story = combineContexts(fills);
  if (story === undefined) return undefined;
  if (story.action === 'Buy') return isOpening(story.context) ? 'opens' : 'adds';
  return story.context.isClosed ? 'closes' : 'reduces';
}

/** Whether nothing was held before a purchase, but for dust. */
function isOpening(context: TradeContext): boolean {
  return context.isOpening === true || new Exact(context.sharesBefore).isZero();
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
  const times = size.usdc / size.median;
  const rounded = quantity(times < 9.95 ? Math.round(times * 10) / 10 : Math.round(times));
  const text = texts.news.position.size(times < 0.05 ? `<${quantity(0.1)}` : rounded);
  return size.usdc > size.p95 ? `**${text}**` : text;
}

/** What a sale has gained, or else an unusual size, for a line of a list. */
export function briefContext(fills: readonly KnownFill[], language: Language): string[] {
  const { realized = null, costOfSold = '0' } = combineContexts(fills)?.context ?? {};
  if (realized !== null)
    return [gainText(realized, costOfSold, language, language.format.roundUsdc)];
  const size = sizeText(fills, language);
  return size?.startsWith('**') ? [size] : [];
}

/** What is held of an outcome: `3,100 Yes at 55¢`. */
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
  return new Exact(cost).gt(0)
    ? signed(quotient(gain, cost).times(100).toDecimalPlaces(1), format.percent)
    : undefined;
}

export function combineContexts(fills: readonly KnownFill[]) {
  const included = fills.flatMap(({ item, context }) =>
    context === undefined ? [] : [{ item, context }],
  );
  const [first] = included;
  const last = included.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // If one has no context, or is of another outcome, or they are not in the order of time, they do
  // not add up.
  const isInOrder = included.every(
    ({ item }, index) => item.time >= (included[index - 1]?.item.time ?? item.time),
  );
  const isOneOutcome = included.every(({ item }) => outcomeKey(item) === outcomeKey(first.item));
  if (included.length < fills.length || !isInOrder || !isOneOutcome) return undefined;
  const traded = sum(included.map(({ item }) => new Exact(item.quantity)));
  const [before, after] = [
    new Exact(first.context.sharesBefore),
    new Exact(last.context.sharesAfter),
  ];
  const isPurchase = first.item.action === 'Buy';
  const isWithoutGap = (isPurchase ? before.plus(traded) : before.minus(traded))
    .minus(after)
    .abs()
    .lt(DUST_SHARES);
  const realized = included.flatMap(({ context }) => context.realized ?? []);
  // The averages of sales between which more was bought differ.
  const entryOfSales = isWithoutGap ? first.context.entryCents : null;
  const { isOpening: _, ...lastContext } = last.context;
  const context: TradeContext = {
    ...lastContext,
    ...(first.context.isOpening && { isOpening: true }),
    sharesBefore: first.context.sharesBefore,
    entryCents: isPurchase ? last.context.entryCents : entryOfSales,
    realized: realized.length === 0 ? null : toDecimalText(sum(realized)),
    costOfSold: toDecimalText(sum(included.map(({ context }) => context.costOfSold))),
    isFirstInMarket: first.context.isFirstInMarket,
  };
  return {
    action: first.item.action,
    /** Shares of all the fills. */
    traded,
    /**
     * Whether nothing else happened to the position between the first of the fills and the last.
     */
    isWithoutGap,
    context,
  };
}

/** The size of the largest trade among fills; null with too few known trades. */
export function largestSize(fills: readonly KnownFill[]): TradeSize | null {
  const sizes = fills.flatMap(({ size }) => size ?? []);
  return sizes.reduce<TradeSize | null>(
    (top, size) => (top === null || size.usdc > top.usdc ? size : top),
    null,
  );
}

function purchaseParts(
  { traded, isWithoutGap, context }: CombinedContext,
  language: Language,
): string[] {
  const { entryCents, isFirstInMarket } = context;
  const [before, after] = [new Exact(context.sharesBefore), new Exact(context.sharesAfter)];
  const { position } = language.texts.news;
  const { cents, quantity, shares } = language.format;
  if (isOpening(context) && isWithoutGap) {
    return [
      position.opens(shares(traded.toNumber())),
      ...(isFirstInMarket ? [position.firstInMarket] : []),
    ];
  }
  const held = position.held(
    shares(after.toNumber()),
    entryCents === null ? undefined : cents(entryCents),
  );
  return isWithoutGap
    ? [`${quantity(before.toNumber())}${ARROW}${held}`]
    : [position.now(held), position.bought(quantity(traded.toNumber()))];
}

function saleParts({ context }: CombinedContext, language: Language): string[] {
  const { sharesAfter, isClosed, entryCents, realized, costOfSold } = context;
  const { position } = language.texts.news;
  return [
    ...(realized === null ? [] : [gainText(realized, costOfSold, language)]),
    isClosed ? position.closes : position.left(language.format.shares(Number(sharesAfter))),
    ...(entryCents === null ? [] : [position.entry(language.format.cents(entryCents))]),
  ];
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
