import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WalletAddress } from '../../../src/domain/address.ts';
import type { Order } from '../../../src/watches/transfer/fields.ts';
import { planImport, standing } from '../../../src/watches/transfer/imports.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import { randomRuns } from '../../support/thorough.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { watchOf } from '../../support/watch.ts';

const { channelId: CHANNEL } = watchOf();
const NOW = 1_800_000_000;
const WALLETS = ['1', '2', '3'].map(walletOfDigit);

const parts = () =>
  fc.record(
    {
      label: fc.option(fc.constantFrom('Whale', 'Minnow')),
      settings: fc.record(
        {
          minUsdc: fc.constantFrom(0, 5),
          style: fc.constantFrom('grouped', 'each'),
          mention: fc.option(fc.constant({ roleId: CHANNEL, minUsdc: 0, cooldownSeconds: 0 })),
        },
        { requiredKeys: [], noNullPrototype: true },
      ) as fc.Arbitrary<Partial<WatchSettings>>,
      pause: fc.option(
        fc.constantFrom(null, NOW - 1, NOW + 1).map((untilSeconds) => ({ untilSeconds })),
      ),
    },
    { requiredKeys: ['settings'], noNullPrototype: true },
  );

const orders = () =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...WALLETS), parts()), { selector: ([wallet]) => wallet })
    .map((list) =>
      list.map(([wallet, wanted]): Order => ({ channelId: CHANNEL, wallet, ...wanted })),
    );

const present = () =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...WALLETS), parts()), { selector: ([wallet]) => wallet })
    .map((list) =>
      list.map(([wallet, { settings, ...others }]) =>
        watchOf({
          wallet,
          knownIdentities: ['seen'],
          settings: { ...DEFAULT_SETTINGS, ...settings },
          ...others,
        }),
      ),
    );

const finder = (watches: readonly Watch[]) => (_channelId: string, wallet: WalletAddress) =>
  watches.find((watch) => watch.wallet === wallet);

describe('the plan of an import', () => {
  it('leads to what the file mentions, leaves the rest, and then there is nothing left to do', () => {
    fc.assert(
      fc.property(present(), orders(), (watches, wanted) => {
        const changes = planImport(wanted, finder(watches), NOW);
        const after = [...watches];
        for (const { target } of changes) {
          const index = after.findIndex(({ wallet }) => wallet === target.wallet);
          const step = standing(target, after[index]);
          expect(step).toBe(index < 0 ? 'add' : 'update');
          const { before: _, ...rest } = target;
          const base = after[index] ?? {
            ownerId: '',
            sinceSeconds: 0,
            knownIdentities: [],
            addedBy: '',
          };
          after.splice(index < 0 ? after.length : index, 1, { ...base, ...rest });
          expect(standing(target, finder(after)(CHANNEL, target.wallet))).toBe('done');
        }
        for (const { wallet, label, settings, pause } of wanted) {
          const before = finder(watches)(CHANNEL, wallet);
          const now = finder(after)(CHANNEL, wallet);
          expect(now?.label).toBe(label === undefined ? (before?.label ?? null) : label);
          expect(now?.settings).toEqual({ ...(before?.settings ?? DEFAULT_SETTINGS), ...settings });
          const isOver = (until: number | null | undefined) =>
            typeof until === 'number' && until <= NOW;
          const asked = pause === undefined ? (before?.pause ?? null) : pause;
          const kept = isOver(now?.pause?.untilSeconds) ? null : now?.pause;
          expect(kept).toEqual(isOver(asked?.untilSeconds) ? null : asked);
        }
        const named = new Set(wanted.map(({ wallet }) => wallet));
        expect(after.filter(({ wallet }) => !named.has(wallet))).toEqual(
          watches.filter(({ wallet }) => !named.has(wallet)),
        );
        expect(planImport(wanted, finder(after), NOW)).toEqual([]);
      }),
      randomRuns(800),
    );
  });

  it('names what becomes different, and knows when somebody else was faster', () => {
    const mention = { roleId: '100000000000000009', minUsdc: 1, cooldownSeconds: 60 };
    const order: Order = {
      channelId: CHANNEL,
      wallet: walletOfDigit('1'),
      label: 'Whale',
      settings: { minUsdc: 5, mention },
      pause: { untilSeconds: null },
    };
    const watch = watchOf({ label: 'Minnow' });
    const [change] = planImport([order], () => watch, NOW);
    expect(change?.parts).toEqual(['label', 'minUsdc', 'mention', 'paused']);
    if (change === undefined) return;
    expect(change.target.settings.mention).toEqual(mention);
    expect(standing(change.target, { ...watch, label: 'Shark' })).toBe('overtaken');
    expect(standing(change.target, undefined)).toBe('overtaken');
    const [added] = planImport([order], () => undefined, NOW);
    if (added !== undefined) expect(standing(added.target, watch)).toBe('overtaken');
  });
});
