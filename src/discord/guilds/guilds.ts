import {
  type Client,
  DiscordAPIError,
  Events,
  type Guild,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import type { DeliveryWorker } from '../../delivery/worker.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Machine } from '../../lib/machine.ts';
import type { AnyCollection, Collection } from '../../store/collection.ts';
import { personOf, RESTING_DAYS, type RestingOwner } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import { isOwnGuild } from '../gateway/shards.ts';
import { timedOutUntilMs } from '../permissions.ts';
import type { Admission } from '../quotas/exceptions.ts';
import type { Welcomes } from './welcome.ts';

/** Codes with which Discord answers about a guild that the bot is not in. */
const UNKNOWN_GUILD: readonly unknown[] = [
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
];
const UNKNOWN_CHANNEL: readonly unknown[] = [RESTJSONErrorCodes.UnknownChannel];
const RESTING_SECONDS = RESTING_DAYS * 86_400;
const UPDATE_MS = 3_600_000;
/** Discord's clock and this machine's may differ. */
const TIME_OUT_MARGIN_MS = 500;
/**
 * A time-out is at most four weeks, longer than a timer takes; and the clock may be set meanwhile.
 */
const TIME_OUT_LOOK_MS = 3_600_000;
const FOREIGN_ADVICE =
  'The store holds watches of servers on shards that this process does not take. This process sends their alerts; a process that has them in its own store as well sends them twice.';

/**
 * Follows what happens to servers and channels. Watches end with their channel. Those of a server
 * that removes the bot rest for 30 days, and come back with it. A blocked channel is tried again
 * when something has changed by which the bot can write to it. A server that has invited the bot
 * gets a message how to begin.
 *
 * @returns stops what is done every hour, and waits for what a deleted channel still has in the
 *   store
 */
export function followGuildEvents(
  { log, nowMs, sleep }: Machine,
  parts: {
    readonly client: Client;
    readonly registry: Registry;
    readonly holdings: Holdings;
    readonly resting: Collection<RestingOwner>;
    readonly admission: Admission;
    readonly deliveryWorker: DeliveryWorker;
    readonly welcomes: Welcomes;
    /** Venue clock, Unix seconds. */
    readonly venueNowSeconds: () => number;
  },
): () => Promise<void> {
  const {
    client,
    registry,
    holdings,
    resting,
    admission,
    deliveryWorker,
    welcomes,
    venueNowSeconds,
  } = parts;
  /** Changes of one guild follow one another. */
  const mutex = createKeyedMutex();

  /**
   * Ends polling and alerts of a guild, those that wait too. @param isGone the bot was removed;
   * else: not served
   */
  const rest = (guildId: string, isGone: boolean): Promise<void> =>
    mutex.run(guildId, async () => {
      // It has been invited again meanwhile.
      if (isGone && client.guilds.cache.has(guildId)) return;
      if (isGone) await welcomes.forget(guildId);
      const channelIds = holdings.channelsOf(guildId);
      if (channelIds.size === 0) return;
      const sinceSeconds = Math.floor(venueNowSeconds());
      await resting.set(guildId, { ownerId: guildId, sinceSeconds, isGone });
      registry.rest(guildId);
      log.info({
        event: 'guild.rests',
        guild: guildId,
        watches: registry.keptOfOwner(guildId).length,
        isGone,
      });
      for (const channelId of channelIds) await deliveryWorker.forget(channelId);
    });

  /**
   * The watches announce what happens from the moment on at which the bot came back, or the guild
   * is served again.
   */
  const endRest = (guild: Guild) =>
    mutex.run(guild.id, async () => {
      const stored = resting.get(guild.id);
      if (stored === undefined) return;
      const nowSeconds = Math.floor(venueNowSeconds());
      const joinedSeconds = Math.min(nowSeconds, Math.floor(guild.joinedTimestamp / 1000));
      const sinceSeconds = Math.max(
        stored.sinceSeconds,
        stored.isGone ? joinedSeconds : nowSeconds,
      );
      await registry.wake(guild.id, sinceSeconds, () => resting.delete(guild.id));
      const restedSeconds = sinceSeconds - stored.sinceSeconds;
      log.info({
        event: 'guild.returned',
        guild: guild.id,
        watches: registry.ofOwner(guild.id).length,
        restedSeconds,
      });
    });

  /** Tries the channels of a guild again whose own trouble is over by a change in it. */
  const lookAgain = (guild: Guild): Promise<void> =>
    deliveryWorker.lookAgain(holdings.channelsOf(guild.id));

  /** Ends, by guild, the waiting for the end of a time-out. */
  const timeOuts = new Map<string, AbortController>();

  /** Looks again when the bot's time-out in a guild ends, of which Discord sends no event. */
  const followTimeOut = async (guild: Guild): Promise<void> => {
    timeOuts.get(guild.id)?.abort();
    const waiting = new AbortController();
    timeOuts.set(guild.id, waiting);
    const untilMs = () =>
      guild.members.me === null ? null : timedOutUntilMs(guild.members.me, nowMs());
    await lookAgain(guild);
    for (let endMs = untilMs(); endMs !== null; endMs = untilMs()) {
      await sleep(Math.min(endMs - nowMs() + TIME_OUT_MARGIN_MS, TIME_OUT_LOOK_MS), waiting.signal);
      if (waiting.signal.aborted) return;
      await lookAgain(guild);
    }
    timeOuts.delete(guild.id);
  };

  /** The gateway has said all about the guild: what has changed meanwhile counts, too. */
  const lookAtAll = (guild: Guild): void => {
    void attempt('timeOut', () => followTimeOut(guild));
    deliveryWorker.onAvailable(holdings.channelsOf(guild.id));
  };

  /**
   * Ends the channels that neither the gateway nor Discord knows. In an outage Discord may know of
   * none.
   */
  const endMissingChannels = async ({ id: guildId, channels }: Guild) => {
    for (const channelId of holdings.channelsOf(guildId)) {
      if (client.channels.cache.has(channelId)) continue;
      if (!(await isRefused(client, Routes.channel(channelId), UNKNOWN_CHANNEL))) continue;
      // The gateway lists no thread that is archived: Discord's word alone counts, if it knows one
      // that is there.
      const present = channels.cache.firstKey();
      if (
        present !== undefined &&
        (await isRefused(client, Routes.channel(present), UNKNOWN_CHANNEL))
      )
        return;
      log.info({ event: 'channel.deleted_meanwhile', guild: guildId, channel: channelId });
      await holdings.endChannel(channelId);
    }
  };

  /**
   * Wakes a guild, lets it rest, or ends it, as Discord has it now; ends its channels that are
   * gone. What was removed while the bot was away is missing in the gateway's data; REST confirms
   * it before anything rests or ends.
   */
  const update = async (guildId: string): Promise<void> => {
    const stored = resting.get(guildId);
    const guild = client.guilds.cache.get(guildId);
    if (guild === undefined && stored?.isGone === true) {
      if (venueNowSeconds() - stored.sinceSeconds <= RESTING_SECONDS) return;
      await mutex.run(guildId, () => holdings.endOwner(guildId));
      log.info({ event: 'guild.ended', guild: guildId, afterDays: RESTING_DAYS });
      return;
    }
    if (guild === undefined) {
      if (!(await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD))) return;
      log.info({ event: 'guild.left_meanwhile', guild: guildId });
      return rest(guildId, true);
    }
    // Discord reports when it is available again.
    if (!guild.available) return;
    if (!admission.isServed(guildId))
      return stored?.isGone === true ? rest(guildId, false) : undefined;
    await endRest(guild);
    await endMissingChannels(guild);
    lookAtAll(guild);
  };

  const updateAll = async () => {
    const known = [...holdings.owners()].filter((ownerId) => personOf(ownerId) === null);
    // The gateway has no data of guilds on other processes' shards.
    const own = known.filter((guildId) => isOwnGuild(client, guildId));
    const foreign = known.length - own.length;
    if (foreign > 0)
      log.warn({ event: 'guilds.of_other_shards', guilds: foreign, advice: FOREIGN_ADVICE });
    // A bot that is in none of them may be another one, which has yet to be invited.
    const isTheirs = own.some((guildId) => client.guilds.cache.has(guildId));
    for (const guildId of own)
      if (isTheirs || resting.get(guildId) !== undefined) await update(guildId);
  };

  const attempt = (what: string, work: () => Promise<void>) =>
    work().catch((error: unknown) => log.error({ event: 'guilds.not_followed', what, err: error }));
  const ending = new Set<Promise<void>>();
  const end = ({ id }: { readonly id: string }) => {
    const ended = attempt('channelDelete', () => holdings.endChannel(id)).finally(() =>
      ending.delete(ended),
    );
    ending.add(ended);
  };
  /** The guild is there: ends its rest if it is served, and tries its blocked channels again. */
  const onAvailable = async (guild: Guild) => {
    if (!admission.isServed(guild.id)) log.info({ event: 'guild.not_served', guild: guild.id });
    // Its removal may still be under way.
    await mutex.run(guild.id, async () => {});
    if (resting.get(guild.id) !== undefined) await update(guild.id);
    lookAtAll(guild);
    await welcomes.greet(guild);
  };
  /** A guild that LIMITS_FILE blocks rests, and wakes when it does not any more. */
  const admit = async (guildId: string): Promise<void> => {
    const isResting = resting.get(guildId) !== undefined;
    if (admission.isServed(guildId) && isResting) return update(guildId);
    if (!admission.isServed(guildId) && !isResting) return rest(guildId, false);
  };
  admission.listen((ownerIds) => {
    for (const ownerId of ownerIds)
      if (personOf(ownerId) === null) void attempt('limits', () => admit(ownerId));
  });
  client.on(Events.ClientReady, () => attempt('clientReady', updateAll));
  // Servers that come with READY itself have no event of their own.
  client.on(Events.ClientReady, ({ guilds }) =>
    attempt('welcomes', async () => {
      for (const guild of guilds.cache.values()) await welcomes.greet(guild);
    }),
  );
  const timer = setInterval(() => {
    if (!client.isReady()) return;
    attempt('resting', async () => {
      for (const { ownerId } of resting.all())
        if (personOf(ownerId) === null && isOwnGuild(client, ownerId)) await update(ownerId);
    });
    attempt('welcomes', welcomes.retry);
  }, UPDATE_MS).unref();
  client.on(Events.ChannelDelete, end);
  client.on(Events.ThreadDelete, end);
  // Discord sends this also for a guild that is only unavailable; discord.js distinguishes the two.
  client.on(Events.GuildDelete, ({ id }) => attempt('guildDelete', () => rest(id, true)));
  client.on(Events.GuildCreate, (guild) => attempt('guildCreate', () => onAvailable(guild)));
  client.on(Events.GuildAvailable, (guild) => attempt('guildAvailable', () => onAvailable(guild)));
  client.on(Events.GuildRoleUpdate, (_before, { guild }) =>
    attempt('roleUpdate', () => lookAgain(guild)),
  );
  client.on(Events.GuildRoleDelete, ({ guild }) => attempt('roleDelete', () => lookAgain(guild)));
  client.on(Events.ThreadUpdate, (_before, { guild }) =>
    attempt('threadUpdate', () => lookAgain(guild)),
  );
  client.on(Events.ChannelUpdate, (_before, channel) => {
    if (!channel.isDMBased()) attempt('channelUpdate', () => lookAgain(channel.guild));
  });
  client.on(Events.GuildMemberUpdate, (_before, member) => {
    if (member.id === client.user?.id) attempt('memberUpdate', () => followTimeOut(member.guild));
  });
  return async () => {
    clearInterval(timer);
    for (const waiting of timeOuts.values()) waiting.abort();
    await Promise.all(ending);
  };
}

/**
 * Tells whether Discord refuses to show something with one of these codes; any other failure leaves
 * it open.
 */
async function isRefused(
  client: Client,
  route: `/${string}`,
  codes: readonly unknown[],
): Promise<boolean> {
  try {
    await client.rest.get(route);
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && codes.includes(error.code);
  }
}

/**
 * Everything that is stored of servers, people and channels, whatever it is.
 *
 * @param parts `collections`: all but that of the persons themselves; `pruneWallet` takes what is
 *   of channels that no longer watch a wallet out of its document
 */
export function createHoldings(parts: {
  readonly registry: Registry;
  readonly collections: readonly AnyCollection[];
  readonly deliveryWorker: Pick<DeliveryWorker, 'forget'>;
  readonly pruneWallet: (wallet: WalletAddress) => Promise<unknown>;
}) {
  const { registry, collections, deliveryWorker, pruneWallet } = parts;
  const channelsOf = (ownerId: string): ReadonlySet<string> =>
    new Set([
      ...registry.keptOfOwner(ownerId).map(({ channelId }) => channelId),
      ...collections.flatMap((collection) => collection.channelsOf(ownerId)),
    ]);
  const endChannel = async (channelId: string): Promise<void> => {
    for (const { wallet } of registry.ofChannel(channelId))
      await registry.remove(channelId, wallet);
    await registry.forgetUnreadable(channelId);
    await deliveryWorker.forget(channelId);
    for (const collection of collections) await collection.forget({ channelId });
  };
  return {
    /** Servers and people of which something is stored that does not go by itself. */
    owners: (): ReadonlySet<string> =>
      new Set([...registry.owners(), ...collections.flatMap((collection) => collection.owners())]),
    /** The channels of a server, or of a person, of which something is stored. */
    channelsOf,
    /** Deletes all that is stored of a channel. */
    endChannel,
    /** Deletes all that is stored of a server, or of a person, and of the channels. */
    async endOwner(ownerId: string, channelIds = channelsOf(ownerId)): Promise<void> {
      const wallets = new Set(registry.keptOfOwner(ownerId).map(({ wallet }) => wallet));
      await registry.endResting(ownerId);
      for (const channelId of channelIds) await endChannel(channelId);
      for (const wallet of wallets) if (registry.isNeeded(wallet)) await pruneWallet(wallet);
      for (const collection of collections) await collection.forget({ ownerId });
    },
  };
}
export type Holdings = ReturnType<typeof createHoldings>;
