import { EventEmitter, once } from 'node:events';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import type { Body } from '../../src/alerts-out/body.ts';
import type { BotProcess, BotProcessOptions } from '../../src/demo/bot-process.ts';
import { createAccount } from '../../src/demo/reconcile.ts';
import type { Step } from '../../src/lib/failpoints.ts';
import { SECRET, startReceiver } from '../alerts-out/receiver.ts';
import type { storeKinds } from '../cli/store/stores.ts';
import { inMarket, trade } from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { walletOf } from '../support/wallets.ts';
import { launch, openWorld, type World } from '../support/world.ts';
import { type KeptWatch, plantFanOut } from './kept-fan-out.ts';

/** The wallet that all channels watch, and the one whose document is damaged. */
const WALLET = walletOf(0);
const DAMAGED = walletOf(2);
/** Trades of the second one before it is watched: more than a page shows. */
const PAST_TRADES = 101;
export const WAIT_MS = 120_000;

export interface CarryOver {
  /** Kept store, as its file is named. */
  readonly name: string;
  readonly store: string;
  /** Step of a bot at which it is killed, when it reaches it for the `reach`-th time. */
  readonly step: Step;
  readonly reach: number;
  /** Whether the feed is a process of its own, with NATS between it and the bot. */
  readonly isApart: boolean;
  /** Who goes on: the bot once it is started again, or a standby that has waited. */
  readonly by: 'restart' | 'standby';
}

const isFiltered = ({ settings }: KeptWatch) => (settings.minUsdc ?? 0) > 0;

/**
 * Starts a bot on a kept store, has the wallets trade, kills the bot at a step and lets another one
 * go on until everything has come, in channels and at a receiver of signed alerts.
 *
 * @param natsUrl what stands between the bot and a feed in a process of its own; left out: the bot
 *   polls itself
 * @returns `differences`: what was lost, and what was doubled
 */
export async function carryOver(
  kinds: ReturnType<typeof storeKinds>,
  { name, store, step, reach, by }: Omit<CarryOver, 'isApart'>,
  natsUrl?: string,
) {
  const world = await openWorld('kept', { directory: temporaryFolder(), limit: 60_000 });
  const { discord, ledger } = world;
  const kept = await plantFanOut(name, store, kinds, discord);
  const unfiltered = kept.watches.filter((watch) => !isFiltered(watch));
  const told = new Set(unfiltered.map(({ channelId }) => channelId));
  const accounts = accountsOf(kept.watches);
  const changes = new EventEmitter();
  const receiver = await openReceiver(kept, changes);
  for (const { channelId, record } of kept.waiting)
    if (told.has(channelId)) accounts.expect(channelId, record);
  // The notice is as young as this start.
  const atOnce = kept.watches.filter(
    ({ wallet, channelId }) => wallet === DAMAGED && !kept.delayed.has(channelId),
  );
  const meantToBeWarned = new Set(atOnce.map(({ channelId }) => channelId));
  const warned = new Set<string>();
  discord.events.on('message', accounts.see).on('edit', accounts.see);
  discord.events.on('message', ({ channelId, content, embeds }) => {
    if (content.includes('⚠️') || JSON.stringify(embeds).includes('⚠️')) warned.add(channelId);
    changes.emit('change');
  });
  discord.events.on('edit', () => changes.emit('change'));
  const past = Array.from({ length: PAST_TRADES }, (_, age) =>
    trade({ trader: DAMAGED, time: 1_600_000_000 + age }),
  );
  await ledger.addAll(
    past.map((item): LedgerRecord => ({ kind: 'activity', wallet: DAMAGED, block: 0, item })),
  );
  const play = async (record: LedgerRecord) => {
    await ledger.addAll([record]);
    for (const { wallet, channelId } of unfiltered)
      if (wallet === record.wallet && !kept.delayed.has(channelId))
        accounts.expect(channelId, record);
    receiver.expect(record);
  };
  const start = startsOf(world, { ...receiver.environment, STORE_URL: kept.url }, natsUrl);
  const feed = start.feed();
  await play(purchase(WALLET, 77));
  let loaded = () => {};
  const isLoaded = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  const killAt = { WALLETBELL_TEST_KILL_AT: `${step}:${reach}`, LOG_LEVEL: 'info' };
  const killed = start.bot(killAt, ({ event }) => event === 'store.loaded' && loaded());
  const closed = once(killed.process, 'close');
  // Until then a standby could get the store first, and no trade of the damaged wallet is alerted.
  await Promise.race([isLoaded, closed]);
  const standby = by === 'standby' ? start.bot({ STANDBY: 'true' }) : null;
  const isAll = () =>
    accounts.lost() === 0 && warned.size >= meantToBeWarned.size && receiver.lost() === 0;
  /** Resolves when the condition holds, or the signal aborts. */
  const until = async (isMet: () => boolean, signal: AbortSignal) => {
    while (!isMet() && !signal.aborted) await once(changes, 'change', { signal }).catch(() => {});
  };
  const limit = AbortSignal.timeout(WAIT_MS);
  const ended = new AbortController();
  closed.then(() => ended.abort());
  const untilEnded = AbortSignal.any([limit, ended.signal]);
  // The further piece of the purchase does not wait for warnings and signed alerts: it changes a
  // message only within two minutes (JOIN_WINDOW_MS).
  await until(() => accounts.lost() === 0, untilEnded);
  await play(purchase(WALLET, 77));
  await until(isAll, untilEnded);
  // A trade of the wallet whose positions are not known.
  await play(purchase(DAMAGED, 78));
  // On a slow machine everything may come before the step is reached.
  if (!untilEnded.aborted) await once(untilEnded, 'abort');
  const wasKilled = killed.process.signalCode === 'SIGKILL';
  await killed.kill();
  const bot = standby ?? start.bot();
  // On a slow machine the kill comes late, and whoever goes on has to start first.
  await until(isAll, AbortSignal.timeout(WAIT_MS));
  await bot.stop();
  await feed?.stop();
  await receiver.close();
  await world.close();
  return {
    wasKilled,
    differences: [...accounts.differences(), ...receiver.differences()],
    warned,
    meantToBeWarned,
  };
}

const purchase = (wallet: string, market: number): LedgerRecord => ({
  kind: 'activity',
  wallet,
  block: 1,
  item: trade({ ...inMarket(market), trader: wallet }),
});

/** Ways to start the bot's processes. */
function startsOf(
  world: World,
  environment: Readonly<Record<string, string>>,
  natsUrl: string | undefined,
) {
  const polls = { WALLETBELL_TEST_POLL_MIN_SECONDS: '0.1' };
  const cluster = natsUrl === undefined ? null : { NATS_URL: natsUrl };
  return {
    /** A feed of its own; null where the bot polls itself. */
    feed: (): BotProcess | null =>
      cluster &&
      launch(world, { ...polls, ...cluster, ROLE: 'feed', STORE_URL: 'sqlite://feed.sqlite' }),
    bot(
      more: Readonly<Record<string, string>> = {},
      onLine: BotProcessOptions['onLine'] = () => {},
    ): BotProcess {
      const half = cluster && { ...cluster, ROLE: 'bot', VENUE_BASE_URL: '', VENUE_API_KEY: '' };
      const own = { ...environment, CATCH_UP_AFTER_MINUTES: '1000000', ...half, ...more };
      return launch(world, cluster ? own : { ...polls, ...own }, onLine, ['--skip-damaged']);
    },
  };
}

/** An account of each channel: who waits for what differs. */
function accountsOf(watches: readonly KeptWatch[]) {
  const accounts = new Map(watches.map(({ channelId }) => [channelId, createAccount()]));
  for (const { wallet, channelId } of watches) accounts.get(channelId)?.watch(wallet, channelId, 0);
  const all = () => [...accounts.values()].map((account) => account.balance());
  return {
    expect: (channelId: string, record: LedgerRecord) => accounts.get(channelId)?.expect(record),
    see(message: SeenMessage): void {
      if (message.interactionId === null && message.author.bot)
        accounts.get(message.channelId)?.see(message);
    },
    lost: () => all().reduce((sum, { lost }) => sum + lost, 0),
    differences: () => all().flatMap(({ differences }) => differences),
  };
}

/** A receiver of signed alerts of the servers that had one, with an account of what it is to get. */
async function openReceiver(
  { owners, messageIds, watches }: Awaited<ReturnType<typeof plantFanOut>>,
  changes: EventEmitter,
) {
  const ownerOf = new Map(watches.map(({ channelId, ownerId }) => [channelId, ownerId]));
  /** New records that each server is to get once. */
  const expected = new Set<string>();
  /** Ids under which each record or result came. */
  const ids = new Map<string, Set<string>>();
  const cameIds = new Set<string>();
  const receiver = await startReceiver(({ id, body }) => {
    const key = keyOf(body, ownerOf);
    ids.set(key, (ids.get(key) ?? new Set()).add(id));
    cameIds.add(id);
    changes.emit('change');
    return { status: 204 };
  });
  const missing = () => [
    ...[...messageIds].filter((id) => !cameIds.has(id)),
    ...[...expected].filter((key) => !ids.has(key)),
  ];
  return {
    environment: {
      ALERTS_URL: receiver.url,
      ALERTS_SECRET: SECRET,
      ALERTS_GUILDS: owners.join(','),
    },
    expect({ wallet, item }: LedgerRecord): void {
      for (const owner of owners)
        if (watches.some((watch) => watch.ownerId === owner && watch.wallet === wallet))
          expected.add([owner, wallet, item.txHash].join(' '));
    },
    lost: () => missing().length,
    differences: () => [
      ...receiver.faults.map(String),
      ...missing().map((what) => `no signed alert: ${what}`),
      ...[...ids].flatMap(([key, found]) =>
        found.size === 1 ? [] : [`${found.size} signed alerts: ${key}`],
      ),
    ],
    close: receiver.close,
  };
}

/** Names what a signed alert says, and to which server: two that say the same are doubled. */
function keyOf({ type, timestamp, data }: Body, ownerOf: ReadonlyMap<string, string>): string {
  const channelId = data.watches[0]?.channel ?? '';
  const server = [ownerOf.get(channelId), data.wallet];
  if ('record' in data) return [...server, data.record.txHash].join(' ');
  const { sequence: _sequence, seenAt: _seenAt, late: _late, watches: _watches, ...said } = data;
  return [...server, channelId, type, timestamp, JSON.stringify(said)].join(' ');
}
