import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../src/watches/registry.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { randomRuns } from '../support/thorough.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const [ONE, TWO] = ['100000000000000001', '100000000000000002'] as const;
const ownerOf = (guild: number) => (guild === 0 ? ONE : TWO);

const watch = (guild: number, wallet: number, label: string | null = null) =>
  watchOf({
    ownerId: ownerOf(guild),
    channelId: `20000000000000000${guild}`,
    wallet: walletOfDigit(`${wallet}`),
    label,
  });

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
    other: () => later(() => {}),
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
    fc.record({
      kind: fc.constant('update' as const),
      guild,
      wallet,
      label: fc.string({ maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('remove' as const), guild, wallet }),
    fc.record({ kind: fc.constant('rest' as const), guild }),
    fc.record({ kind: fc.constant('wake' as const), guild }),
    fc.record({ kind: fc.constant('end' as const), guild, wallet }),
    fc.record({ kind: fc.constant('letGo' as const) }),
  ),
  { maxLength: 25 },
);

describe('suspended watches', () => {
  it('are in the store as they are known, whatever is changed while they are put aside or taken back', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (steps) => {
        const store = slowStore();
        const registry = createRegistry(testMachine(), store);
        const watched = new Set<string>();
        registry.listen({
          walletAdded: (address) => void watched.add(address),
          walletRemoved: (address) => void watched.delete(address),
          async beginWatches(_begun, write) {
            await store.other();
            await write();
          },
        });
        const running: Promise<unknown>[] = [0, 1].map((index) => registry.add(watch(index, 0)));
        await store.letGo();
        for (const step of steps) {
          // What was asked for last has come as far as its write.
          await setImmediate();
          if (step.kind === 'add') running.push(registry.add(watch(step.guild, step.wallet)));
          else if (step.kind === 'update') {
            running.push(registry.update(watch(step.guild, step.wallet, step.label), null));
          } else if (step.kind === 'remove') {
            const { channelId, wallet: address } = watch(step.guild, step.wallet);
            running.push(registry.remove(channelId, address));
          } else if (step.kind === 'letGo') await store.letGo();
          else if (step.kind === 'rest') registry.suspend(ownerOf(step.guild));
          else if (step.kind === 'end') {
            await store.letGo();
            const changed = registry.update(
              { ...watch(step.guild, step.wallet), sinceSeconds: 2_000 },
              null,
            );
            await setImmediate();
            registry.suspend(ownerOf(step.guild));
            const ended = registry.deleteSuspended(ownerOf(step.guild));
            await store.letGo();
            await Promise.all([changed, ended]);
          } else {
            // One at a time: what is done to one server is done one after the other.
            await store.letGo();
            const resumed = registry.resume(ownerOf(step.guild), 0, async () => {});
            await store.letGo();
            await resumed;
          }
        }
        await store.letGo();
        await Promise.all(running);
        const active = [ONE, TWO].flatMap((ownerId) => registry.ofOwner(ownerId));
        const kept = [ONE, TWO].flatMap((ownerId) => registry.keptOfOwner(ownerId));
        const known = kept.map((one) => [`watch:${one.channelId}:${one.wallet}`, one] as const);
        expect(new Map(known)).toEqual(store.documents);
        expect(known).toHaveLength(store.documents.size);
        expect([registry.size, registry.suspendedSize]).toEqual([
          active.length,
          kept.length - active.length,
        ]);
        expect(watched).toEqual(new Set(active.map((one) => one.wallet)));
      }),
      randomRuns(800),
    );
  });

  it('know as much as a new watch when they come back: nothing of what was seen for others meanwhile', async () => {
    const registry = createRegistry(testMachine(), documentStore());
    const begun: [string, number][] = [];
    for (const [guildIndex, walletIndex] of [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as const) {
      await registry.add(watch(guildIndex, walletIndex));
    }
    registry.listen({
      walletAdded() {},
      walletRemoved() {},
      async beginWatches(watches, store) {
        await store();
        for (const { watch, fromSeconds } of watches) begun.push([watch.wallet, fromSeconds]);
      },
    });
    registry.suspend(ONE);
    await registry.resume(ONE, 2_000, async () => {});
    const joinedOf = (ownerId: string) => registry.ofOwner(ownerId).map(({ joined }) => joined);
    expect(joinedOf(ONE)).toEqual([{ atSeconds: 2_000, knownSinceSeconds: 2_000 }, undefined]);
    expect(joinedOf(TWO)).toEqual([{ atSeconds: 1_000, knownSinceSeconds: 1_000 }]);
    expect(begun).toEqual([
      [walletOfDigit('0'), 2_000],
      [walletOfDigit('1'), 2_000],
    ]);
  });

  it('stay aside when the store fails on their way back, and nothing is announced before all is stored', async () => {
    const store = documentStore();
    const { documents } = store;
    const failing = () => Promise.reject(new Error('disk full'));
    let set = store.set;
    const registry = createRegistry(testMachine(), {
      ...store,
      set: (key, document) => set(key, document),
    });
    for (const index of [0, 1]) await registry.add(watch(0, index));
    registry.suspend(ONE);
    set = failing;
    await expect(registry.resume(ONE, 2_000, async () => {})).rejects.toThrow('disk full');
    expect([registry.size, registry.suspendedSize]).toEqual([0, 2]);
    set = store.set;
    await expect(registry.resume(ONE, 2_000, failing)).rejects.toThrow('disk full');
    expect([registry.size, registry.suspendedSize]).toEqual([0, 2]);
    await registry.resume(ONE, 2_000, async () => expect(registry.size).toBe(0));
    expect([registry.size, registry.suspendedSize]).toEqual([2, 0]);
    expect(registry.ofOwner(ONE).map(({ sinceSeconds }) => sinceSeconds)).toEqual([2_000, 2_000]);
    registry.suspend(ONE);
    await registry.deleteSuspended(ONE);
    expect([documents.size, registry.suspendedSize]).toEqual([0, 0]);
  });
});
