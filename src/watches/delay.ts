import * as z from 'zod';
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts';

export const DELAY_LEAST_MS = MINUTE_MS;
export const DELAY_MOST_MS = 6 * HOUR_MS;

export const delaySchema = z.object({
  ms: z.int().min(DELAY_LEAST_MS).max(DELAY_MOST_MS),
  /** Time of the channel's clock when the delay was set, epoch ms: it does not go back. */
  fromMs: z.number(),
});
/** Time by which a channel hears later. */
export type Delay = Readonly<z.infer<typeof delaySchema>>;
