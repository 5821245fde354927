import type { Amendable } from '../../domain/records.ts';
import { groupBy } from '../../lib/group-by.ts';
import {
  isEqual,
  type Known,
  type KnownRecords,
  standing,
  traceOf,
  type Version,
  without,
} from './known-records.ts';

/** A known record that the venue has changed. */
export interface Amended<Item> {
  /** The record as it is listed now. */
  readonly item: Item;
  /** Its previous figures. */
  readonly figures: readonly number[];
  /** Identities it has had until now, the earliest first. */
  readonly identities: readonly [string, ...string[]];
  /**
   * Whether it was like this before, because pages from two of the venue's servers may alternate.
   */
  readonly isAsBefore: boolean;
}

/** Copies of one identity on a page. */
type Copies<Item> = readonly [Item, ...Item[]];

/**
 * Finds known records that the venue has changed. A record has changed if the same identity has
 * other figures, or if an unknown record has the transaction, action, token and side of a known one
 * that is gone. Two such records on the same page are two different ones.
 * @param copiesByIdentity records of the page that may be new, oldest first
 * @param isGone whether a page of this reach proves that a known record it does not show is gone
 * @param records the known records; changed in place
 */
export function findAmended<Item extends { readonly time: number }>(
  copiesByIdentity: ReadonlyMap<string, Copies<Item>>,
  isGone: (identity: string, timeSeconds: number) => boolean,
  records: KnownRecords<Item>,
  amendable: Amendable<Item>,
): Amended<Item>[] {
  const { announced } = records;
  const sameIdentity = findRefigured(copiesByIdentity, announced, amendable);
  const arrived = [...copiesByIdentity].filter(
    ([identity, copies]) => copies.length > standing(announced.get(identity)),
  );
  if (arrived.length === 0) return sameIdentity;
  const gone = groupBy(goneFrom(copiesByIdentity, announced, isGone, amendable), ({ key }) => key);
  const amended: Amended<Item>[] = [];
  for (const [identity, copies] of gone.size === 0 ? [] : arrived) {
    const departures = gone.get(amendable.key(copies[0]));
    const before = departures?.shift();
    if (before === undefined) continue;
    amended.push(become(before, identity, copies, announced, amendable));
  }
  return [...sameIdentity, ...amended];
}

/** Returns records with the same identity whose other figures have changed, for example the fee. */
function findRefigured<Item extends { readonly time: number }>(
  copiesByIdentity: ReadonlyMap<string, Copies<Item>>,
  announced: Map<string, Known>,
  { figures: figuresOf }: Amendable<Item>,
): Amended<Item>[] {
  const amended: Amended<Item>[] = [];
  for (const [identity, copies] of copiesByIdentity) {
    const known = announced.get(identity);
    // If there are fewer or more copies, it is unknown which ones they are.
    if (known?.trace === undefined || copies.length !== standing(known)) continue;
    const [key, before, versions = []] = known.trace;
    const shown = copies.map(figuresOf);
    const gone = without(before, shown);
    const come = without(shown, before);
    if (gone.length === 0) continue;
    const isMeant = (figures: readonly number[]) => (copy: Item) =>
      isEqual(figuresOf(copy), figures);
    for (const [index, figures] of gone.entries()) {
      const now = come[index] ?? figures;
      amended.push({
        item: copies.find(isMeant(now)) ?? copies[0],
        figures,
        identities: namesOf(versions, identity),
        isAsBefore: isVersion(versions, identity, now),
      });
    }
    const earlier = gone.map((figures): Version => [identity, ...figures]);
    const trace = traceOf(key, shown, withVersions(versions, earlier));
    announced.set(identity, { ...known, trace });
  }
  return amended;
}

/** A copy of a known record that the page should show but does not. */
interface Gone {
  readonly identity: string;
  readonly key: string;
  readonly figures: readonly number[];
}

function goneFrom<Item>(
  copiesByIdentity: ReadonlyMap<string, Copies<Item>>,
  announced: ReadonlyMap<string, Known>,
  isGone: (identity: string, timeSeconds: number) => boolean,
  { figures: figuresOf }: Amendable<Item>,
): Gone[] {
  const gone: Gone[] = [];
  for (const [identity, known] of announced) {
    const copies = copiesByIdentity.get(identity) ?? [];
    const count = standing(known) - copies.length;
    if (known.trace === undefined || count <= 0 || !isGone(identity, known.timeSeconds)) continue;
    const [key, figures] = known.trace;
    for (const each of without(figures, copies.map(figuresOf)).slice(0, count)) {
      gone.push({ identity, key, figures: each });
    }
  }
  return gone;
}

/** Replaces a record that is gone with one that has appeared. */
function become<Item extends { readonly time: number }>(
  { identity: goneIdentity, key, figures }: Gone,
  identity: string,
  copies: Copies<Item>,
  announced: Map<string, Known>,
  { figures: figuresOf }: Amendable<Item>,
): Amended<Item> {
  const before = announced.get(goneIdentity);
  const [, goneFigures = [], versions = []] = before?.trace ?? [];
  const left = without(goneFigures, [figures]);
  if (before !== undefined) {
    const trace = traceOf(key, left, left.length === 0 ? [] : versions);
    announced.set(goneIdentity, { ...before, trace });
  }
  const known = announced.get(identity);
  const [, standingFigures = [], own = []] = known?.trace ?? [];
  const shown = without(copies.map(figuresOf), standingFigures);
  const now = shown[0] ?? figuresOf(copies[0]);
  const item = copies.find((copy) => isEqual(figuresOf(copy), now)) ?? copies[0];
  const earlier = withVersions(versions, [[goneIdentity, ...figures]]);
  const all = [...standingFigures, now];
  announced.set(identity, {
    timeSeconds: item.time,
    count: Math.max(known?.count ?? 0, all.length),
    trace: traceOf(key, all, withVersions(own, earlier)),
  });
  return {
    item,
    figures,
    identities: namesOf(versions, goneIdentity),
    isAsBefore: isVersion(versions, identity, now),
  };
}

function isVersion(
  versions: readonly Version[],
  identity: string,
  figures: readonly number[],
): boolean {
  return versions.some(([name, ...before]) => name === identity && isEqual(before, figures));
}

/** Adds versions that are not in the list yet. */
function withVersions(versions: readonly Version[], added: readonly Version[]): Version[] {
  const all = [...versions];
  for (const version of added) {
    const [name, ...figures] = version;
    if (!isVersion(all, name, figures)) all.push(version);
  }
  return all;
}

function namesOf(versions: readonly Version[], identity: string): [string, ...string[]] {
  const [first = identity, ...others] = new Set([...versions.map(([name]) => name), identity]);
  return [first, ...others];
}
