import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { looseDocumentSchema, WALLET_PREFIX } from '../../alerts/wallet-document.ts';
import { describeDocument } from '../../app/documents/kinds.ts';
import { shownStore, sqlitePath, storeKind } from '../../store/address.ts';
import type { Inspection } from '../../store/backend.ts';
import { StoreError } from '../../store/error.ts';
import { isMark, type Shards, unfitness, versionFault } from '../../store/marks.ts';
import { quarantinedKey } from '../../store/quarantine.ts';
import { closing, inspectStore } from '../../store/store.ts';
import { restingKind } from '../../watches/resting-owners.ts';
import { parseWatchKey, type Watch, watchKey } from '../../watches/watch.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** What a new store needs at least: the database, its log and its lock. */
const ROOM_BYTES = 1_000_000;

/** Keys that a finding names. */
const NAMED_KEYS = 3;
const LOOK = 'Look at them, mend or delete them: npm run store -- quarantine';

/** What the documents of a store amount to. */
const noContents = () => ({
  watches: [] as Watch[],
  /** Ids of the servers that rest. */
  resting: new Set<string>(),
  waitingAlerts: 0,
  /** Keys of documents that cannot be read, wholly or in parts. */
  damaged: [] as string[],
  /** Keys under which documents stood that an earlier start has put aside. */
  quarantined: [] as string[],
});
type StoreContents = ReturnType<typeof noContents>;

/**
 * Looks into the store without changing it, also while a bot has it open.
 *
 * @param shards of the bot
 * @returns also the watches without those of servers that rest, and whether a walletbell has the store open
 */
export async function checkStore(url: string, shards: Shards | 'auto') {
  const contents = noContents();
  const findings: Finding[] = [];
  let { watches } = contents;
  let isInUse = false;
  try {
    await closing(inspectStore(url), async (inspection) => {
      ({ isInUse } = inspection);
      const shown = shownStore(url);
      const unfit = (await versionFault(inspection, shown)) ?? (await unfitness(inspection, shown, shards));
      if (unfit !== null) return findings.push(fail('store', unfit));
      for await (const [key, document] of inspection.entries())
        if (!isMark(key)) countDocument(contents, key, document);
      watches = contents.watches.filter(({ ownerId }) => !contents.resting.has(ownerId));
      return findings.push(...contentFindings(url, inspection, contents, watches));
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    findings.push(fail('store', error.message));
  }
  return { findings, watches, isInUse };
}

/** Adds a document to the contents. */
function countDocument(contents: StoreContents, key: string, document: unknown): void {
  const quarantined = quarantinedKey(key);
  if (quarantined !== undefined) return void contents.quarantined.push(quarantined);
  const description = describeDocument(key, document);
  if (description === 'foreign') return;
  if (description === 'damaged') return void contents.damaged.push(key);
  if (description.damage !== undefined) contents.damaged.push(key);
  if (description.watch !== undefined) contents.watches.push(description.watch);
  if (restingKind.holds(key)) contents.resting.add(restingKind.idOf(key));
  if (key.startsWith(WALLET_PREFIX)) contents.waitingAlerts += looseDocumentSchema.parse(document).outbox.length;
}

/** @param watches without those of servers that rest */
function contentFindings(
  url: string,
  inspection: Inspection,
  contents: StoreContents,
  watches: readonly Watch[],
): readonly Finding[] {
  const findings: Finding[] = [...writable(url)];
  if (findings.length === 0) {
    const wallets = new Set(watches.map(({ wallet }) => wallet)).size;
    const counts = `watches: ${watches.length}, wallets: ${wallets}, alerts waiting: ${contents.waitingAlerts}.`;
    const text = inspection.isNew ? ' is made at the first start.' : `: ${counts}`;
    findings.push(ok('store', shownStore(url) + text));
  }
  const resting = contents.watches.length - watches.length;
  const rest = `watches that rest: ${resting}, of servers that have removed the bot or are not served.`;
  if (resting > 0) findings.push(ok('store', rest));
  if (inspection.isInUse) findings.push(ok('store', 'in use by a running walletbell, which is as it should be.'));
  findings.push(...damageFindings(contents));
  return [...findings, ...inspection.warnings.map((text) => warn('store', text))];
}

/** What cannot be read, and what was put aside because of that. A watch among it sends no alerts, which is a fault. */
function damageFindings({ watches, damaged, quarantined }: StoreContents): readonly Finding[] {
  const isWatch = (key: string) => parseWatchKey(key) !== undefined;
  const inPlace = new Set(watches.map(watchKey));
  const [unread, others] = [damaged.filter(isWatch), damaged.filter((key) => !isWatch(key))];
  const mute = quarantined.filter((key) => isWatch(key) && !inPlace.has(key));
  const old = quarantined.filter((key) => !mute.includes(key));
  const findings: Finding[] = [];
  const say = (level: typeof fail, keys: readonly string[], text: string) => {
    const more = keys.length > NAMED_KEYS ? ', …' : '';
    const named = `${keys.length} (${keys.slice(0, NAMED_KEYS).join(', ')}${more})`;
    if (keys.length > 0) findings.push(level('store', text.replace('#', named)));
  };
  say(fail, unread, 'watches that cannot be read: #. The next start puts them aside and tells their channels.');
  say(fail, mute, `watches put aside because they could not be read: #. They send no alerts. ${LOOK}`);
  say(warn, others, 'documents that cannot be read: #. The next start puts them aside, and tells channels of gaps.');
  say(warn, old, `documents put aside earlier because they could not be read: #. ${LOOK}`);
  return findings;
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
    const advice = `Give it the right to write the file and the folder ${folder}.`;
    return [fail('store', `${path} cannot be written by this user. ${advice}`)];
  }
  const { bavail, bsize, blocks } = statfsSync(folder);
  if (blocks === 0) return [fail('store', `${path}: ${folder} is no place for files. Name another file in STORE_URL.`)];
  if (bavail * bsize >= ROOM_BYTES) return [];
  return [fail('store', `${path} has no room to grow: the disk of ${folder} is full. Make room there.`)];
}
