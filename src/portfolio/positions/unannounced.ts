import * as z from 'zod';
import type { Effect } from '../trade-context.ts';

/** Positions of a wallet for which it is kept; of more, the oldest are forgotten. */
const POSITIONS_LIMIT = 100;

/**
 * Positions of one wallet that it opened while channels watched it, and of which these have been
 * told nothing, oldest first. For such a channel the next purchase opens the position.
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
 * Adds a position that a trade opens, or takes out one that it closes.
 *
 * @param outcome of the trade, from `entryKeys`
 * @param effect undefined if it is not known
 * @param channels whose watches were on and not paused
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

/** Adds positions that further channels have been told nothing of. */
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

/** Keeps of each position the channels that are to stay, and the positions that still have some. */
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
