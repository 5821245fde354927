import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { DEFAULT_SETTINGS } from '../../src/watches/watch-settings.ts';
import { quietLog } from '../support/log.ts';

const GUILDS = ['100000000000000001', '100000000000000002'];
const WALLETS = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}` as WalletAddress);

function watchOf(guild: number, wallet: number, label: string | null = null): Watch {
  return {
    version: 1,
    ownerId: GUILDS[guild] ?? '',
    channelId: `20000000000000000${guild}`,
    wallet: WALLETS[wallet] ?? ('' as WalletAddress),
    label,
    sinceSeconds: 1_000,
    knownIdentities: [],
    addedBy: '100000000000000003',
    settings: DEFAULT_SETTINGS,
    pause: null,
  };
}

/** A store whose writes are carried out when they are let go, in their order. */
function slowStore() {
  const documents = new Map<string, unknown>();
  const waiting: (() => void)[] = [];
  const later = (work: () => void) =>
    new Promise<void>((resolve) => {
      waiting.push(() => {
        work();
        resolve();
      });
    });
  return {
    documents,
    set: (key: string, document: unknown) => later(() => void documents.set(key, document)),
    delete: (key: string) => later(() => void documents.delete(key)),
    async letGo() {
      do {
        waiting.shift()?.();
        // What has waited for it begins its own write.
        await setImmediate();
      } while (waiting.length > 0);
    },
  };
}

const guild = fc.nat(1);
const wallet = fc.nat(1);
const commands = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), guild, wallet }),
    fc.record({ kind: fc.constant('update' as const), guild, wallet, label: fc.string({ maxLength: 3 }) }),
    fc.record({ kind: fc.constant('remove' as const), guild, wallet }),
    fc.record({ kind: fc.constant('rest' as const), guild }),
    fc.record({ kind: fc.constant('wake' as const), guild }),
    fc.record({ kind: fc.constant('letGo' as const) }),
  ),
  { maxLength: 25 },
);

describe('watches that rest', () => {
  it('are in the store as they are known, whatever is changed while they are put aside or taken back', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const store = slowStore();
        const registry = createRegistry({ log: quietLog() }, store);
        const watched = new Set<string>();
        registry.listen({
          walletAdded: (address) => void watched.add(address),
          walletRemoved: (address) => void watched.delete(address),
        });
        const running: Promise<unknown>[] = [0, 1].map((index) => registry.add(watchOf(index, 0)));
        await store.letGo();
        for (const step of steps) {
          // What was asked for last has come as far as its write.
          await setImmediate();
          if (step.kind === 'add') running.push(registry.add(watchOf(step.guild, step.wallet)));
          else if (step.kind === 'update') {
            running.push(registry.update(watchOf(step.guild, step.wallet, step.label)));
          } else if (step.kind === 'remove') {
            const { channelId, wallet: address } = watchOf(step.guild, step.wallet);
            running.push(registry.remove(channelId, address));
          } else if (step.kind === 'letGo') await store.letGo();
          else if (step.kind === 'rest') registry.rest(GUILDS[step.guild] ?? '');
          else {
            // One at a time: what is done to one server is done one after the other.
            await store.letGo();
            const woken = registry.wake(GUILDS[step.guild] ?? '', 0, async () => {});
            await store.letGo();
            await woken;
          }
        }
        await store.letGo();
        await Promise.all(running);
        const active = GUILDS.flatMap((ownerId) => registry.ofOwner(ownerId));
        const resting = GUILDS.flatMap((ownerId) => registry.restingOf(ownerId));
        const known = [...active, ...resting].map((one) => [`watch:${one.channelId}:${one.wallet}`, one] as const);
        expect(new Map(known)).toEqual(store.documents);
        expect(known).toHaveLength(store.documents.size);
        expect([registry.size, registry.restingSize]).toEqual([active.length, resting.length]);
        expect(watched).toEqual(new Set(active.map((one) => one.wallet)));
      }),
      { numRuns: 300 },
    );
  });

  it('know as much as a new watch when they come back: nothing of what was seen for others meanwhile', async () => {
    const store = { set: async () => {}, delete: async () => {} };
    const registry = createRegistry({ log: quietLog() }, store);
    const begun: [string, number][] = [];
    const [first = '', second = ''] = GUILDS;
    for (const [guildIndex, walletIndex] of [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as const) {
      await registry.add(watchOf(guildIndex, walletIndex));
    }
    registry.listen({
      walletAdded() {},
      walletRemoved() {},
      async beginWatches(watches, store) {
        await store();
        for (const { watch, fromSeconds } of watches) begun.push([watch.wallet, fromSeconds]);
      },
    });
    registry.rest(first);
    await registry.wake(first, 2_000, async () => {});
    const joinedOf = (ownerId: string) => registry.ofOwner(ownerId).map(({ joined }) => joined);
    expect(joinedOf(first)).toEqual([{ atSeconds: 2_000, knownSinceSeconds: 2_000 }, undefined]);
    expect(joinedOf(second)).toEqual([{ atSeconds: 1_000, knownSinceSeconds: 1_000 }]);
    expect(begun).toEqual([
      [WALLETS[0], 2_000],
      [WALLETS[1], 2_000],
    ]);
  });

  it('stay aside when the store fails on their way back, and nothing is announced before all is stored', async () => {
    const documents = new Map<string, unknown>();
    let isFailing = false;
    const store = {
      async set(key: string, document: unknown) {
        if (isFailing) throw new Error('disk full');
        documents.set(key, document);
      },
      delete: async (key: string) => void documents.delete(key),
    };
    const registry = createRegistry({ log: quietLog() }, store);
    for (const index of [0, 1]) await registry.add(watchOf(0, index));
    registry.rest(GUILDS[0] ?? '');
    isFailing = true;
    await expect(registry.wake(GUILDS[0] ?? '', 2_000, async () => {})).rejects.toThrow('disk full');
    expect([registry.size, registry.restingSize]).toEqual([0, 2]);
    isFailing = false;
    const markStays = () => Promise.reject(new Error('disk full'));
    await expect(registry.wake(GUILDS[0] ?? '', 2_000, markStays)).rejects.toThrow('disk full');
    expect([registry.size, registry.restingSize]).toEqual([0, 2]);
    await registry.wake(GUILDS[0] ?? '', 2_000, async () => expect(registry.size).toBe(0));
    expect([registry.size, registry.restingSize]).toEqual([2, 0]);
    expect(registry.ofOwner(GUILDS[0] ?? '').map(({ sinceSeconds }) => sinceSeconds)).toEqual([2_000, 2_000]);
    registry.rest(GUILDS[0] ?? '');
    await registry.endResting(GUILDS[0] ?? '');
    expect([documents.size, registry.restingSize]).toEqual([0, 0]);
  });
});
