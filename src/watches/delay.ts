import * as z from 'zod';
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts';

export const DELAY_LEAST_MS = MINUTE_MS;
export const DELAY_MOST_MS = 6 * HOUR_MS;

export const delaySchema = z.object({
  ms: z.int().min(DELAY_LEAST_MS).max(DELAY_MOST_MS),
  /**
   * The channel's time when the delay was set, in epoch ms. The channel's clock never shows less.
   */
  fromMs: z.number(),
});
/** Delay of everything posted in a channel. */
export type Delay = Readonly<z.infer<typeof delaySchema>>;
