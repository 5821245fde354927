import { hash } from 'node:crypto';
import { groupBy } from '../../lib/group-by.ts';
import type { Machine } from '../../lib/machine.ts';
import type { Progress } from '../../lib/progress.ts';
import { compare } from '../../lib/text/compare.ts';
import { StoreError } from '../../store/error.ts';
import { FORMAT } from '../../store/format.ts';
import * as marks from '../../store/marks.ts';
import type { Store } from '../../store/store.ts';

const WRITES_AT_ONCE = 32;
const NAMED_KEYS = 5;

/** Services for `npm run store`. */
export interface StoreTool extends Pick<Machine, 'nowMs' | 'onFailpoint'> {
  /** Environment variables: the source of STORE_URL, and of the variables in `env:NAME`. */
  readonly environment: NodeJS.ProcessEnv;
  /** Shows the progress of a dump, load or copy. */
  readonly progress: Progress;
  /** Receives warnings. */
  readonly warn: (text: string) => void;
}

/**
 * Marks a store as incomplete, before it is filled.
 *
 * @param from source of its documents
 */
export async function beginFilling(to: Store, from: string): Promise<void> {
  await marks.writeMark(to, 'copying', { from });
  // An earlier program may have begun it.
  await marks.writeMark(to, 'meta', { schemaVersion: FORMAT.version });
}

/**
 * Fills a store that is marked as incomplete with exactly these documents, and reads them back. It
 * stays marked.
 *
 * @param total number of documents; null if unknown
 * @returns their keys
 */
export async function finishFilling(
  { progress, onFailpoint }: StoreTool,
  to: Store,
  toShown: string,
  documents: AsyncIterable<readonly [key: string, document: unknown]>,
  total: number | null,
): Promise<readonly string[]> {
  for (const key of await ownKeys(to)) await to.delete(key);
  const counted = progress.counted(documents, 'Writing', total);
  const written = await writeDocuments(to, counted, onFailpoint);
  const entries = () => progress.counted(to.entries(), 'Comparing', written.size);
  await checkDocuments({ entries }, written, toShown);
  return [...written.keys()];
}

/**
 * Accepts a store that is empty, or that an interrupted copy has left.
 *
 * @throws {StoreError} if it contains anything else
 */
export async function refuseFull(to: Store, toShown: string): Promise<void> {
  if ((await marks.incompleteness(to, toShown)) !== null) return;
  const hasMoved = (await marks.readMoves(to)).length > 0;
  const held = [...kindCounts(await ownKeys(to))];
  if (hasMoved) held.push('the mark of a move');
  if (held.length === 0) return;
  throw new StoreError(
    `The store ${toShown} is not empty: it holds ${held.join(', ')}. Name an empty one.`,
  );
}

/** Returns the keys of all documents that are not marks. */
async function ownKeys(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const [key] of store.entries()) if (!marks.isMark(key)) keys.push(key);
  return keys;
}

/**
 * Writes documents, each once.
 *
 * @returns a hash of each, by its key
 */
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

/**
 * Reads a store back and compares it.
 *
 * @throws {StoreError} if its documents differ from those that `writeDocuments` wrote, by their
 *   hashes
 */
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
    `The store ${shown} does not hold what was written into it: ${faults.length} documents ` +
      `are missing or different, such as ${faults.slice(0, NAMED_KEYS).join(', ')}. ` +
      'It stays incomplete. Copy again.',
  );
}

function hashOf(document: unknown): string {
  return hash('sha256', JSON.stringify(document) ?? '', 'base64');
}

/** Counts the keys of each kind, by the part before the first colon: `watch: 3`. */
export function kindCounts(keys: readonly string[]): readonly string[] {
  const kinds = groupBy(keys, (key) => printable(key.split(':', 1)[0] ?? ''));
  return [...kinds].map(([kind, those]) => `${kind}: ${those.length}`).toSorted(compare);
}

/** Makes a key printable, because another program's key may contain anything. */
export function printable(key: string): string {
  return key.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
