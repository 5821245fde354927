import type { WalletAddress } from '../../src/domain/address.ts';
import { parseAddress } from '../../src/domain/address.ts';
import type { Endpoint, Schedule } from '../../src/poll-policy/schedule.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';

export function wallet(index: number): WalletAddress {
  const parsed = parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
  if (!parsed.ok) throw new Error(parsed.fault);
  return parsed.address;
}

export const activity = (index: number): Endpoint => ({ wallet: wallet(index), name: 'activity' });
export const transfers = (index: number): Endpoint => ({ wallet: wallet(index), name: 'deposits-withdrawals' });
export const create = (): Schedule => createSchedule();
export { keyOf } from '../../src/poll-policy/types.ts';

/** `freshTimesSeconds` for later polls, and the same page for a first one. */
export const report = (atSeconds: number, freshTimesSeconds: number[] = []) => ({
  atSeconds,
  freshTimesSeconds,
  pageTimesSeconds: freshTimesSeconds.toReversed(),
});
