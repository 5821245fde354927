import { readFlow } from '../embeds/flow.ts';
import type { Language } from '../language/language.ts';
import type { Exact } from './exact.ts';
import { isWhole, type Walk } from './page-scan.ts';
import type { ActivityTotals, FlowTotals, Total } from './totals.ts';

const DAY = 86_400;
/** Lengths of time that totals come for, by their names in the catalogue, the shortest first. */
export const WINDOWS = [
  ['day', DAY],
  ['week', 7 * DAY],
  ['month', 30 * DAY],
] as const;

/** What is to be known of a walk to say how far it reaches. */
export type Reach = Pick<
  Walk<unknown>,
  'cursor' | 'isFromTop' | 'looked' | 'skipped' | 'newestSeconds' | 'oldestSeconds' | 'items'
>;

/**
 * How far a walk reaches, as a sentence: "all" only if the venue has said that nothing follows.
 *
 * @param isSifted whether records were looked at that do not match
 */
export function describeReach(walk: Reach, isSifted: boolean, language: Language): string {
  const { words, figures } = language;
  const { foundAmong, sentence } = words.lists.reach;
  const reach = reachPhrase(walk, language);
  return sentence(isSifted ? foundAmong(figures.quantity(walk.items.length), reach) : reach);
}

/** How far a walk reaches, as a phrase of the catalogue. */
export function reachPhrase(walk: Reach, { words, figures }: Language): string {
  const { all, newest, part } = words.lists.reach;
  const looked = figures.quantity(walk.looked);
  if (isWhole(walk)) return all(looked, walk.looked, walk.skipped > 0);
  const oldest = `<t:${walk.oldestSeconds}:f>`;
  if (walk.isFromTop) return newest(looked, walk.looked, oldest);
  return part(looked, walk.looked, `<t:${walk.newestSeconds}:f>`, oldest);
}

/** Totals of trades in two lines: gross by action, then fees and the net flow. */
export function describeActivityTotals(totals: ActivityTotals, { words, figures }: Language): string {
  const { buys, sells, redemptions, otherKinds, fees, netPaid, netReceived, netNone } = words.lists.totals;
  const kind = ({ count, usdc }: Total, say: typeof buys) =>
    count === 0 ? [] : [say(figures.quantity(count), count, figures.usdc(usdc.toNumber()))];
  const kinds = [
    ...kind(totals.bought, buys),
    ...kind(totals.sold, sells),
    ...kind(totals.redeemed, redemptions),
    ...(totals.others === 0 ? [] : [otherKinds(figures.quantity(totals.others), totals.others)]),
  ];
  const { direction, usdc } = readFlow(totals.net.toNumber());
  const flow = { paid: netPaid, received: netReceived, net: netNone }[direction](figures.usdc(usdc));
  return `${kinds.join(' · ')}\n${fees(figures.usdc(totals.fees.toNumber()))} · ${flow}`;
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
  language: Language,
): string {
  const { windows, all, walked, notKnownFor } = language.words.lists.totals;
  const reaches = ([, length]: (typeof WINDOWS)[number]) =>
    walk.isFromTop && (walk.cursor === null || walk.oldestSeconds < asOfSeconds - length);
  const covered = WINDOWS.filter(reaches);
  const missing = WINDOWS.filter((window) => !reaches(window)).map(([name]) => windows[name]);
  return [
    ...covered.map(([name, length]) => flowLine(windows[name], totalsSince(asOfSeconds - length), language)),
    flowLine(isWhole(walk) ? all : walked, totalsSince(0), language),
    ...(missing.length === 0 ? [] : [notKnownFor(missing)]),
  ].join('\n');
}

function flowLine(
  name: string,
  { deposited, withdrawn, others, net }: FlowTotals,
  { words, figures }: Language,
): string {
  const say = words.lists.totals;
  const money = (usdc: Exact) => figures.usdc(usdc.toNumber());
  return [
    `**${name}** ${say.deposited(money(deposited.usdc), figures.quantity(deposited.count))}`,
    say.withdrawn(money(withdrawn.usdc), figures.quantity(withdrawn.count)),
    say.net(money(net)),
    ...(others === 0 ? [] : [say.unknownDirection(figures.quantity(others))]),
  ].join(' · ');
}
