import * as z from 'zod';
import type { Effect } from '../trade-context.ts';

/** Maximum number of a wallet's positions kept here. Beyond it, the oldest are removed. */
const POSITIONS_LIMIT = 100;

/**
 * Positions that a wallet opened while channels watched it, with the channels that have received no
 * alert about them, oldest first. For such a channel, the next purchase opens the position.
 */
export const unannouncedSchema = z
  .array(
    z.object({
      /** Key from `entryKeys`. */
      outcome: z.string(),
      channels: z.array(z.string()).readonly(),
    }),
  )
  .readonly();
export type Unannounced = z.infer<typeof unannouncedSchema>;

/**
 * Adds a position that a trade opens, or removes one that it closes.
 * @param outcome of the trade, from `entryKeys`
 * @param effect undefined if unknown
 * @param channels channels whose watches were on and not paused
 */
export function addTrade(
  before: Unannounced,
  outcome: string,
  effect: Effect | undefined,
  channels: readonly string[],
): Unannounced {
  if (effect !== 'opens' && effect !== 'closes') return before;
  const others = before.filter((position) => position.outcome !== outcome);
  if (effect === 'opens' && channels.length > 0) others.push({ outcome, channels });
  return others.slice(-POSITIONS_LIMIT);
}

/** Adds positions about which further channels have received no alert. */
export function addUnannounced(before: Unannounced, added: Unannounced): Unannounced {
  const channelsByOutcome = new Map(before.map(({ outcome, channels }) => [outcome, channels]));
  for (const { outcome, channels } of added) {
    const own = channelsByOutcome.get(outcome) ?? [];
    channelsByOutcome.set(outcome, [...new Set([...own, ...channels])]);
  }
  return [...channelsByOutcome]
    .map(([outcome, channels]) => ({ outcome, channels }))
    .slice(-POSITIONS_LIMIT);
}

/** Keeps only the channels that are to stay, and the positions that still have some. */
export function onlyChannels(
  before: Unannounced,
  stays: (channelId: string, outcome: string) => boolean,
): Unannounced {
  const left = before.map(({ outcome, channels }) => ({
    outcome,
    channels: channels.filter((channelId) => stays(channelId, outcome)),
  }));
  return left.filter(({ channels }) => channels.length > 0);
}
