import { describe, expect, it } from 'vitest';
import { openCollections } from '../../src/app/documents/kinds.ts';
import type { Block } from '../../src/delivery/channel-queue.ts';
import { createDetailsRecords } from '../../src/details/records.ts';
import { createOwnerData } from '../../src/discord/guilds/owner-data.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { NO_FILTERS } from '../../src/lookups/filters.ts';
import { createPagerStore } from '../../src/lookups/pager-store.ts';
import { createPersonDocuments, createPersons } from '../../src/persons/persons.ts';
import { defaultChannelSettings } from '../../src/watches/channel-settings.ts';
import { personOwner } from '../../src/watches/owner.ts';
import { createRegistry } from '../../src/watches/registry.ts';
import { createImports } from '../../src/watches/transfer/imports.ts';
import { documentStore } from '../support/documents.ts';
import { quietLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const DAY_MS = 86_400_000;
const ADA = '100000000000000001';
const BOB = '100000000000000002';
const GUILD = '100000000000000009';
const CHANNELS: Readonly<Record<string, string>> = {
  [ADA]: '200000000000000001',
  [BOB]: '200000000000000002',
};
const SERVER_CHANNEL = '200000000000000009';
const [WALLET, OTHER] = [walletOfDigit('a'), walletOfDigit('b')] as const;
const channelOf = (personId: string) => CHANNELS[personId] ?? '';

function openPersons() {
  const store = documentStore();
  const log = quietLog();
  const clock = { ms: 1_800_000_000_000 };
  const nowMs = () => clock.ms;
  const blocks = new Map<string, Block>();
  const unserved = new Set<string>();
  const listeners: ((ownerIds: readonly string[]) => void)[] = [];
  const greeted: string[] = [];
  const pruned: string[] = [];
  const door = { isClosed: false };
  const registry = createRegistry(testMachine({ log }), store);
  const machine = testMachine({ nowMs, log });
  const collections = openCollections(machine, store);
  const documents = createPersonDocuments(collections.persons);
  const { channelSettings, digests, details: detailsRecords, suspended } = collections;
  const deliveryWorker = {
    block: (channelId: string) => blocks.get(channelId) ?? null,
    unblock: async (channelId: string) => void blocks.delete(channelId),
    onTaken: async (channelId: string) => void blocks.delete(channelId),
    forget: async (channelId: string) => void blocks.delete(channelId),
  };
  const parts = {
    registry,
    channelSettings,
    digests,
    detailsRecords,
    pagers: createPagerStore(collections.lists, () => true),
    imports: createImports(machine, {
      changes: { note: async () => {} },
      pending: collections.imports,
      registry,
      quotas: { withSpaceFor: (_owner, _places, work) => work() },
    }),
    suspended,
  };
  const persons = createPersons(machine, {
    ...parts,
    documents,
    ownerData: createOwnerData({
      registry,
      collections: collections.all.filter((collection) => collection !== collections.persons),
      deliveryWorker,
      pruneWallet: async (wallet) => void pruned.push(wallet),
    }),
    deliveryWorker,
    admission: {
      isServed: (ownerId) => !unserved.has(ownerId),
      listen: (listener) => void listeners.push(listener),
    },
    async sendFirst({ personId, channelId }) {
      if (door.isClosed) throw new UserError('refused');
      const reached = channelId ?? channelOf(personId);
      greeted.push(reached);
      return reached;
    },
    venueNowSeconds: () => clock.ms / 1000,
  });
  const watch = (ownerId: string, channelId: string, wallet = WALLET) =>
    registry.add(watchOf({ ownerId, channelId, wallet }));
  const greet = (personId: string, attempt = 'x') =>
    persons.greet({ personId, channelId: channelOf(personId), attempt, language: ENGLISH });
  const block = (personId: string) =>
    blocks.set(channelOf(personId), {
      reason: 'closed',
      cause: 'unknown' as const,
      isGone: false,
      sinceMs: clock.ms,
    });
  return {
    ...parts,
    store,
    clock,
    persons,
    documents,
    blocks,
    block,
    unserved,
    greeted,
    pruned,
    watch,
    greet,
    door,
    /** LIMITS_FILE says something else of these owners. */
    change(ownerIds: readonly string[]): void {
      for (const listener of listeners) listener(ownerIds);
    },
    keys: () => [...store.documents.keys()].toSorted(),
  };
}

/** Something of every kind, of a person. */
async function storeOfEveryKind(
  {
    watch,
    greet,
    channelSettings,
    digests,
    pagers,
    detailsRecords,
    store,
  }: ReturnType<typeof openPersons>,
  personId: string,
) {
  const ownerId = personOwner(personId);
  const channelId = channelOf(personId);
  await greet(personId);
  await watch(ownerId, channelId);
  await watch(ownerId, channelId, OTHER);
  await channelSettings.set(channelId, {
    ...defaultChannelSettings(ownerId, channelId),
    view: 'compact',
  });
  await digests.change(channelId, () => ({
    ownerId,
    channelId,
    schedule: { every: 'day', atMinutes: 0, weekday: 'Monday', timeZone: 'UTC' },
    offSinceMs: null,
    doneUntilMs: 0,
    coveredMs: null,
    underWay: null,
  }));
  await pagers.set(`list-of-${personId}`, {
    list: 'flows',
    ownerId,
    wallet: WALLET,
    typed: '',
    filters: NO_FILTERS,
    language: 'en-US',
    anchorSeconds: null,
    asOfSeconds: 1,
    createdAtMs: 1_800_000_000_000,
  });
  await createDetailsRecords(detailsRecords).set({
    ownerId,
    channelId,
    wallet: WALLET,
    reference: 'x',
    createdAtMs: 1_800_000_000_000,
    seenAtMs: 1,
    target: { marketId: '1', action: 'Buy', outcomeIndex: 0, fromSeconds: 1, toSeconds: 2 },
    identities: null,
    position: null,
    size: null,
    results: [],
    record: null,
  });
  await store.set(`import:${ownerId}`, {});
}

describe('people who watch for themselves', () => {
  it('are greeted once, and again after a refusal: what is refused leaves nothing behind', async () => {
    const { greet, greeted, persons, block, door, keys, documents } = openPersons();
    door.isClosed = true;
    await expect(greet(ADA)).rejects.toThrow('refused');
    expect(keys()).toEqual([]);
    door.isClosed = false;
    await greet(ADA);
    await greet(ADA);
    expect(greeted).toHaveLength(1);
    expect(keys()).toEqual([`person:${ADA}`]);

    block(ADA);
    door.isClosed = true;
    await expect(greet(ADA)).rejects.toThrow('refused');
    // Tried again, with an outcome that nobody knows yet.
    await persons.seen(ADA, 'de');
    await expect(greet(ADA)).rejects.toThrow('refused');
    expect(documents.get(ADA)?.language).toBe('de');
    documents.trust(channelOf(ADA));
    await greet(ADA);
    expect(greeted).toHaveLength(1);
  });

  it('are tried again with each command, and strangers are not noted', async () => {
    const { persons, greet, block, blocks, keys } = openPersons();
    await greet(ADA);
    block(ADA);
    await persons.seen(ADA, 'en-US');
    expect(blocks.size).toBe(0);
    await persons.seen(BOB, 'fr');
    expect(keys()).toEqual([`person:${ADA}`]);
  });

  it('are forgotten altogether, each alone, when they say so', async () => {
    const world = openPersons();
    const { persons, keys, watch, store, pruned, registry } = world;
    await storeOfEveryKind(world, ADA);
    const ofAda = keys();
    expect(ofAda).toHaveLength(8);
    await storeOfEveryKind(world, BOB);
    await watch(GUILD, SERVER_CHANNEL, OTHER);
    const others = keys().filter((key) => !ofAda.includes(key));
    await persons.alone(ADA, () => persons.forget(ADA));
    expect(keys()).toEqual(others);
    expect(JSON.stringify([...store.documents])).not.toContain(channelOf(ADA));
    expect(registry.ofOwner(personOwner(BOB))).toHaveLength(2);
    // What their documents hold of the direct message goes, too.
    expect(pruned.toSorted()).toEqual([WALLET, OTHER]);
  });

  it('are forgotten after thirty days in which nothing could be sent, and not before', async () => {
    const world = openPersons();
    const { persons, clock, block, keys } = world;
    await storeOfEveryKind(world, ADA);
    await storeOfEveryKind(world, BOB);
    block(ADA);
    clock.ms += 30 * DAY_MS;
    await persons.update();
    expect(keys()).toHaveLength(16);
    clock.ms += 1;
    await persons.update();
    expect(keys().filter((key) => key.includes(ADA) || key.includes(channelOf(ADA)))).toEqual([]);
    expect(keys().filter((key) => key.includes(BOB))).not.toEqual([]);
  });

  it('of whom nothing else is left are forgotten, too', async () => {
    const { persons, greet, watch, registry, keys } = openPersons();
    await greet(ADA);
    await watch(personOwner(ADA), channelOf(ADA));
    await persons.update();
    expect(keys()).toHaveLength(2);
    await registry.remove(channelOf(ADA), WALLET);
    await persons.update();
    expect(keys()).toEqual([]);
  });

  it('who are not served rest, and go on from then on when they are again', async () => {
    const { persons, greet, watch, registry, suspended, unserved, clock } = openPersons();
    const ownerId = personOwner(ADA);
    await greet(ADA);
    await watch(ownerId, channelOf(ADA));
    unserved.add(ownerId);
    await suspended.set(ownerId, { ownerId, sinceSeconds: 1, isGone: false });
    registry.suspend(ownerId);
    await persons.update();
    expect(registry.ofOwner(ownerId)).toEqual([]);
    unserved.clear();
    await persons.update();
    expect(registry.ofOwner(ownerId)).toMatchObject([{ sinceSeconds: clock.ms / 1000 }]);
    expect(suspended.all()).toEqual([]);
  });

  it('rest as soon as they are blocked, and go on from then on when they are not any more; others go on', async () => {
    const world = openPersons();
    const { persons, change, greet, watch, registry, suspended, unserved, clock, blocks } = world;
    const [ada, bob] = [personOwner(ADA), personOwner(BOB)];
    for (const personId of [ADA, BOB]) {
      await greet(personId);
      await watch(personOwner(personId), channelOf(personId));
    }
    world.block(ADA);
    const stop = persons.start();
    unserved.add(ada);
    change([ada, bob, GUILD, '@']);
    await expect.poll(() => registry.suspendedSize).toBe(1);
    expect(registry.ofOwner(ada)).toEqual([]);
    expect(registry.ofOwner(bob)).toHaveLength(1);
    await expect.poll(() => blocks.size).toBe(0);
    const sinceSeconds = clock.ms / 1000;
    expect(suspended.all()).toEqual([{ ownerId: ada, sinceSeconds, isGone: false }]);
    clock.ms += DAY_MS;
    change([ada]);
    unserved.clear();
    change([ada]);
    await expect
      .poll(() => registry.ofOwner(ada))
      .toMatchObject([{ sinceSeconds: clock.ms / 1000 }]);
    expect(suspended.all()).toEqual([]);
    await stop();
    unserved.add(bob);
    change([bob]);
    await persons.alone(BOB, async () => {});
    expect(registry.ofOwner(bob), 'the bot stops').toHaveLength(1);
  });

  it('do one thing after the other', async () => {
    const { persons } = openPersons();
    const done: string[] = [];
    const slow = persons.alone(ADA, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push('first');
    });
    const other = persons.alone(BOB, async () => void done.push('other'));
    const second = persons.alone(ADA, async () => void done.push('second'));
    await Promise.all([slow, other, second]);
    expect(done).toEqual(['other', 'first', 'second']);
  });

  it('are not updated any more once that is stopped: it waits for the person under way', async () => {
    const { persons, greet, store, keys } = openPersons();
    await greet(ADA);
    await greet(BOB);
    let finish = () => {};
    const deleted = new Promise<void>((resolve) => (finish = resolve));
    const remove = store.delete;
    store.delete = async (key) => {
      await deleted;
      await remove(key);
    };
    const stop = persons.start();
    const events: string[] = [];
    const stopped = stop().then(() => events.push(`stopped with ${keys()}`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual([]);
    finish();
    await stopped;
    expect(events).toEqual([`stopped with person:${BOB}`]);
  });
});
