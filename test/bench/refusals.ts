import { mostInWindow, tryRefusedChannels } from '../support/refused-channels.ts';
import { print } from './figures.ts';
import { readOptions } from './usage.ts';

/**
 * Prints how often Discord refuses the worker where many blocked channels have something to send
 * and something changes in all of them each minute, on a simulated clock: in all, and at most in
 * any ten minutes.
 */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args, { channels: 10_000, minutes: 60 });
  const { refusedMs, tried } = await tryRefusedChannels(options);
  print({
    ...options,
    refused: refusedMs.length,
    mostInTenMinutes: mostInWindow(refusedMs),
    channelsTried: tried,
  });
}
