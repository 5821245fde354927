import { createMover } from '../../alerts-out/mover.ts';
import { createPoster, type Poster } from '../../alerts-out/poster.ts';
import { isHandedOn } from '../../alerts-out/settings.ts';
import { createFence } from '../../store/store.ts';
import type { AppContext } from '../context.ts';
import type { AlertParts } from './alerts.ts';
import type { DocumentParts } from './documents.ts';

/** Parts that hand alerts on to a receiver outside of Discord. */
export function createAlertsOutParts(context: AppContext, parts: DocumentParts & AlertParts) {
  const { config, ops, signal, store } = context;
  const { collections, registry, outbox, positionAsker } = parts;
  const settings = config.alertsOut;
  const room = collections.handedOn;
  let poster: Poster | null = null;
  const mover = createMover(context, {
    room,
    outbox,
    isMeant: (ownerId, wallet) =>
      isHandedOn(settings, ownerId) &&
      poster?.isGone() !== true &&
      registry.ofWallet(wallet).some((watch) => watch.ownerId === ownerId),
    heldMs: positionAsker.heldMs,
    signal,
  });
  if (settings !== null) {
    poster = createPoster(context, {
      settings,
      room,
      isUnsure: mover.isUnsure,
      fence: createFence(context, store.prove),
      onOutcome: (outcome) => ops.metrics.alertsOut({ outcome }),
      signal,
    });
    mover.listen(poster.look);
  }
  const { start, stop } = poster ?? NO_POSTER;
  return {
    alertsOut: {
      /** True if alerts of an owner go out of Discord. */
      isHandedOn: (ownerId: string) => isHandedOn(settings, ownerId),
      counts: room.counts,
      /** Deletes what waits of owners whose alerts no longer go out, then moves and posts. */
      async start(): Promise<void> {
        for (const ownerId of room.owners()) {
          if (!isHandedOn(settings, ownerId)) await room.forget({ ownerId });
        }
        mover.start();
        start();
      },
      /** Resolves when nothing is moved or posted any more, after the signal. */
      async stop(): Promise<void> {
        await stop();
        await mover.idle();
        await room.idle();
      },
    },
  };
}

const NO_POSTER: Pick<Poster, 'start' | 'stop'> = {
  start() {},
  stop: async () => {},
};
