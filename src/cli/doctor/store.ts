import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { shownStore, sqlitePath, storeKind } from '../../store/address.ts';
import type { Inspection } from '../../store/backend.ts';
import { UnreadableDocument } from '../../store/document.ts';
import { StoreError } from '../../store/error.ts';
import { type Shards, unfitness } from '../../store/marks.ts';
import { inspectStore } from '../../store/store.ts';
import { RESTING_PREFIX } from '../../watches/resting-owners.ts';
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

/** What the documents of a store amount to. */
interface StoreContents {
  readonly watches: Watch[];
  /** Ids of the servers that rest. */
  readonly resting: Set<string>;
  waitingAlerts: number;
  damaged: number;
  quarantined: number;
}

/** Looks into the store without changing it, also while a bot has it open. @param shards of the bot */
export async function checkStore(url: string, shards: Shards | 'auto'): Promise<StoreReport> {
  const contents: StoreContents = { watches: [], resting: new Set(), waitingAlerts: 0, damaged: 0, quarantined: 0 };
  const findings: Finding[] = [];
  let { watches } = contents;
  let isInUse = false;
  try {
    const inspection = await inspectStore(url);
    ({ isInUse } = inspection);
    try {
      for await (const [key, document] of inspection.entries()) countDocument(contents, key, document);
      watches = contents.watches.filter(({ ownerId }) => !contents.resting.has(ownerId));
      const unfit = await unfitness(inspection, shownStore(url), shards);
      findings.push(...(unfit === null ? contentFindings(url, inspection, contents, watches) : [fail('store', unfit)]));
    } finally {
      await inspection.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    findings.push(fail('store', error.message));
  }
  return { findings, watches, isInUse };
}

/** Adds a document to the contents. */
function countDocument(contents: StoreContents, key: string, document: unknown): void {
  const watch = key.startsWith(WATCH_PREFIX) ? watchSchema.safeParse(document) : null;
  if (watch?.success === true) contents.watches.push(watch.data);
  if (key.startsWith(RESTING_PREFIX)) contents.resting.add(key.slice(RESTING_PREFIX.length));
  if (key.startsWith('quarantine:')) contents.quarantined += 1;
  else if (document instanceof UnreadableDocument || watch?.success === false) contents.damaged += 1;
  if (key.startsWith('wallet:')) contents.waitingAlerts += outboxSchema.safeParse(document).data?.outbox.length ?? 0;
}

/** @param watches without those of servers that rest */
function contentFindings(
  url: string,
  inspection: Inspection,
  contents: StoreContents,
  watches: readonly Watch[],
): readonly Finding[] {
  const findings: Finding[] = [...writable(url)];
  if (findings.length === 0) findings.push(summary(url, inspection, contents, watches));
  const resting = contents.watches.length - watches.length;
  if (resting > 0) {
    const text = `watches that rest: ${resting}, of servers that have removed the bot or are not served.`;
    findings.push(ok('store', text));
  }
  if (inspection.isInUse) findings.push(ok('store', 'in use by a running walletbell, which is as it should be.'));
  const { damaged, quarantined } = contents;
  if (damaged > 0) {
    const text = `documents that cannot be read: ${damaged}. The next start puts them aside and notifies their channels.`;
    findings.push(warn('store', text));
  }
  if (quarantined > 0) {
    const text = `documents put aside earlier because they could not be read: ${quarantined} (keys quarantine:…).`;
    findings.push(warn('store', text));
  }
  return [...findings, ...inspection.warnings.map((text) => warn('store', text))];
}

function summary(
  url: string,
  { isNew }: Inspection,
  { waitingAlerts }: StoreContents,
  watches: readonly Watch[],
): Finding {
  const shown = shownStore(url);
  if (isNew) return ok('store', `${shown} is made at the first start.`);
  const wallets = new Set(watches.map(({ wallet }) => wallet)).size;
  return ok('store', `${shown}: watches: ${watches.length}, wallets: ${wallets}, alerts waiting: ${waitingAlerts}.`);
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
