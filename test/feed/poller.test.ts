import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/venue/address.ts';
import { activityIdentity } from '../../src/venue/identity.ts';
import { Desk, START } from '../alerts/desk.ts';

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

describe('a stored detection state that cannot be read', () => {
  const damages: Record<string, (state: Record<string, unknown>) => unknown> = {
    'lacks a time': (state) => ({ ...state, earliestAcceptedSeconds: null }),
    'has the wrong shape': (state) => ({ ...state, seen: 'nothing' }),
    'is missing': () => undefined,
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`and ${what} is put aside, its channels get one notice, and the wallet is watched from then on`, async () => {
      const desk = await polled();
      const document = JSON.parse(desk.disk.get(KEY) ?? '');
      const { activity } = document.poll;
      const damaged = { ...activity, state: damage(activity.state) };
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

describe('a watch that begins while its wallet is polled for others', () => {
  const OTHER = '100000000000000003';
  const quantities = (desk: Desk, channelId: string) =>
    desk.waiting(channelId, 'activity').map(({ item }) => item.quantity);

  it('alerts on what happened since its command, once, and for nothing before', async () => {
    const desk = await polled();
    const commandSeconds = desk.nowSeconds + 2;
    await desk.see(WALLET, { quantity: 1 });
    desk.nowSeconds += 1;
    await desk.see(WALLET, { quantity: 2 });
    // The others have it already, or it is on its way to them.
    await desk.see(WALLET, { quantity: 3 });
    await desk.watch(WALLET, OTHER, {}, commandSeconds);
    await desk.idle();
    expect(quantities(desk, OTHER)).toEqual([2, 3]);
    expect(quantities(desk, ROOM)).toEqual([1, 2, 3]);
    await desk.see(WALLET, { quantity: 4 });
    desk.restart();
    await desk.poll(WALLET);
    expect(quantities(desk, OTHER)).toEqual([2, 3, 4]);
    expect(quantities(desk, ROOM)).toEqual([1, 2, 3, 4]);
  });

  it('alerts on what is just being stored, and for what the others have had delivered', async () => {
    const desk = await polled();
    const commandSeconds = desk.nowSeconds;
    await desk.see(WALLET, { quantity: 1 });
    await desk.deliver(ROOM);
    desk.onWrite = (key) => {
      if (key !== KEY) return undefined;
      desk.onWrite = () => undefined;
      return desk.watch(WALLET, OTHER, {}, commandSeconds + 1);
    };
    await desk.see(WALLET, { quantity: 2 });
    await desk.idle();
    expect(quantities(desk, OTHER)).toEqual([1, 2]);
    expect(quantities(desk, ROOM)).toEqual([2]);
  });

  it('keeps to what it wants, and to what the page of the command has shown of its very second', async () => {
    const desk = await polled();
    const commandSeconds = desk.nowSeconds + 1;
    const before = await desk.see(WALLET, { quantity: 1 });
    await desk.see(WALLET, { quantity: 2, action: 'Sell' });
    await desk.see(WALLET, { quantity: 3 });
    const [like] = desk.registry.ofWallet(WALLET);
    if (like === undefined) throw new Error('nothing is watched');
    const added = { ...like, channelId: OTHER, sinceSeconds: commandSeconds };
    const settings = { ...like.settings, kinds: ['buy' as const] };
    await desk.registry.add({ ...added, settings, knownIdentities: [activityIdentity(before)] });
    await desk.idle();
    expect(quantities(desk, OTHER)).toEqual([3]);
  });

  it('alerts after a pause on what happened since it was resumed, and not twice for what it has had', async () => {
    const desk = await polled();
    const [watch] = desk.registry.ofWallet(WALLET);
    if (watch === undefined) throw new Error('nothing is watched');
    const paused = { ...watch, pause: { untilSeconds: desk.nowSeconds + 2 } };
    await desk.registry.update(paused);
    const resumedSeconds = desk.nowSeconds;
    await desk.see(WALLET, { quantity: 9, time: resumedSeconds });
    desk.nowSeconds = resumedSeconds;
    await desk.see(WALLET, { quantity: 1 });
    // Until then the pause counts; the next one is after its end.
    await desk.see(WALLET, { quantity: 2 });
    await desk.see(WALLET, { quantity: 3 });
    expect(quantities(desk, ROOM)).toEqual([2, 3]);
    await desk.deliver(ROOM);
    await desk.registry.update({ ...paused, pause: null, sinceSeconds: resumedSeconds });
    await desk.idle();
    expect(quantities(desk, ROOM)).toEqual([1]);
  });
});

describe('a record dated years ahead', () => {
  it('is named in the log once, not at every poll, and alerts once when its time has come', async () => {
    const desk = new Desk();
    await desk.watch(WALLET, ROOM);
    const yearsSeconds = 3 * 365 * 86_400;
    const early = desk.trade(WALLET, { time: START + yearsSeconds, quantity: 5 });
    const refusals = () => desk.lines.filter(({ event }) => event === 'poll.records_refused');
    for (let round = 0; round < 3; round += 1) await desk.see(WALLET, { quantity: 1 });
    await desk.poll(WALLET);
    expect(desk.waiting(ROOM, 'activity').map(({ item }) => item.quantity)).toEqual([1, 1, 1]);
    expect(refusals()).toEqual([
      expect.objectContaining({ wallet: WALLET, endpoint: 'activity', records: 1, txHash: early.txHash }),
    ]);
    await desk.deliver(ROOM);
    desk.nowSeconds = START + yearsSeconds;
    await desk.poll(WALLET);
    await desk.poll(WALLET);
    expect(desk.waiting(ROOM, 'activity').map(({ item }) => item)).toEqual([early]);
    expect(refusals()).toHaveLength(1);
  });
});

describe('a wallet that is removed', () => {
  const [A, B, C] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}` as WalletAddress) as [
    WalletAddress,
    WalletAddress,
    WalletAddress,
  ];
  const removals: Record<string, (desk: Desk) => Promise<unknown>> = {
    'between two polls': (desk) => desk.registry.remove(ROOM, A),
    async 'while a page of it is being stored'(desk) {
      desk.onWrite = (key) => {
        if (key !== `wallet:${A}`) return undefined;
        desk.onWrite = () => undefined;
        return desk.registry.remove(ROOM, A);
      };
      await desk.see(A, { quantity: 1, tokenId: 'another' });
    },
    async 'while a page of it waits to be stored'(desk) {
      let reads = 0;
      desk.onRead = () => {
        reads += 1;
        // The first is for the state, the second for the write.
        return reads === 2 ? desk.registry.remove(ROOM, A) : undefined;
      };
      await desk.see(A, { quantity: 1, tokenId: 'another' });
    },
  };
  for (const [when, remove] of Object.entries(removals)) {
    it(`${when} is forgotten: what it had a part in is announced again when others do it`, async () => {
      const desk = new Desk();
      for (const wallet of [A, B, C]) await desk.watch(wallet, ROOM);
      await desk.room(ROOM, { wallets: 2, hours: 1 });
      await desk.see(B);
      await desk.see(A);
      expect(desk.waiting(ROOM, 'consensus')).toHaveLength(1);
      await desk.deliver(ROOM);
      await remove(desk);
      desk.nowSeconds += 1;
      await desk.watch(A, ROOM);
      await desk.see(C);
      expect(desk.waiting(ROOM, 'consensus')).toHaveLength(1);
    });
  }
});
