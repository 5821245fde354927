import * as fs from 'node:fs';
import type { Logger } from 'pino';
import { reasonOf } from '../lib/error.ts';
import { NO_PROGRESS, type Progress } from '../lib/progress.ts';
import { type Release, shownRelease } from '../lib/release.ts';
import { shownStore, sqlitePath, storeKind } from './address.ts';
import type { Documents } from './backend.ts';
import { copyPath, copySpace, deleteOldCopies, unfinishedCopyPath } from './copy-before.ts';
import { isDiskFull, StoreUnfit } from './error.ts';
import type { Format } from './format.ts';
import { isMark, type Meta } from './marks.ts';

const NAMED_FAULTS = 20;
const MINUTE_SECONDS = 60;
const SPACE_ADVICE =
  'Make room, or back it up elsewhere (npm run backup -- FILE) and start with --no-copy.';

/**
 * Returns the faults that make a document unreadable, such as `settings.minUsdc: …`; empty if it
 * can be read.
 */
type FaultsOf = (key: string, document: unknown) => readonly string[];

/** Rule for starting a bot or feed on a store of an older format, before its first write. */
export interface StartRule {
  readonly log: Logger;
  readonly nowMs: () => number;
  readonly release: Release;
  /** Loads the function that finds unreadable parts of a document. */
  readonly loadFaultsOf: () => Promise<FaultsOf>;
  /** Quarantines unreadable documents instead of failing at startup. */
  readonly skipsDamaged: boolean;
  /** Copies a SQLite file before it is written to. */
  readonly copies: boolean;
  /** Shows the progress of the conversion. */
  readonly progress?: Progress;
}

interface OlderStore {
  readonly url: string;
  readonly documents: Pick<Documents, 'entries'>;
  readonly format: Format;
  readonly meta: Meta;
}

/**
 * Prepares a store of an older format for a start: reads all of it through the conversion steps,
 * then copies it if it is a file. Afterwards it may be written to.
 *
 * @throws {StoreUnfit} if something cannot be read, or there is no space for the copy. Nothing was
 *   written then
 */
export async function prepareConversion(older: OlderStore, rule: StartRule): Promise<void> {
  const { url, format, meta } = older;
  const { log, nowMs, release, skipsDamaged, copies, progress = NO_PROGRESS } = rule;
  const formats = { fromFormat: meta.schemaVersion, toFormat: format.version };
  log.info({ event: 'store.converting', ...formats, writtenBy: writerOf(meta) });
  const entries = () => progress.counted(older.documents.entries(), 'Reading the store');
  const fault = await unreadableFault({ ...older, documents: { entries } }, rule);
  progress.clear();
  if (fault !== null && !skipsDamaged) throw new StoreUnfit(fault);
  if (!copies || storeKind(url) !== 'sqlite') return;
  const path = sqlitePath(url);
  const lack = spaceFault(url);
  if (lack !== null) throw new StoreUnfit(lack);
  const target = copyPath(path, release.version);
  const beganMs = nowMs();
  progress.say(`Copying the store to ${target}`);
  await copyFile(path, target).finally(progress.clear);
  log.info({ event: 'store.copied', file: target, seconds: (nowMs() - beganMs) / 1000 });
  deleteOldCopies(url, nowMs());
}

/**
 * Returns why a start would end because of unreadable documents. Reads the whole store, page by
 * page.
 *
 * @returns null if all of it can be read
 */
export async function unreadableFault(
  { url, documents, format, meta }: OlderStore,
  { loadFaultsOf, release }: StartRule,
): Promise<string | null> {
  const faultsOf = await loadFaultsOf();
  const named: string[] = [];
  let count = 0;
  for await (const [key, document] of documents.entries()) {
    if (isMark(key)) continue;
    const faults = faultsOf(key, document);
    if (faults.length === 0) continue;
    count += 1;
    if (named.length < NAMED_FAULTS) named.push(`  ${key} (${faults.join('; ')})`);
  }
  if (count === 0) return null;
  const more = count - named.length;
  if (more > 0) named.push(`  … and ${more} more`);
  const writer = writerOf(meta);
  return [
    `The store ${shownStore(url)} is of format ${meta.schemaVersion}. ` +
      `Of its documents ${count} cannot be read by this walletbell ` +
      `(${shownRelease(release)}, format ${format.version}):`,
    ...named,
    `Nothing has been changed: walletbell ${writer} works on it as before. ` +
      'To put these aside and start without them: npm start -- --skip-damaged',
  ].join('\n');
}

/**
 * Returns a text if the disk has no space for the copy of a SQLite file; null if it has, or if no
 * copy is made.
 */
export function spaceFault(url: string): string | null {
  if (storeKind(url) !== 'sqlite') return null;
  const path = sqlitePath(url);
  const { neededBytes, lackingBytes } = copySpace(path);
  if (lackingBytes === 0) return null;
  return (
    `The store ${path} is copied before it is converted, and its disk has no room for that: ` +
    `${lackingBytes} of ${neededBytes} bytes lack. ${SPACE_ADVICE}`
  );
}

/**
 * Returns what a start does about the format: `format 5, mine 6: will convert, after a copy … which
 * takes at least 3 s`.
 */
export function conversionText(url: string, meta: Meta, format: Format, copies: boolean): string {
  const formats = `format ${meta.schemaVersion}, mine ${format.version}: will convert`;
  if (storeKind(url) !== 'sqlite') {
    return `${formats}. Back it up before (pg_dump, BGSAVE): no copy is made of a server's store.`;
  }
  if (!copies) return `${formats}, without a copy.`;
  const { neededBytes, leastSeconds } = copySpace(sqlitePath(url));
  const least = shownTime(leastSeconds);
  return `${formats}, after a copy of ${neededBytes} bytes, which takes at least ${least}.`;
}

/** Formats a duration: `12 s`, from two minutes on `3 minutes`. */
function shownTime(seconds: number): string {
  if (seconds < 2 * MINUTE_SECONDS) return `${seconds} s`;
  return `${Math.floor(seconds / MINUTE_SECONDS)} minutes`;
}

/** Returns the release that wrote the store: `0.9.0, 1a2b3c4`. */
export function writerOf({ writtenBy }: Meta): string {
  if (writtenBy === undefined) return 'of an unknown version';
  return shownRelease(writtenBy);
}

/**
 * Copies a SQLite file, replacing any copy of that name. The target exists only once it is
 * complete.
 */
async function copyFile(path: string, target: string): Promise<void> {
  const unfinished = unfinishedCopyPath(path);
  const { vacuumInto } = await import('./sqlite.ts');
  try {
    fs.rmSync(unfinished, { force: true });
    await vacuumInto(path, unfinished);
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    const reason = isDiskFull(error) ? 'its disk is full' : reasonOf(error);
    throw new StoreUnfit(
      `The store ${path} cannot be copied to ${target} before it is converted: ${reason}. ` +
        SPACE_ADVICE,
      error,
    );
  }
}
