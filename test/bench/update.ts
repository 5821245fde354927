import { once } from 'node:events';
import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../src/build/bundle.js';
import { ROOT } from '../../src/build/state.js';
import { type BotProcess, startBot } from '../../src/demo/bot-process.ts';
import { connect } from '../../src/lib/sqlite.ts';
import { openStore } from '../../src/store/store.ts';
import { watchKey } from '../../src/watches/watch.ts';
import { benchFolder, endsWithUs } from '../support/bench-folder.ts';
import { endOf, openWorld, plainWatch, type World } from '../support/world.ts';
import { usageOf } from './cluster/process-usage.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { knowledgeOf } from './kept.ts';
import { readOptions } from './usage.ts';

/** Number of distinct documents; with more wallets, several share one. */
const DOCUMENTS = 50;
export const SERVERS = 500;
const LOOK_EVERY_MS = 50;

/**
 * Measures an update of a large store to a new format, in processes as shipped. A standby of the
 * new release reads the whole store through its migration steps, while another process owns it, and
 * takes over; the doctor is measured too. Prints times, and the peak memory of each until it has
 * read everything.
 */
export async function run(args: string[]): Promise<void> {
  const { wallets, markets } = readOptions(args, DEFAULTS.update);
  const release = await buildNext();
  const world = await openWorld('update', { servers: SERVERS, wallets, limit: 6_000 });
  const older = await openStore(world.storeUrl);
  const path = world.storeUrl.replace('sqlite://', '');
  await writeDatabase(path, world.watches, markets);
  const storeMb = Math.round(statSync(path).size / 1e6);
  print({ wallets, storeMb, storeKbPerWallet: (storeMb * 1_000) / wallets });
  await runDoctor(world, release);
  const standby = startTimed(world, join(release, 'main.js'));
  await standby.said('standby.waiting');
  const before = usageOf(standby.bot.process.pid);
  await standby.said('standby.ready');
  const after = usageOf(standby.bot.process.pid);
  print({
    what: 'standby',
    readSeconds: standby.secondsBetween('standby.waiting', 'standby.ready'),
    beforeMb: before.peakMb,
    peakMb: after.peakMb,
  });
  await older.close();
  await standby.said('discord.ready');
  print({
    what: 'takeover',
    readSeconds: standby.secondsBetween('store.converting', 'store.copied') - standby.copySeconds(),
    copySeconds: standby.copySeconds(),
    loadSeconds: standby.secondsBetween('store.copied', 'store.loaded'),
    seconds: standby.secondsBetween('store.converting', 'discord.ready'),
    peakMb: usageOf(standby.bot.process.pid).peakMb,
  });
  await standby.bot.stop();
  await world.close();
}

/**
 * Builds the programs of a release with the next store format.
 *
 * @returns their folder
 */
async function buildNext(): Promise<string> {
  const folder = benchFolder('next');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  const steps = join(ROOT, 'test/releases/next-steps.ts');
  await build(['main', 'doctor'], { dist, version: '0.9.99', steps });
  return dist;
}

/** Writes the documents directly into the database, in one transaction. */
export async function writeDatabase(
  path: string,
  watches: World['watches'],
  markets: number,
): Promise<void> {
  const documents = Array.from({ length: Math.min(DOCUMENTS, watches.length) }, (_, wallet) =>
    JSON.stringify({ value: { state: { knowledge: knowledgeOf(wallet, markets) }, outbox: [] } }),
  );
  const rows = watches.flatMap((place, index) => {
    const watch = plainWatch(place);
    return [
      [watchKey(watch), JSON.stringify({ value: watch })],
      [`wallet:${watch.wallet}`, documents[index % documents.length] ?? ''],
    ] as const;
  });
  await writeRows(path, rows);
}

/** Writes texts by key directly into a SQLite store that no process has open. */
export async function writeRows(
  path: string,
  rows: Iterable<readonly [key: string, text: string]>,
): Promise<void> {
  const database = await connect(path, 'write');
  await database.exec('BEGIN');
  for (const [key, text] of rows) {
    const sql = 'INSERT OR REPLACE INTO keyv VALUES (?, ?)';
    await database.run(sql, [`walletbell:${key}`, text]);
  }
  await database.exec('COMMIT');
  await database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  await database.close();
}

/** Starts a bot whose log lines can be awaited, each with its arrival time. */
function startTimed({ environment, directory }: World, main: string) {
  const lines = new Map<unknown, { readonly atMs: number; readonly seconds: unknown }>();
  const heard = new EventTarget();
  const bot: BotProcess = startBot({
    main,
    directory,
    environment: { ...environment, STANDBY: 'true', LOG_LEVEL: 'info' },
    onLine({ event, seconds }) {
      if (!lines.has(event)) lines.set(event, { atMs: performance.now(), seconds });
      heard.dispatchEvent(new Event(String(event)));
    },
  });
  endsWithUs(bot);
  const ended = endOf(bot);
  const atMs = (event: string) => lines.get(event)?.atMs ?? Number.NaN;
  return {
    bot,
    async said(event: string): Promise<void> {
      if (!lines.has(event)) await Promise.race([once(heard, event), ended]);
    },
    secondsBetween: (from: string, to: string) => (atMs(to) - atMs(from)) / 1000,
    copySeconds: () => Number(lines.get('store.copied')?.seconds),
  };
}

async function runDoctor({ environment, directory }: World, release: string): Promise<void> {
  const beganMs = performance.now();
  let peakMb = 0;
  const found: unknown[] = [];
  const doctor = startBot({
    main: join(release, 'doctor.js'),
    directory,
    environment,
    onLine: ({ text }) => void found.push(text),
  });
  endsWithUs(doctor);
  const timer = setInterval(() => {
    if (doctor.process.exitCode !== null) return;
    peakMb = Math.max(peakMb, usageOf(doctor.process.pid).peakMb);
  }, LOOK_EVERY_MS);
  await once(doctor.process, 'close');
  clearInterval(timer);
  const said = found.filter((text) => /format/.test(String(text)));
  print({ what: 'doctor', seconds: (performance.now() - beganMs) / 1000, peakMb, said });
}
