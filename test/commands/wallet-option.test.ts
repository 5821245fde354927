import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecency } from '../../commands/shared/recency.ts';
import { walletChoices } from '../../commands/shared/wallet-option.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { type Watch, watchSchema } from '../../src/watches/watch.ts';

const GUILD = '100000000000000001';

function watch(label: string | null, digit: string, changes: Partial<Watch> = {}): Watch {
  return {
    ...watchSchema.parse({
      version: 1,
      guildId: GUILD,
      channelId: '100000000000000002',
      wallet: `0x${digit.repeat(40)}`,
      label,
      sinceSeconds: 1_000,
      knownIdentities: [],
      addedBy: '100000000000000003',
    }),
    ...changes,
  };
}

function order(typed: string, watches: readonly Watch[], recencyOf?: (wallet: WalletAddress) => number): string[] {
  return walletChoices(typed, watches, recencyOf).map(({ value }) => value.charAt(2));
}

describe('choices for the option wallet', () => {
  it('begin with the best match: whole label, its start, a word of it, anywhere, the address', () => {
    const watches = [
      watch(null, 'b'),
      watch('Big cabin', '1'),
      watch('Old bee', '2'),
      watch('Beehive', '3'),
      watch('b', '4'),
      watch('Zoo', '5'),
      watch('Sable', '6'),
    ];
    expect(order('b', watches)).toEqual(['4', '1', '3', '2', '6', 'b']);
    expect(order('BEE', watches)).toEqual(['3', '2']);
    expect(order('0xbb', watches)).toEqual(['b']);
    expect(order('nobody', watches)).toEqual([]);
  });

  it('among equals, begin with what the server asked for lately, then with the newer watch', () => {
    const recent = createRecency();
    const watches = [
      watch('Alpha', '1', { sinceSeconds: 10 }),
      watch('Anna', '2', { sinceSeconds: 30 }),
      watch('Abel', '3', { sinceSeconds: 20 }),
    ];
    const recencyOf = (wallet: WalletAddress) => recent.of(GUILD, wallet);
    expect(order('', watches, recencyOf)).toEqual(['2', '3', '1']);
    recent.touch(GUILD, watches[1]?.wallet ?? raise());
    recent.touch(GUILD, watches[0]?.wallet ?? raise());
    recent.touch('200000000000000001', watches[2]?.wallet ?? raise());
    expect(order('a', watches, recencyOf)).toEqual(['1', '2', '3']);
  });

  it('name a wallet once, by the label that matches best', () => {
    const elsewhere = { channelId: '100000000000000009' };
    const choices = walletChoices('whale', [watch('Old whale', '1'), watch('Whale', '1', elsewhere)]);
    expect(choices).toEqual([{ name: expect.stringMatching(/^Whale \(0x1111…1111\)$/), value: `0x${'1'.repeat(40)}` }]);
  });

  it('are what Discord takes, and all hold what was typed', () => {
    const labels = fc.array(fc.string({ maxLength: 64, unit: 'grapheme' }), { maxLength: 60 });
    fc.assert(
      fc.property(labels, fc.string({ maxLength: 3 }), (names, typed) => {
        const watches = names.map((name, index) => ({
          ...watch(name, '1'),
          wallet: `0x${index.toString(16).padStart(40, '0')}` as WalletAddress,
        }));
        const choices = walletChoices(typed, watches);
        expect(choices.length).toBeLessThanOrEqual(25);
        for (const { name, value } of choices) {
          expect([...name].length).toBeGreaterThan(0);
          expect([...name].length).toBeLessThanOrEqual(100);
          const label = watches.find(({ wallet }) => wallet === value)?.label ?? '';
          const wanted = typed.trim().toLowerCase();
          expect(label.toLowerCase().includes(wanted) || value.includes(wanted)).toBe(true);
        }
      }),
    );
  });
});

describe('recency', () => {
  it('remembers a server’s latest fifty wallets', () => {
    const recent = createRecency();
    const wallets = Array.from({ length: 51 }, (_, index) =>
      watch(null, '0')
        .wallet.slice(0, 38)
        .concat(`${10 + index}`),
    );
    for (const wallet of wallets) recent.touch(GUILD, wallet as WalletAddress);
    const [first, second, last] = [0, 1, 50].map((index) => recent.of(GUILD, wallets[index] as WalletAddress));
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(last).toBeGreaterThan(second ?? 0);
  });
});

function raise(): never {
  throw new Error('There are three watches.');
}
