import { type Client, DiscordAPIError, type Guild, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { DeliveryWorker } from '../../delivery/worker.ts';
import type { Machine } from '../../lib/machine.ts';
import type { Collection } from '../../store/collection.ts';
import { personOf, type RestingOwner } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import { isOwnGuild } from '../gateway/shards.ts';
import type { Admission } from '../quotas/exceptions.ts';
import type { Holdings } from './holdings.ts';
import { createGuildRests } from './rests.ts';
import { createTimeOuts } from './time-outs.ts';
import type { Welcomes } from './welcome.ts';

/** Codes with which Discord answers about a guild that the bot is not in. */
const UNKNOWN_GUILD: readonly unknown[] = [
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
];
const UNKNOWN_CHANNEL: readonly unknown[] = [RESTJSONErrorCodes.UnknownChannel];
const FOREIGN_ADVICE =
  'The store holds watches of servers on shards that this process does not take. ' +
  'This process sends their alerts; ' +
  'a process that has them in its own store as well sends them twice.';

/** Does work whose failure is logged: nobody waits for it. */
export type Attempt = (what: string, work: () => Promise<void>) => Promise<void>;

/** Brings what the bot keeps of guilds to how Discord has them. */
export function createGuildUpdates(
  machine: Machine,
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
  attempt: Attempt,
) {
  const { log } = machine;
  const { client, holdings, resting, admission, deliveryWorker, welcomes } = parts;
  const rests = createGuildRests(machine, parts);

  /** Tries the channels of a guild again whose own trouble is over by a change in it. */
  const lookAgain = (guild: Guild): Promise<void> =>
    deliveryWorker.lookAgain(holdings.channelsOf(guild.id));

  const timeOuts = createTimeOuts(machine, lookAgain);

  /** The gateway has said all about the guild: what has changed meanwhile counts, too. */
  const lookAtAll = (guild: Guild): void => {
    void attempt('timeOut', () => timeOuts.follow(guild));
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
      ) {
        return;
      }
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
    if (guild === undefined && stored?.isGone === true) return rests.endOld(guildId, stored);
    if (guild === undefined) {
      if (!(await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD))) return;
      log.info({ event: 'guild.left_meanwhile', guild: guildId });
      return rests.begin(guildId, true);
    }
    // Discord reports when it is available again.
    if (!guild.available) return;
    if (!admission.isServed(guildId)) {
      return stored?.isGone === true ? rests.begin(guildId, false) : undefined;
    }
    await rests.end(guild);
    await endMissingChannels(guild);
    lookAtAll(guild);
  };

  return {
    lookAgain,
    followTimeOut: timeOuts.follow,
    update,
    /** Updates all guilds of which something is stored. */
    async updateAll(): Promise<void> {
      const known = [...holdings.owners()].filter((ownerId) => personOf(ownerId) === null);
      // The gateway has no data of guilds on other processes' shards.
      const own = known.filter((guildId) => isOwnGuild(client, guildId));
      const foreign = known.length - own.length;
      if (foreign > 0) {
        log.warn({ event: 'guilds.of_other_shards', guilds: foreign, advice: FOREIGN_ADVICE });
      }
      // A bot that is in none of them may be another one, which has yet to be invited.
      const isTheirs = own.some((guildId) => client.guilds.cache.has(guildId));
      for (const guildId of own) {
        if (isTheirs || resting.get(guildId) !== undefined) await update(guildId);
      }
    },
    /** The guild is there: ends its rest if it is served, and tries its blocked channels again. */
    async onAvailable(guild: Guild): Promise<void> {
      if (!admission.isServed(guild.id)) log.info({ event: 'guild.not_served', guild: guild.id });
      // Its removal may still be under way.
      await rests.settled(guild.id);
      if (resting.get(guild.id) !== undefined) await update(guild.id);
      lookAtAll(guild);
      await welcomes.greet(guild);
    },
    /** A guild that LIMITS_FILE blocks rests, and wakes when it does not any more. */
    async admit(guildId: string): Promise<void> {
      const isResting = resting.get(guildId) !== undefined;
      if (admission.isServed(guildId) && isResting) return update(guildId);
      if (!admission.isServed(guildId) && !isResting) return rests.begin(guildId, false);
    },
    /** The bot was removed from the guild. */
    onRemoved: (guildId: string) => rests.begin(guildId, true),
    stop: timeOuts.stop,
  };
}

export type GuildUpdates = ReturnType<typeof createGuildUpdates>;

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
