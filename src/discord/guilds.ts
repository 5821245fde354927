import { type Client, DiscordAPIError, Events, type Guild, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { Logger } from 'pino';
import type { DeliveryWorker } from '../delivery/worker.ts';
import type { DigestDocuments } from '../digests/documents.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import type { ChannelSettingsStore } from '../watches/channel-settings.ts';
import type { Registry } from '../watches/registry.ts';
import { RESTING_DAYS, type RestingGuild, type RestingGuilds } from '../watches/resting.ts';
import type { Admission } from './admission.ts';
import { mayRing } from './permissions.ts';
import { isOwnGuild } from './shards.ts';

export interface GuildsDeps {
  readonly client: Client;
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly digests: DigestDocuments;
  readonly resting: RestingGuilds;
  readonly admission: Pick<Admission, 'isServed'>;
  readonly deliveryWorker: DeliveryWorker;
  /** Venue clock, Unix seconds. */
  readonly venueNowSeconds: () => number;
  readonly log: Logger;
}

/** What Discord answers about a server that the bot is not in. */
const UNKNOWN_GUILD: readonly unknown[] = [RESTJSONErrorCodes.UnknownGuild, RESTJSONErrorCodes.MissingAccess];
const UNKNOWN_CHANNEL: readonly unknown[] = [RESTJSONErrorCodes.UnknownChannel];
const RESTING_LOOK_MS = 3_600_000;
const RESTING_SECONDS = RESTING_DAYS * 86_400;
const FOREIGN_ADVICE =
  'The store holds watches of servers on shards that this process does not take. They ring from here; a process that has them in its own store as well rings them twice.';

/**
 * Follows what happens to servers and channels. Watches end with their channel. Those of a server that removes the bot
 * rest for 30 days, and come back with it. A blocked channel is tried again when something has changed that may let it be
 * written.
 *
 * @returns ends the looking for what has rested long enough
 */
export function followGuildEvents(deps: GuildsDeps): () => void {
  const { client, registry, channelSettings, digests, resting, admission, deliveryWorker, venueNowSeconds, log } = deps;
  /** What is done to one server is done one after the other. */
  const mutex = createKeyedMutex();
  const attempt = (what: string, work: () => Promise<void>) => {
    work().catch((error: unknown) => log.error({ event: 'guilds.not_followed', what, err: error }));
  };

  const endChannel = async (channelId: string) => {
    for (const { wallet } of registry.ofChannel(channelId)) await registry.remove(channelId, wallet);
    await deliveryWorker.forget(channelId);
    await channelSettings.forget(channelId);
    await digests.change(channelId, () => undefined);
  };

  const digestsOf = (guildId: string) => digests.all().filter((digest) => digest.guildId === guildId);

  const channelSettingsOf = (guildId: string) => channelSettings.all().filter((room) => room.guildId === guildId);
  const channelsOf = (guildId: string) =>
    new Set(
      [
        ...registry.ofGuild(guildId),
        ...registry.restingOf(guildId),
        ...digestsOf(guildId),
        ...channelSettingsOf(guildId),
      ].map(({ channelId }) => channelId),
    );

  /** From now on nothing is polled for the server and told to it; what waits for its channels is dropped. */
  const restGuild = (guildId: string, isGone: boolean) =>
    mutex.run(guildId, async () => {
      const channelIds = channelsOf(guildId);
      if (channelIds.size === 0) return;
      await resting.set({ version: 1, guildId, sinceSeconds: Math.floor(venueNowSeconds()), isGone });
      registry.rest(guildId);
      log.info({ event: 'guild.rests', guild: guildId, watches: registry.restingOf(guildId).length, isGone });
      for (const channelId of channelIds) await deliveryWorker.forget(channelId);
    });

  /** The watches ring from the moment at which the bot came back, or the server is served again. */
  const wakeGuild = (guild: Guild) =>
    mutex.run(guild.id, async () => {
      const rest = resting.get(guild.id);
      if (rest === undefined) return;
      const nowSeconds = Math.floor(venueNowSeconds());
      const joinedSeconds = Math.min(nowSeconds, Math.floor(guild.joinedTimestamp / 1000));
      const sinceSeconds = Math.max(rest.sinceSeconds, rest.isGone ? joinedSeconds : nowSeconds);
      await registry.wake(
        guild.id,
        (watch) => ({ ...watch, sinceSeconds: Math.max(watch.sinceSeconds, sinceSeconds) }),
        () => resting.delete(guild.id),
      );
      const restedSeconds = sinceSeconds - rest.sinceSeconds;
      log.info({ event: 'guild.returned', guild: guild.id, watches: registry.ofGuild(guild.id).length, restedSeconds });
    });

  const endGuild = (guildId: string) =>
    mutex.run(guildId, async () => {
      const channelIds = channelsOf(guildId);
      await registry.endResting(guildId);
      for (const channelId of channelIds) await endChannel(channelId);
      await resting.delete(guildId);
      log.info({ event: 'guild.ended', guild: guildId, afterDays: RESTING_DAYS });
    });

  /** Brings a server that rests to where it belongs by now. */
  const lookAtResting = async ({ guildId, isGone, sinceSeconds }: RestingGuild) => {
    const guild = client.guilds.cache.get(guildId);
    if (guild !== undefined) {
      // There is an event when it is available again.
      if (!guild.available) return;
      if (!admission.isServed(guildId)) return isGone ? restGuild(guildId, false) : undefined;
      await wakeGuild(guild);
      await endMissingChannels(guildId);
      await tryAgain(guild);
    } else if (!isGone) {
      if (await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD)) await restGuild(guildId, true);
    } else if (venueNowSeconds() - sinceSeconds > RESTING_SECONDS) {
      await endGuild(guildId);
    }
  };

  const lookAtAllResting = async () => {
    for (const rest of resting.all()) if (isOwnGuild(client, rest.guildId)) await lookAtResting(rest);
  };

  const endMissingChannels = async (guildId: string) => {
    if (client.guilds.cache.get(guildId)?.available !== true) return;
    for (const channelId of channelsOf(guildId)) {
      if (client.channels.cache.has(channelId)) continue;
      if (!(await isRefused(client, Routes.channel(channelId), UNKNOWN_CHANNEL))) continue;
      log.info({ event: 'channel.deleted_meanwhile', guild: guildId, channel: channelId });
      await endChannel(channelId);
    }
  };

  /** What went while the bot was away is missing in what Discord tells at the start; it is asked before anything ends. */
  const endMissing = async () => {
    const known = new Set([
      ...registry.guilds(),
      ...[...digests.all(), ...channelSettings.all()].map(({ guildId }) => guildId),
    ]);
    // Of servers on other processes' shards nothing is known here.
    const own = [...known].filter((guildId) => isOwnGuild(client, guildId));
    const guildIds = own.filter((guildId) => resting.get(guildId) === undefined);
    const foreign = known.size - own.length;
    if (foreign > 0) log.warn({ event: 'guilds.of_other_shards', guilds: foreign, advice: FOREIGN_ADVICE });
    // A bot that is in none of them may be another one, which has yet to be invited.
    if (!guildIds.some((guildId) => client.guilds.cache.has(guildId))) return;
    for (const guildId of guildIds) {
      if (client.guilds.cache.has(guildId)) {
        await endMissingChannels(guildId);
      } else if (await isRefused(client, Routes.guild(guildId), UNKNOWN_GUILD)) {
        log.info({ event: 'guild.left_meanwhile', guild: guildId });
        await restGuild(guildId, true);
      }
    }
  };

  const tryAgain = async (guild: Pick<Guild, 'id'>) => {
    // Also those that are not known to be blocked: the answer that says so may be on its way.
    for (const channelId of channelsOf(guild.id)) {
      if (mayRing(client, channelId) !== false) await deliveryWorker.unblock(channelId);
    }
  };

  const comesBack = async (guild: Guild) => {
    if (!admission.isServed(guild.id)) log.info({ event: 'guild.not_served', guild: guild.id });
    const rest = resting.get(guild.id);
    if (rest !== undefined) await lookAtResting(rest);
    await tryAgain(guild);
  };

  client.on(Events.ClientReady, () =>
    attempt('clientReady', async () => {
      await lookAtAllResting();
      await endMissing();
    }),
  );
  const timer = setInterval(() => {
    if (client.isReady()) attempt('resting', lookAtAllResting);
  }, RESTING_LOOK_MS);
  timer.unref();
  client.on(Events.ChannelDelete, ({ id }) => attempt('channelDelete', () => endChannel(id)));
  client.on(Events.ThreadDelete, ({ id }) => attempt('threadDelete', () => endChannel(id)));
  // Discord also says this of a server that is only unavailable; discord.js tells the two apart.
  client.on(Events.GuildDelete, ({ id }) => attempt('guildDelete', () => restGuild(id, true)));
  client.on(Events.GuildCreate, (guild) => attempt('guildCreate', () => comesBack(guild)));
  client.on(Events.GuildAvailable, (guild) => attempt('guildAvailable', () => comesBack(guild)));
  client.on(Events.GuildRoleUpdate, (_before, { guild }) => attempt('roleUpdate', () => tryAgain(guild)));
  client.on(Events.GuildRoleDelete, ({ guild }) => attempt('roleDelete', () => tryAgain(guild)));
  client.on(Events.ThreadUpdate, (_before, { guild }) => attempt('threadUpdate', () => tryAgain(guild)));
  client.on(Events.ChannelUpdate, (_before, channel) => {
    if (!channel.isDMBased()) attempt('channelUpdate', () => tryAgain(channel.guild));
  });
  client.on(Events.GuildMemberUpdate, (_before, member) => {
    if (member.id === client.user?.id) attempt('memberUpdate', () => tryAgain(member.guild));
  });
  return () => clearInterval(timer);
}

/** Whether Discord refuses to show something with one of these codes; any other failure tells nothing. */
async function isRefused(client: Client, route: `/${string}`, codes: readonly unknown[]): Promise<boolean> {
  try {
    await client.rest.get(route);
    return false;
  } catch (error) {
    return error instanceof DiscordAPIError && codes.includes(error.code);
  }
}
