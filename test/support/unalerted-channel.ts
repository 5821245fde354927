import { NO_COOLDOWNS } from '../../src/delivery/plan/cooldowns.ts';
import type { PlanContext } from '../../src/delivery/plan/plan.ts';
import { DEFAULT_SETTINGS } from '../../src/watches/watch-settings.ts';

/**
 * Returns the planning context of a channel that accepts everything and has had no alert yet.
 *
 * @param nowMs time by the venue's clock, in epoch ms
 */
export function unalertedChannel(nowMs: number): PlanContext {
  return {
    nowMs,
    settingsOf: () => DEFAULT_SETTINGS,
    polledAtMs: () => null,
    cooldowns: NO_COOLDOWNS,
    isQuietAt: () => false,
    announced: [],
    growing: [],
    takesEdits: true,
    isUnannounced: () => false,
    catchUpAfterMs: 900_000,
    leftOut: [],
    isCompact: false,
  };
}
