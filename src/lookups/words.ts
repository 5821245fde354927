import { readFlow } from '../embeds/flow.ts';
import type { Language } from '../language/language.ts';
import type { Exact } from '../lib/exact.ts';
import { isWhole, type PageScan } from './page-scan.ts';
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
  PageScan<unknown>,
  'cursor' | 'isFromTop' | 'scanned' | 'skipped' | 'newestSeconds' | 'oldestSeconds' | 'items'
>;

/**
 * How far a walk reaches, as a sentence: "all" only if the venue has said that nothing follows.
 *
 * @param isSifted whether records were looked at that do not match
 */
export function describeReach(scan: Reach, isSifted: boolean, language: Language): string {
  const { texts, format } = language;
  const { foundAmong, sentence } = texts.lists.reach;
  const reach = reachPhrase(scan, language);
  return sentence(isSifted ? foundAmong(format.quantity(scan.items.length), reach) : reach);
}

/** How far a walk reaches, as a phrase of the catalogue. */
export function reachPhrase(scan: Reach, { texts, format }: Language): string {
  const { all, newest, part } = texts.lists.reach;
  const scanned = format.quantity(scan.scanned);
  if (isWhole(scan)) return all(scanned, scan.scanned, scan.skipped > 0);
  const oldest = `<t:${scan.oldestSeconds}:f>`;
  if (scan.isFromTop) return newest(scanned, scan.scanned, oldest);
  return part(scanned, scan.scanned, `<t:${scan.newestSeconds}:f>`, oldest);
}

/** Totals of trades in two lines: gross by action, then fees and the net flow. */
export function describeActivityTotals(totals: ActivityTotals, { texts, format }: Language): string {
  const { buys, sells, redemptions, otherKinds, fees, netPaid, netReceived, netNone } = texts.lists.totals;
  const kind = ({ count, usdc }: Total, say: typeof buys) =>
    count === 0 ? [] : [say(format.quantity(count), count, format.usdc(usdc.toNumber()))];
  const kinds = [
    ...kind(totals.bought, buys),
    ...kind(totals.sold, sells),
    ...kind(totals.redeemed, redemptions),
    ...(totals.others === 0 ? [] : [otherKinds(format.quantity(totals.others), totals.others)]),
  ];
  const { direction, usdc } = readFlow(totals.net.toNumber());
  const flow = { paid: netPaid, received: netReceived, net: netNone }[direction](format.usdc(usdc));
  return `${kinds.join(' · ')}\n${fees(format.usdc(totals.fees.toNumber()))} · ${flow}`;
}

/**
 * Totals of transfers: a line for each length of time that the walk covers, and one for all of it.
 *
 * @param totalsSince totals of the walk's records from this time on, Unix seconds
 * @param asOfSeconds when the list was asked for, by the venue's clock
 */
export function describeFlowTotals(
  scan: Reach,
  totalsSince: (seconds: number) => FlowTotals,
  asOfSeconds: number,
  language: Language,
): string {
  const { windows, all, walked, notKnownFor } = language.texts.lists.totals;
  const reaches = ([, length]: (typeof WINDOWS)[number]) =>
    scan.isFromTop && (scan.cursor === null || scan.oldestSeconds < asOfSeconds - length);
  const covered = WINDOWS.filter(reaches);
  const missing = WINDOWS.filter((window) => !reaches(window)).map(([name]) => windows[name]);
  return [
    ...covered.map(([name, length]) => flowLine(windows[name], totalsSince(asOfSeconds - length), language)),
    flowLine(isWhole(scan) ? all : walked, totalsSince(0), language),
    ...(missing.length === 0 ? [] : [notKnownFor(missing)]),
  ].join('\n');
}

function flowLine(
  name: string,
  { deposited, withdrawn, others, net }: FlowTotals,
  { texts, format }: Language,
): string {
  const say = texts.lists.totals;
  const money = (usdc: Exact) => format.usdc(usdc.toNumber());
  return [
    `**${name}** ${say.deposited(money(deposited.usdc), format.quantity(deposited.count))}`,
    say.withdrawn(money(withdrawn.usdc), format.quantity(withdrawn.count)),
    say.net(money(net)),
    ...(others === 0 ? [] : [say.unknownDirection(format.quantity(others))]),
  ].join(' · ');
}
