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
  /** Of all the fills. */
  readonly traded: Exact;
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

/** What a trade does to the position. */
interface PositionLine {
  readonly text: string;
  /** Whether it says how many shares were traded. */
  readonly saysShares: boolean;
}

/**
 * What a trade does to the position, in one line: `Now 2,234.5 shares, avg 58.2¢ · was 1,000`, of a sale what it has gained,
 * `−$24.80 (−5.6%) · position closed · entry 69.98¢`. Only from known trades; undefined where nothing is known. Where history is cut, figures are marked as
 * approximate or as the least.
 *
 * @param alerts of one wallet, market, outcome and action, oldest first
 */
export function positionLine(alerts: readonly Alert[], language: Language): PositionLine | undefined {
  const story = combineContexts(alerts);
  if (story === undefined) return undefined;
  const isPurchase = story.action === 'Buy';
  const parts = isPurchase ? purchaseParts(story, language) : saleParts(story, language);
  const { otherSide } = language.texts.news.position;
  if (story.opposite.gt(0)) parts.push(otherSide(shares(story.opposite, language)));
  return { text: parts.join(SEPARATOR), saysShares: isPurchase || story.realized === null };
}

/** `4.2 × usual size`, of the largest trade among fills; undefined with too few known trades. */
export function sizeText(alerts: readonly Alert[], { texts, format }: Language): string | undefined {
  const size = combineContexts(alerts)?.size ?? null;
  return size === null || size.median <= 0 ? undefined : texts.news.position.size(factor(size, format));
}

/** The position and an unusual size in a few words, for a line of a list; undefined where nothing is known. */
export function briefContext(alerts: readonly Alert[], language: Language): string | undefined {
  const story = combineContexts(alerts);
  if (story === undefined) return undefined;
  const { brief } = language.texts.news;
  const { size } = story;
  return [
    ...(story.realized === null ? [] : [gainText(story, language)]),
    briefPosition(story, brief),
    ...(size !== null && size.median > 0 && size.usdc > size.p95 ? [brief.size(factor(size, language.format))] : []),
  ].join(SEPARATOR);
}

/** An amount with its sign: `+$12.00`, `−$3.50`, `$0.00`. */
export function signedUsdc(usdc: Exact, format: NumberFormat): string {
  return `${signOf(usdc)}${format.usdc(usdc.abs().toNumber())}`;
}

/** The same for a line with little room: from $1,000 on without cents. */
export function roundSignedUsdc(usdc: Exact, format: NumberFormat): string {
  return `${signOf(usdc)}${format.roundUsdc(usdc.abs().toNumber())}`;
}

/** A fraction as a percentage with its sign, to a tenth: 0.125 is `+12.5%`. */
export function signedPercent(share: Exact, format: NumberFormat): string {
  const percent = share.times(100).toDecimalPlaces(1);
  return `${signOf(percent)}${format.percent(percent.abs().toNumber())}`;
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
    traded: sum(included.map(({ item }) => new Exact(item.quantity))),
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

function purchaseParts(story: CombinedContext, language: Language): string[] {
  const { before, after, traded, entryCents, isWhole, isFirstInMarket } = story;
  const { position } = language.texts.news;
  const bought = shares(traded, language);
  if (before.isZero()) {
    if (!isWhole) return [position.opensSeen(bought)];
    return [position.opens(bought), ...(isFirstInMarket ? [position.firstInMarket] : [])];
  }
  const average = entryCents === null ? undefined : marked(story, language.format.cents(entryCents));
  const was = language.format.quantity(before.toNumber());
  const now = position.now(held(story, after, language), average);
  return isWithoutGap(story)
    ? [now, position.was(isWhole ? was : `${was}+`)]
    : [now, position.bought(language.format.quantity(traded.toNumber()))];
}

function saleParts(story: CombinedContext, language: Language): string[] {
  const { after, traded, entryCents, unknown, realized } = story;
  const { position } = language.texts.news;
  if (realized === null) return [position.unseen(shares(traded, language)), position.unknownGain];
  const gain = gainText(story, language);
  if (unknown.gt(0)) return [gain, position.unseen(shares(unknown, language))];
  return [
    gain,
    after.isZero() ? closed(story, position) : position.left(held(story, after, language)),
    ...(entryCents === null ? [] : [position.entry(marked(story, language.format.cents(entryCents)))]),
  ];
}

/** Whether nothing else happened to the position between the first of the fills and the last. */
function isWithoutGap({ before, after, traded }: CombinedContext): boolean {
  return before.plus(traded).eq(after);
}

/** Shares that are known to be held; with a plus if there may be more. */
function held({ isWhole }: CombinedContext, figure: Exact, { format }: Language): string {
  return (isWhole ? format.shares : format.sharesAtLeast)(figure.toNumber());
}

/** What a sale has gained, in USDC and of what its shares had cost: `**−$24.80** (−5.6%)`. */
function gainText(story: CombinedContext, { texts, format }: Language): string {
  const { realized, costOfSold } = story;
  if (realized === null) return texts.news.position.unknownGain;
  const percent = costOfSold.gt(0) ? signedPercent(quotient(realized, costOfSold), format) : undefined;
  return marked(story, texts.news.gain(`**${signedUsdc(realized, format)}**`, percent));
}

/** That nothing is held any more, as far as is known. */
function closed<Text>(
  { isWhole }: CombinedContext,
  texts: { readonly closes: Text; readonly closesKnown: Text },
): Text {
  return isWhole ? texts.closes : texts.closesKnown;
}

/** Marks a figure as approximate if earlier trades are unknown. */
function marked({ isWhole }: CombinedContext, figure: string): string {
  return isWhole ? figure : `≈ ${figure}`;
}

function briefPosition(story: CombinedContext, texts: Language['texts']['news']['brief']): string {
  const { action, before, after, unknown, realized, isWhole } = story;
  if (action === 'Buy') return before.isZero() ? (isWhole ? texts.opens : texts.opensSeen) : texts.adds;
  if (realized === null) return texts.unseen;
  if (unknown.gt(0)) return texts.partlyUnseen;
  return after.isZero() ? closed(story, texts) : texts.reduces;
}

/** How many times the median size it is. */
function factor({ usdc, median }: NonNullable<TradeContext['size']>, format: NumberFormat): string {
  const times = usdc / median;
  if (times < 0.05) return `<${format.quantity(0.1)}`;
  return format.quantity(times < 9.95 ? Math.round(times * 10) / 10 : Math.round(times));
}

function shares(figure: Exact, { format }: Language): string {
  return format.shares(figure.toNumber());
}
