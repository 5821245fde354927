import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createAlerts } from '../../src/alerts/alerts.ts';
import { detect, initialDetectionState } from '../../src/alerts/detect.ts';
import { createIntake } from '../../src/alerts/intake.ts';
import { createFirstReading } from '../../src/alerts/wallets/first-reading.ts';
import { postedKind } from '../../src/alerts/wallets/posted-documents.ts';
import { walletsWithAlerts } from '../../src/alerts/wallets/waiting-search.ts';
import { openCollections } from '../../src/app/documents/kinds.ts';
import { loadStore } from '../../src/app/load.ts';
import { createChannelQueueStore } from '../../src/delivery/channel-queue.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { activityIdentity, ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { addActivityPage } from '../../src/portfolio/wallet-knowledge.ts';
import { openStore } from '../../src/store/store.ts';
import { PAGE_READERS } from '../../src/venue/read.ts';
import { channelSettingsKind } from '../../src/watches/channel-settings.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { createVerdicts, verdictKind } from '../../src/watches/verdicts.ts';
import { watchKey } from '../../src/watches/watch.ts';
import { benchFolder } from '../support/bench-folder.ts';
import { testMachine } from '../support/machine.ts';
import { trade } from '../support/records.ts';
import { WALLET, walletOf } from '../support/wallets.ts';
import { plainWatch } from '../support/world.ts';
import { DEFAULTS } from './defaults.ts';
import { print } from './figures.ts';
import { writeRows } from './update.ts';
import { readOptions } from './usage.ts';

const PAGE = 100;
const OUTCOMES = 30;
const wallet = WALLET;
const MEASURE_MS = 1_500;
const START_SECONDS = 1_790_000_000;
const NOW = {
  fromSeconds: null,
  unreadable: [],
  earliestSeconds: START_SECONDS,
  latestSeconds: START_SECONDS,
};
const WARM_PAGES = 100;
const TAKEN_PAGES = 400;
const SNOWFLAKE = 100_000_000_000_000_000n;

/**
 * Measures the time to read and compare a full page, as a ratio to parsing its JSON alone; the
 * processor time for a page with ten new records from bytes to stored alerts, compared with parsing
 * its JSON; the bytes kept per watched wallet; and the time to load all watches.
 */
export async function run(args: string[]): Promise<void> {
  const { watches } = readOptions(args, DEFAULTS.pipeline);
  pages();
  for (const spacingSeconds of [20, 300]) await taken(spacingSeconds);
  knowledge();
  await load(watches);
}

function pages(): void {
  const data = {
    items: Array.from({ length: PAGE }, (_, place) => record(-place, 20)),
    nextCursor: null,
  };
  const text = JSON.stringify({ success: true, code: '0', message: 'success', data });
  const page = { ...PAGE_READERS.activity(data, wallet), ...NOW };
  const { state } = detect(page, initialDetectionState(START_SECONDS - 100_000), activityIdentity);
  const parseMs = msOf(() => JSON.parse(text));
  const steps = {
    'read items': () => PAGE_READERS.activity(data, wallet),
    'detect, nothing new': () => detect(page, state, activityIdentity),
  };
  for (const [step, work] of Object.entries(steps))
    print({ step, timesParseJson: msOf(work) / parseMs });
}

/**
 * Returns the trade at this place in a row of a wallet's trades, with this spacing, which alternate
 * between many outcomes.
 */
const record = (place: number, spacingSeconds: number) =>
  trade({
    time: START_SECONDS + place * spacingSeconds,
    txHash: `0x${String(place).padStart(64, '0')}`,
    tokenId: String(Math.abs(place) % OUTCOMES).padStart(77, '7'),
    conditionId: `0x${String(Math.abs(place) % OUTCOMES).padStart(64, 'c')}`,
  });

/**
 * Measures pages of a wallet that trades with this spacing, each with ten new records, one watch
 * that wants them, and alerts that are delivered in between.
 */
async function taken(spacingSeconds: number): Promise<void> {
  const store = await openStore(`sqlite://${join(benchFolder('taken'), 'bot.sqlite')}`);
  const machine = testMachine();
  const registry = createRegistry(machine, store);
  let nowSeconds = START_SECONDS;
  const { alertBuilder, outbox } = createAlerts(machine, {
    store,
    posted: postedKind.open(store),
    registry,
    channelSettings: channelSettingsKind.open(machine, store),
    verdicts: createVerdicts(machine, verdictKind.open(machine, store)),
    isGone: () => false,
    venueNowSeconds: () => nowSeconds,
  });
  const intake = createIntake(machine, { registry, alertBuilder, outbox });
  const ownerId = String(SNOWFLAKE);
  await registry.add(plainWatch({ wallet, guildId: ownerId, channelId: ownerId }, START_SECONDS));
  let [parseMicros, wholeMicros] = [0, 0];
  const cpuMicros = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return user + system;
  };
  for (let page = 0; page < WARM_PAGES + TAKEN_PAGES; page += 1) {
    const newest = page * 10;
    nowSeconds = START_SECONDS + newest * spacingSeconds + 1;
    const items = Array.from({ length: PAGE }, (_, place) =>
      record(newest - place, spacingSeconds),
    );
    const text = JSON.stringify({
      success: true,
      code: '0',
      message: 'success',
      data: { items, nextCursor: 'more' },
    });
    if (page === WARM_PAGES) [parseMicros, wholeMicros] = [0, 0];
    let since = process.cpuUsage();
    JSON.parse(text);
    parseMicros += cpuMicros(since);
    since = process.cpuUsage();
    const read = PAGE_READERS.activity(JSON.parse(text).data, wallet);
    await intake.takePage({
      ...{
        endpoint: 'activity',
        wallet,
        pollId: page + 1,
        ...read,
        unreadable: [],
        fromSeconds: null,
      },
      ...{ venueSeconds: nowSeconds, earliestSeconds: nowSeconds, latestSeconds: nowSeconds },
    });
    wholeMicros += cpuMicros(since);
    await outbox.acknowledge(ownerId, outbox.pending(ownerId), { messageId: '1' });
  }
  await store.close();
  const micros = Math.round(wholeMicros / TAKEN_PAGES);
  const step = 'bytes to stored alerts, 10 new';
  print({ step, spacingSeconds, micros, timesParseJson: wholeMicros / parseMicros });
}

function msOf(work: () => unknown): number {
  for (let warm = 0; warm < 50; warm += 1) work();
  const startMs = performance.now();
  let count = 0;
  for (; performance.now() - startMs < MEASURE_MS; count += 1) work();
  return (performance.now() - startMs) / count;
}

/**
 * Measures the stored knowledge of a wallet, apart from its reading position: a page of trades in
 * many outcomes over two days.
 */
function knowledge(): void {
  const items = Array.from({ length: PAGE }, (_, place) => record(-place, 1_800));
  const nowSeconds = START_SECONDS + 1;
  const { knowledge } = addActivityPage(undefined, {
    items,
    fresh: [],
    known: [],
    isCut: true,
    isFirst: true,
    sinceSeconds: nowSeconds,
    gapEndSeconds: null,
    boundaries: [],
    nowSeconds,
  });
  print({
    step: 'knowledge',
    trades: PAGE,
    outcomes: OUTCOMES,
    storedBytes: JSON.stringify(knowledge).length,
  });
}

async function load(watches: number): Promise<void> {
  const directory = benchFolder('pipeline');
  const path = join(directory, 'bot.sqlite');
  await (await openStore(`sqlite://${path}`)).close();
  await writeRows(path, rowsOf(watches));
  const startMs = performance.now();
  const store = await openStore(`sqlite://${path}`);
  const machine = testMachine();
  const registry = createRegistry(machine, store);
  const schedule = createSchedule();
  const venueNowSeconds = () => Date.now() / 1000;
  const collections = openCollections(machine, store);
  const { channelSettings } = collections;
  const isGone = () => false;
  const verdicts = createVerdicts(machine, collections.verdicts);
  const { walletIndex, outbox } = createAlerts(machine, {
    store,
    posted: collections.posted,
    registry,
    channelSettings,
    verdicts,
    isGone,
    venueNowSeconds,
  });
  const { signal } = new AbortController();
  const findWaiting = (wallets: readonly WalletAddress[]) => walletsWithAlerts(store, wallets);
  const shared = { registry, channelSettings, outbox, walletIndex, findWaiting, signal };
  await loadStore(
    { ...machine, store },
    {
      registry,
      collections,
      channelQueues: createChannelQueueStore(machine, collections.queues, collections.deadLetters),
      admission: { isServed: () => true },
      outbox,
      firstReading: createFirstReading(machine, shared),
      feed: {
        load: () => true,
        watch(wallet) {
          for (const name of ENDPOINT_NAMES) schedule.add({ wallet, name });
        },
      },
    },
  );
  const loadMs = performance.now() - startMs;
  if (registry.size !== watches)
    throw new Error(`Of ${watches} watches ${registry.size} were loaded.`);
  print({
    step: 'load',
    watches: registry.size,
    endpoints: schedule.size,
    seconds: loadMs / 1000,
    storedBytesPerWallet: Math.round((await stat(path)).size / watches),
  });
  await store.close();
}

/** Returns the documents of watches and wallets as texts by key. */
function* rowsOf(watches: number) {
  const seen = Array.from({ length: 5 }, (_, place) => [
    `identity-${place}xx`,
    START_SECONDS + place,
    1,
  ]);
  const state = {
    earliestAcceptedSeconds: START_SECONDS,
    newestSeconds: START_SECONDS,
    gapSeconds: null,
    seen,
    duplicateCandidates: {},
  };
  const kept = { detectionState: state, pollId: 1 };
  const textOf = (value: unknown) => JSON.stringify({ value });
  for (let index = 0; index < watches; index += 1) {
    const wallet = walletOf(index);
    const channelId = String(SNOWFLAKE + BigInt(index % 500));
    const watch = plainWatch({ wallet, guildId: String(SNOWFLAKE), channelId });
    yield [watchKey(watch), textOf({ ...watch, label: `wallet ${index}` })] as const;
    const states = { activity: kept, 'deposits-withdrawals': kept };
    yield [`wallet:${wallet}`, textOf({ state: states, outbox: [] })] as const;
  }
}
