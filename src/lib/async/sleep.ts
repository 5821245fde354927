/**
 * Creates a sleep that adds one listener to a signal, however many sleep by it at a time. One signal
 * ends the process, and Node warns of a leak above ten listeners. Node's own timer adds one for each
 * sleep, and needs over ten times the CPU with 20,000 of them.
 *
 * @returns sleeps for the delay, in ms, or until the signal aborts
 */
export function createSleep(): (delayMs: number, signal: AbortSignal) => Promise<void> {
  const sleepersBySignal = new WeakMap<AbortSignal, Sleepers>();

  const begin = (signal: AbortSignal): Sleepers => {
    const wakes = new Set<() => void>();
    const sleepers = {
      wakes,
      wakeAll() {
        for (const wake of wakes) wake();
      },
    };
    sleepersBySignal.set(signal, sleepers);
    signal.addEventListener('abort', sleepers.wakeAll, { once: true });
    return sleepers;
  };

  return (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const { wakes, wakeAll } = sleepersBySignal.get(signal) ?? begin(signal);
      const wake = () => {
        clearTimeout(timer);
        wakes.delete(wake);
        if (wakes.size === 0) {
          signal.removeEventListener('abort', wakeAll);
          sleepersBySignal.delete(signal);
        }
        resolve();
      };
      const timer = setTimeout(wake, Math.max(0, delayMs));
      wakes.add(wake);
    });
}

/** Everything that sleeps by one signal. */
interface Sleepers {
  readonly wakes: Set<() => void>;
  readonly wakeAll: () => void;
}
