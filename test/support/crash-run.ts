import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import type { BotProcess } from '../../src/demo/bot-process.ts';
import { createAccount, followMessages } from '../../src/demo/reconcile.ts';
import { STEPS } from '../../src/lib/failpoints.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { messageChange } from '../e2e/fixture.ts';
import { seededRandom } from './random.ts';
import { nowSeconds, trade, transfer } from './records.ts';
import { launch, openWorld } from './world.ts';

export interface CrashRunOptions {
  /** Kills at random instants. */
  readonly kills: number;
  /** Kills at each named step of an alert's way, besides. */
  readonly killsPerStep: number;
  readonly seed: number;
  /** An empty folder for the files. */
  readonly directory: string;
}

const WALLETS = Array.from({ length: 6 }, (_, index) => `0x${String(index + 1).repeat(40)}`);
const PAST_TRADES = 101;
const PAST_SECONDS = 1_600_000_000;
const LONGEST_LIFE_MS = 4_000;
/** A step that is not reached within this time will not be: nothing was under way. */
const STEP_LIMIT_MS = 20_000;
const DRAIN_LIMIT_MS = 60_000;
/**
 * Less than a page: on a slow machine trades wait, or more would arrive than the bot can ever see.
 */
const UNTOLD_LIMIT = 90;

/**
 * Runs the real bot against venue and Discord double while trades go on, kills it with SIGKILL
 * again and again, and counts in the end what the channels show against the venue's ledger.
 */
export async function crashRun({ kills, killsPerStep, seed, directory }: CrashRunOptions) {
  const random = seededRandom(seed);
  const aSecond = { limit: 50, windowMs: 1_000 };
  const rateLimits = { 'message.create': aSecond, 'message.edit': aSecond };
  const world = await openWorld('crash', { directory, limit: 60_000, rateLimits });
  const { discord, ledger } = world;
  const account = createAccount();
  let gaps = 0;
  const placesByWallet = new Map<string, string[][]>();
  let edits = 0;
  followMessages(account, discord.events);
  discord.events.on('message', (message) => {
    gaps += message.content.startsWith('⚠️') && message.embeds.length > 0 ? 1 : 0;
    if (message.interactionId === null) notePlaces(message, placesByWallet);
  });
  discord.events.on('edit', ({ interactionId }) => {
    if (interactionId === null) edits += 1;
  });
  const guild = discord.createGuild({ name: 'Desk' });
  const admin = discord.createMember(guild.id, { name: 'ada', admin: true });
  const channels = ['one', 'two'].map((name) => discord.createChannel(guild.id, { name }).id);
  // Somebody watches for themselves what the server watches, too.
  const person = discord.createMember(guild.id, { name: 'bob' });
  const { id: directId } = discord.openDm(person.userId);

  let bot: BotProcess | undefined;
  const start = (variables: Record<string, string> = {}) => {
    bot = launch(world, { POLL_MIN_SECONDS: '0.1', LOG_LEVEL: 'error', ...variables });
    return bot;
  };

  let items = 0;
  const markets = WALLETS.map(() => 1);
  const play = async () => {
    const place = Math.floor(random() * WALLETS.length);
    const wallet = WALLETS[place] ?? '';
    const fills = 1 + Math.floor(random() * 3);
    // Now a further piece of a purchase that is announced already, and now another one.
    if (random() < 0.25) markets[place] = (markets[place] ?? 0) + 1;
    const records = Array.from({ length: fills }, (_, fill): LedgerRecord => {
      items += 1;
      const isTransfer = fill === 0 && random() < 0.2;
      const txHash = `0x${place + 1}${String(items).padStart(63, '0')}`;
      if (isTransfer)
        return { kind: 'transfer', wallet, item: transfer({ txHash, amount: items }) };
      return {
        kind: 'activity',
        wallet,
        block: items,
        item: trade({
          ...marketNames(place, markets[place] ?? 0),
          txHash,
          trader: wallet,
          quantity: items,
        }),
      };
    });
    await ledger.addAll(records);
    for (const record of records) account.expect(record);
  };

  let isPlaying = true;
  const killsByStep: Record<string, number> = {};
  try {
    const first = start();
    if (discord.commands().length === 0) await once(discord.events, 'commands');
    for (const [index, wallet] of WALLETS.entries()) {
      // More than a page shows, so that the venue is asked about each market.
      await ledger.addAll(
        Array.from({ length: PAST_TRADES }, (_, past): LedgerRecord => {
          const txHash = `0x${index + 1}f${String(past).padStart(62, '0')}`;
          const item = trade({ txHash, trader: wallet, time: PAST_SECONDS + past });
          return { kind: 'activity', wallet, block: 0, item };
        }),
      );
      for (const channelId of index % 2 === 0 ? channels : channels.slice(0, 1)) {
        account.watch(wallet, channelId, nowSeconds());
        await (await discord.command(admin, channelId, 'watch add', { wallet })).reply();
      }
      if (index % 3 > 0) continue;
      account.watch(wallet, directId, nowSeconds());
      await (await discord.command(person, directId, 'watch add', { wallet })).reply();
    }
    await first.kill();
    const playing = (async () => {
      while (isPlaying) {
        if (account.balance().lost < UNTOLD_LIMIT) await play();
        await delay(200 + random() * 600);
      }
    })();

    for (let round = 0; round < killsPerStep; round += 1) {
      for (const step of STEPS) {
        const run = start({ WALLETBELL_TEST_KILL_AT: `${step}:${1 + Math.floor(random() * 3)}` });
        await once(run.process, 'close', { signal: AbortSignal.timeout(STEP_LIMIT_MS) }).catch(
          () => {},
        );
        if (run.process.signalCode === 'SIGKILL') killsByStep[step] = (killsByStep[step] ?? 0) + 1;
        await run.kill();
      }
    }
    for (let kill = 0; kill < kills; kill += 1) {
      const run = start();
      const isAtMessage = random() < 0.3;
      // Right after Discord has accepted, before its answer can have been read: the instant that
      // doubles are made of.
      if (isAtMessage) await Promise.race([messageChange(discord), delay(2 * LONGEST_LIFE_MS)]);
      else await delay(random() * LONGEST_LIFE_MS);
      await run.kill();
    }
    isPlaying = false;
    await playing;

    start();
    const limit = AbortSignal.timeout(DRAIN_LIMIT_MS);
    while (account.balance().lost > 0 && !limit.aborted) {
      await messageChange(discord, limit);
    }
  } finally {
    isPlaying = false;
    await bot?.stop();
    await world.close();
  }
  const { alerts, lost, duplicates } = account.balance();
  return {
    kills: 1 + killsPerStep * STEPS.length + kills,
    killsByStep,
    items,
    delivered: alerts,
    lost,
    duplicated: duplicates,
    /** Notices that more had arrived at once than a page shows. */
    gaps,
    /** Messages that were changed, each time. */
    edits,
    /** Purchases and transfers of a wallet that did not stand in their order in a channel. */
    outOfOrder: [...placesByWallet.values()].filter((places) => !isAscending(places)).length,
  };
}

/**
 * Notes which purchases and transfers of each wallet a new message shows: a transfer links its
 * transaction, a trade its market.
 */
function notePlaces(
  { channelId, embeds }: SeenMessage,
  placesByWallet: Map<string, string[][]>,
): void {
  const text = embeds.map(({ description, url }) => `${url} ${description}`).join('\n');
  const links = [...text.matchAll(/\/(tx\/0x|market\/)(\d)(\d+)/g)];
  for (const [name, shown] of groupBy(
    links,
    ([, endpoint = '', wallet = '']) => endpoint + wallet,
  )) {
    const key = `${channelId}:${name}`;
    const places = shown.map(([, , , place = '']) => place);
    placesByWallet.set(key, [...(placesByWallet.get(key) ?? []), places]);
  }
}

/** @param place of the wallet, from 0 @param market numbered as they are played */
function marketNames(place: number, market: number) {
  const marketId = `${place + 1}${String(market).padStart(6, '0')}`;
  return { marketId, conditionId: `0x${marketId.padStart(64, 'c')}` };
}

/** Of one endpoint, nothing that an alert shows is earlier than what the alert before it showed. */
function isAscending(alerts: readonly (readonly string[])[]): boolean {
  return alerts.every((places, index) => {
    const latestBefore = alerts[index - 1]?.toSorted().at(-1) ?? '';
    return places.every((place) => place >= latestBefore);
  });
}
