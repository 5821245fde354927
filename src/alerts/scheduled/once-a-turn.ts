import type { Machine } from '../../lib/machine.ts';

/**
 * Interval at which the clock is read, in ms, because it may be changed and a machine may sleep.
 * Failed work is repeated then.
 */
const CLOCK_EVERY_MS = 60_000;

/**
 * Works at the start and once in each turn, until `signal` is aborted; never rejects.
 * @param turnNow number of the present turn, for example of an hour
 * @param failure logged with the error when the work fails
 */
export async function onceATurn(
  { sleep, log }: Machine,
  turnNow: () => number,
  work: () => Promise<void>,
  failure: { readonly event: string },
  signal: AbortSignal,
): Promise<void> {
  let doneTurn: number | null = null;
  while (!signal.aborted) {
    const turn = turnNow();
    try {
      if (turn !== doneTurn) await work();
      doneTurn = turn;
    } catch (error) {
      if (!signal.aborted) log.warn({ ...failure, err: error });
    }
    await sleep(CLOCK_EVERY_MS, signal);
  }
}
