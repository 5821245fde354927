import { signedUsdc } from '../embeds/context-lines.ts';
import type { Language } from '../language/language.ts';
import type { Exact } from '../lib/exact.ts';
import { isWhole, type PageScan } from './page-scan.ts';
import type { ActivityTotals, FlowTotals, Total } from './totals.ts';

const DAY = 86_400;
/** Lengths of time of totals, seconds, by their names in the catalogue; shortest first. */
export const WINDOWS = [
  ['day', DAY],
  ['week', 7 * DAY],
  ['month', 30 * DAY],
] as const;

/** What part of a list a page scan has read. */
export type ScanCoverage = Pick<
  PageScan<unknown>,
  'cursor' | 'isFromTop' | 'scanned' | 'skipped' | 'newestSeconds' | 'oldestSeconds' | 'items'
>;

/**
 * What part of a list was read, as a sentence: "all" only if the venue has said that nothing follows.
 *
 * @param isPostFiltered whether records were read that the filters leave out
 */
export function describeCoverage(scan: ScanCoverage, isPostFiltered: boolean, language: Language): string {
  const { texts, format } = language;
  const { foundAmong, sentence } = texts.lists.reach;
  const reach = coveragePhrase(scan, language);
  return sentence(isPostFiltered ? foundAmong(format.quantity(scan.items.length), reach) : reach);
}

/** What part of a list was read, as a phrase for a sentence. */
export function coveragePhrase(scan: ScanCoverage, { texts, format }: Language): string {
  const { all, newest, part } = texts.lists.reach;
  const scanned = format.quantity(scan.scanned);
  if (isWhole(scan)) return all(scanned, scan.scanned, scan.skipped > 0);
  const oldest = `<t:${scan.oldestSeconds}:f>`;
  if (scan.isFromTop) return newest(scanned, scan.scanned, oldest);
  return part(scanned, scan.scanned, `<t:${scan.newestSeconds}:f>`, oldest);
}

/** Totals of trades in two lines: gross by action, then fees and what is left after them: negative where more was paid than came back. */
export function describeActivityTotals(totals: ActivityTotals, { texts, format }: Language): string {
  const { buys, sells, redemptions, otherKinds, fees, net } = texts.lists.totals;
  const part = ({ count, usdc }: Total, text: typeof buys) =>
    count === 0 ? [] : [text(format.quantity(count), count, format.usdc(usdc.toNumber()))];
  const kinds = [
    ...part(totals.bought, buys),
    ...part(totals.sold, sells),
    ...part(totals.redeemed, redemptions),
    ...(totals.others === 0 ? [] : [otherKinds(format.quantity(totals.others), totals.others)]),
  ];
  return `${kinds.join(' · ')}\n${fees(format.usdc(totals.fees.toNumber()))} · ${net(signedUsdc(totals.net.neg(), format))}`;
}

/**
 * Totals of transfers: a line for each of `WINDOWS` that the scan covers, and one for all it has read; equal ones are one.
 *
 * @param totalsSince totals of the scan's records from this time on, Unix seconds
 * @param asOfSeconds when the list was asked for, by the venue's clock
 */
export function describeFlowTotals(
  scan: ScanCoverage,
  totalsSince: (seconds: number) => FlowTotals,
  asOfSeconds: number,
  language: Language,
): string {
  const { windows, all, read, during, notKnownFor } = language.texts.lists.totals;
  const reaches = ([, length]: (typeof WINDOWS)[number]) =>
    scan.isFromTop && (scan.cursor === null || scan.oldestSeconds < asOfSeconds - length);
  const covered = WINDOWS.filter(reaches);
  const missing = WINDOWS.filter((window) => !reaches(window)).map(([name]) => windows[name]);
  const lines = [
    ...covered.map(
      ([name, length]) => [windows[name], flowWords(totalsSince(asOfSeconds - length), language)] as const,
    ),
    [isWhole(scan) ? all : read, flowWords(totalsSince(0), language)] as const,
  ];
  return [
    ...mergeEqual(lines, language).map(([names, words]) => during(names, words)),
    ...(missing.length === 0 ? [] : [notKnownFor(missing)]),
  ].join('\n');
}

/** Names of which the same is said, one after the other, as one: `24 h, 7 d`. */
export function mergeEqual(
  said: readonly (readonly [name: string, words: string])[],
  { texts }: Language,
): [names: string, words: string][] {
  const merged: [string, string][] = [];
  for (const [name, words] of said) {
    const last = merged.at(-1);
    if (last?.[1] === words) last[0] += texts.watch.comma + name;
    else merged.push([name, words]);
  }
  return merged;
}

function flowWords({ deposited, withdrawn, others, net }: FlowTotals, { texts, format }: Language): string {
  const { totals } = texts.lists;
  const money = (usdc: Exact) => format.usdc(usdc.toNumber());
  return [
    totals.deposited(money(deposited.usdc), format.quantity(deposited.count)),
    totals.withdrawn(money(withdrawn.usdc), format.quantity(withdrawn.count)),
    totals.net(signedUsdc(net, format)),
    ...(others === 0 ? [] : [totals.unknownDirection(format.quantity(others))]),
  ].join(' · ');
}
