import type { Logger } from 'pino';
import { createSightings } from '../../lib/lasting.ts';
import type { FeedState } from './wire.ts';

/** Two feeds that are heard side by side for this long are no takeover, ms. */
const BESIDE_LIMIT_MS = 10_000;
/** A feed that says nothing for this long is away, ms. */
const SILENT_MS = 5_000;

type Identity = Pick<FeedState, 'feed' | 'beganMs'>;

export interface RivalWatchDeps {
  /** A clock that never jumps, ms. */
  readonly monotonicMs: () => number;
  readonly log: Logger;
  /** Another feed, which began before this one, works on the same NATS: this one must end. */
  readonly onRival: (reason: string) => void;
}

/**
 * Sees that one feed works on a NATS: of two the one that began later ends. One that was stopped for a while, and goes on
 * after its standby has taken over, speaks once or twice before it finds that it has lost its store: that is no reason to end.
 *
 * @returns takes what any feed says of itself, our own included
 */
export function createRivalWatch(own: Identity, deps: RivalWatchDeps): (said: Identity) => void {
  let rival: string | null = null;
  const sightings = createSightings(BESIDE_LIMIT_MS, SILENT_MS, deps.monotonicMs);
  const isLater = (other: Identity) =>
    own.beganMs === other.beganMs ? own.feed > other.feed : own.beganMs > other.beganMs;
  return (other) => {
    if (other.feed === own.feed) return;
    if (rival !== other.feed) sightings.over();
    rival = other.feed;
    const { isFirst, hasLasted } = sightings.seen();
    if (isFirst) deps.log.warn({ event: 'feed.other_heard', feed: other.feed, isLater: !isLater(other) });
    if (!isLater(other) || !hasLasted) return;
    deps.onRival(
      'Another feed, which began before this one, works on the same NATS. Two feeds need one store, one of them with STANDBY=true.',
    );
  };
}
