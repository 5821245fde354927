import {
  type ActivityItem,
  actionKind,
  isFeeKnown,
  type TransferItem,
  transferDirection,
} from '../domain/records.ts';
import { signed } from '../embeds/context-lines.ts';
import { present } from '../embeds/embed-parts.ts';
import type { Language } from '../language/language.ts';
import { inTurns } from '../lib/async/turns.ts';
import { Exact, sum } from '../lib/exact.ts';
import { DAY_SECONDS } from '../lib/time.ts';
import { isWhole, type PageScan } from './page-scan.ts';

/** Lengths of totals in seconds, by their names in the catalog; shortest first. */
export const WINDOWS = [
  ['day', DAY_SECONDS],
  ['week', 7 * DAY_SECONDS],
  ['month', 30 * DAY_SECONDS],
] as const;

const FLOW_SIGNS = { deposit: 1, withdrawal: -1, other: 0 };

/**
 * Describes in a sentence which part of a list was read; "all" only if the venue has said that it
 * is complete.
 *
 * @param isPostFiltered true if records may have been read that the filters exclude
 */
export function describeCoverage(
  scan: PageScan<unknown>,
  isPostFiltered: boolean,
  language: Language,
): string {
  const { texts, format } = language;
  const { foundAmong, sentence } = texts.lists.reach;
  const reach = coveragePhrase(scan, language);
  if (!isPostFiltered) return sentence(reach);
  return sentence(foundAmong(format.quantity(scan.items.length), reach));
}

/** Describes which part of a list was read, as a phrase for a sentence. */
export function coveragePhrase(scan: PageScan<unknown>, { texts, format }: Language): string {
  const { all, newest, part } = texts.lists.reach;
  const scanned = format.quantity(scan.scanned);
  if (isWhole(scan)) return all(scanned, scan.scanned, scan.skipped > 0);
  const oldest = `<t:${scan.oldestSeconds}:f>`;
  if (scan.isFromTop) return newest(scanned, scan.scanned, oldest);
  return part(scanned, scan.scanned, `<t:${scan.newestSeconds}:f>`, oldest);
}

/**
 * Returns totals of trades and redemptions: gross by kind; `fees`; `paid` and `received`, including
 * fees. `unknownFees` counts records with an unknown fee.
 */
export function activityTotals(items: readonly ActivityItem[]) {
  return totalsOf(items, (item) => [
    [actionKind(item.action), item.grossValue],
    [isFeeKnown(item) ? 'fees' : 'unknownFees', item.fee],
    [item.transferNetAmount > 0 ? 'paid' : 'received', Math.abs(item.transferNetAmount)],
  ]);
}

/**
 * Returns totals of deposits and withdrawals by kind; `net`: deposits − withdrawals. For other
 * types the direction is unknown.
 *
 * @param sinceSeconds start of the period, in Unix seconds
 */
export function flowTotals(items: readonly TransferItem[], sinceSeconds: number) {
  return totalsOf(items, ({ type, amount, time }) => {
    if (time < sinceSeconds) return [];
    const kind = transferDirection(type);
    return [
      [kind, amount],
      ['net', FLOW_SIGNS[kind] * amount],
    ];
  });
}

/**
 * Counts records for each name, and adds up their USDC exactly.
 *
 * @param partsOf names that a record counts for, each with its USDC
 */
async function totalsOf<Item, Name extends string>(
  items: readonly Item[],
  partsOf: (item: Item) => readonly (readonly [Name, number])[],
) {
  const totals = new Map<Name, { readonly count: number; readonly usdc: Exact }>();
  const of = (name: Name) => totals.get(name) ?? { count: 0, usdc: new Exact(0) };
  for await (const piece of inTurns(items)) {
    for (const [name, usdc] of piece.flatMap(partsOf)) {
      const before = of(name);
      totals.set(name, { count: before.count + 1, usdc: sum([before.usdc, usdc]) });
    }
  }
  return of;
}

/**
 * Returns totals of trades in two lines: gross by action, then fees, and the amounts paid and
 * received. Their difference is not a profit, because it does not include shares that are still
 * held.
 */
export async function describeActivityTotals(
  items: readonly ActivityItem[],
  { texts, format }: Language,
) {
  const { buys, sells, redemptions, otherKinds, fees } = texts.lists.totals;
  const { cost, received } = texts.news.result;
  const totals = await activityTotals(items);
  const part = (kind: 'buy' | 'sell' | 'redeem', text: typeof buys) => {
    const { count, usdc } = totals(kind);
    return count !== 0 && text(format.quantity(count), count, format.roundUsdc(usdc.toNumber()));
  };
  const { count: others } = totals('other');
  const kinds = present(
    part('buy', buys),
    part('sell', sells),
    part('redeem', redemptions),
    others !== 0 && otherKinds(format.quantity(others), others),
  );
  const amount = (name: 'fees' | 'paid' | 'received') =>
    format.roundUsdc(totals(name).usdc.toNumber());
  const areFeesKnown = totals('unknownFees').count === 0;
  const money = present(
    areFeesKnown && fees(amount('fees')),
    cost(amount('paid')),
    received(amount('received')),
  );
  return `${kinds}\n${money}`;
}

/**
 * Returns totals of transfers: a line for each of `WINDOWS` that the scan covers, and one for
 * everything read. Equal lines are merged.
 *
 * @param asOfSeconds time of the list's request, by the venue's clock
 */
export async function describeFlowTotals(
  scan: PageScan<TransferItem>,
  asOfSeconds: number,
  language: Language,
) {
  const { windows, all, read, during, notKnownFor } = language.texts.lists.totals;
  const lines: [names: string, words: string][] = [];
  const missing: string[] = [];
  for (const [name, length] of WINDOWS) {
    const fromSeconds = asOfSeconds - length;
    const isReached = scan.isFromTop && (scan.cursor === null || scan.oldestSeconds < fromSeconds);
    if (!isReached) {
      missing.push(windows[name]);
      continue;
    }
    const words = await flowWords(scan.items, fromSeconds, language);
    lines.push([windows[name], words]);
  }
  const wordsOfAll = await flowWords(scan.items, 0, language);
  lines.push([isWhole(scan) ? all : read, wordsOfAll]);
  const said = mergeEqual(lines, language).map(([names, words]) => during(names, words));
  if (missing.length > 0) said.push(notKnownFor(missing));
  return said.join('\n');
}

/** Merges neighbors with the same words and lists their names, `24 h, 7 d`. */
export function mergeEqual(
  said: readonly (readonly [name: string, words: string])[],
  { texts }: Language,
) {
  const merged: [names: string, words: string][] = [];
  for (const [name, words] of said) {
    const last = merged.at(-1);
    if (last?.[1] === words) last[0] += texts.watch.comma + name;
    else merged.push([name, words]);
  }
  return merged;
}

async function flowWords(
  items: readonly TransferItem[],
  sinceSeconds: number,
  { texts, format }: Language,
) {
  const words = texts.lists.totals;
  const totals = await flowTotals(items, sinceSeconds);
  const said = (kind: 'deposit' | 'withdrawal', text: typeof words.deposited) => {
    const { count, usdc } = totals(kind);
    return text(format.roundUsdc(usdc.toNumber()), format.quantity(count));
  };
  const { count: others } = totals('other');
  return present(
    said('deposit', words.deposited),
    said('withdrawal', words.withdrawn),
    words.net(signed(totals('net').usdc, format.roundUsdc)),
    others !== 0 && words.unknownDirection(format.quantity(others)),
  );
}
