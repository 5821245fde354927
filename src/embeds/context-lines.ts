import type { Alert } from '../alerts/alert.ts';
import type { Language } from '../language/language.ts';
import type { NumberFormat } from '../language/number-format.ts';
import { Exact, quotient, sum } from '../lib/exact.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import { SEPARATOR } from './embed-parts.ts';

/** The contexts of grouped fills combined into one. Shares, USDC and cents as in `TradeContext`. */
export interface CombinedContext {
  readonly action: string;
  readonly before: Exact;
  readonly after: Exact;
  readonly entryCents: number | null;
  /** USDC; null where nothing known was sold. */
  readonly realized: Exact | null;
  readonly costOfSold: Exact;
  readonly unknown: Exact;
  readonly opposite: Exact;
  readonly isFirstInMarket: boolean;
  readonly sinceSeconds: number;
  readonly isWhole: boolean;
  readonly size: TradeContext['size'];
}

/**
 * Lines below the figures of a trade: what it does to the position, what it realizes, whether its size is unusual. Only from
 * known trades; empty where nothing is known.
 *
 * @param alerts of one wallet, market, outcome and action, oldest first
 */
export function contextLines(alerts: readonly Alert[], language: Language): string[] {
  const story = combineContexts(alerts);
  if (story === undefined) return [];
  const { since, otherSide } = language.texts.news.position;
  return [
    [...positionParts(story, language), ...(story.isWhole ? [] : [since(`<t:${story.sinceSeconds}:f>`)])].join(
      SEPARATOR,
    ),
    ...(story.opposite.gt(0) ? [otherSide(shares(story.opposite, language))] : []),
    ...sizeLines(story, language),
  ];
}

/** The same in short, for a line of a list; undefined where nothing is known. */
export function briefContext(alerts: readonly Alert[], language: Language): string | undefined {
  const story = combineContexts(alerts);
  if (story === undefined) return undefined;
  const { brief } = language.texts.news;
  const texts = [
    briefPosition(story, brief),
    ...(story.realized === null ? [] : [brief.realized(signedUsdc(story.realized, language.format))]),
    ...(isUnusual(story) ? [brief.unusual] : []),
  ].join(brief.comma);
  return story.isWhole ? texts : brief.since(texts, `<t:${story.sinceSeconds}:d>`);
}

/** An amount with its sign: `+$12.00`, `−$3.50`, `$0.00`. */
export function signedUsdc(usdc: Exact, format: NumberFormat): string {
  return `${signOf(usdc)}${format.usdc(usdc.abs().toNumber())}`;
}

/** A fraction as a percentage with its sign, to a tenth: 0.125 is `+12.5 %`. */
export function signedPercent(share: Exact, format: NumberFormat): string {
  const percent = share.times(100).toDecimalPlaces(1);
  return `${signOf(percent)}${format.quantity(percent.abs().toNumber())} %`;
}

function signOf(figure: Exact): string {
  return figure.isZero() ? '' : figure.isNegative() ? '−' : '+';
}

export function combineContexts(alerts: readonly Alert[]): CombinedContext | undefined {
  const included = alerts.flatMap(({ event }) =>
    event.kind === 'activity' && event.context !== undefined ? [{ item: event.item, context: event.context }] : [],
  );
  const [first] = included;
  const last = included.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // If one has no context, or they are not in the order of time, they do not add up.
  const isInOrder = included.every(({ item }, index) => item.time >= (included[index - 1]?.item.time ?? item.time));
  if (included.length < alerts.length || !isInOrder) return undefined;
  const realized = included.flatMap(({ context }) => (context.realized === null ? [] : [context.realized]));
  const sizes = included.flatMap(({ context }) => (context.size === null ? [] : [context.size]));
  return {
    action: first.item.action,
    before: new Exact(first.context.sharesBefore),
    after: new Exact(last.context.sharesAfter),
    entryCents: (first.item.action === 'Buy' ? last : first).context.entryCents,
    realized: realized.length === 0 ? null : sum(realized),
    costOfSold: sum(included.map(({ context }) => context.costOfSold)),
    unknown: sum(included.map(({ context }) => context.unknownShares)),
    opposite: new Exact(last.context.oppositeShares),
    isFirstInMarket: first.context.isFirstInMarket,
    sinceSeconds: last.context.sinceSeconds,
    isWhole: last.context.isWhole,
    size: sizes.reduce<TradeContext['size']>((top, size) => (top === null || size.usdc > top.usdc ? size : top), null),
  };
}

function positionParts(story: CombinedContext, language: Language): string[] {
  const { before, after, entryCents, unknown, action } = story;
  const { format, texts } = language;
  const { position, gain } = texts.news;
  const entry = entryCents === null ? [] : [position.entry(format.cents(entryCents))];
  if (action === 'Buy') {
    if (!before.isZero()) {
      return [position.adds(shares(before, language)), position.now(shares(after, language)), ...entry];
    }
    return [position.opens, ...(story.isFirstInMarket ? [position.firstInMarket] : [])];
  }
  const unseen = position.unseen(shares(unknown, language));
  if (story.realized === null) return [unseen];
  const percent = story.costOfSold.gt(0)
    ? signedPercent(quotient(story.realized, story.costOfSold), format)
    : undefined;
  const realized = gain(`**${signedUsdc(story.realized, format)}**`, percent);
  if (unknown.gt(0)) return [position.realizedOfSeen(realized), ...entry, unseen];
  const left = after.isZero() ? position.closes : position.reduces(shares(after, language));
  return [left, position.realized(realized), ...entry];
}

function briefPosition(
  { action, before, after, unknown, realized }: CombinedContext,
  texts: Language['texts']['news']['brief'],
) {
  if (action === 'Buy') return before.isZero() ? texts.opens : texts.adds;
  if (realized === null) return texts.unseen;
  if (unknown.gt(0)) return texts.partlyUnseen;
  return after.isZero() ? texts.closes : texts.reduces;
}

function sizeLines(story: CombinedContext, { texts, format }: Language): string[] {
  const { size } = story;
  if (size === null || !isUnusual(story)) return [];
  const { unusual, usual } = texts.news.position;
  return [
    [unusual(format.usdc(size.usdc)), usual(format.quantity(size.trades), format.usdc(size.p95))].join(SEPARATOR),
  ];
}

function isUnusual({ size }: Pick<CombinedContext, 'size'>): boolean {
  return size !== null && size.usdc > size.p95;
}

function shares(figure: Exact, { format }: Language): string {
  return format.shares(figure.toNumber());
}
