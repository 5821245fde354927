import type { Client, Guild } from 'discord.js';
import type { DeliveryWorker } from '../../delivery/worker.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import type { Machine } from '../../lib/machine.ts';
import { DAY_SECONDS } from '../../lib/time.ts';
import type { Collection } from '../../store/collection.ts';
import { SUSPENDED_DAYS, type SuspendedOwner } from '../../watches/owner.ts';
import type { Registry } from '../../watches/registry.ts';
import type { OwnerData } from './owner-data.ts';
import type { Welcomes } from './welcome.ts';

const SUSPENDED_SECONDS = SUSPENDED_DAYS * DAY_SECONDS;

export interface SuspensionParts {
  readonly registry: Registry;
  readonly ownerData: OwnerData;
  readonly suspended: Collection<SuspendedOwner>;
  readonly deliveryWorker: Pick<DeliveryWorker, 'forget'>;
  /** Venue clock, in Unix seconds. */
  readonly venueNowSeconds: () => number;
}

/** Creates the suspension of servers and people. */
export function createSuspension({ log }: Machine, parts: SuspensionParts) {
  const { registry, ownerData, suspended, deliveryWorker, venueNowSeconds } = parts;
  return {
    /**
     * Suspends an owner: stops polls and alerts, including waiting alerts.
     *
     * @param isGone true if the bot was removed, false if the owner is not served
     */
    async begin(ownerId: string, isGone: boolean): Promise<void> {
      const channelIds = ownerData.channelsOf(ownerId);
      if (channelIds.size === 0) return;
      const sinceSeconds = Math.floor(venueNowSeconds());
      await suspended.set(ownerId, { ownerId, sinceSeconds, isGone });
      registry.suspend(ownerId);
      const watches = registry.keptOfOwner(ownerId).length;
      log.info({ event: 'guild.rests', guild: ownerId, watches, isGone });
      for (const channelId of channelIds) await deliveryWorker.forget(channelId);
    },
    /** Resumes silently; events before `fromSeconds`, in Unix seconds, are not alerted. */
    async end(stored: SuspendedOwner, fromSeconds: number): Promise<void> {
      const { ownerId } = stored;
      await registry.resume(ownerId, fromSeconds, () => suspended.delete(ownerId));
      const watches = registry.ofOwner(ownerId).length;
      const restedSeconds = fromSeconds - stored.sinceSeconds;
      log.info({ event: 'guild.returned', guild: ownerId, watches, restedSeconds });
    },
  };
}

/** Creates the suspension of guilds that the bot is not in, or does not serve. */
export function createGuildSuspension(
  machine: Machine,
  parts: SuspensionParts & {
    readonly client: Client;
    readonly welcomes: Pick<Welcomes, 'forget'>;
  },
) {
  const { log } = machine;
  const { client, ownerData, suspended, welcomes, venueNowSeconds } = parts;
  const suspension = createSuspension(machine, parts);
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
        await suspension.begin(guildId, isGone);
      }),
    /**
     * Ends the suspension of a guild. Its watches alert on events since the bot returned, or since
     * the guild is served again.
     */
    end: (guild: Guild): Promise<void> =>
      mutex.run(guild.id, async () => {
        const stored = suspended.get(guild.id);
        if (stored === undefined) return;
        const nowSeconds = Math.floor(venueNowSeconds());
        const joinedSeconds = Math.min(nowSeconds, Math.floor(guild.joinedTimestamp / 1000));
        const backSeconds = stored.isGone ? joinedSeconds : nowSeconds;
        await suspension.end(stored, Math.max(stored.sinceSeconds, backSeconds));
      }),
    /** Deletes all data of a guild that has been suspended for too long. */
    async endOld(guildId: string, { sinceSeconds }: SuspendedOwner): Promise<void> {
      if (venueNowSeconds() - sinceSeconds <= SUSPENDED_SECONDS) return;
      await mutex.run(guildId, () => ownerData.endOwner(guildId));
      log.info({ event: 'guild.ended', guild: guildId, afterDays: SUSPENDED_DAYS });
    },
    /** Waits until no change of the guild is under way. */
    settled: (guildId: string): Promise<void> => mutex.run(guildId, async () => {}),
  };
}
