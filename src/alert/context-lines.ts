import type { TradeContext } from '../book/context.ts';
import { Exact } from '../book/exact.ts';
import type { Figures } from '../language/figures.ts';
import { ENGLISH } from '../language/language.ts';
import type { Alert } from './alert.ts';
import { SEPARATOR } from './embed-parts.ts';
import { formatCents, formatShares, formatUsdc } from './format.ts';

/** What the seen history says of fills that belong together, taken as one. */
interface Story {
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
 * What a trader reads between the lines, a line each, from what was seen alone: what the trade does to the position, what it
 * realizes, whether its size is unusual. Nothing where nothing is known.
 *
 * @param alerts of one wallet, market, outcome and action, oldest first
 */
export function contextLines(alerts: readonly Alert[]): string[] {
  const story = storyOf(alerts);
  if (story === undefined) return [];
  const since = story.isWhole ? [] : [`as far as seen since <t:${story.sinceSeconds}:f>`];
  return [
    [...positionWords(story), ...since].join(SEPARATOR),
    ...(story.opposite.gt(0) ? [`Also holds ${shares(story.opposite)} of the other side`] : []),
    ...sizeWords(story),
  ];
}

/** The same in a few words, for a line of a list; undefined where there is nothing to say. */
export function contextWords(alerts: readonly Alert[]): string | undefined {
  const story = storyOf(alerts);
  if (story === undefined) return undefined;
  const words = [
    shortWord(story),
    ...(story.realized === null ? [] : [`realized ${signedUsdc(story.realized, ENGLISH.figures)}`]),
    ...(isUnusual(story) ? ['**unusual size**'] : []),
  ].join(', ');
  return story.isWhole ? words : `${words} (seen since <t:${story.sinceSeconds}:d>)`;
}

/** An amount with its sign: `+$12.00`, `−$3.50`, `$0.00`. */
export function signedUsdc(usdc: Exact, figures: Figures): string {
  return `${signOf(usdc)}${figures.usdc(usdc.abs().toNumber())}`;
}

/** A share as a percentage with its sign, to a tenth: `+12.5 %`. */
export function signedPercent(share: Exact, figures: Figures): string {
  const percent = share.times(100).toDecimalPlaces(1);
  return `${signOf(percent)}${figures.quantity(percent.abs().toNumber())} %`;
}

function signOf(figure: Exact): string {
  return figure.isZero() ? '' : figure.isNegative() ? '−' : '+';
}

function storyOf(alerts: readonly Alert[]): Story | undefined {
  const told = alerts.flatMap(({ event }) =>
    event.kind === 'activity' && event.context !== undefined ? [{ item: event.item, context: event.context }] : [],
  );
  const [first] = told;
  const last = told.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // With a page missing, or one that came after a later one, it would be another story.
  const isInOrder = told.every(({ item }, index) => item.time >= (told[index - 1]?.item.time ?? item.time));
  if (told.length < alerts.length || !isInOrder) return undefined;
  const sum = (figures: readonly string[]) => figures.reduce((total, figure) => total.plus(figure), new Exact(0));
  const realized = told.flatMap(({ context }) => (context.realized === null ? [] : [context.realized]));
  const sizes = told.flatMap(({ context }) => (context.size === null ? [] : [context.size]));
  return {
    action: first.item.action,
    before: new Exact(first.context.sharesBefore),
    after: new Exact(last.context.sharesAfter),
    entryCents: (first.item.action === 'Buy' ? last : first).context.entryCents,
    realized: realized.length === 0 ? null : sum(realized),
    costOfSold: sum(told.map(({ context }) => context.costOfSold)),
    unknown: sum(told.map(({ context }) => context.unknownShares)),
    opposite: new Exact(last.context.oppositeShares),
    isFirstInMarket: first.context.isFirstInMarket,
    sinceSeconds: last.context.sinceSeconds,
    isWhole: last.context.isWhole,
    size: sizes.reduce<TradeContext['size']>((top, size) => (top === null || size.usdc > top.usdc ? size : top), null),
  };
}

function positionWords(story: Story): string[] {
  const { before, after, entryCents, unknown, action } = story;
  const entry = entryCents === null ? [] : [`average entry ${formatCents(entryCents)}`];
  if (action === 'Buy') {
    if (!before.isZero()) return [`Adds to ${shares(before)}`, `now ${shares(after)}`, ...entry];
    return ['Opens a position', ...(story.isFirstInMarket ? ['first trade in this market'] : [])];
  }
  const unseen = `${shares(unknown)} not seen bought: result unknown`;
  if (story.realized === null) return [unseen];
  const percent = story.costOfSold.gt(0)
    ? ` (${signedPercent(story.realized.div(story.costOfSold), ENGLISH.figures)})`
    : '';
  const gain = `**${signedUsdc(story.realized, ENGLISH.figures)}**${percent}`;
  if (unknown.gt(0)) return [`Realized ${gain} on what was seen bought`, ...entry, unseen];
  return [after.isZero() ? 'Closes the position' : `Reduces to ${shares(after)}`, `realized ${gain}`, ...entry];
}

function shortWord({ action, before, after, unknown, realized }: Story): string {
  if (action === 'Buy') return before.isZero() ? 'opens' : 'adds';
  if (realized === null) return 'not seen bought, result unknown';
  if (unknown.gt(0)) return 'partly not seen bought';
  return after.isZero() ? 'closes' : 'reduces';
}

function sizeWords(story: Story): string[] {
  const { size } = story;
  if (size === null || !isUnusual(story)) return [];
  const usual = `95 % of its last ${size.trades} trades were ${formatUsdc(size.p95)} or less`;
  return [`**Unusual size**: ${formatUsdc(size.usdc)}${SEPARATOR}${usual}`];
}

function isUnusual({ size }: Pick<Story, 'size'>): boolean {
  return size !== null && size.usdc > size.p95;
}

function shares(figure: Exact): string {
  return formatShares(figure.toNumber());
}
