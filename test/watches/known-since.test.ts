import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../src/watches/registry.ts';
import { joinedBy, knowsAll, reachOf } from '../../src/watches/watch.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { WALLET_A } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const [ONE, TWO] = ['100000000000000001', '100000000000000002'] as const;

const watch = (ownerId: string, channel: number, sinceSeconds: number) =>
  watchOf({ ownerId, channelId: `20000000000000000${channel}`, wallet: WALLET_A, sinceSeconds });

describe('what a server knows of a wallet', () => {
  it('is all that was seen if it was the first to watch it, else what its own first page and watch have reached', async () => {
    const registry = createRegistry(testMachine(), documentStore());
    await registry.add(watch(ONE, 1, 1_000), 500);
    await registry.add(watch(TWO, 2, 9_000), 8_000);
    await registry.add(watch(TWO, 3, 9_500), 9_400);
    await registry.add(watch(ONE, 4, 9_600), 9_500);
    const known = (ownerId: string) =>
      joinedBy(registry.ofWallet(WALLET_A).filter((one) => one.ownerId === ownerId));
    expect(known(ONE)).toBeUndefined();
    expect(known(TWO), 'a second watch knows what the first one does').toEqual({
      atSeconds: 9_000,
      knownSinceSeconds: 8_000,
    });

    // Whoever leaves and comes back begins anew; so does a page that could not be read.
    for (const { channelId } of registry.ofOwner(ONE)) await registry.remove(channelId, WALLET_A);
    expect(known(TWO)).toEqual({ atSeconds: 9_000, knownSinceSeconds: 8_000 });
    await registry.add(watch(ONE, 1, 10_000));
    expect(known(ONE)).toEqual({ atSeconds: 10_000, knownSinceSeconds: 10_000 });
  });

  it('is not more once the server has removed the bot and invited it again, whoever watches by then', async () => {
    for (const isAlone of [true, false]) {
      const registry = createRegistry(testMachine(), documentStore());
      const known = (ownerId: string) =>
        joinedBy(registry.ofWallet(WALLET_A).filter((one) => one.ownerId === ownerId));
      await registry.add(watch(ONE, 1, 1_000), 0);
      await registry.add(watch(TWO, 2, 9_000), 8_000);
      if (isAlone) await registry.remove('200000000000000001', WALLET_A);
      registry.suspend(TWO);
      await registry.resume(TWO, 20_000, async () => {});
      const joined = isAlone
        ? { atSeconds: 9_000, knownSinceSeconds: 8_000 }
        : { atSeconds: 20_000, knownSinceSeconds: 20_000 };
      expect(known(TWO)).toEqual(joined);
    }
    // The first owner loses nothing by it where nobody else has come.
    const registry = createRegistry(testMachine(), documentStore());
    await registry.add(watch(ONE, 1, 1_000), 500);
    registry.suspend(ONE);
    await registry.resume(ONE, 20_000, async () => {});
    expect(joinedBy(registry.ofWallet(WALLET_A))).toBeUndefined();
  });

  it('is the whole history only if its own page reached the first trade', () => {
    const joined = (knownSinceSeconds: number) => ({ atSeconds: 900, knownSinceSeconds });
    const part = { isWhole: false };
    const whole = { isWhole: true };
    expect([knowsAll(undefined, part), knowsAll(joined(0), whole)]).toEqual([true, true]);
    expect([knowsAll(joined(1), whole), knowsAll(joined(0), part)]).toEqual([false, false]);
  });
});

describe('the reach of a first page', () => {
  it('is its oldest record, all there is, or not known, and always a number that can be stored', () => {
    const items = [{ time: 9 }, { time: 5 }];
    expect(reachOf({ items, skipped: [], hasMore: true })).toBe(5);
    expect(reachOf({ items, skipped: [], hasMore: false })).toBe(0);
    expect(reachOf({ items: [], skipped: [], hasMore: false })).toBe(0);
    expect(reachOf({ items: [], skipped: [], hasMore: true })).toBeNull();
    expect(reachOf({ items, skipped: [{ index: 2, reason: 'time' }], hasMore: false })).toBeNull();
  });
});
