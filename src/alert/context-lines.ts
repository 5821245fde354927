import type { TradeContext } from '../book/context.ts';
import { Exact } from '../book/exact.ts';
import type { Alert } from './alert.ts';
import { formatCents, formatQuantity, formatShares, formatUsdc } from './format.ts';

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
  const since = story.isWhole ? '' : `, known since <t:${story.sinceSeconds}:d>`;
  return [
    `${positionWords(story)}${since}`,
    ...(story.opposite.gt(0) ? [`Also holds ${formatShares(story.opposite.toNumber())} of the other side`] : []),
    ...sizeWords(story),
  ];
}

/** The same in a few words, for a line of a list; undefined where there is nothing to say. */
export function contextWords(alerts: readonly Alert[]): string | undefined {
  const story = storyOf(alerts);
  if (story === undefined) return undefined;
  const words = [
    shortWord(story),
    story.realized === null ? undefined : signedUsdc(story.realized),
    sizeWords(story).length > 0 ? 'unusual size' : undefined,
  ];
  return words.filter((word) => word !== undefined).join(', ');
}

/** An amount with its sign: `+$12.00`, `−$3.50`, `$0.00`. */
export function signedUsdc(usdc: Exact): string {
  const sign = usdc.isZero() ? '' : usdc.isNegative() ? '−' : '+';
  return `${sign}${formatUsdc(usdc.abs().toNumber())}`;
}

/** Whether a trade is beyond the 95th percentile of what its wallet usually trades; null if too few are known. */
export function isUnusual({ size }: Pick<TradeContext, 'size'>): boolean | null {
  return size === null ? null : size.usdc > size.p95;
}

function storyOf(alerts: readonly Alert[]): Story | undefined {
  const told = alerts.flatMap(({ event }) =>
    event.kind === 'activity' && event.context !== undefined
      ? [{ action: event.item.action, context: event.context }]
      : [],
  );
  const [first] = told;
  const last = told.at(-1);
  // A story with pages missing would be another one.
  if (first === undefined || last === undefined || told.length < alerts.length) return undefined;
  const sum = (figures: readonly string[]) => figures.reduce((total, figure) => total.plus(figure), new Exact(0));
  const realized = told.flatMap(({ context }) => (context.realized === null ? [] : [context.realized]));
  const sizes = told.flatMap(({ context }) => (context.size === null ? [] : [context.size]));
  return {
    action: first.action,
    before: new Exact(first.context.sharesBefore),
    after: new Exact(last.context.sharesAfter),
    entryCents: (first.action === 'Buy' ? last : first).context.entryCents,
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

function positionWords(story: Story): string {
  const { before, after, entryCents, unknown, action } = story;
  const entry = entryCents === null ? '' : `average entry ${formatCents(entryCents)}`;
  if (action === 'Buy') {
    if (before.isZero())
      return story.isFirstInMarket ? 'Opens a position, first trade in this market' : 'Opens a position';
    return `Adds to ${formatQuantity(before.toNumber())}, now ${formatShares(after.toNumber())}, ${entry}`;
  }
  if (before.isZero()) return `${formatShares(unknown.toNumber())} that were not seen bought: result unknown`;
  const result = story.realized === null ? '' : `, realized **${signedUsdc(story.realized)}**${percentOf(story)}`;
  if (unknown.gt(0)) {
    return `All ${formatShares(before.toNumber())} known${result}, and ${formatShares(unknown.toNumber())} that were not seen bought`;
  }
  if (after.isZero()) return `Closes the position${result}, ${entry}`;
  return `Reduces to ${formatShares(after.toNumber())}${result}, ${entry}`;
}

function shortWord({ action, before, after, unknown }: Story): string {
  if (action === 'Buy') return before.isZero() ? 'opens' : 'adds';
  if (before.isZero() || unknown.gt(0)) return 'partly unknown';
  return after.isZero() ? 'closes' : 'reduces';
}

function percentOf({ realized, costOfSold }: Story): string {
  if (realized === null || costOfSold.lte(0)) return '';
  const percent = realized.div(costOfSold).times(100);
  return ` (${percent.isNegative() ? '−' : '+'}${formatQuantity(percent.abs().toDecimalPlaces(1).toNumber())} %)`;
}

function sizeWords({ size }: Story): string[] {
  if (size === null || isUnusual({ size }) !== true) return [];
  return [
    `**Unusual size**: ${formatUsdc(size.usdc)}, beyond 95 % of its last ${size.trades} trades (up to ${formatUsdc(size.p95)})`,
  ];
}
