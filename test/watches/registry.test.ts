import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { createRegistry, UNDO_MS } from '../../src/watches/registry.ts';
import { filterReasonOf, watchKey, watchSince } from '../../src/watches/watch.ts';
import { documentStore } from '../support/documents.ts';
import { collectingLog } from '../support/log.ts';
import { testMachine } from '../support/machine.ts';
import { sampleTransfer } from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const [ONE, TWO] = [walletOfDigit('1'), walletOfDigit('2')] as const;

describe('the registry', () => {
  it('knows a watch after a restart, and reports when the first of a wallet comes and the last goes', async () => {
    const url = `sqlite://${join(temporaryFolder(), 'store.sqlite')}`;
    const store = await openStore(url);
    const registry = createRegistry(testMachine(), store);
    const told: string[] = [];
    registry.listen({
      walletAdded: (wallet) => void told.push(`+${wallet[2]}`),
      walletRemoved: (wallet) => void told.push(`-${wallet[2]}`),
      watchersChanged: (wallet) => void told.push(`±${wallet[2]}`),
    });
    const elsewhere = watchOf({ channelId: '100000000000000009' });
    expect(await registry.add(watchOf())).toBe(true);
    expect(await registry.add(elsewhere)).toBe(true);
    expect(await registry.add(watchOf({ wallet: TWO }))).toBe(true);
    await registry.remove(watchOf().channelId, ONE);
    await registry.remove(elsewhere.channelId, ONE);
    expect(told).toEqual(['+1', '+2', '±1', '-1']);
    told.length = 0;
    const guest = watchOf({ ownerId: '300000000000000001', channelId: '300000000000000002' });
    await registry.add({ ...guest, wallet: TWO });
    registry.suspend(guest.ownerId);
    expect(told, 'others go on').toEqual(['±2']);
    await store.close();

    const again = createRegistry(testMachine(), await openStore(url));
    expect(again.load(`watch:${watchOf().channelId}:${TWO}`, watchOf({ wallet: TWO }))).toBe(true);
    expect([...again.wallets()]).toEqual([TWO]);
  });

  it('takes one of two equal adds at the same time', async () => {
    const registry = createRegistry(testMachine(), documentStore());
    expect(await Promise.all([registry.add(watchOf()), registry.add(watchOf())])).toEqual([
      true,
      false,
    ]);
    expect(registry.size).toBe(1);
  });

  it('says in the log who has changed a watch, and what', async () => {
    const { log, lines } = collectingLog();
    const registry = createRegistry(testMachine({ log }), documentStore());
    await registry.add(watchOf());
    for (const changes of [{ label: 'x' }, { pause: { untilSeconds: null } }, { leavesAtMs: 1 }])
      await registry.update(watchOf(changes), '7');
    expect(lines.map(({ event, deed, by }) => [event, deed, by])).toEqual([
      ['watch.added', undefined, watchOf().addedBy],
      ['watch.changed', 'edited', '7'],
      ['watch.changed', 'paused', '7'],
      ['watch.changed', 'removed', '7'],
    ]);
  });

  it('takes the id of who added a watch out of one owner’s, and keeps all else', async () => {
    const store = documentStore();
    const registry = createRegistry(testMachine(), store);
    const own = watchOf();
    const ofAnother = watchOf({ wallet: walletOfDigit('2'), addedBy: '100000000000000009' });
    const elsewhere = watchOf({
      ownerId: '100000000000000008',
      channelId: '100000000000000008',
      wallet: walletOfDigit('3'),
    });
    for (const watch of [own, ofAnother, elsewhere]) await registry.add(watch);
    await registry.forgetAdder(own.ownerId, own.addedBy ?? '');
    const kept = [{ ...own, addedBy: null }, ofAnother, elsewhere];
    for (const watch of kept) {
      expect(store.documents.get(watchKey(watch))).toEqual(watch);
      expect(registry.get(watch.channelId, watch.wallet)).toEqual(watch);
    }
    const again = createRegistry(testMachine(), store);
    for (const [key, document] of store.documents) expect(again.load(key, document)).toBe(true);
  });

  it('keeps a removed watch for ten minutes, in which it comes back as it was, and deletes it then or by the clock', async () => {
    const store = documentStore();
    const { documents: stored } = store;
    const registry = createRegistry(testMachine(), store);
    const gone: string[] = [];
    registry.listen({ walletAdded: () => {}, walletRemoved: (wallet) => void gone.push(wallet) });
    const { channelId } = watchOf();
    const endAt = (nowMs: number, of = registry) => of.endLeaving(nowMs, () => true);
    await registry.add(watchOf());
    await registry.update(watchOf({ leavesAtMs: UNDO_MS }), null);
    await endAt(UNDO_MS - 1);
    expect([registry.get(channelId, ONE), registry.ofWallet(ONE).length, gone]).toEqual([
      undefined,
      1,
      [],
    ]);
    await registry.update(watchOf(), null);
    await endAt(2 * UNDO_MS);
    expect(registry.get(channelId, ONE)).toEqual(watchOf());

    await registry.update(watchOf({ leavesAtMs: UNDO_MS }), null);
    const again = createRegistry(testMachine(), store);
    for (const [key, document] of stored) expect(again.load(key, document)).toBe(true);
    await endAt(UNDO_MS, again);
    expect([again.kept(channelId, ONE), stored.size]).toEqual([undefined, 0]);

    // Added anew meanwhile: the wallet was watched all the time. A clock that was set back ends a
    // removal at once.
    expect(await registry.add(watchOf({ label: 'New' }))).toBe(true);
    await endAt(2 * UNDO_MS);
    expect(registry.get(channelId, ONE)?.label).toBe('New');
    expect(gone).toEqual([]);
    await registry.update(watchOf({ leavesAtMs: 2 * UNDO_MS }), null);
    await endAt(UNDO_MS - 1_000);
    expect(registry.size, 'only a little').toBe(1);
    await endAt(-1);
    expect(registry.size).toBe(0);
  });

  it('gives of each channel, guild and wallet the watches that a search of all of them finds, whatever has happened', async () => {
    const CHANNELS = ['100000000000000002', '100000000000000004', '200000000000000002'];
    const WALLETS = ['1', '2', '3'].map(walletOfDigit);
    const deed = fc.record({
      kind: fc.constantFrom('load', 'add', 'update', 'remove'),
      channelId: fc.constantFrom(...CHANNELS),
      wallet: fc.constantFrom(...WALLETS),
      label: fc.string(),
      /** Whether the next deed begins before the store has this one. */
      isHurried: fc.boolean(),
      isRefused: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async (deeds) => {
        let isRefused = false;
        const write = () =>
          isRefused ? Promise.reject(new Error('SQLITE_FULL')) : Promise.resolve();
        const registry = createRegistry(testMachine(), { set: write, delete: write });
        const underWay: Promise<unknown>[] = [];
        for (const { kind, channelId, wallet, label, isHurried, ...deed } of deeds) {
          isRefused = deed.isRefused;
          const one = watchOf({
            ownerId: `${channelId[0]}00000000000000001`,
            channelId,
            wallet,
            label,
          });
          if (
            kind === 'load' &&
            registry.get(channelId, wallet) === undefined &&
            underWay.length === 0
          )
            registry.load(`watch:${channelId}:${wallet}`, one);
          if (kind === 'add') underWay.push(registry.add(one));
          if (kind === 'update') underWay.push(registry.update(one, null));
          if (kind === 'remove') underWay.push(registry.remove(channelId, wallet));
          if (!isHurried) await Promise.allSettled(underWay.splice(0));
          const all = [...registry.wallets()].flatMap((each) => registry.ofWallet(each));
          expect(registry.size).toBe(all.length);
          for (const id of CHANNELS) {
            expect(new Set(registry.ofChannel(id))).toEqual(
              new Set(all.filter((other) => other.channelId === id)),
            );
            const ownerId = `${id[0]}00000000000000001`;
            expect(new Set(registry.ofOwner(ownerId))).toEqual(
              new Set(all.filter((other) => other.ownerId === ownerId)),
            );
            for (const each of WALLETS)
              expect(registry.get(id, each)).toBe(
                registry.ofWallet(each).find((other) => other.channelId === id),
              );
          }
        }
        await Promise.allSettled(underWay);
      }),
    );
  });
});

const clock = (nowMs: number, skewKnown: boolean, reportedMs: number | null) => ({
  venueNowMs: () => nowMs,
  skewKnown: () => skewKnown,
  reportedNowMs: () => reportedMs,
});

describe('a watch', () => {
  it('wants what is not older than itself and was not on the page when it was added', () => {
    const fresh = watchOf({ knownIdentities: ['seen'] });
    const at = (time: number) =>
      ({ kind: 'transfer', item: { ...sampleTransfer(), time } }) as const;
    expect(filterReasonOf(fresh, at(999), ['new'], 2_000)).toBe('before');
    expect(filterReasonOf(fresh, at(1_000), ['new'], 2_000)).toBeNull();
    expect(filterReasonOf(fresh, at(1_000), ['seen'], 2_000)).toBe('before');
  });

  const NOW_MS = 1_800_000_000_000;
  const HOUR_MS = 3_600_000;
  const YEARS_MS = 3 * 365 * 24 * HOUR_MS;
  it.each([
    ['by Discord’s clock', -1_500, clock(NOW_MS, true, NOW_MS), -2],
    ['by the venue’s, which Discord’s contradicts', -HOUR_MS, clock(NOW_MS, true, NOW_MS), 0],
    [
      'by Discord’s where only the machine’s is known',
      -HOUR_MS,
      clock(NOW_MS, false, null),
      -3_600,
    ],
    ['by the machine’s where Discord’s is years off', -9 * YEARS_MS, clock(NOW_MS, false, null), 0],
    ...[YEARS_MS, -YEARS_MS].flatMap(
      (offMs) =>
        [
          ['though the venue’s is years off', 0, clock(NOW_MS + 400, false, NOW_MS + offMs), 0],
          ['though the machine’s is years off', 0, clock(NOW_MS + offMs, false, NOW_MS + 400), 0],
        ] as const,
    ),
  ] as const)('begins when the person pressed enter, %s', (_, agoMs, venueClock, seconds) => {
    expect(watchSince(NOW_MS + agoMs, venueClock)).toBe(NOW_MS / 1000 + seconds);
  });
});
