import type { Machine } from '../lib/machine.ts';
import type { Collection } from '../store/collection.ts';
import type { Registry } from '../watches/registry.ts';
import type { Availability, NextOutage, Notice, Outage } from './outage.ts';

/** Interval between checks whether the venue is away, in ms. */
const LOOK_MS = 10_000;

/** Creates the periodic check whether the venue is away, which stores the result. */
export function createOutageLooks(
  { nowMs, log }: Machine,
  parts: {
    readonly outages: Collection<Outage>;
    readonly notices: Collection<Notice>;
    readonly availability: Availability;
    readonly nextOutage: NextOutage;
    readonly registry: Registry;
  },
) {
  const { outages, notices, availability, nextOutage, registry } = parts;
  let reconsider: (channelId: string) => void = () => {};
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  const watchedChannels = () => {
    const watches = [...registry.owners()].flatMap(registry.ofOwner);
    return new Set(watches.map(({ channelId }) => channelId));
  };

  const latest = () => outages.get('') ?? null;

  /** Checks the venue's state, and stores it if it has changed. */
  const look = async (): Promise<void> => {
    const before = latest();
    const after = nextOutage(before, availability, nowMs());
    if (after === before) return;
    if (after === null) for (const channelId of notices.ids()) await notices.delete(channelId);
    await outages.change('', () => after ?? undefined);
    if (after === null) return;
    const { endpoints, cause, sinceMs, untilMs } = after;
    log.warn({ event: 'venue.outage', endpoints, cause, sinceMs, untilMs });
    for (const channelId of new Set([...watchedChannels(), ...notices.ids()])) {
      reconsider(channelId);
    }
  };

  return {
    /** Returns the present or the last outage. */
    latest,
    watchedChannels,
    look,
    /**
     * Checks every ten seconds.
     *
     * @param listener called with each channel that may have something to send
     */
    start(listener: (channelId: string) => void): void {
      reconsider = listener;
      timer = setInterval(() => {
        looking = looking
          .then(look)
          .catch((error: unknown) => log.error({ event: 'venue.outage_not_stored', err: error }));
      }, LOOK_MS);
      timer.unref();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  };
}
