import { createSchedule, type Endpoint, type Schedule } from '../../src/poll-policy/schedule.ts';
import { keyOf } from '../../src/poll-policy/types.ts';
import { walletOf as wallet } from '../support/wallets.ts';

export { keyOf, wallet };

export const activity = (index: number): Endpoint => ({ wallet: wallet(index), name: 'activity' });
export const transfers = (index: number): Endpoint => ({
  wallet: wallet(index),
  name: 'deposits-withdrawals',
});
export const create = (): Schedule => createSchedule();
export const indexOf = ({ wallet: of }: Pick<Endpoint, 'wallet'>) => Number(BigInt(of)) - 1;

/** Of the activity of so many wallets. */
export function scheduleOf(wallets: number, schedule = create()): Schedule {
  for (let index = 0; index < wallets; index += 1) schedule.add(activity(index));
  return schedule;
}

/** `freshTimesSeconds` for later polls, and the same page for a first one. */
export const report = (atSeconds: number, freshTimesSeconds: number[] = []) => ({
  atSeconds,
  freshTimesSeconds,
  pageTimesSeconds: freshTimesSeconds.toReversed(),
});

/**
 * One poll a second from `from` on; `itemsAt` says what a poll finds. Returns how often each
 * endpoint was polled.
 */
export function poll(
  schedule: Schedule,
  from: number,
  count: number,
  itemsAt: (endpoint: Endpoint, now: number) => number[] = () => [],
): Map<string, number> {
  const polls = new Map<string, number>();
  for (let now = from; now < from + count; now += 1) {
    for (const endpoint of schedule.pick(now, 1)) {
      polls.set(keyOf(endpoint), (polls.get(keyOf(endpoint)) ?? 0) + 1);
      schedule.polled(endpoint, report(now, itemsAt(endpoint, now)));
    }
  }
  return polls;
}
