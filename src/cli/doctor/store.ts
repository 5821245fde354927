import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { shownStore, sqlitePath, storeKind } from '../../store/address.ts';
import { UnreadableDocument } from '../../store/document.ts';
import { StoreError } from '../../store/error.ts';
import { inspectStore } from '../../store/store.ts';
import { RESTING_PREFIX } from '../../watches/resting-guilds.ts';
import { WATCH_PREFIX, type Watch, watchSchema } from '../../watches/watch.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export interface StoreReport {
  readonly findings: readonly Finding[];
  /** Without those of servers that rest. */
  readonly watches: readonly Watch[];
  /** Whether a walletbell has the store open. */
  readonly isInUse: boolean;
}

/** What a new store needs at least: the database, its log and its lock. */
const ROOM_BYTES = 1_000_000;

const outboxSchema = z.object({ outbox: z.array(z.unknown()) });

/** Looks into the store without changing it, also while a bot has it open. */
export async function checkStore(url: string): Promise<StoreReport> {
  const shown = shownStore(url);
  const findings: Finding[] = [];
  let watches: Watch[] = [];
  let isInUse = false;
  try {
    const inspection = await inspectStore(url);
    ({ isInUse } = inspection);
    try {
      let waiting = 0;
      let damaged = 0;
      let aside = 0;
      const resting = new Set<string>();
      for await (const [key, document] of inspection.entries()) {
        const watch = key.startsWith(WATCH_PREFIX) ? watchSchema.safeParse(document) : null;
        if (watch?.success === true) watches.push(watch.data);
        if (key.startsWith(RESTING_PREFIX)) resting.add(key.slice(RESTING_PREFIX.length));
        if (key.startsWith('quarantine:')) aside += 1;
        else if (document instanceof UnreadableDocument || watch?.success === false) damaged += 1;
        if (key.startsWith('wallet:')) waiting += outboxSchema.safeParse(document).data?.outbox.length ?? 0;
      }
      const all = watches.length;
      watches = watches.filter(({ guildId }) => !resting.has(guildId));
      findings.push(...writable(url));
      if (findings.length === 0) {
        const wallets = new Set(watches.map(({ wallet }) => wallet)).size;
        const counts = `watches: ${watches.length}, wallets: ${wallets}, alerts waiting: ${waiting}`;
        findings.push(ok('store', inspection.isNew ? `${shown} is made at the first start.` : `${shown}: ${counts}.`));
      }
      if (all > watches.length) {
        const text = `watches that rest: ${all - watches.length}, of servers that have removed the bot or are not served.`;
        findings.push(ok('store', text));
      }
      if (isInUse) findings.push(ok('store', 'in use by a running walletbell, which is as it should be.'));
      if (damaged > 0) {
        findings.push(
          warn(
            'store',
            `documents that cannot be read: ${damaged}. The next start puts them aside and tells their rooms.`,
          ),
        );
      }
      if (aside > 0) {
        findings.push(
          warn('store', `documents put aside earlier because they could not be read: ${aside} (keys quarantine:…).`),
        );
      }
      for (const text of inspection.warnings) findings.push(warn('store', text));
    } finally {
      await inspection.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    findings.push(fail('store', error.message));
  }
  return { findings, watches, isInUse };
}

/** Whether a file, or the place where it will be made, can be written. */
function writable(url: string): readonly Finding[] {
  if (storeKind(url) !== 'sqlite') return [];
  const path = sqlitePath(url);
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
  } catch {
    return [
      fail(
        'store',
        `${path} cannot be written by this user. Give it the right to write the file and the folder ${folder}.`,
      ),
    ];
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= ROOM_BYTES) return [];
  return [fail('store', `${path} has no room to grow: the disk of ${folder} is full. Make room there.`)];
}
