import { type Endpoint, hasRested, keyOf, type Schedule, type ScheduleOptions } from './types.ts';

/** Polls every endpoint in turn, whatever it brings: what the schedule is measured against. */
export function createRoundRobin({ pollMinSeconds = 0 }: Pick<ScheduleOptions, 'pollMinSeconds'> = {}): Schedule {
  const queue = new Map<string, Endpoint>();
  const inFlight = new Set<string>();
  const pickedSeconds = new Map<string, number>();
  const isOff = new Set<string>();
  const rejoin = (endpoint: Endpoint) => {
    const key = keyOf(endpoint);
    if (!inFlight.delete(key) || !queue.has(key)) return;
    queue.delete(key);
    queue.set(key, endpoint);
  };
  return {
    add(endpoint) {
      const key = keyOf(endpoint);
      if (!queue.has(key)) queue.set(key, endpoint);
    },
    remove(wallet) {
      for (const [key, endpoint] of queue) {
        if (endpoint.wallet !== wallet) continue;
        queue.delete(key);
        pickedSeconds.delete(key);
      }
    },
    setAvailable(name, available) {
      if (available) isOff.delete(name);
      else isOff.add(name);
    },
    setHeld() {},
    expedite() {},
    pick(nowSeconds, count) {
      const picked: Endpoint[] = [];
      for (const [key, endpoint] of queue) {
        if (picked.length >= count) break;
        if (inFlight.has(key) || isOff.has(endpoint.name)) continue;
        if (!hasRested(nowSeconds - (pickedSeconds.get(key) ?? Number.NaN), pollMinSeconds)) continue;
        inFlight.add(key);
        pickedSeconds.set(key, nowSeconds);
        picked.push(endpoint);
      }
      return picked;
    },
    polled: rejoin,
    failed: rejoin,
    learned: () => undefined,
    sharedLearning: () => ({}),
    restoreShared: () => false,
    outlook: () => ({ lastSeconds: null, nextSeconds: null }),
    get size() {
      return [...queue.values()].filter(({ name }) => !isOff.has(name)).length;
    },
  };
}
