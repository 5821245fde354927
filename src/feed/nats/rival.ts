import { createSightings } from '../../lib/async/lasting.ts';
import type { Machine } from '../../lib/machine.ts';
import type { FeedState } from './wire.ts';

/** Two feeds that are heard side by side for this long are no takeover, ms. */
const BESIDE_LIMIT_MS = 10_000;
/** A feed that says nothing for this long is away, ms. */
const SILENT_MS = 5_000;

type Identity = Pick<FeedState, 'feed' | 'beganMs'>;

/**
 * Sees that one feed works on a NATS: of two the one that began later ends. One that was stopped for a while, and goes on
 * after its standby has taken over, speaks once or twice before it finds that it has lost its store: that is no reason to end.
 *
 * @param onRival called when another feed, which began before this one, works on the same NATS
 * @returns takes what any feed says of itself, our own included
 */
export function createRivalWatch({ monotonicMs, log }: Machine, own: Identity, onRival: (reason: string) => void) {
  let rival: string | null = null;
  const sightings = createSightings(BESIDE_LIMIT_MS, SILENT_MS, monotonicMs);
  return ({ feed, beganMs }: Identity): undefined => {
    if (feed === own.feed) return;
    if (rival !== feed) sightings.over();
    rival = feed;
    const isOursLater = own.beganMs === beganMs ? own.feed > feed : own.beganMs > beganMs;
    const { isFirst, hasLasted } = sightings.seen();
    if (isFirst) log.warn({ event: 'feed.other_heard', feed, isLater: !isOursLater });
    if (!isOursLater || !hasLasted) return;
    onRival(
      'Another feed, which began before this one, works on the same NATS. Two feeds need one store, one of them with STANDBY=true.',
    );
  };
}
