import { createHash, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { surveyStore, wantedDocuments } from '../../app/documents/kinds.ts';
import { compare } from '../../lib/compare.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { Machine } from '../../lib/machine.ts';
import { PROBE_KEY } from '../../ops/readiness.ts';
import { shownStore, sqlitePath, storeKind } from '../../store/address.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import * as marks from '../../store/marks.ts';
import { closing, inspectStore, openStore, type Store } from '../../store/store.ts';

/** Writes under way at once. */
const WRITES_AT_ONCE = 32;
/** Keys that a message names. */
const NAMED_KEYS = 5;
/** Keys that are listed; of more, their number is. */
const LISTED_KEYS = 20;

/** What `npm run store -- copy` was asked to do. */
export interface CopyRequest {
  /** Addresses, as STORE_URL has them. */
  readonly from: string;
  readonly to: string;
  /** The shards that the bot on the copy is to serve; null: all that FROM has. */
  readonly shards: marks.Shards | null;
  /** Whether to mark FROM as moved: all, or these shards. */
  readonly isRetiring: boolean;
  /** Whether to leave behind what cannot be read, and what nobody keeps. */
  readonly skipsDamaged: boolean;
}

/**
 * Copies a store into an empty one, and compares what it wrote. Until it has, the new store counts as incomplete. With
 * `isRetiring` FROM counts as moved before the new one counts as complete, so that at no instant both can be started. With
 * `shards` a bot with these alone is started on the new one, and deletes there what is of others; FROM counts as moved for these.
 *
 * @returns what has been copied, in lines
 * @throws {StoreError} that says why nothing was copied, or that the copy is incomplete; {@link StoreUnfit} if FROM has moved
 *   already, or is incomplete itself
 */
export async function copyStore(
  machine: Pick<Machine, 'nowMs' | 'onFailpoint'>,
  request: CopyRequest,
  onWarning: (text: string) => void,
): Promise<string> {
  // Opening it would make it.
  const isNew = await closing(inspectStore(request.from), async (inspection) => inspection.isNew);
  if (isNew) throw new StoreError(`There is no store at ${shownStore(request.from)} to copy. Check FROM.`);
  const open = (url: string) =>
    openStore(url, { shards: null, onWarning: (text) => onWarning(`${shownStore(url)}: ${text}`) });
  return closing(open(request.from), async (from) => {
    // An address can be written in many ways, so the stores themselves are compared.
    if ((await closing(inspectStore(request.to), marks.readId)) === from.id) {
      throw new StoreError('FROM and TO are the same store, or one is a backup of the other.');
    }
    return closing(open(request.to), (to) => copyBetween(machine, from, to, request));
  });
}

async function copyBetween(
  { nowMs, onFailpoint }: Pick<Machine, 'nowMs' | 'onFailpoint'>,
  from: Store,
  to: Store,
  request: CopyRequest,
): Promise<string> {
  const { shards } = request;
  const [fromShown, toShown] = [shownStore(request.from), shownStore(request.to)];
  /** Whether an earlier copy into this store was broken off, and whether it had marked FROM as moved. */
  const isRepeated = (await marks.readCopying(to)) !== undefined;
  const wasRetired = await refuseMoved(from, to, request, isRepeated);
  if (!isRepeated) await refuseFull(to, toShown);
  const survey = await surveyStore(from);
  const left = survey.damaged.size + survey.foreign.length;
  if (left > 0 && !request.skipsDamaged) {
    const damaged = [...survey.damaged].map(([key, parts]) =>
      parts.length === 0 ? key : `${key} (${parts.join(', ')})`,
    );
    const lines = [
      ...keyList('Documents that cannot be read', damaged),
      ...keyList('Documents that belong to nobody', survey.foreign),
      'With --skip-damaged these stay where they are, and the rest is copied.',
      'Nothing has been copied.',
    ];
    throw new StoreError(lines.join('\n'));
  }

  const atMs = nowMs();
  await marks.writeMark(to, 'copying', { version: 1, from: fromShown, atMs });
  const storeId = isRepeated ? to.id : randomUUID();
  await marks.writeMark(to, 'store', { version: 1, id: storeId });
  const others = shards === null ? null : marks.otherShards(shards);
  const isForSome = others !== null && others.ids.length > 0;
  await marks.writeMoves(to, isForSome ? [{ to: whereIs(request.from), storeId: from.id, atMs, shards: others }] : []);
  for (const key of await ownKeys(to)) await to.delete(key);
  const written = await writeDocuments(to, wantedDocuments(from, survey, nowMs), onFailpoint);
  await checkDocuments(to, written, toShown);
  onFailpoint('copy.checked');
  // A process that was stopped for long may have lost it to a bot that has written since.
  await from.prove();
  if (request.isRetiring && !wasRetired) {
    const moves = await marks.readMoves(from);
    await marks.writeMoves(from, [...moves, { to: whereIs(request.to), storeId, atMs, shards }]);
    onFailpoint('copy.retired');
  }
  await marks.writeMark(to, 'copying', null);
  return [
    `Copied ${fromShown} to ${toShown}: ${written.size} documents, read back and compared.`,
    ...kindCounts([...written.keys()]).map(([kind, count]) => `  ${kind.padEnd(12)}${String(count).padStart(8)}`),
    ...(left > 0 ? [`Left in ${fromShown}: ${left} that cannot be read or belong to nobody.`] : []),
    ...startLines(fromShown, toShown, shards && marks.shownShards(shards), request.isRetiring || wasRetired),
  ].join('\n');
}

/** On which of the stores a bot starts now, and with what. @param isRetired whether FROM is marked as moved */
function startLines(from: string, to: string, shards: string | null, isRetired: boolean): readonly string[] {
  const whose = shards === null ? '' : ` of shards ${shards}`;
  const isTwice = `A bot can still be started on ${from}. If one ran on it and one on ${to}, both would post every alert${whose}: each twice. Start one alone. With --retire a start on ${from} would be refused.`;
  if (shards === null) {
    return [
      isRetired ? `${from} is marked as moved: no bot starts on it any more. Set STORE_URL to the new store.` : isTwice,
    ];
  }
  const isMoved = `Shards ${shards} of ${from} are marked as moved: no bot with them starts on it any more. A bot with the shards that are left may; it first deletes there what has moved.`;
  const dropped = `${to} is for shards ${shards}: a bot with these deletes the rest there when it starts.`;
  return [dropped, isRetired ? isMoved : isTwice];
}

async function refuseFull(to: Store, toShown: string): Promise<void> {
  const found = (await ownKeys(to)).filter((key) => key !== PROBE_KEY);
  const held = [
    ...(found.length > 0 ? [shownCounts(found)] : []),
    ...((await marks.readMoves(to)).length > 0 ? ['the mark of a move'] : []),
  ];
  if (held.length === 0) return;
  throw new StoreError(`The store ${toShown} is not empty: it holds ${held.join(', and ')}. Name an empty one.`);
}

/**
 * Refuses to copy what has moved already, unless it is the very copy that was broken off after FROM had been marked.
 *
 * @returns whether it is
 */
async function refuseMoved(from: Store, to: Store, request: CopyRequest, isRepeated: boolean): Promise<boolean> {
  const { shards } = request;
  const shown = shownStore(request.from);
  const copying = await marks.readCopying(from);
  if (copying !== undefined) throw new StoreUnfit(marks.incompleteText(shown, copying));
  const moves = (await marks.readMoves(from)).filter((move) => marks.overlap(move.shards, shards));
  const [move] = moves;
  if (move === undefined) return false;
  const isOurs = isRepeated && moves.length === 1 && move.storeId === to.id;
  if (isOurs && isDeepStrictEqual(move.shards, shards)) return true;
  const advice = isOurs ? 'Repeat the copy that was broken off with the same --shards and --of.' : 'Copy from there.';
  throw new StoreUnfit(`${marks.movedText(shown, move)} ${advice}`);
}

/** Keys of all that is no mark. */
async function ownKeys(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const [key] of store.entries()) if (!marks.isMark(key)) keys.push(key);
  return keys;
}

/** Found from any working directory, with the database, without credentials. */
function whereIs(url: string): string {
  return storeKind(url) === 'sqlite' ? resolve(sqlitePath(url)) : shownStore(url) + new URL(url).pathname;
}

/** Writes documents, each once. @returns a hash of each, by its key */
export async function writeDocuments(
  store: Pick<Store, 'set'>,
  documents: AsyncIterable<readonly [key: string, document: unknown]>,
  onFailpoint: Machine['onFailpoint'],
): Promise<ReadonlyMap<string, string>> {
  const written = new Map<string, string>();
  const underWay: Promise<void>[] = [];
  for await (const [key, document] of documents) {
    written.set(key, hashOf(document));
    underWay.push(store.set(key, document).then(() => onFailpoint('copy.stored')));
    if (underWay.length >= WRITES_AT_ONCE) await Promise.all(underWay.splice(0));
  }
  await Promise.all(underWay);
  return written;
}

/** Reads a store back. @throws {StoreError} if it holds anything but what was written, by the hashes of `writeDocuments` */
export async function checkDocuments(
  store: Pick<Store, 'entries'>,
  written: ReadonlyMap<string, string>,
  shown: string,
): Promise<void> {
  const missing = new Map(written);
  const wrong: string[] = [];
  for await (const [key, document] of store.entries()) {
    if (marks.isMark(key)) continue;
    if (missing.get(key) !== hashOf(document)) wrong.push(key);
    missing.delete(key);
  }
  const faults = [...wrong, ...missing.keys()];
  if (faults.length === 0) return;
  throw new StoreError(
    `The store ${shown} does not hold what was written into it: ${faults.length} documents are missing or different, such as ${faults.slice(0, NAMED_KEYS).join(', ')}. It stays incomplete. Copy again.`,
  );
}

function hashOf(document: unknown): string {
  const text = JSON.stringify(document) ?? '';
  return createHash('sha256').update(text).digest('base64');
}

/** A heading with the number of keys, and the first keys below it; nothing without keys. */
function keyList(heading: string, keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return [];
  const more = keys.length - LISTED_KEYS;
  return [
    `${heading}: ${keys.length}`,
    ...keys.slice(0, LISTED_KEYS).map((key) => `  ${printable(key)}`),
    ...(more > 0 ? [`  … and ${more} more: ${shownCounts(keys)}`] : []),
  ];
}

/** Such as `watch: 3, wallet: 2`. */
function shownCounts(keys: readonly string[]): string {
  return kindCounts(keys)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ');
}

/** How many keys there are of each kind, by what stands before the first colon. */
function kindCounts(keys: readonly string[]): readonly (readonly [kind: string, count: number])[] {
  const kinds = groupBy(keys, (key) => printable(key.split(':', 1)[0] ?? ''));
  return [...kinds].map(([kind, those]) => [kind, those.length] as const).toSorted(([a], [b]) => compare(a, b));
}

/** A key of another program may be anything. */
export function printable(key: string): string {
  return key.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
