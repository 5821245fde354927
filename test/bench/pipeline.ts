import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import sqlite3 from 'sqlite3';
import type { Alert } from '../../src/alerts/alert.ts';
import { createAlertBuilder } from '../../src/alerts/build.ts';
import { detect, initialDetectionState } from '../../src/alerts/detect.ts';
import { createIntake } from '../../src/alerts/intake.ts';
import { createOutbox } from '../../src/alerts/outbox.ts';
import { openCollections } from '../../src/app/documents/kinds.ts';
import { loadStore } from '../../src/app/load.ts';
import { createChannelQueueStore } from '../../src/delivery/channel-queue.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { activityIdentity, ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { renderMessage } from '../../src/messages/message.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { addActivityPage } from '../../src/portfolio/wallet-knowledge.ts';
import { openStore } from '../../src/store/store.ts';
import { readActivityPage } from '../../src/venue/read.ts';
import { channelSettingsKind } from '../../src/watches/channel-settings.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { watchKey, watchSchema } from '../../src/watches/watch.ts';
import { trade, WALLET } from '../e2e/fixture.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { testMachine } from '../support/machine.ts';

const PAGE = 100;
const MEASURE_MS = 1_500;
const START_SECONDS = 1_790_000_000;
const NOW = { earliestSeconds: START_SECONDS, latestSeconds: START_SECONDS };
const WARM_PAGES = 100;
const TAKEN_PAGES = 400;
const SNOWFLAKE = 100_000_000_000_000_000n;

/**
 * `npm run bench -- pipeline [--watches 100000]`: how many full pages a second are parsed, read, compared and rendered,
 * as ratios to parsing their JSON alone; the processor time of a page with ten new records from its bytes to stored alerts, beside that of
 * parsing its JSON; then the bytes kept per watched wallet and the time to load all watches.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { watches: { type: 'string', default: '100000' } } });
  pages();
  for (const spacingSeconds of [20, 300]) await taken(spacingSeconds);
  knowledge();
  await load(Number(values.watches));
}

function pages(): void {
  const wallet = WALLET as WalletAddress;
  const items = Array.from({ length: PAGE }, (_, index) =>
    trade({ time: START_SECONDS - index * 20, txHash: `0x${index}` }),
  );
  const text = JSON.stringify({ success: true, code: '0', message: 'success', data: { items, nextCursor: null } });
  const data = { items, nextCursor: null };
  const page = readActivityPage(data, wallet);
  const since = initialDetectionState(START_SECONDS - 100_000);
  const { state } = detect(page, since, activityIdentity, NOW);
  const alerts = items.slice(0, 10).map((item, index): Alert => {
    return { id: `a${index}`, wallet, channelId: '1', event: { kind: 'activity', item }, seenAtMs: 0 };
  });
  const units = alerts.map((alert) => ({ kind: 'alert', alerts: [alert] }) as const);
  const context = {
    language: ENGLISH,
    labelOf: () => 'Whale',
    links: createLinks({}),
    sentAtMs: START_SECONDS * 1000,
    isCompact: false,
  };
  const steps: readonly (readonly [string, () => unknown])[] = [
    ['parse JSON', () => JSON.parse(text)],
    ['read items', () => readActivityPage(data, wallet)],
    ['detect, nothing new', () => detect(page, state, activityIdentity, NOW)],
    ['detect, all new', () => detect(page, since, activityIdentity, NOW)],
    ['compose 10 alerts', () => renderMessage(units, context)],
  ];
  let reference = 0;
  for (const [step, work] of steps) {
    const perSecond = measure(work);
    reference ||= perSecond;
    print({ step, perSecond: Math.round(perSecond), timesParseJson: Math.round((reference / perSecond) * 100) / 100 });
  }
}

/** Pages of a wallet that trades so often, each with ten new records, one watch that wants them, and alerts that are delivered in between. */
async function taken(spacingSeconds: number): Promise<void> {
  const store = await openStore(`sqlite://${join(benchFolder('taken'), 'bot.sqlite')}`);
  const machine = testMachine();
  const registry = createRegistry(machine, store);
  const wallet = WALLET as WalletAddress;
  let nowSeconds = START_SECONDS;
  const alertBuilder = createAlertBuilder(machine, {
    registry,
    channelSettings: channelSettingsKind.open(machine, store),
    isGone: () => false,
    venueNowSeconds: () => nowSeconds,
  });
  const outbox = createOutbox(machine, { store, builder: alertBuilder });
  const positionAsker = { ask: () => {} };
  const intake = createIntake(machine, { registry, alertBuilder, outbox, positionAsker });
  const ownerId = String(SNOWFLAKE);
  await registry.add(
    watchSchema.parse({
      ...{ version: 1, ownerId, channelId: ownerId, wallet, label: null },
      ...{ sinceSeconds: START_SECONDS, knownIdentities: [], addedBy: ownerId },
    }),
  );
  const outcomes = 30;
  const record = (place: number) =>
    trade({
      time: START_SECONDS + place * spacingSeconds,
      txHash: `0x${String(place).padStart(64, '0')}`,
      tokenId: String(place % outcomes).padStart(77, '7'),
      conditionId: `0x${String(place % outcomes).padStart(64, 'c')}`,
    });
  let [parseMicros, wholeMicros] = [0, 0];
  const cpuMicros = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return user + system;
  };
  for (let page = 0; page < WARM_PAGES + TAKEN_PAGES; page += 1) {
    const newest = page * 10;
    nowSeconds = START_SECONDS + newest * spacingSeconds + 1;
    const items = Array.from({ length: PAGE }, (_, place) => record(newest - place));
    const text = JSON.stringify({ success: true, code: '0', message: 'success', data: { items, nextCursor: 'more' } });
    if (page === WARM_PAGES) [parseMicros, wholeMicros] = [0, 0];
    let since = process.cpuUsage();
    JSON.parse(text);
    parseMicros += cpuMicros(since);
    since = process.cpuUsage();
    const read = readActivityPage(JSON.parse(text).data, wallet);
    await intake.takePage({
      ...{ endpoint: 'activity', wallet, pollId: page + 1, ...read, unreadable: [], fromSeconds: null },
      ...{ venueSeconds: nowSeconds, earliestSeconds: nowSeconds, latestSeconds: nowSeconds },
    });
    wholeMicros += cpuMicros(since);
    await outbox.acknowledge(ownerId, outbox.pending(ownerId), { messageId: '1' });
  }
  await store.close();
  const timesParseJson = Math.round((wholeMicros / parseMicros) * 100) / 100;
  print({
    step: 'bytes to stored alerts, 10 new',
    spacingSeconds,
    micros: Math.round(wholeMicros / TAKEN_PAGES),
    timesParseJson,
  });
}

function measure(work: () => unknown): number {
  for (let warm = 0; warm < 50; warm += 1) work();
  const startMs = performance.now();
  let count = 0;
  while (performance.now() - startMs < MEASURE_MS) {
    work();
    count += 1;
  }
  return (count / (performance.now() - startMs)) * 1000;
}

/** What the store keeps of a wallet besides how far it was read: a page of trades in so many outcomes, over two days. */
function knowledge(): void {
  const [trades, outcomes] = [100, 30];
  const items = Array.from({ length: trades }, (_, place) => ({
    ...trade(),
    time: START_SECONDS - place * 1_800,
    txHash: `0x${String(place).padStart(64, '0')}`,
    tokenId: String(place % outcomes).padStart(77, '7'),
    conditionId: `0x${String(place % outcomes).padStart(64, 'c')}`,
  }));
  const nowSeconds = START_SECONDS + 1;
  const { knowledge } = addActivityPage(undefined, {
    items,
    fresh: [],
    isCut: true,
    isFirst: true,
    sinceSeconds: nowSeconds,
    gapEndSeconds: null,
    boundaries: [],
    nowSeconds,
  });
  print({ step: 'knowledge', trades, outcomes, storedBytes: JSON.stringify(knowledge).length });
}

async function load(watches: number): Promise<void> {
  const directory = benchFolder('pipeline');
  const path = join(directory, 'bot.sqlite');
  await (await openStore(`sqlite://${path}`)).close();
  await fill(path, watches);
  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed;
  const startMs = performance.now();
  const store = await openStore(`sqlite://${path}`);
  const log = pino({ level: 'silent' });
  const registry = createRegistry({ log }, store);
  const schedule = createSchedule();
  const venueNowSeconds = () => Date.now() / 1000;
  const machine = testMachine({ log });
  const collections = openCollections(machine, store);
  const { channelSettings } = collections;
  const isGone = () => false;
  const alertBuilder = createAlertBuilder(machine, { registry, channelSettings, isGone, venueNowSeconds });
  const outbox = createOutbox(machine, { store, builder: alertBuilder });
  await loadStore(machine, {
    store,
    registry,
    collections,
    channelQueues: createChannelQueueStore(collections.queues, collections.deadLetters),
    isServed: () => true,
    outbox,
    alertBuilder,
    feed: {
      load: () => true,
      watch(wallet) {
        for (const name of ENDPOINT_NAMES) schedule.add({ wallet, name });
      },
    },
  });
  const loadMs = performance.now() - startMs;
  if (registry.size !== watches) throw new Error(`Of ${watches} watches ${registry.size} were loaded.`);
  globalThis.gc?.();
  print({
    step: 'load',
    watches: registry.size,
    endpoints: schedule.size,
    seconds: Math.round(loadMs / 10) / 100,
    storedBytesPerWallet: Math.round((await stat(path)).size / watches),
    ...(globalThis.gc === undefined
      ? {}
      : { heapBytesPerWallet: Math.round((process.memoryUsage().heapUsed - heapBefore) / watches) }),
  });
  await store.close();
}

/** Writes the documents past the store, in one transaction. */
async function fill(path: string, watches: number): Promise<void> {
  const database = new sqlite3.Database(path);
  const execute = (sql: string) => new Promise<void>((resolve) => database.exec(sql, () => resolve()));
  await execute('BEGIN');
  const insert = database.prepare('INSERT INTO keyv VALUES (?, ?)');
  const put = (key: string, document: unknown) => insert.run(`walletbell:${key}`, JSON.stringify({ value: document }));
  const seen = Array.from({ length: 5 }, (_, place) => [`identity-${place}xx`, START_SECONDS + place, 1]);
  const state = {
    earliestAcceptedSeconds: START_SECONDS,
    newestSeconds: START_SECONDS,
    gapSeconds: null,
    seen,
    duplicateCandidates: {},
  };
  const kept = { state, pollId: 1 };
  for (let index = 0; index < watches; index += 1) {
    const wallet = `0x${index.toString(16).padStart(40, '0')}`;
    const channelId = String(SNOWFLAKE + BigInt(index % 500));
    const watch = watchSchema.parse({
      version: 1,
      ownerId: String(SNOWFLAKE),
      channelId,
      wallet,
      label: `wallet ${index}`,
      sinceSeconds: 1,
      knownIdentities: [],
      addedBy: String(SNOWFLAKE),
    });
    put(watchKey(watch), watch);
    put(`wallet:${wallet}`, { version: 1, poll: { activity: kept, 'deposits-withdrawals': kept }, outbox: [] });
  }
  await new Promise<void>((resolve) => insert.finalize(() => resolve()));
  await execute('COMMIT');
  await new Promise<void>((resolve) => database.close(() => resolve()));
}

function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
