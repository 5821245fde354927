import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/venue/address.ts';
import { Desk, START } from './desk.ts';

const ROOM = '100000000000000002';
const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;
const KEY = `wallet:${WALLET}`;

/** A wallet that is watched and has been polled, with a purchase of ten shares that has rung. */
async function polled(): Promise<Desk> {
  const desk = new Desk();
  await desk.watch(WALLET, ROOM);
  await desk.see(WALLET, { quantity: 10 });
  await desk.deliver(ROOM);
  return desk;
}

describe('a stored mark that cannot be read', () => {
  const damages: Record<string, (mark: Record<string, unknown>) => unknown> = {
    'lacks a time': (mark) => ({ ...mark, floorSeconds: null }),
    'has the wrong shape': (mark) => ({ ...mark, seen: 'nothing' }),
    'is missing': () => undefined,
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`and ${what} is put aside, its rooms are told once, and the wallet rings from then on`, async () => {
      const desk = await polled();
      const document = JSON.parse(desk.disk.get(KEY) ?? '');
      const { activity } = document.poll;
      const damaged = { ...activity, mark: damage(activity.mark) };
      desk.disk.set(KEY, JSON.stringify({ ...document, poll: { ...document.poll, activity: damaged } }));

      desk.nowSeconds += 60;
      await desk.poll(WALLET);
      expect(JSON.parse(desk.disk.get(`quarantine:${KEY}:activity`) ?? '')).toEqual(
        JSON.parse(JSON.stringify(damaged)),
      );
      expect(desk.waiting(ROOM, 'gap')).toEqual([
        { kind: 'gap', gap: { cause: 'damage', endpoint: 'activity', fromSeconds: START, toSeconds: START + 61 } },
      ]);
      await desk.deliver(ROOM);

      const sold = await desk.see(WALLET, { action: 'Sell', quantity: 4 });
      await desk.poll(WALLET);
      expect(desk.waiting(ROOM, 'gap')).toEqual([]);
      const [alert, ...others] = desk.waiting(ROOM, 'activity');
      expect(others).toEqual([]);
      expect(alert?.item).toEqual(sold);
      // What it held before is not known any more, and no profit is made up.
      expect(alert?.context).toMatchObject({ sharesBefore: '0', realized: null });
    });
  }
});
