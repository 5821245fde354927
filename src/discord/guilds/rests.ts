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

/** Creates the suspension of guilds that the bot is not in, or does not serve. */
export function createGuildRests(
  { log }: Machine,
  parts: {
    readonly client: Client;
    readonly registry: Registry;
    readonly holdings: Holdings;
    readonly resting: Collection<RestingOwner>;
    readonly deliveryWorker: Pick<DeliveryWorker, 'forget'>;
    readonly welcomes: Pick<Welcomes, 'forget'>;
    /** Venue clock, in Unix seconds. */
    readonly venueNowSeconds: () => number;
  },
) {
  const { client, registry, holdings, resting, deliveryWorker, welcomes, venueNowSeconds } = parts;
  /** Changes of one guild run one after another. */
  const mutex = createKeyedMutex();

  return {
    /**
     * Suspends a guild: stops its polls and alerts, including waiting alerts.
     *
     * @param isGone true if the bot was removed, false if the guild is not served
     */
    begin: (guildId: string, isGone: boolean): Promise<void> =>
      mutex.run(guildId, async () => {
        // It was invited again in the meantime.
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
