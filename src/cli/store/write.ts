import { createHash } from 'node:crypto';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { StoreError } from '../../store/error.ts';
import { isMark } from '../../store/marks.ts';
import type { Store } from '../../store/store.ts';

/** Writes under way at once. */
const WRITES_AT_ONCE = 32;
/** Keys that a message names. */
const NAMED_KEYS = 5;

/** What each document is, by its key: a hash. */
export type Written = ReadonlyMap<string, string>;

/** Writes documents, each once. */
export async function writeDocuments(
  store: Pick<Store, 'set'>,
  documents: AsyncIterable<readonly [key: string, document: unknown]>,
  onFailpoint: OnFailpoint,
): Promise<Written> {
  const written = new Map<string, string>();
  let underWay: Promise<void>[] = [];
  const settle = async () => {
    const writes = await Promise.allSettled(underWay);
    underWay = [];
    for (const write of writes) if (write.status === 'rejected') throw write.reason;
  };
  for await (const [key, document] of documents) {
    written.set(key, hashOf(document));
    underWay.push(store.set(key, document).then(() => onFailpoint('copy.stored')));
    if (underWay.length >= WRITES_AT_ONCE) await settle();
  }
  await settle();
  return written;
}

/**
 * Reads a store back.
 *
 * @throws {StoreError} if it holds anything but what was written
 */
export async function checkDocuments(store: Pick<Store, 'entries'>, written: Written, shown: string): Promise<void> {
  const missing = new Map(written);
  const wrong: string[] = [];
  for await (const [key, document] of store.entries()) {
    if (isMark(key)) continue;
    if (missing.get(key) !== hashOf(document)) wrong.push(key);
    missing.delete(key);
  }
  const faults = [...wrong, ...missing.keys()];
  if (faults.length === 0) return;
  throw new StoreError(
    `The store ${shown} does not hold what was written into it: ${faults.length} documents are missing or different, such as ${faults.slice(0, NAMED_KEYS).join(', ')}. It stays incomplete. Copy again.`,
    undefined,
  );
}

function hashOf(document: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(document) ?? '')
    .digest('base64');
}
