import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { errorCode, reasonOf } from '../../lib/error.ts';
import type { Progress } from '../../lib/progress.ts';
import { RELEASE, type Release } from '../../lib/release.ts';
import { parseJson } from '../../lib/text/json.ts';
import { shownStore, storeKind } from '../../store/address.ts';
import { type Documents, UnreadableDocument } from '../../store/backend.ts';
import { StoreError, StoreUnfit } from '../../store/error.ts';
import { FORMAT } from '../../store/format.ts';
import * as marks from '../../store/marks.ts';
import { closing, inspectStore, openStore } from '../../store/store.ts';
import { beginFilling, finishFilling, refuseFull, type StoreTool } from './fill.ts';

/** The first line: the release that wrote the file, and the format of its documents. */
const headSchema = z.object({ version: z.string(), commit: z.string(), format: z.int() });
/** A document, or the text of an unreadable one. */
const lineSchema = z.union([
  z.object({ key: z.string(), document: z.unknown() }),
  z.object({ key: z.string(), text: z.string() }),
]);
/** The last line: the number of documents, and the SHA-256 of all lines above it in hex digits. */
const endSchema = z.object({ documents: z.int().min(0), sha256: z.string() });

/** Line ends for some readers, which JSON allows inside a text. */
const LINE_ENDS = /[\u2028\u2029]/g;

/** Formats a document as a line of a dump, without its line break. */
function lineOf(key: string, document: unknown): string {
  const isRead = !(document instanceof UnreadableDocument);
  const line = JSON.stringify(isRead ? { key, document } : { key, text: document.raw });
  return line.replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16)}`);
}

/**
 * Yields the lines of a dump, each with its line break.
 *
 * @returns the number of documents
 */
export async function* dumpLines(
  entries: AsyncIterable<readonly [key: string, document: unknown]>,
  { version, commit }: Release,
): AsyncGenerator<string, number> {
  const hash = createHash('sha256');
  const hashed = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  let documents = 0;
  yield hashed(JSON.stringify({ version, commit, format: FORMAT.version }));
  for await (const [key, document] of entries) {
    if (marks.isMark(key)) continue;
    documents += 1;
    yield hashed(lineOf(key, document));
  }
  yield `${JSON.stringify({ documents, sha256: hash.digest('hex') })}\n`;
  return documents;
}

/**
 * Writes all documents of a store to a new file, as of one moment. If the store supports that, it
 * works while a bot runs; else no bot may have the store open. The file exists only once it is
 * complete and on the disk.
 *
 * @returns a line about what was written
 * @throws {StoreError} with the reason why nothing was written
 */
export async function dumpStore(url: string, file: string, progress: Progress): Promise<string> {
  const shown = shownStore(url);
  if (fs.existsSync(file)) {
    throw new StoreError(`${file} exists already. Name a file that does not.`);
  }
  await requireStore(url, 'to dump. Check STORE_URL.');
  const write = async (store: Pick<Documents, 'get' | 'entries'>) => {
    const fault =
      (await marks.versionFault(store, shown, FORMAT)) ??
      (await marks.unfitness(store, shown, { ids: [], count: 1 }));
    if (fault !== null) throw new StoreUnfit(fault);
    const entries = progress.counted(store.entries(), 'Dumping');
    return writeLines(file, dumpLines(entries, RELEASE));
  };
  // SCAN has no consistent snapshot, so only the owner can dump a Redis store.
  const documents =
    storeKind(url) === 'redis'
      ? await closing(openStore(url, { shards: null }), write)
      : await closing(inspectStore(url, { isOneMoment: true }), write);
  return `Dumped ${shown} to ${file}: ${documents} documents.`;
}

/**
 * Ensures that a store exists, because opening it would create it.
 *
 * @param advice end of the error message: the purpose, and what to do
 * @throws {StoreError} if there is none
 */
export async function requireStore(url: string, advice: string): Promise<void> {
  const isNew = await closing(inspectStore(url), async (inspection) => inspection.isNew);
  if (isNew) throw new StoreError(`There is no store at ${shownStore(url)} ${advice}`);
}

async function writeLines(file: string, lines: AsyncGenerator<string, number>): Promise<number> {
  const unfinished = `${file}.part`;
  try {
    // It contains the watches of every channel.
    const handle = await fs.promises.open(unfinished, 'w', 0o600);
    try {
      for (;;) {
        const { done, value } = await lines.next();
        if (done === true) {
          await handle.sync();
          fs.renameSync(unfinished, file);
          return value;
        }
        await handle.write(value);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    if (error instanceof StoreError || errorCode(error) === '') throw error;
    throw new StoreError(`${file} cannot be written: ${reasonOf(error)}.`, error);
  }
}

/**
 * Reads and checks a dump.
 *
 * @returns its first line, and its documents, converted to today's format on demand
 * @throws {StoreError} if it is not complete, or a later program wrote it
 */
export async function readDump(file: string) {
  const { head, documents } = await checkDump(file);
  return {
    head,
    /** Number of documents. */
    documents,
    async *entries() {
      for await (const text of documentLines(file)) {
        const line = lineSchema.parse(JSON.parse(text));
        const { key } = line;
        const envelope =
          'text' in line ? line.text : JSON.stringify({ v: head.format, value: line.document });
        yield [key, FORMAT.read(key, envelope)] as const;
      }
    },
  };
}

/** Yields the lines between the first and the last one. */
async function* documentLines(file: string) {
  let before: string | null = null;
  let isFirst = true;
  for await (const line of linesOf(file)) {
    if (before !== null) yield before;
    before = isFirst ? null : line;
    isFirst = false;
  }
}

function linesOf(file: string) {
  return createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
}

async function checkDump(file: string) {
  const hash = createHash('sha256');
  let first = '';
  let last = '';
  let lines = 0;
  try {
    for await (const line of linesOf(file)) {
      if (lines === 0) first = line;
      else hash.update(`${last}\n`);
      last = line;
      lines += 1;
    }
  } catch (error) {
    throw new StoreError(`${file} cannot be read: ${reasonOf(error)}.`, error);
  }
  const head = headSchema.safeParse(parseJson(first)).data;
  if (head === undefined) {
    throw new StoreError(
      `${file} is no dump of walletbell: its first line does not say which one wrote it.`,
    );
  }
  const { version, commit, format } = head;
  if (format < FORMAT.first || format > FORMAT.version) {
    throw new StoreError(
      `${file} was dumped by walletbell ${version}, ${commit}, and is of format ${format}; ` +
        `this one reads ${FORMAT.first} to ${FORMAT.version}. Load it with that one.`,
    );
  }
  const end = endSchema.safeParse(parseJson(last)).data;
  if (end === undefined || end.documents !== lines - 2 || end.sha256 !== hash.digest('hex')) {
    throw new StoreError(
      `${file} is not complete, or has been changed: ` +
        'its last line does not fit what stands above it. Nothing has been loaded. Dump again.',
    );
  }
  return { head, documents: end.documents };
}

/**
 * Loads a dump into an empty store, and compares the result. Until then, the store counts as
 * incomplete.
 *
 * @returns a line about what was loaded
 * @throws {StoreError} with the reason why nothing was loaded, or that the store is incomplete
 */
export async function loadStore(tool: StoreTool, file: string, url: string): Promise<string> {
  const shown = shownStore(url);
  tool.progress.say(`Checking ${file}`);
  const dump = await readDump(file);
  return closing(openStore(url, { shards: null, onWarning: tool.warn }), async (store) => {
    await refuseFull(store, shown);
    await beginFilling(store, file);
    const documents = await finishFilling(tool, store, shown, dump.entries(), dump.documents);
    await marks.writeMark(store, 'copying', null);
    return `Loaded ${file} into ${shown}: ${documents.length} documents, read back and compared.`;
  });
}
