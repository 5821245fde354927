import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Survey, surveyStore } from '../../app/documents/kinds.ts';
import { storedRateLimit } from '../../feed/rate-limit-memory.ts';
import type { Progress } from '../../lib/progress.ts';
import { shownStore, sqlitePath, storeKind } from '../../store/address.ts';
import { conversionText, spaceFault, writerOf } from '../../store/conversion.ts';
import { keptCopies } from '../../store/copy-before.ts';
import { StoreError } from '../../store/error.ts';
import { FORMAT } from '../../store/format.ts';
import { type Meta, readMeta, type Shards, unfitness, versionFault } from '../../store/marks.ts';
import { closing, type Inspection, inspectStore } from '../../store/store.ts';
import { parseWatchKey, watchKey } from '../../watches/watch.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Minimum space for a new store, in bytes: the database, its log and its lock. */
const LEAST_FREE_BYTES = 1_000_000;

const NAMED_KEYS = 3;
const LOOK = 'Look at them, mend or delete them: npm run store -- quarantine';

/**
 * Inspects the store without changing it, also while a bot has it open.
 *
 * @param shards of the bot
 * @returns findings; the watches except those of suspended servers; the key's limits as a bot
 *   learned them; and whether a walletbell has the store open
 */
export async function checkStore(url: string, shards: Shards | 'auto', progress: Progress) {
  const shown = shownStore(url);
  const look = async (inspection: Inspection) => {
    const { isInUse, isNew } = inspection;
    const unfit =
      (await versionFault(inspection, shown, FORMAT, keptCopies(url))) ??
      (await unfitness(inspection, shown, shards));
    if (unfit !== null)
      return { findings: [fail('store', unfit)], watches: [], limits: null, isInUse };
    const meta = await readMeta(inspection);
    const isOlder = meta !== undefined && meta.schemaVersion < FORMAT.version;
    const entries = () => progress.counted(inspection.entries(), 'Reading the store');
    const survey = await surveyStore({ entries });
    const watches = survey.watches.filter(({ ownerId }) => !survey.suspended.has(ownerId));
    const wallets = new Set(watches.map(({ wallet }) => wallet)).size;
    const counts =
      `watches: ${watches.length}, wallets: ${wallets}, ` +
      `alerts waiting: ${survey.waitingAlerts}.`;
    const suspended = survey.watches.length - watches.length;
    const away = 'of servers that have removed the bot or are not served';
    const text = `suspended watches: ${suspended}, ${away}.`;
    const found = isNew ? `${shown} is made at the first start.` : `${shown}: ${counts}`;
    const findings = [unwritable(url) ?? ok('store', found)];
    if (suspended > 0) findings.push(ok('store', text));
    if (isInUse) {
      findings.push(
        ok(
          'store',
          'in use by a running walletbell, which is as it should be. A second one is refused.',
        ),
      );
    }
    findings.push(
      ...formatFindings(url, meta),
      ...damageFindings(survey, isOlder),
      ...inspection.warnings.map((text) => warn('store', text)),
    );
    return { findings, watches, limits: await storedRateLimit(inspection), isInUse };
  };
  progress.say('Checking the store');
  return closing(inspectStore(url), look).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    return { findings: [fail('store', error.message)], watches: [], limits: null, isInUse: false };
  });
}

/**
 * Returns the format of the store, what a start will do about it, and copies left by earlier
 * starts.
 */
function formatFindings(url: string, meta: Meta | undefined): readonly Finding[] {
  const findings: Finding[] = [];
  if (meta !== undefined && meta.schemaVersion < FORMAT.version) {
    const lack = spaceFault(url);
    findings.push(ok('store', conversionText(url, meta, FORMAT, true)));
    if (lack !== null) findings.push(fail('store', lack));
  }
  if (meta !== undefined) {
    findings.push(
      ok('store', `written by walletbell ${writerOf(meta)}, format ${meta.schemaVersion}.`),
    );
  }
  for (const { path, madeAtMs } of keptCopies(url)) {
    const since = new Date(madeAtMs).toISOString().slice(0, 10);
    const text =
      `${path} holds the store as it was before an update (${since}), ` +
      'also what people have had deleted since. It is deleted after 14 days.';
    findings.push(ok('store', text));
  }
  return findings;
}

/**
 * Returns unreadable documents, and documents quarantined for that reason. A watch among them sends
 * no alerts, which is a fault.
 */
function damageFindings(
  { watches, damaged, quarantined }: Survey,
  isOlder: boolean,
): readonly Finding[] {
  const isWatch = (key: string) => parseWatchKey(key) !== undefined;
  const keys = [...damaged.keys()];
  const unread = keys.filter(isWatch);
  const others = keys.filter((key) => !isWatch(key));
  const ofWatches = new Set(quarantined.filter(isWatch));
  const inPlace = new Set(watches.map(watchKey).filter((key) => ofWatches.has(key)));
  const mute = [...ofWatches].filter((key) => !inPlace.has(key));
  const old = quarantined.filter((key) => !mute.includes(key));
  const findings: Finding[] = [];
  const say = (level: typeof fail, keys: readonly string[], text: string) => {
    const more = keys.length > NAMED_KEYS ? ', …' : '';
    const named = `${keys.length} (${keys.slice(0, NAMED_KEYS).join(', ')}${more})`;
    if (keys.length > 0) findings.push(level('store', text.replace('#', named)));
  };
  if (isOlder) {
    const advice =
      'The next start converts the store, and ends because of them with 78. ' +
      'With npm start -- --skip-damaged it puts them aside.';
    say(fail, keys, `documents that cannot be read: #. ${advice}`);
  }
  say(
    fail,
    isOlder ? [] : unread,
    'watches that cannot be read: #. The next start puts them aside and tells their channels.',
  );
  say(
    fail,
    mute,
    `watches put aside because they could not be read: #. They send no alerts. ${LOOK}`,
  );
  say(
    warn,
    isOlder ? [] : others,
    'documents that cannot be read: #. The next start puts them aside, and tells channels of gaps.',
  );
  say(warn, old, `documents put aside earlier because they could not be read: #. ${LOOK}`);
  return findings;
}

/**
 * Returns why a file, or the place where it will be created, cannot be written to; null if it can.
 */
function unwritable(url: string): Finding | null {
  if (storeKind(url) !== 'sqlite') return null;
  const path = sqlitePath(url);
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
  } catch {
    const advice = `Give it the right to write the file and the folder ${folder}.`;
    return fail('store', `${path} cannot be written by this user. ${advice}`);
  }
  const { bavail, bsize, blocks } = statfsSync(folder);
  if (blocks === 0) {
    return fail(
      'store',
      `${path}: ${folder} is no place for files. Name another file in STORE_URL.`,
    );
  }
  if (bavail * bsize >= LEAST_FREE_BYTES) return null;
  return fail(
    'store',
    `${path} has no room to grow: the disk of ${folder} is full. Make room there.`,
  );
}
