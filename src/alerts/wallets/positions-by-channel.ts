import { groupBy } from '../../lib/group-by.ts';
import type { AlertedPositions } from '../../portfolio/results/alerted-positions.ts';

/**
 * Finds a channel's positions in a wallet's list. The grouping is cached as long as the list
 * exists, because a wallet may have a thousand channels and each delivery looks up one of them.
 */
export function createPositionsByChannel() {
  const known = new WeakMap<AlertedPositions, ReadonlyMap<string, AlertedPositions>>();
  const byChannel = (all: AlertedPositions): ReadonlyMap<string, AlertedPositions> => {
    const found = known.get(all) ?? groupBy(all, ({ channelId }) => channelId);
    known.set(all, found);
    return found;
  };

  return {
    /** Returns the positions of a channel, oldest first. */
    in: (channelId: string, all: AlertedPositions): AlertedPositions =>
      byChannel(all).get(channelId) ?? [],
    /**
     * Returns all positions, after replacing the positions of some channels. The order of channels
     * may change.
     * @param changed new positions by channel id
     */
    with(changed: ReadonlyMap<string, AlertedPositions>, all: AlertedPositions): AlertedPositions {
      const next = new Map([...byChannel(all), ...changed]);
      // `flat` takes a hundred times as long for a thousand channels.
      const list: AlertedPositions[number][] = [];
      for (const ofChannel of next.values()) list.push(...ofChannel);
      known.set(list, next);
      return list;
    },
  };
}
