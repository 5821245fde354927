import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../src/domain/address.ts';
import { NO_FILTERS } from '../../src/lookups/filters.ts';
import { createPagerStore, type Pager, pagerKind } from '../../src/lookups/pager-store.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';

const OWNER = { ownerId: 'g', list: 'activity' };
const DAY_MS = 86_400_000;

function openPagers(isStored = (_ownerId: string) => true) {
  const store = documentStore();
  const clock = { nowMs: 1_800_000_000_000 };
  const archive = pagerKind.open(testMachine({ nowMs: () => clock.nowMs }), store);
  const pagers = createPagerStore(archive, isStored);
  const pager = (): Pager => ({
    list: 'activity',
    ownerId: 'g',
    typed: '',
    wallet: `0x${'a'.repeat(40)}` as WalletAddress,
    filters: NO_FILTERS,
    anchorSeconds: null,
    asOfSeconds: 1_800_000_000,
    createdAtMs: clock.nowMs,
    language: 'de',
  });
  return { clock, pagers, pager, keys: () => [...store.documents.keys()] };
}

describe('the places in lists', () => {
  it('are forgotten after seven days, also if the process runs all the time', async () => {
    const { clock, pagers, pager, keys } = openPagers();
    await pagers.set('first', pager());
    clock.nowMs += 6 * DAY_MS;
    await pagers.set('second', pager());
    expect(await pagers.get('first', OWNER)).toBeDefined();
    clock.nowMs += DAY_MS;
    expect(await pagers.get('first', OWNER)).toBeUndefined();
    await pagers.set('third', pager());
    expect(keys()).toEqual(['list:second', 'list:third']);
  });

  it('are ten thousand at the most, of which those of a server are not pushed out by those of others', async () => {
    const { pagers, pager, keys } = openPagers();
    await pagers.set('mine', pager());
    for (let index = 0; index < 12_000; index += 1)
      await pagers.set(`short ${index}`, { ...pager(), ownerId: 'other' });
    expect(keys()).toHaveLength(10_000);
    expect(await pagers.get('mine', OWNER)).toBeDefined();
    const other = { ownerId: 'other', list: 'activity' };
    expect(await pagers.get('short 2000', other)).toBeUndefined();
    expect(await pagers.get('short 2001', other)).toBeDefined();
    expect(await pagers.get('short 11999', other)).toBeDefined();
  });

  it('of an owner are deleted when they are asked to be, and those that are not stored are in memory alone', async () => {
    const { pager, pagers, keys } = openPagers((ownerId) => ownerId !== 'passing');
    for (const ownerId of ['g', 'other', 'passing'])
      await pagers.set(`of-${ownerId}`, { ...pager(), ownerId });
    expect(keys()).toEqual(['list:of-g', 'list:of-other']);
    const found = async () => {
      const owners = [];
      for (const ownerId of ['g', 'other', 'passing']) {
        const pager = await pagers.get(`of-${ownerId}`, { ownerId, list: 'activity' });
        if (pager !== undefined) owners.push(ownerId);
      }
      return owners;
    };
    expect(await found()).toEqual(['g', 'other', 'passing']);
    expect(await pagers.get('of-passing', OWNER)).toBeUndefined();
    await pagers.forget('g');
    await pagers.forget('passing');
    expect(await found()).toEqual(['other']);
    expect(keys()).toEqual(['list:of-other']);
  });
});
