import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const WINDOW_MS = 15_000;

/** How late the event loop runs what is due. */
export interface EventLoop {
  /** Median delay of the last whole quarter of a minute, ms; of what there is before. */
  medianMs(): number;
  stop(): void;
}

export function measureEventLoop(): EventLoop {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let lastMs: number | null = null;
  // The monitor counts the interval between two of its own timers, not only what comes on top of it.
  const median = () => Math.max(0, histogram.percentile(50) / 1e6 - RESOLUTION_MS);
  const timer = setInterval(() => {
    lastMs = median();
    histogram.reset();
  }, WINDOW_MS);
  timer.unref();
  return {
    medianMs: () => lastMs ?? median(),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
