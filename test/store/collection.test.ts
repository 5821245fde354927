import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineArchive, defineCollection } from '../../src/store/collection.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { moment } from '../support/moment.ts';

const rule = {
  prefix: 'note:',
  schema: z.object({
    name: z.string(),
    ownerId: z.string(),
    channelId: z.string(),
    untilMs: z.number(),
  }),
  belongs: ({ name }: { readonly name: string }, id: string) => name === id,
  placeOf: ({ ownerId, channelId }: { readonly ownerId: string; readonly channelId: string }) => ({
    ownerId,
    channelId,
  }),
  expiresAtMs: ({ untilMs }: { readonly untilMs: number }) => untilMs,
};
const note = (name: string, ownerId = 'g', channelId = 'c', untilMs = Number.MAX_SAFE_INTEGER) => ({
  name,
  ownerId,
  channelId,
  untilMs,
});

function openKinds() {
  const store = documentStore();
  const clock = { nowMs: 1_000 };
  const machine = testMachine({ nowMs: () => clock.nowMs });
  const collection = defineCollection(rule).open(machine, store);
  const archive = defineArchive(rule).open(machine, store);
  return { store, clock, collection, archive, keys: () => [...store.documents.keys()] };
}

describe.each(['collection', 'archive'] as const)('%s', (kind) => {
  it('takes what belongs under its key and has not expired', () => {
    const { [kind]: documents } = openKinds();
    expect(documents.holds('note:a')).toBe(true);
    expect(documents.holds('notes')).toBe(false);
    expect(documents.load('note:a', note('a'))).toBe('kept');
    expect(documents.load('note:b', note('a'))).toBe('damaged');
    expect(documents.load('note:c', { name: 'c' })).toBe('damaged');
    expect(documents.load('note:d', note('d', 'g', 'c', 1_000))).toBe('expired');
    expect(documents.ids()).toEqual(['a']);
  });

  it('forgets a channel, and a server with all its channels', async () => {
    const { [kind]: documents, keys } = openKinds();
    for (const each of [note('a', 'g', '1'), note('b', 'g', '2'), note('c', 'h', '3')]) {
      await documents.set(each.name, each);
    }
    await documents.forget({ channelId: '1' });
    expect(keys()).toEqual(['note:b', 'note:c']);
    await documents.forget({ ownerId: 'g' });
    expect(keys()).toEqual(['note:c']);
    expect(documents.ids()).toEqual(['c']);
  });

  it('knows nothing that the store has not taken', async () => {
    const { [kind]: documents, store } = openKinds();
    store.set = () => Promise.reject(new Error('disk full'));
    await expect(documents.set('a', note('a'))).rejects.toThrow('disk full');
    expect(documents.ids()).toEqual([]);
    expect(await documents.get('a')).toBeUndefined();
  });
});

describe('a collection', () => {
  it('deletes what the store may have taken although it said that it had not', async () => {
    const { collection, store, keys } = openKinds();
    const { set } = store;
    store.set = async (key, document) => {
      await set(key, document);
      throw new Error('cut off');
    };
    await expect(collection.set('a', note('a'))).rejects.toThrow('cut off');
    expect(keys()).toEqual(['note:a']);
    await collection.delete('a');
    expect(keys()).toEqual([]);
  });

  it('makes changes of one document one after the other, each from what the last has left', async () => {
    const { collection, store } = openKinds();
    await collection.set('a', note('a', 'g', ''));
    const add = (letter: string) =>
      collection.change('a', (before = note('a')) => ({
        ...before,
        channelId: before.channelId + letter,
      }));
    await Promise.all([add('x'), add('y'), add('z')]);
    expect(store.documents.get('note:a')).toEqual(note('a', 'g', 'xyz'));
    expect(collection.get('a')).toEqual(note('a', 'g', 'xyz'));
    expect(collection.ofChannel('xyz')).toHaveLength(1);
    expect(collection.ofChannel('xy')).toEqual([]);
  });

  it('forgets also what is being stored for the first time', async () => {
    const { collection, store, keys } = openKinds();
    const { set } = store;
    const arrived = moment();
    store.set = async (key, document) => {
      await arrived.reached;
      await set(key, document);
    };
    const stored = collection.set('a', note('a'));
    await Promise.resolve();
    const forgotten = collection.forget({ channelId: 'c' });
    arrived.reach();
    await Promise.all([stored, forgotten]);
    expect(keys()).toEqual([]);
    expect(collection.ids()).toEqual([]);
  });

  it('says whose documents there are', async () => {
    const { expiresAtMs: _, ...forEver } = rule;
    const { collection: expiring, store } = openKinds();
    const kept = defineCollection(forEver).open(testMachine(), store);
    for (const collection of [kept, expiring]) {
      await collection.set('a', note('a', 'g', '1'));
      await collection.set('b', note('b', 'g', '2'));
      await collection.set('c', note('c', 'h', '3'));
      await collection.delete('c');
      expect(collection.channelsOf('g')).toEqual(['1', '2']);
      expect(collection.channelsOf('h')).toEqual([]);
    }
    expect(kept.owners()).toEqual(['g']);
    expect(expiring.owners(), 'what expires need not be looked for').toEqual([]);
  });

  it('deletes what has expired when it is told to', async () => {
    const { collection, clock, keys } = openKinds();
    await collection.set('a', note('a', 'g', '1', 2_000));
    await collection.set('b', note('b', 'g', '1', 3_000));
    clock.nowMs = 2_000;
    await collection.prune();
    expect(keys()).toEqual(['note:b']);
  });
});

it('an archive that is full drops the oldest of whoever has the most', async () => {
  const { store, keys } = openKinds();
  const bounded = defineArchive({ ...rule, bound: { limit: 3, sizeOf: () => 1 } }).open(
    testMachine(),
    store,
  );
  await bounded.set('small', note('small', 'h'));
  for (const name of ['a', 'b', 'c', 'd']) await bounded.set(name, note(name));
  expect(keys()).toEqual(['note:small', 'note:c', 'note:d']);
});
