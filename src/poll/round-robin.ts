import type { Endpoint, Schedule } from './schedule.ts';

/** Polls every endpoint in turn, whatever it brings: what the schedule is measured against. */
export function createRoundRobin(): Schedule {
  const queue = new Map<string, Endpoint>();
  const inFlight = new Set<string>();
  const isOff = new Set<string>();
  const keyOf = ({ wallet, name }: Endpoint) => `${wallet}:${name}`;
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
      for (const [key, endpoint] of queue) if (endpoint.wallet === wallet) queue.delete(key);
    },
    setAvailable(name, available) {
      if (available) isOff.delete(name);
      else isOff.add(name);
    },
    expedite() {},
    pick(_nowSeconds, count) {
      const picked: Endpoint[] = [];
      for (const [key, endpoint] of queue) {
        if (picked.length >= count) break;
        if (inFlight.has(key) || isOff.has(endpoint.name)) continue;
        inFlight.add(key);
        picked.push(endpoint);
      }
      return picked;
    },
    polled: rejoin,
    failed: rejoin,
    learned: () => undefined,
    outlook: () => ({ lastSeconds: null, nextSeconds: null }),
    get size() {
      return [...queue.values()].filter(({ name }) => !isOff.has(name)).length;
    },
  };
}
