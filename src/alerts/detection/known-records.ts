import * as z from 'zod';
import type { Amendable } from '../../domain/records.ts';
import { groupBy } from '../../lib/group-by.ts';

/**
 * Maximum number of earlier versions kept of a record: the first, under which it was alerted, and
 * the newest.
 */
const VERSIONS_LIMIT = 16;

const figuresSchema = z.array(z.number()).readonly();

/** An earlier version of a record: its identity, then its figures if these are known. */
const versionSchema = z.tuple([z.string()]).rest(z.number()).readonly();
export type Version = z.infer<typeof versionSchema>;

/**
 * Data for recognizing a changed record: its key, the figures of each current copy of the identity,
 * and earlier versions of these, oldest first. No figures means that all copies have become other
 * identities.
 */
const traceSchema = z
  .tuple([
    z.string(),
    z.array(figuresSchema).readonly(),
    z.array(versionSchema).readonly().optional(),
  ])
  .readonly();
type Trace = z.infer<typeof traceSchema>;

/**
 * Identity, Unix seconds, number of reported records with that identity, and their trace. The trace
 * is left out for unreadable rows, and for records stored before format 11 that no page has shown
 * since.
 */
export const seenSchema = z.tuple([z.string(), z.number(), z.int().min(1), traceSchema.optional()]);
export type Seen = z.infer<typeof seenSchema>;

/** Known records of one identity. */
export interface Known {
  readonly timeSeconds: number;
  /** Number of reported records of the identity, including those that have become others. */
  readonly count: number;
  readonly trace: Trace | undefined;
}

export interface FreshItem<Item> {
  readonly item: Item;
  readonly identity: string;
  /** 1 for the first record of this identity, 2 for its duplicate, and so on. */
  readonly occurrence: number;
}

/** Returns the number of records of an identity that have not become others. */
export function standing(known: Known | undefined): number {
  if (known === undefined) return 0;
  return known.trace === undefined ? known.count : known.trace[1].length;
}

export type KnownRecords<Item extends { readonly time: number }> = ReturnType<
  typeof createKnownRecords<Item>
>;

/**
 * Tracks an endpoint's known records by identity, and the new ones on a page.
 * @param amendable null if records never change
 */
export function createKnownRecords<Item extends { readonly time: number }>(
  seen: readonly Seen[],
  amendable: Amendable<Item> | null,
) {
  const announced = new Map(
    seen.map(([identity, timeSeconds, count, trace]): [string, Known] => [
      identity,
      { timeSeconds, count, trace },
    ]),
  );
  const fresh: FreshItem<Item>[] = [];

  /**
   * Returns the trace with further copies added.
   * @param copies all copies of the identity on the page
   */
  const traceWith = (known: Known | undefined, copies: readonly Item[], added: number) => {
    const [item] = copies;
    if (amendable === null || item === undefined) return undefined;
    if (known !== undefined && known.trace === undefined) return undefined;
    const [key = amendable.key(item), figures = [], versions = []] = known?.trace ?? [];
    const others = without(copies.map(amendable.figures), figures);
    const more = Array.from(
      { length: added },
      (_, index) => others[index] ?? amendable.figures(item),
    );
    return traceOf(key, [...figures, ...more], versions);
  };

  return {
    announced,
    fresh,
    /**
     * Reports further copies of the identity until this many are reported.
     * @param copies the page's copies of the identity, at least one
     */
    report(copies: readonly [Item, ...Item[]], identity: string, upTo: number): void {
      const known = announced.get(identity);
      const [{ time: timeSeconds }] = copies;
      const added = Math.max(0, upTo - standing(known));
      const trace = added === 0 ? known?.trace : traceWith(known, copies, added);
      const reportedCount = known?.count ?? 0;
      const figures = trace?.[1].slice(-added) ?? [];
      for (let index = 0; index < added; index += 1) {
        const item = copyWith(copies, figures[index], amendable);
        fresh.push({ item, identity, occurrence: reportedCount + index + 1 });
      }
      announced.set(identity, { timeSeconds, count: reportedCount + added, trace });
    },
    /** Counts records as known without reporting them. */
    note(identity: string, timeSeconds: number, count: number): void {
      announced.set(identity, { timeSeconds, count, trace: undefined });
    },
    /** Returns all known records in their stored form. */
    seen: (): Seen[] =>
      [...announced].map(([identity, { timeSeconds, count, trace }]) =>
        trace === undefined
          ? [identity, timeSeconds, count]
          : [identity, timeSeconds, count, trace],
      ),
  };
}

/** Returns a trace in its stored form. The versions are left out if there are none. */
export function traceOf(key: string, figures: Trace[1], versions: readonly Version[]): Trace {
  if (versions.length === 0) return [key, figures];
  const [first, ...others] = versions;
  const kept = first === undefined ? [] : [first, ...others.slice(1 - VERSIONS_LIMIT)];
  return [key, figures, kept];
}

/** Returns a copy with these figures, or the first one if there is none. */
function copyWith<Item>(
  copies: readonly [Item, ...Item[]],
  figures: readonly number[] | undefined,
  amendable: Amendable<Item> | null,
): Item {
  if (amendable === null || figures === undefined) return copies[0];
  return copies.find((copy) => isEqual(amendable.figures(copy), figures)) ?? copies[0];
}

/** Returns `figures` without `others`. Each of the others removes only one equal entry. */
export function without(
  figures: readonly (readonly number[])[],
  others: readonly (readonly number[])[],
): (readonly number[])[] {
  const left = [...figures];
  for (const other of others) {
    const index = left.findIndex((one) => isEqual(one, other));
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

export function isEqual(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((figure, index) => figure === other[index]);
}

/**
 * Returns records stored before format 11 with current names and traces, as soon as a page shows
 * them.
 * @param seen records named by their versions, and unreadable rows
 * @param items the page's items
 */
export function recognise<Item>(
  seen: readonly Seen[],
  items: readonly Item[],
  identify: (item: Item) => string,
  { version, key, figures }: Amendable<Item>,
): readonly Seen[] {
  const untraced = new Map<string, Seen>();
  for (const entry of seen) if (entry[3] === undefined) untraced.set(entry[0], entry);
  if (untraced.size === 0) return seen;
  const renamed = new Map<string, Seen>();
  const taken = new Set<string>();
  for (const [identity, copies] of groupBy(items, identify)) {
    const names = new Set([identity, ...copies.map(version)]);
    const before = [...names].flatMap((name): Seen[] => {
      const entry = untraced.get(name);
      return entry === undefined ? [] : [entry];
    });
    const [earliest] = before;
    if (earliest === undefined) continue;
    for (const [name] of before) taken.add(name);
    const traced = seen.find(([name, , , trace]) => name === identity && trace !== undefined);
    const [, timeSeconds, tracedCount, trace] = traced ?? [identity, earliest[1], 0];
    const untracedCount = before.reduce((total, [, , count]) => total + count, 0);
    const [, tracedFigures = [], versions = []] = trace ?? [];
    // Known copies come first; others may be new.
    const knownFirst = copies.toSorted(
      (a, b) => Number(untraced.has(version(b))) - Number(untraced.has(version(a))),
    );
    const shown = without(knownFirst.map(figures), tracedFigures);
    const added = Array.from(
      { length: untracedCount },
      (_, index) => shown[index] ?? figures(copies[0]),
    );
    const earlier = before.flatMap(([name]): Version[] => (name === identity ? [] : [[name]]));
    renamed.set(identity, [
      identity,
      timeSeconds,
      tracedCount + untracedCount,
      traceOf(key(copies[0]), [...tracedFigures, ...added], [...versions, ...earlier]),
    ]);
  }
  if (renamed.size === 0) return seen;
  const others = seen.filter(([name]) => !taken.has(name) && !renamed.has(name));
  return [...others, ...renamed.values()];
}
