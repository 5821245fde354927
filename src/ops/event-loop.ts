import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const WINDOW_MS = 15_000;

/** Measures the delay of the event loop: how late it runs timers that are due. */
export function measureEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let lastMs: number | null = null;
  // The histogram holds intervals between two timers of the monitor: delay = interval − resolution.
  const median = () => Math.max(0, histogram.percentile(50) / 1e6 - RESOLUTION_MS);
  const timer = setInterval(() => {
    lastMs = median();
    histogram.reset();
  }, WINDOW_MS).unref();
  return {
    /** Median delay of the last whole 15 seconds, ms; before the first 15 seconds, of the time so far. */
    medianMs: () => lastMs ?? median(),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
