import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectOutbox } from '../../src/alerts/alerts.ts';
import { createAlertBuilder } from '../../src/alerts/builder/build.ts';
import { createDecisions } from '../../src/alerts/decisions.ts';
import { initialDetectionState } from '../../src/alerts/detect.ts';
import { createReceiverRouting } from '../../src/alerts/receiver-outbox.ts';
import { postedKind } from '../../src/alerts/wallets/posted-documents.ts';
import type { ReceiverAlert } from '../../src/alerts/wallets/receiver-alerts.ts';
import type { NewAlert, WalletDocument } from '../../src/alerts/wallets/wallet-document.ts';
import { createWalletIndex } from '../../src/alerts/wallets/wallet-index.ts';
import { messageId } from '../../src/alerts-out/message-id.ts';
import { createMover } from '../../src/alerts-out/mover.ts';
import { createPoster } from '../../src/alerts-out/poster.ts';
import { createReceiverQueue } from '../../src/alerts-out/receiver-queue.ts';
import { readSecret } from '../../src/alerts-out/signature.ts';
import { createFilteredAlone } from '../../src/delivery/messages/filtered-alone.ts';
import { createWishes } from '../../src/delivery/messages/wishes.ts';
import type { WaitingSize } from '../../src/later/waiting-items.ts';
import type { Step } from '../../src/lib/failpoints.ts';
import type { Machine } from '../../src/lib/machine.ts';
import { channelSettingsKind, defaultChannelSettings } from '../../src/watches/channel-settings.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { settingsSchema, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { moment } from '../support/moment.ts';
import { NO_VERDICTS } from '../support/no-verdicts.ts';
import { boughtFor, trade } from '../support/records.ts';
import { randomRuns } from '../support/thorough.ts';
import { WALLET_A, WALLET_B } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';
import { openReceiver, SECRET } from './receiver.ts';

const OWNERS = ['100000000000000001', '100000000000000002'] as const;
/** Owner of what does not come from a wallet's document. */
const STRANGER = '100000000000000003';
const WATCHES = OWNERS.map((ownerId, index) =>
  watchOf({ ownerId, channelId: `20000000000000000${index}`, wallet: WALLET_A }),
);

class Killed extends Error {}

/** A disk that outlives the bots on it. */
function openDisk() {
  const documents = new Map<string, unknown>();
  return {
    documents,
    /** A store of one bot, which lives until it is killed: nothing that it asks for ends then. */
    store(isKilled: () => boolean) {
      const alive = () => {
        if (isKilled()) throw new Killed('The bot was killed.');
      };
      return documentStore(documents, { onRead: alive, onWrite: alive });
    },
  };
}
type Disk = ReturnType<typeof openDisk>;

interface Options {
  /** The moment at which the bot is killed; null: never. */
  readonly kill?: { readonly step: Step; readonly count: number } | null;
  readonly machine?: Partial<Machine>;
  readonly bounds?: WaitingSize;
  readonly awaitingAnswerMs?: () => number;
  /** Whether the start has read the wallet. */
  readonly isWalletKnown?: () => boolean;
  readonly watches?: readonly Watch[];
  /** Called when a channel's settings are asked about an alert. */
  readonly onAsked?: () => void;
}

/** A bot from the commit to the receiver, on a disk. */
function openBot(disk: Disk, url: string, options: Options = {}) {
  const {
    kill = null,
    machine: given,
    bounds,
    awaitingAnswerMs = () => 0,
    watches = WATCHES,
  } = options;
  const { onAsked = () => {}, isWalletKnown = () => true } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let left = kill?.count ?? 0;
  const onFailpoint = (step: Step) => {
    if (step !== kill?.step) return;
    left -= 1;
    if (left !== 0) return;
    stopping.abort();
    throw new Killed('The bot was killed.');
  };
  const machine = testMachine({ onFailpoint, ...given });
  const store = disk.store(() => signal.aborted);
  const registry = createRegistry(machine, store);
  for (const watch of watches) registry.load(`watch:${watch.channelId}:${watch.wallet}`, watch);
  const channelSettings = channelSettingsKind.open(machine, store);
  const parts = {
    registry,
    channelSettings,
    verdicts: NO_VERDICTS,
    isGone: () => false,
    venueNowSeconds: () => 1_000,
  };
  const walletIndex = createWalletIndex(parts);
  const builder = createAlertBuilder({ ...parts, walletIndex });
  const routeToReceivers = createReceiverRouting({
    watchesOf: registry.ofWallet,
    keptOwnersOf: () => null,
    isMeant: () => true,
    isBetterThanLuck: () => false,
    lateAfterMs: 60_000,
    venueNowSeconds: parts.venueNowSeconds,
  });
  const decisions = createDecisions(() => '');
  const { outbox } = connectOutbox(machine, {
    store,
    posted: postedKind.open(store),
    walletIndex,
    builder,
    decisions,
    routeToReceivers,
  });
  const queue = createReceiverQueue(machine, store, bounds);
  const wishes = createWishes({ ...parts, venueNowMs: () => 1_000_000 });
  const filteredAlone = createFilteredAlone(wishes, () => false);
  const mover = createMover(machine, {
    queue,
    outbox,
    isMeant: () => true,
    awaitingAnswerMs,
    isFilteredAlone(alert) {
      onAsked();
      return filteredAlone(alert.channelId, [alert]).length > 0;
    },
    isWalletKnown,
    signal,
  });
  const outcomes: string[] = [];
  let begun = 0;
  const key = readSecret(SECRET);
  if (key === null) throw new Error('The secret is none.');
  const poster = createPoster(machine, {
    settings: { url, keys: [key], guilds: '*' },
    queue,
    isUnsure: mover.isUnsure,
    fence: async () => {
      if (signal.aborted) throw new Killed('The bot was killed.');
      begun += 1;
    },
    onOutcome: (outcome) => void outcomes.push(outcome),
    signal,
  });
  mover.listen(poster.look);
  const read = () => {
    for (const [key, document] of disk.documents) {
      if (!queue.holds(key)) outbox.load(key, document);
    }
  };
  for (const [key, document] of disk.documents) if (queue.holds(key)) queue.load(key, document);
  if (isWalletKnown()) read();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await poster.stop();
    await mover.idle();
    await queue.idle();
  };
  onTestFinished(stop);
  return {
    queue,
    poster,
    outbox,
    channelSettings,
    outcomes,
    /** Posts of which the bot does not know what became. */
    doubtful: () => begun - outcomes.length,
    isKilled: () => signal.aborted,
    /** Reads the wallets' documents. */
    read,
    start(): void {
      mover.start();
      poster.start();
    },
    /** Commits a trade of the wallet. */
    commit: (number: number) =>
      outbox.commit(WALLET_A, ({ activity }) => {
        // A page that comes again was taken.
        if (activity && activity.pollId >= number) return null;
        const taken = { detectionState: initialDetectionState(0), pollId: number };
        return { state: { activity: taken }, alerts: [alertOf(number)] };
      }),
    stop,
  };
}

function alertOf(number: number): NewAlert {
  return {
    id: `alert${number}`,
    event: { kind: 'activity', item: trade({ time: 1_000 + number }) },
    seenAtMs: (1_000 + number) * 1000,
    channels: WATCHES.map(({ channelId }) => channelId),
  };
}

const idOf = (ownerId: string, number: number) =>
  messageId({ wallet: WALLET_A, id: `alert${number}`, ownerId });

const STEPS = ['poll.stored', 'room.stored', 'room.taken_out', 'room.posted'] as const;

/** A receiver, and the disk of a bot that was killed once its alerts were stored in the queue. */
async function killedAtQueueStored() {
  const receiver = await openReceiver();
  const disk = openDisk();
  const bot = openBot(disk, receiver.url, { kill: { step: 'room.stored', count: 1 } });
  bot.start();
  await bot.commit(0);
  while (!bot.isKilled()) await tick();
  await bot.stop();
  return { receiver, disk };
}

describe('alerts on their way to a receiver', () => {
  it('come once each and in their order, and twice only where the bot was killed during a post', async () => {
    const receiver = await openReceiver();
    const plans = fc.record({
      commits: fc.integer({ min: 1, max: 6 }),
      kills: fc.array(
        fc.record({ step: fc.constantFrom(...STEPS), count: fc.integer({ min: 1, max: 4 }) }),
        { maxLength: 4 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(plans, async ({ commits, kills }) => {
        const disk = openDisk();
        receiver.received.length = 0;
        let done = 0;
        let doubtful = 0;
        for (const kill of [...kills, null]) {
          const bot = openBot(disk, receiver.url, { kill });
          bot.start();
          while (done < commits && !bot.isKilled()) {
            await bot.commit(done).catch(() => {});
            if (!bot.isKilled()) done += 1;
          }
          while (!bot.isKilled() && isLeft(bot, disk)) await tick();
          await bot.stop();
          doubtful += bot.doubtful();
        }
        for (const ownerId of OWNERS) {
          const expected = Array.from({ length: commits }, (_, number) => idOf(ownerId, number));
          const ids = receiver.received.map(({ id }) => id).filter((id) => expected.includes(id));
          expect([...new Set(ids)]).toEqual(expected);
        }
        expect(receiver.received.length).toBeLessThanOrEqual(commits * OWNERS.length + doubtful);
        const sequences = new Map(
          receiver.received.map(({ id, body: { data } }) => [
            id,
            `${data.watches[0]?.channel} ${data.sequence}`,
          ]),
        );
        expect(sequences.size).toBe(new Set(sequences.values()).size);
      }),
      randomRuns(80),
    );
  });

  it('wait in the queue while their wallet’s document may have them, and come once all the same', async () => {
    const { receiver, disk } = await killedAtQueueStored();

    // What was moved is held once more, as after the clock was set back.
    const held = { ms: 60_000, looked: moment(), over: moment() };
    const sleep: Machine['sleep'] = (delayMs, signal) => {
      if (delayMs !== held.ms) return testMachine().sleep(delayMs, signal);
      held.looked.reach();
      return held.over.reached;
    };
    const second = openBot(disk, receiver.url, {
      kill: { step: 'room.taken_out', count: 2 },
      machine: { sleep },
      awaitingAnswerMs: () => held.ms,
    });
    second.start();
    await held.looked.reached;
    await second.queue.add(STRANGER, [{ ...queuedAlert(0), ownerId: STRANGER, wallet: WALLET_B }]);
    second.poster.look();
    await receiver.until(1);
    const unmoved = messageId({ wallet: WALLET_B, id: 'alert0', ownerId: STRANGER });
    expect(receiver.received.map(({ id }) => id)).toEqual([unmoved]);
    while (second.queue.counts().waiting > OWNERS.length) await tick();
    held.ms = 0;
    held.over.reach();
    while (!second.isKilled()) await tick();
    // Nothing is there twice.
    expect(second.queue.counts().waiting).toBe(OWNERS.length);
    await second.stop();

    const third = openBot(disk, receiver.url);
    third.start();
    while (isLeft(third, disk)) await tick();
    await third.stop();
    const ids = receiver.received.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(
      [unmoved, ...OWNERS.map((ownerId) => idOf(ownerId, 0))].toSorted(),
    );
  });

  it('wait in the queue until their wallet’s document has been read, and come once all the same', async () => {
    const { receiver, disk } = await killedAtQueueStored();

    // The store does not give the document back at first.
    let isKnown = false;
    const second = openBot(disk, receiver.url, { isWalletKnown: () => isKnown });
    await second.queue.add(STRANGER, [{ ...queuedAlert(0), ownerId: STRANGER }]);
    second.start();
    await tick();
    second.poster.look();
    expect(receiver.received).toEqual([]);
    second.read();
    isKnown = true;
    while (isLeft(second, disk)) await tick();
    await second.stop();
    const ids = receiver.received.map(({ id }) => id);
    const expected = [...OWNERS, STRANGER].map((ownerId) => idOf(ownerId, 0));
    expect(ids.toSorted()).toEqual(expected.toSorted());
  });

  it('are tried again on their own while others go on, and for a day', async () => {
    let nowMs = 1_800_000_000_000;
    const refused = new Set([idOf(OWNERS[0], 0)]);
    const receiver = await openReceiver(
      ({ id }) => ({ status: refused.has(id) ? 500 : 204 }),
      true,
    );
    const bot = openBot(openDisk(), receiver.url, { machine: { nowMs: () => nowMs } });
    bot.start();
    for (const number of [0, 1, 2]) await bot.commit(number);
    await receiver.until(6);
    while (bot.outcomes.length < 6) await tick();
    expect(bot.queue.counts().waiting).toBe(1);
    const attempts = () => receiver.received.filter(({ id }) => refused.has(id));
    expect(attempts()).toHaveLength(1);
    nowMs += 3_600_000;
    bot.poster.look();
    await receiver.until(7);
    expect(attempts()).toHaveLength(2);
    const stamps = attempts().map(({ timestamp }) => Number(timestamp));
    expect(stamps).toEqual([1_800_000_000, 1_800_003_600]);
    while (bot.outcomes.length < 7) await tick();
    nowMs += 23 * 3_600_000;
    bot.poster.look();
    while (bot.queue.counts().waiting > 0) await tick();
    expect(bot.outcomes.at(-1)).toBe('expired');
  });

  it('are passed over where the receiver says that it never takes them', async () => {
    const statuses = [400, 413, 422, 204];
    const receiver = await openReceiver(() => ({ status: statuses.shift() ?? 204 }));
    const bot = openBot(openDisk(), receiver.url);
    bot.start();
    for (const number of [0, 1]) await bot.commit(number);
    while (bot.outcomes.length < 4) await tick();
    expect(bot.outcomes.toSorted()).toEqual(['refused', 'refused', 'refused', 'taken']);
    expect(bot.queue.counts()).toEqual({ waiting: 0, dropped: 0 });
  });

  it('say that a channel wants them only if its settings would let them pass alone', async () => {
    const wanting: Readonly<Record<string, Partial<WatchSettings>>> = {
      all: {},
      fromFifty: { minUsdc: 50 },
      fromFiveHundred: { minUsdc: 500 },
      adds: { kinds: ['adds'] },
      opens: { kinds: ['opens'] },
      consensusOnly: {},
    };
    const names = Object.keys(wanting);
    const channelOf = (name: string) => `20000000000000010${names.indexOf(name)}`;
    const watches = names.map((name) =>
      watchOf({
        ownerId: OWNERS[0],
        channelId: channelOf(name),
        wallet: WALLET_A,
        settings: settingsSchema.parse(wanting[name]),
      }),
    );
    const receiver = await openReceiver();
    const bot = openBot(openDisk(), receiver.url, { watches });
    const place = channelOf('consensusOnly');
    const channel = defaultChannelSettings(OWNERS[0], place);
    await bot.channelSettings.set(place, { ...channel, consensusOnly: true });
    bot.start();
    const item = trade({ ...boughtFor(100, 52), time: 1_001 });
    const context = {
      ...{ sharesBefore: '50', sharesAfter: '150', isClosed: false, entryCents: 52 },
      ...{ realized: null, costOfSold: '0', oppositeShares: '0', isFirstInMarket: false },
    };
    const channels = names.map(channelOf);
    const event = { kind: 'activity' as const, item, context };
    await bot.outbox.commit(WALLET_A, () => ({
      state: {},
      alerts: [{ id: 'alert1', event, seenAtMs: 1_001_000, channels }],
    }));
    await receiver.until(1);
    await bot.stop();
    const [message] = receiver.received;
    const wanted = message?.body.data.watches.filter((watch) => watch.wanted) ?? [];
    expect(wanted.map((watch) => names[channels.indexOf(watch.channel)])).toEqual([
      'all',
      'fromFifty',
      'adds',
    ]);
  });

  it('are looked at one in a turn of the event loop, because each channel’s settings are asked', async () => {
    const alerts = 20;
    const askedByTurn = new Map<number, number>();
    let turn = 0;
    let isCounting = true;
    const count = () => {
      turn += 1;
      if (isCounting) setImmediate(count);
    };
    const receiver = await openReceiver();
    const bot = openBot(openDisk(), receiver.url, {
      onAsked: () => void askedByTurn.set(turn, (askedByTurn.get(turn) ?? 0) + 1),
    });
    const all = Array.from({ length: alerts }, (_, number) => alertOf(number));
    await bot.outbox.commit(WALLET_A, () => ({ state: {}, alerts: all }));
    count();
    bot.start();
    await receiver.until(alerts * OWNERS.length);
    isCounting = false;
    await bot.stop();
    expect([...askedByTurn.values()]).toEqual(Array(alerts * OWNERS.length).fill(1));
  });

  it('are bounded: the oldest go, and are counted', async () => {
    const machine = testMachine();
    const disk = openDisk();
    const store = disk.store(() => false);
    const bounds = { items: 120, bytes: 10_000_000 };
    const queue = createReceiverQueue(machine, store, bounds);
    const add = (from: number, to: number) =>
      queue.add(
        OWNERS[0],
        Array.from({ length: to - from }, (_, index) => queuedAlert(from + index)),
      );
    await add(0, 100);
    await add(90, 170);
    expect(queue.counts()).toEqual({ waiting: 120, dropped: 50 });
    expect(queue.entries(OWNERS[0]).map(({ seenAtMs }) => seenAtMs)).toEqual(
      Array.from({ length: 120 }, (_, index) => (1_050 + index) * 1000),
    );
    const again = createReceiverQueue(machine, store, bounds);
    for (const [key, document] of disk.documents) expect(again.load(key, document)).toBe('kept');
    expect(again.entries(OWNERS[0])).toEqual(queue.entries(OWNERS[0]));
    const few = createReceiverQueue(machine, store, { items: 120, bytes: 60_000 });
    for (const [key, document] of disk.documents) few.load(key, document);
    await few.add(OWNERS[0], [queuedAlert(500)]);
    expect(few.counts().waiting).toBeLessThan(100);
    await few.forget({ ownerId: OWNERS[0] });
    expect([...disk.documents.keys()]).toEqual([]);
  });
});

function queuedAlert(number: number): ReceiverAlert & { readonly wallet: typeof WALLET_A } {
  const { id, event, seenAtMs } = alertOf(number);
  if (event.kind === 'amended') throw new Error('Receivers get no corrections.');
  return {
    ...{ id, event, seenAtMs, wallet: WALLET_A, ownerId: OWNERS[0], sequence: number },
    ...{ isLate: false, isBetterThanLuck: false },
    watches: [{ channel: WATCHES[0]?.channelId ?? '', label: null, wanted: true }],
  };
}

/** True while something is stored that has not arrived. */
function isLeft(bot: ReturnType<typeof openBot>, disk: Disk): boolean {
  if (bot.queue.counts().waiting > 0) return true;
  const [wallet] = [...disk.documents].filter(([key]) => key.startsWith('wallet:'));
  const document = wallet?.[1] as WalletDocument | undefined;
  return (document?.state.forReceivers?.waiting.length ?? 0) > 0;
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
