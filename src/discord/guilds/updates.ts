import { type Client, DiscordAPIError, type Guild, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { DeliveryWorker } from '../../delivery/worker.ts';
import type { Machine } from '../../lib/machine.ts';
import { personOf } from '../../watches/owner.ts';
import { isOwnGuild } from '../gateway/shards.ts';
import type { Admission } from '../quotas/exceptions.ts';
import { createGuildSuspension } from './suspension.ts';
import { createTimeOuts } from './time-outs.ts';
import type { Welcomes } from './welcome.ts';

/** Codes with which Discord responds for a guild that the bot is not in. */
const UNKNOWN_GUILD: readonly unknown[] = [
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.MissingAccess,
];
const UNKNOWN_CHANNEL: readonly unknown[] = [RESTJSONErrorCodes.UnknownChannel];
const FOREIGN_ADVICE =
  'The store holds watches of servers on shards that this process does not take. ' +
  'This process sends their alerts; ' +
  'a process that has them in its own store as well sends them twice.';

/** Runs work that nothing awaits, and logs its failure. */
export type Attempt = (what: string, work: () => Promise<void>) => Promise<void>;

/** Creates functions that bring the stored data about guilds up to date with Discord. */
export function createGuildUpdates(
  machine: Machine,
  parts: Parameters<typeof createGuildSuspension>[1] & {
    readonly admission: Admission;
    readonly deliveryWorker: DeliveryWorker;
    readonly welcomes: Welcomes;
  },
  attempt: Attempt,
) {
  const { log } = machine;
  const { client, ownerData, suspended, admission, deliveryWorker, welcomes } = parts;
  const suspension = createGuildSuspension(machine, parts);

  /** Retries the channels of a guild whose trouble a change in the guild has ended. */
  const lookAgain = (guild: Guild): Promise<void> =>
    deliveryWorker.lookAgain(ownerData.channelsOf(guild.id));

  const timeOuts = createTimeOuts(machine, lookAgain);

  /**
   * Checks time-out and channels once the gateway has sent everything about the guild, because
   * changes in the meantime count too.
   */
  const lookAtAll = (guild: Guild): void => {
    void attempt('timeOut', () => timeOuts.follow(guild));
    deliveryWorker.onAvailable(ownerData.channelsOf(guild.id));
  };

  /**
   * Deletes data of channels that neither the gateway nor Discord knows, unless Discord knows no
   * channel at all, as in an outage.
   */
  const endMissingChannels = async ({ id: guildId, channels }: Guild) => {
    for (const channelId of ownerData.channelsOf(guildId)) {
      if (client.channels.cache.has(channelId)) continue;
      if (!(await isRefused(client, Routes.channel(channelId), UNKNOWN_CHANNEL))) continue;
      // The gateway does not list archived threads, so only Discord's response counts, provided
      // that it knows a channel that exists.
      const present = channels.cache.firstKey();
      if (
        present !== undefined &&
        (await isRefused(client, Routes.channel(present), UNKNOWN_CHANNEL))
      ) {
        return;
      }
      log.info({ event: 'channel.deleted_meanwhile', guild: guildId, channel: channelId });
      await ownerData.endChannel(channelId);
    }
  };

  /**
   * Resumes, suspends or deletes a guild according to its present state on Discord, and deletes
   * data of its missing channels. Anything removed while the bot was away is missing from the
   * gateway's data; REST confirms it before anything is suspended or deleted.
   */
  const update = async (guildId: string): Promise<void> => {
    const stored = suspended.get(guildId);
    const guild = client.guilds.cache.get(guildId);
    if (guild === undefined && stored?.isGone === true) return suspension.endOld(guildId, stored);
    if (guild === undefined) {
      if (!(await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD))) return;
      log.info({ event: 'guild.left_meanwhile', guild: guildId });
      return suspension.begin(guildId, true);
    }
    // Discord reports when it is available again.
    if (!guild.available) return;
    if (!admission.isServed(guildId)) {
      return stored?.isGone === true ? suspension.begin(guildId, false) : undefined;
    }
    await suspension.end(guild);
    await endMissingChannels(guild);
    lookAtAll(guild);
  };

  return {
    lookAgain,
    followTimeOut: timeOuts.follow,
    update,
    /** Updates all guilds with stored data. */
    async updateAll(): Promise<void> {
      const known = [...ownerData.owners()].filter((ownerId) => personOf(ownerId) === null);
      // The gateway has no data about guilds on other processes' shards.
      const own = known.filter((guildId) => isOwnGuild(client, guildId));
      const foreign = known.length - own.length;
      if (foreign > 0) {
        log.warn({ event: 'guilds.of_other_shards', guilds: foreign, advice: FOREIGN_ADVICE });
      }
      // A bot that is in none of them may be a different one, which has yet to be invited.
      const isTheirs = own.some((guildId) => client.guilds.cache.has(guildId));
      for (const guildId of own) {
        if (isTheirs || suspended.get(guildId) !== undefined) await update(guildId);
      }
    },
    /**
     * Handles a guild that is available: ends its suspension if it is served, and retries its
     * blocked channels.
     */
    async onAvailable(guild: Guild): Promise<void> {
      if (!admission.isServed(guild.id)) log.info({ event: 'guild.not_served', guild: guild.id });
      // Its removal may still be under way.
      await suspension.settled(guild.id);
      if (suspended.get(guild.id) !== undefined) await update(guild.id);
      lookAtAll(guild);
      await welcomes.greet(guild);
    },
    /** Suspends a guild that LIMITS_FILE blocks, and resumes it when it is no longer blocked. */
    async admit(guildId: string): Promise<void> {
      const isSuspended = suspended.get(guildId) !== undefined;
      if (admission.isServed(guildId) && isSuspended) return update(guildId);
      if (!admission.isServed(guildId) && !isSuspended) return suspension.begin(guildId, false);
    },
    /** Suspends a guild that has removed the bot. */
    onRemoved: (guildId: string) => suspension.begin(guildId, true),
    stop: timeOuts.stop,
  };
}

export type GuildUpdates = ReturnType<typeof createGuildUpdates>;

/**
 * Whether Discord refuses to show something with one of these codes; false after any other failure,
 * which proves nothing.
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
