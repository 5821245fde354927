import { type Client, DiscordAPIError, type Guild, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { Logger } from 'pino';
import type { DeliveryWorker } from '../../delivery/worker.ts';
import type { DetailsRecords } from '../../details/records.ts';
import type { DigestDocuments } from '../../digests/documents.ts';
import type { WalletAddress } from '../../domain/address.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import type { ChannelSettingsStore } from '../../watches/channel-settings.ts';
import { personOf } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import { RESTING_DAYS, type RestingOwner, type RestingOwners } from '../../watches/resting-owners.ts';
import { announcingFrom } from '../../watches/watch.ts';
import { isOwnGuild } from '../gateway/shards.ts';
import { maySendAlerts } from '../permissions.ts';
import type { Admission } from './admission.ts';
import { channelsOf, endChannel } from './end-channel.ts';
import type { Welcomes } from './welcome.ts';

export interface GuildLifecycleDeps {
  readonly client: Client;
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly digests: DigestDocuments;
  readonly detailsRecords: Pick<DetailsRecords, 'forget'>;
  readonly resting: RestingOwners;
  readonly admission: Pick<Admission, 'isServed'>;
  readonly deliveryWorker: DeliveryWorker;
  readonly welcomes: Pick<Welcomes, 'forget' | 'guilds'>;
  /** Takes what is of channels that no longer watch a wallet out of its document. */
  readonly pruneWallet: (wallet: WalletAddress) => Promise<void>;
  /** Venue clock, Unix seconds. */
  readonly venueNowSeconds: () => number;
  readonly log: Logger;
}

/** What becomes of watches, digests and settings when servers and channels come and go. */
export interface GuildLifecycle {
  /** Removes all that is stored of a channel that no longer exists. */
  endChannel(channelId: string): Promise<void>;
  /**
   * Stops polling and alerting for a guild, and drops the alerts that wait for its channels.
   *
   * @param isGone whether the bot was removed from it; else it is not served any more
   */
  rest(guildId: string, isGone: boolean): Promise<void>;
  /** The guild is there: ends its rest if it is served, and tries its blocked channels again. */
  onAvailable(guild: Guild): Promise<void>;
  /** Ends the rest of guilds that have come back, and removes those that have rested for 30 days. */
  updateResting(): Promise<void>;
  /** Finds guilds and channels that were removed while the bot was not connected. */
  endMissing(): Promise<void>;
  /** Tries the channels of a guild again that the bot may write to now. */
  unblockChannels(guildId: string): Promise<void>;
}

/** What Discord answers about a guild that the bot is not in. */
const UNKNOWN_GUILD: readonly unknown[] = [RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.MissingAccess];
const UNKNOWN_CHANNEL: readonly unknown[] = [RESTJSONErrorCodes.UnknownChannel];
const RESTING_SECONDS = RESTING_DAYS * 86_400;
const FOREIGN_ADVICE =
  'The store holds watches of servers on shards that this process does not take. This process sends their alerts; a process that has them in its own store as well sends them twice.';

export function createGuildLifecycle(deps: GuildLifecycleDeps): GuildLifecycle {
  const { client, registry, channelSettings, digests, detailsRecords, resting, admission, deliveryWorker, log } = deps;
  const { venueNowSeconds, welcomes } = deps;
  /** Changes of one guild follow one another. */
  const mutex = createKeyedMutex();

  const rest = (guildId: string, isGone: boolean) =>
    mutex.run(guildId, async () => {
      if (isGone) await welcomes.forget(guildId);
      const channelIds = channelsOf(deps, guildId);
      if (channelIds.size === 0) return;
      await resting.set({ version: 1, ownerId: guildId, sinceSeconds: Math.floor(venueNowSeconds()), isGone });
      registry.rest(guildId);
      log.info({ event: 'guild.rests', guild: guildId, watches: registry.restingOf(guildId).length, isGone });
      for (const channelId of channelIds) await deliveryWorker.forget(channelId);
    });

  /** The watches announce what happens from the moment on at which the bot came back, or the guild is served again. */
  const wakeGuild = (guild: Guild) =>
    mutex.run(guild.id, async () => {
      const stored = resting.get(guild.id);
      if (stored === undefined) return;
      const nowSeconds = Math.floor(venueNowSeconds());
      const joinedSeconds = Math.min(nowSeconds, Math.floor(guild.joinedTimestamp / 1000));
      const sinceSeconds = Math.max(stored.sinceSeconds, stored.isGone ? joinedSeconds : nowSeconds);
      await registry.wake(
        guild.id,
        (watch) => announcingFrom(watch, sinceSeconds),
        () => resting.delete(guild.id),
      );
      const restedSeconds = sinceSeconds - stored.sinceSeconds;
      log.info({ event: 'guild.returned', guild: guild.id, watches: registry.ofOwner(guild.id).length, restedSeconds });
    });

  const endGuild = (guildId: string) =>
    mutex.run(guildId, async () => {
      const channelIds = channelsOf(deps, guildId);
      const wallets = new Set(registry.restingOf(guildId).map(({ wallet }) => wallet));
      await registry.endResting(guildId);
      for (const channelId of channelIds) await endChannel(deps, channelId);
      for (const wallet of wallets) if (registry.isNeeded(wallet)) await deps.pruneWallet(wallet);
      await detailsRecords.forget({ ownerId: guildId });
      await resting.delete(guildId);
      log.info({ event: 'guild.ended', guild: guildId, afterDays: RESTING_DAYS });
    });

  /** Wakes a resting guild, lets it rest on, or ends it. */
  const updateRestingGuild = async ({ ownerId: guildId, isGone, sinceSeconds }: RestingOwner) => {
    const guild = client.guilds.cache.get(guildId);
    if (guild !== undefined) return updatePresentGuild(guild, isGone);
    if (!isGone) {
      if (await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD)) await rest(guildId, true);
    } else if (venueNowSeconds() - sinceSeconds > RESTING_SECONDS) {
      await endGuild(guildId);
    }
  };

  const updatePresentGuild = async (guild: Guild, isGone: boolean) => {
    // Discord reports when it is available again.
    if (!guild.available) return;
    if (!admission.isServed(guild.id)) return isGone ? rest(guild.id, false) : undefined;
    await wakeGuild(guild);
    await endMissingChannels(guild.id);
    await unblockChannels(guild.id);
  };

  const updateResting = async () => {
    for (const stored of resting.all()) {
      const isGuild = personOf(stored.ownerId) === null;
      if (isGuild && isOwnGuild(client, stored.ownerId)) await updateRestingGuild(stored);
    }
  };

  const endMissingChannels = async (guildId: string) => {
    if (client.guilds.cache.get(guildId)?.available !== true) return;
    for (const channelId of channelsOf(deps, guildId)) {
      if (client.channels.cache.has(channelId)) continue;
      if (!(await isRefused(client, Routes.channel(channelId), UNKNOWN_CHANNEL))) continue;
      log.info({ event: 'channel.deleted_meanwhile', guild: guildId, channel: channelId });
      await endChannel(deps, channelId);
    }
  };

  /** Guilds and channels that were removed meanwhile are missing in the gateway's data; REST confirms it before anything ends. */
  const endMissing = async () => {
    const owners = new Set([
      ...registry.owners(),
      ...[...digests.all(), ...channelSettings.all()].map(({ ownerId }) => ownerId),
      ...welcomes.guilds(),
    ]);
    // The gateway has no data of guilds on other processes' shards.
    const known = [...owners].filter((ownerId) => personOf(ownerId) === null);
    const own = known.filter((guildId) => isOwnGuild(client, guildId));
    const guildIds = own.filter((guildId) => resting.get(guildId) === undefined);
    const foreign = known.length - own.length;
    if (foreign > 0) log.warn({ event: 'guilds.of_other_shards', guilds: foreign, advice: FOREIGN_ADVICE });
    // A bot that is in none of them may be another one, which has yet to be invited.
    if (!guildIds.some((guildId) => client.guilds.cache.has(guildId))) return;
    for (const guildId of guildIds) {
      if (client.guilds.cache.has(guildId)) {
        await endMissingChannels(guildId);
      } else if (await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD)) {
        log.info({ event: 'guild.left_meanwhile', guild: guildId });
        await rest(guildId, true);
      }
    }
  };

  const unblockChannels = async (guildId: string) => {
    // Also channels that are not known to be blocked: Discord's answer that says so may be on its way.
    for (const channelId of channelsOf(deps, guildId)) {
      if (maySendAlerts(client, channelId) !== false) await deliveryWorker.unblock(channelId);
    }
  };

  const onAvailable = async (guild: Guild) => {
    if (!admission.isServed(guild.id)) log.info({ event: 'guild.not_served', guild: guild.id });
    const stored = resting.get(guild.id);
    if (stored !== undefined) await updateRestingGuild(stored);
    await unblockChannels(guild.id);
  };

  return {
    endChannel: (channelId) => endChannel(deps, channelId),
    rest,
    onAvailable,
    updateResting,
    endMissing,
    unblockChannels,
  };
}

/** Whether Discord refuses to show something with one of these codes; any other failure leaves it open. */
async function isRefused(client: Client, route: `/${string}`, codes: readonly unknown[]): Promise<boolean> {
  try {
    await client.rest.get(route);
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && codes.includes(error.code);
  }
}
