import { describeFlow, formatQuantity, formatUsdc } from '../alert/format.ts';
import type { Exact } from './exact.ts';
import type { ActivityTotals, FlowTotals, Total } from './totals.ts';
import { isWhole, type Walk } from './walk.ts';

const DAY = 86_400;
const WINDOWS: readonly (readonly [name: string, seconds: number])[] = [
  ['24 h', DAY],
  ['7 d', 7 * DAY],
  ['30 d', 30 * DAY],
];

type Reach = Pick<
  Walk<unknown>,
  'cursor' | 'isFromTop' | 'looked' | 'skipped' | 'newestSeconds' | 'oldestSeconds' | 'items'
>;

/**
 * How far a walk reaches, as a sentence: "all" only if the venue has said that nothing follows.
 *
 * @param isSifted whether records were looked at that do not match
 */
export function describeReach(walk: Reach, isSifted: boolean): string {
  const looked = `${count(walk.looked, 'record')}${isWhole(walk) && walk.skipped > 0 ? ' that could be read' : ''}`;
  const found = isSifted ? `${formatQuantity(walk.items.length)} found among ` : '';
  const say = (words: string) => `${(found + words).replace(/^./, (letter) => letter.toUpperCase())}.`;
  if (isWhole(walk)) return say(`all ${looked}`.replace(/^all 1 /, 'the only '));
  const back = `back to <t:${walk.oldestSeconds}:f>`;
  if (walk.isFromTop) return say(`the newest ${looked}, ${back}`);
  return say(`${looked} from <t:${walk.newestSeconds}:f> ${back}`);
}

/** Totals of trades in two lines: gross by action, then fees and the net flow. */
export function describeActivityTotals({ bought, sold, redeemed, others, fees, net }: ActivityTotals): string {
  const kinds = [
    ...kind(bought, 'buy', 'buys'),
    ...kind(sold, 'sell', 'sells'),
    ...kind(redeemed, 'redemption', 'redemptions'),
    ...(others === 0 ? [] : [count(others, 'record of another kind', 'records of other kinds')]),
  ];
  const flow = describeFlow(net.toNumber());
  return `${kinds.join(' · ')}\nFees ${money(fees)} · ${flow.verb === 'net' ? 'net' : `net ${flow.verb}`} **${flow.amount}**`;
}

/**
 * Totals of transfers: a line for each length of time that the walk covers, and one for all of it.
 *
 * @param totalsSince totals of the walk's records from this time on, Unix seconds
 * @param asOfSeconds when the list was asked for, by the venue's clock
 */
export function describeFlowTotals(
  walk: Reach,
  totalsSince: (seconds: number) => FlowTotals,
  asOfSeconds: number,
): string {
  const reaches = ([, length]: readonly [string, number]) =>
    walk.isFromTop && (walk.cursor === null || walk.oldestSeconds < asOfSeconds - length);
  const covered = WINDOWS.filter(reaches);
  const missing = WINDOWS.filter((window) => !reaches(window)).map(([name]) => name);
  return [
    ...covered.map(([name, length]) => flowLine(name, totalsSince(asOfSeconds - length))),
    flowLine(isWhole(walk) ? 'All' : 'Walked', totalsSince(0)),
    ...(missing.length === 0
      ? []
      : [`Not known for ${missing.join(', ')}: what was walked does not reach back so far.`]),
  ].join('\n');
}

function flowLine(name: string, { deposited, withdrawn, others, net }: FlowTotals): string {
  return [
    `**${name}** in ${money(deposited.usdc)} (${formatQuantity(deposited.count)})`,
    `out ${money(withdrawn.usdc)} (${formatQuantity(withdrawn.count)})`,
    `net ${money(net)}`,
    ...(others === 0 ? [] : [`${formatQuantity(others)} of unknown direction`]),
  ].join(' · ');
}

function kind({ count: records, usdc }: Total, one: string, many: string): string[] {
  return records === 0 ? [] : [`${count(records, one, many)} ${money(usdc)}`];
}

/** `1 record`, `1,200 records`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${formatQuantity(number)} ${number === 1 ? one : many}`;
}

function money(usdc: Exact): string {
  return formatUsdc(usdc.toNumber());
}
