import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Survey, surveyStore, wantedDocuments } from '../../app/documents/survey.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { PROBE_KEY } from '../../ops/readiness.ts';
import { shownStore, sqlitePath, storeKind } from '../../store/address.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import {
  beginCopying,
  endCopying,
  incompleteText,
  isMark,
  movedText,
  otherShards,
  overlap,
  readCopying,
  readId,
  readMoves,
  writeId,
  writeMoves,
} from '../../store/marks.ts';
import { inspectStore, openForCopy, type Store } from '../../store/store.ts';
import type { CopyRequest } from './arguments.ts';
import { type Copied, keyList, shownCounts } from './report.ts';
import { checkDocuments, writeDocuments } from './write.ts';

export interface CopyDeps {
  readonly nowMs: () => number;
  readonly onWarning: (text: string) => void;
  readonly onFailpoint: OnFailpoint;
}

/** Both stores, opened. */
interface Stores {
  readonly from: Store;
  readonly to: Store;
  /** As they may be shown. */
  readonly fromShown: string;
  readonly toShown: string;
}

/** What has been found out before anything is written. */
interface Prepared {
  readonly survey: Survey;
  /** Whether an earlier copy into this store was broken off. */
  readonly isRepeated: boolean;
  /** Whether it had marked FROM as moved. */
  readonly wasRetired: boolean;
}

/**
 * Copies a store into an empty one, and compares what it wrote. Until it has, the new store counts as incomplete. With
 * `isRetiring` FROM counts as moved before the new one counts as complete, so that at no instant both can be started. With
 * `shards` a bot with these alone is started on the new one, and deletes there what is of others; FROM counts as moved for these.
 *
 * @throws {StoreError} that says why nothing was copied, or that the copy is incomplete; {@link StoreUnfit} if FROM has moved
 *   already, or is incomplete itself
 */
export async function copyStore(request: CopyRequest, deps: CopyDeps): Promise<Copied> {
  const [fromShown, toShown] = [shownStore(request.from), shownStore(request.to)];
  await refuseMissing(request.from, fromShown);
  const options = (shown: string) => ({ onWarning: (text: string) => deps.onWarning(`${shown}: ${text}`) });
  const from = await openForCopy(request.from, options(fromShown));
  try {
    await refuseSame(from, request.to);
    const to = await openForCopy(request.to, options(toShown));
    try {
      return await copyBetween({ from, to, fromShown, toShown }, request, deps);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function copyBetween(stores: Stores, request: CopyRequest, deps: CopyDeps): Promise<Copied> {
  const prepared = await prepare(stores, request);
  const { from, to, fromShown, toShown } = stores;
  const { survey, isRepeated, wasRetired } = prepared;
  const { shards } = request;
  const atMs = deps.nowMs();
  await beginCopying(to, { from: fromShown, atMs });
  const storeId = isRepeated ? to.id : randomUUID();
  await writeId(to, storeId);
  const others = shards === null ? null : otherShards(shards);
  const isForSome = others !== null && others.ids.length > 0;
  await writeMoves(to, isForSome ? [{ to: whereIs(request.from), storeId: from.id, atMs, shards: others }] : []);
  for (const key of await ownKeys(to)) await to.delete(key);
  const written = await writeDocuments(to, wantedDocuments(from, survey, deps.nowMs), deps.onFailpoint);
  await checkDocuments(to, written, toShown);
  deps.onFailpoint('copy.checked');
  // A process that was stopped for long may have lost it to a bot that has written since.
  await from.prove();
  const isRetired = request.isRetiring || wasRetired;
  if (isRetired && !wasRetired) {
    await writeMoves(from, [...(await readMoves(from)), { to: whereIs(request.to), storeId, atMs, shards }]);
    deps.onFailpoint('copy.retired');
  }
  await endCopying(to);
  return {
    from: fromShown,
    to: toShown,
    shards,
    keys: [...written.keys()],
    skipped: survey.damaged.length + survey.foreign.length,
    isRetired,
  };
}

/** @throws {StoreError} if something speaks against the copy */
async function prepare(stores: Stores, request: CopyRequest): Promise<Prepared> {
  const { from, to, toShown } = stores;
  const isRepeated = (await readCopying(to)) !== undefined;
  const wasRetired = await refuseMoved(stores, request, isRepeated);
  const found = isRepeated ? [] : (await ownKeys(to)).filter((key) => key !== PROBE_KEY);
  const isMovedItself = !isRepeated && (await readMoves(to)).length > 0;
  if (found.length > 0 || isMovedItself) {
    const held = [...(found.length > 0 ? [shownCounts(found)] : []), ...(isMovedItself ? ['the mark of a move'] : [])];
    throw new StoreError(
      `The store ${toShown} is not empty: it holds ${held.join(', and ')}. Name an empty one.`,
      undefined,
    );
  }
  const survey = await surveyStore(from);
  const questions = openQuestions(survey, request);
  if (questions.length > 0) {
    throw new StoreError([...questions, 'Nothing has been copied.'].join('\n'), undefined);
  }
  return { survey, isRepeated, wasRetired };
}

/** What the person has to decide first. */
function openQuestions({ damaged, foreign }: Survey, { skipsDamaged }: CopyRequest): readonly string[] {
  if (skipsDamaged || damaged.length + foreign.length === 0) return [];
  return [
    ...(damaged.length > 0 ? [keyList('Documents that cannot be read', damaged)] : []),
    ...(foreign.length > 0 ? [keyList('Documents that belong to nobody', foreign)] : []),
    'With --skip-damaged these stay where they are, and the rest is copied.',
  ];
}

/** Opening it would make it. */
async function refuseMissing(url: string, shown: string): Promise<void> {
  const inspection = await inspectStore(url);
  await inspection.close();
  if (inspection.isNew) throw new StoreError(`There is no store at ${shown} to copy. Check FROM.`, undefined);
}

/** An address can be written in many ways, so the stores themselves are compared. */
async function refuseSame(from: Store, to: string): Promise<void> {
  const inspection = await inspectStore(to);
  try {
    if ((await readId(inspection)) !== from.id) return;
    throw new StoreError('FROM and TO are the same store, or one is a backup of the other.', undefined);
  } finally {
    await inspection.close();
  }
}

/**
 * Refuses to copy what has moved already, unless it is the very copy that was broken off after FROM had been marked.
 *
 * @returns whether it is
 */
async function refuseMoved(
  { from, to, fromShown }: Stores,
  { shards }: CopyRequest,
  isRepeated: boolean,
): Promise<boolean> {
  const copying = await readCopying(from);
  if (copying !== undefined) throw new StoreUnfit(incompleteText(fromShown, copying), undefined);
  const moves = (await readMoves(from)).filter((move) => overlap(move.shards, shards));
  const [move] = moves;
  if (move === undefined) return false;
  const isOurs = isRepeated && moves.length === 1 && move.storeId === to.id;
  if (isOurs && isDeepStrictEqual(move.shards, shards)) return true;
  const advice = isOurs ? 'Repeat the copy that was broken off with the same --shards and --of.' : 'Copy from there.';
  throw new StoreUnfit(`${movedText(fromShown, move)} ${advice}`, undefined);
}

/** Keys of all that is no mark. */
async function ownKeys(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const [key] of store.entries()) if (!isMark(key)) keys.push(key);
  return keys;
}

/** Found from any working directory, with the database, without credentials. */
function whereIs(url: string): string {
  return storeKind(url) === 'sqlite' ? resolve(sqlitePath(url)) : shownStore(url) + new URL(url).pathname;
}
