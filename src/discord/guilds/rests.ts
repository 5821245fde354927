import type { Client, Guild } from 'discord.js';
import type { DeliveryWorker } from '../../delivery/worker.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Machine } from '../../lib/machine.ts';
import { DAY_SECONDS } from '../../lib/time.ts';
import type { Collection } from '../../store/collection.ts';
import { RESTING_DAYS, type RestingOwner } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import type { Holdings } from './holdings.ts';
import type { Welcomes } from './welcome.ts';

const RESTING_SECONDS = RESTING_DAYS * DAY_SECONDS;

export interface RestsParts {
  readonly registry: Registry;
  readonly holdings: Holdings;
  readonly resting: Collection<RestingOwner>;
  readonly deliveryWorker: Pick<DeliveryWorker, 'forget'>;
  /** Venue clock, in Unix seconds. */
  readonly venueNowSeconds: () => number;
}

/** Creates the suspension of servers and people. */
export function createRests({ log }: Machine, parts: RestsParts) {
  const { registry, holdings, resting, deliveryWorker, venueNowSeconds } = parts;
  return {
    /**
     * Suspends an owner: stops polls and alerts, including waiting alerts.
     *
     * @param isGone true if the bot was removed, false if the owner is not served
     */
    async begin(ownerId: string, isGone: boolean): Promise<void> {
      const channelIds = holdings.channelsOf(ownerId);
      if (channelIds.size === 0) return;
      const sinceSeconds = Math.floor(venueNowSeconds());
      await resting.set(ownerId, { ownerId, sinceSeconds, isGone });
      registry.rest(ownerId);
      const watches = registry.keptOfOwner(ownerId).length;
      log.info({ event: 'guild.rests', guild: ownerId, watches, isGone });
      for (const channelId of channelIds) await deliveryWorker.forget(channelId);
    },
    /** Resumes silently; events before `fromSeconds`, in Unix seconds, are not alerted. */
    async end(stored: RestingOwner, fromSeconds: number): Promise<void> {
      const { ownerId } = stored;
      await registry.wake(ownerId, fromSeconds, () => resting.delete(ownerId));
      const watches = registry.ofOwner(ownerId).length;
      const restedSeconds = fromSeconds - stored.sinceSeconds;
      log.info({ event: 'guild.returned', guild: ownerId, watches, restedSeconds });
    },
  };
}

/** Creates the suspension of guilds that the bot is not in, or does not serve. */
export function createGuildRests(
  machine: Machine,
  parts: RestsParts & {
    readonly client: Client;
    readonly welcomes: Pick<Welcomes, 'forget'>;
  },
) {
  const { log } = machine;
  const { client, holdings, resting, welcomes, venueNowSeconds } = parts;
  const rests = createRests(machine, parts);
  /** Changes of one guild run one after another. */
  const mutex = createKeyedMutex();

  return {
    /**
     * Suspends a guild.
     *
     * @param isGone true if the bot was removed, false if the guild is not served
     */
    begin: (guildId: string, isGone: boolean): Promise<void> =>
      mutex.run(guildId, async () => {
        // It was invited again in the meantime.
        if (isGone && client.guilds.cache.has(guildId)) return;
        if (isGone) await welcomes.forget(guildId);
        await rests.begin(guildId, isGone);
      }),
    /**
     * Ends the suspension of a guild. Its watches alert on events since the bot returned, or since
     * the guild is served again.
     */
    end: (guild: Guild): Promise<void> =>
      mutex.run(guild.id, async () => {
        const stored = resting.get(guild.id);
        if (stored === undefined) return;
        const nowSeconds = Math.floor(venueNowSeconds());
        const joinedSeconds = Math.min(nowSeconds, Math.floor(guild.joinedTimestamp / 1000));
        const backSeconds = stored.isGone ? joinedSeconds : nowSeconds;
        await rests.end(stored, Math.max(stored.sinceSeconds, backSeconds));
      }),
    /** Deletes all data of a guild that has been suspended for too long. */
    async endOld(guildId: string, { sinceSeconds }: RestingOwner): Promise<void> {
      if (venueNowSeconds() - sinceSeconds <= RESTING_SECONDS) return;
      await mutex.run(guildId, () => holdings.endOwner(guildId));
      log.info({ event: 'guild.ended', guild: guildId, afterDays: RESTING_DAYS });
    },
    /** Waits until no change of the guild is under way. */
    settled: (guildId: string): Promise<void> => mutex.run(guildId, async () => {}),
  };
}
