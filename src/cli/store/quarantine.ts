import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { postedPlace } from '../../alerts/wallets/posted.ts';
import { readStoreUrl } from '../../app/config.ts';
import { surveyStore, unreadableReason } from '../../app/documents/kinds.ts';
import { type CommandLineEnd, readWords, wrongUse } from '../../lib/command-line.ts';
import { reasonOf } from '../../lib/error.ts';
import { shownStore } from '../../store/address.ts';
import { StoreError } from '../../store/error.ts';
import { FORMAT } from '../../store/format.ts';
import { readMeta } from '../../store/marks.ts';
import { QUARANTINE_PREFIX, quarantinedKey } from '../../store/quarantine.ts';
import { closing, inspectStore, openStore, type Store } from '../../store/store.ts';
import { printable } from './fill.ts';

export const QUARANTINE_USAGE = `Use: npm run store -- quarantine \
[list | show KEY [FILE] | restore KEY [FILE] [--replace] | delete KEY]
What a start put aside in the store that STORE_URL names, because it could not be read. \
KEY is as in the list.

  list             the keys (also while the bot runs)
  show KEY         the document as it was found (also while the bot runs)
  show KEY FILE    writes the document to a new file, to be mended
  restore KEY      puts it back, if it can be read now
  restore KEY FILE puts back what the file holds
  --replace        also where there is another document in its place, which is put aside then
  delete KEY       deletes it for good`;

/** A quarantined document that was not valid JSON. */
const unreadableSchema = z.strictObject({ raw: z.string(), reason: z.string() });

/** Maximum words that each command accepts, including its name. */
const MOST_WORDS = new Map(Object.entries({ list: 1, show: 3, restore: 3, delete: 2 }));

/**
 * Runs `npm run store -- quarantine`.
 *
 * @throws {StoreError} that says what the person has to do first
 */
export async function runQuarantine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<CommandLineEnd> {
  const options = { replace: { type: 'boolean', default: false } } as const;
  const read = readWords(args, QUARANTINE_USAGE, { most: 3, options });
  if ('exitCode' in read) return read;
  const [verb = 'list', named = '', file] = read.texts;
  const most = MOST_WORDS.get(verb);
  if (most === undefined) return wrongUse(`"${verb}" is not taken here.`, QUARANTINE_USAGE);
  if (read.texts.length > most) return wrongUse('There is a word too many.', QUARANTINE_USAGE);
  if (verb !== 'list' && named === '') return wrongUse('KEY is missing.', QUARANTINE_USAGE);
  const url = readStoreUrl(environment);

  const key = quarantinedKey(named) ?? named;
  if (verb === 'list') {
    const { quarantined } = await closing(inspectStore(url), surveyStore);
    return {
      exitCode: 0,
      text: quarantined.toSorted().map(printable).join('\n') || 'Nothing has been put aside.',
    };
  }
  if (verb === 'show') {
    const document = await closing(inspectStore(url), (store) => found(store, key));
    const text =
      file === undefined
        ? JSON.stringify(document, null, 2)
        : writeMendable(printable(key), document, file);
    return { exitCode: 0, text };
  }
  // Quarantined documents belong to no shards, so moved shards do not matter.
  const opened = openStore(url, { shards: { ids: [], count: 1 } });
  const text = await closing(opened, async (store) => {
    if (verb === 'restore') await refuseOlder(store, url);
    if (verb === 'restore') return restore(store, key, file, read.values.replace);
    await found(store, key);
    await store.delete(QUARANTINE_PREFIX + key);
    return `Deleted ${printable(key)}.`;
  });
  return { exitCode: 0, text };
}

/**
 * Writes a document to a new file in the form that `restore` reads, readable only by its user.
 *
 * @throws {StoreError} if the file exists, or cannot be written
 */
function writeMendable(key: string, document: unknown, file: string): string {
  const unreadable = unreadableSchema.safeParse(document).data;
  const text =
    unreadable === undefined ? JSON.stringify(document, null, 2) : mendableText(unreadable.raw);
  try {
    writeFileSync(file, `${text}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new StoreError(`${file} cannot be written: ${reasonOf(error)}`);
  }
  return `Wrote ${key} to ${file}. Mend it there, then: quarantine restore KEY FILE`;
}

/**
 * Returns the document within stored text, or the text itself if it is not JSON with a document.
 */
function mendableText(raw: string): string {
  try {
    const stored: unknown = JSON.parse(raw);
    const isStored = typeof stored === 'object' && stored !== null && 'value' in stored;
    return JSON.stringify(isStored ? stored.value : stored, null, 2);
  } catch {
    return raw;
  }
}

/**
 * Rejects a store of an older format: a restored document has today's format, which the store's own
 * program could not read.
 */
async function refuseOlder(store: Store, url: string): Promise<void> {
  const { schemaVersion = FORMAT.version } = (await readMeta(store)) ?? {};
  if (schemaVersion === FORMAT.version) return;
  throw new StoreError(
    `The store ${shownStore(url)} is still of format ${schemaVersion}, ` +
      `and this program writes ${FORMAT.version}. ` +
      'Start the bot on it first, then put the document back.',
  );
}

async function restore(
  store: Store,
  key: string,
  file: string | undefined,
  isReplacing: boolean,
): Promise<string> {
  let document = await found(store, key);
  if (postedPlace(key) !== null) {
    throw new StoreError(
      `${printable(key)} cannot be put back: its channel and wallet have gone on without it, ` +
        'and the channel was told that something may be missing. ' +
        'Delete it: quarantine delete KEY',
    );
  }
  try {
    if (file !== undefined) document = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StoreError(`${file} cannot be read as JSON: ${reasonOf(error)}`);
  }
  const reason = unreadableReason(key, document);
  if (reason !== null) {
    throw new StoreError(
      `${printable(key)} cannot be read: ${reason}\n` +
        'Mend it in a file (quarantine show KEY FILE), then: quarantine restore KEY FILE',
    );
  }
  const inPlace = await store.get(key);
  if (inPlace !== undefined) {
    if (!isReplacing) {
      throw new StoreError(
        `There is another document under ${printable(key)}. ` +
          'With --replace it is put aside instead.',
      );
    }
    await store.set(`${QUARANTINE_PREFIX}${key}:replaced`, inPlace);
  }
  await store.set(key, document);
  await store.delete(QUARANTINE_PREFIX + key);
  return `Put ${printable(key)} back. The next start reads it.`;
}

async function found(store: Pick<Store, 'get'>, key: string): Promise<unknown> {
  const document = await store.get(QUARANTINE_PREFIX + key);
  if (document === undefined) {
    throw new StoreError(
      `Nothing has been put aside under ${printable(key)}. See quarantine list.`,
    );
  }
  return document;
}
