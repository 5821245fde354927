import { request } from 'undici';
import { reasonOf } from '../lib/error.ts';
import type { Machine } from '../lib/machine.ts';

/** Minimum time between two pings, including failed ones, in ms. */
const SPACING_MS = 60_000;
const TIME_OUT_MS = 10_000;

/**
 * Pings a monitoring service about once a minute while the bot works (dead man's switch: missing
 * pings are the alarm).
 *
 * @param url requested with GET. It is secret, because anyone who knows it can keep the alarm
 *   silent
 * @param isWorking whether the bot is ready at this moment
 */
export function createHeartbeat(
  { monotonicMs, log }: Machine,
  url: string,
  isWorking: () => boolean,
  onPing: (isDone: boolean) => void,
) {
  const stopping = new AbortController();
  let lastMs = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  let underWay = Promise.resolve();

  const ping = async () => {
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIME_OUT_MS)]);
      const { statusCode, body } = await request(url, { method: 'GET', signal });
      await body.dump();
      if (statusCode >= 300) throw new Error(`It answered ${statusCode}.`);
      onPing(true);
      if (isFailing) log.info({ event: 'heartbeat.reached_again' });
      isFailing = false;
    } catch (error) {
      if (stopping.signal.aborted) return;
      onPing(false);
      // Without the fields that undici adds, because they may contain the URL.
      const advice = 'Check HEARTBEAT_URL and the network.';
      if (!isFailing) log.warn({ event: 'heartbeat.failed', reason: reasonOf(error), advice });
      isFailing = true;
    }
  };

  return {
    /**
     * Pings if due. Call it about once a second. The previous ping has ended by then, because its
     * time limit is shorter than the spacing.
     */
    beat() {
      if (!stopping.signal.aborted && monotonicMs() - lastMs >= SPACING_MS && isWorking()) {
        lastMs = monotonicMs();
        underWay = ping();
      }
      return underWay;
    },
    async stop() {
      stopping.abort();
      await underWay;
    },
  };
}
