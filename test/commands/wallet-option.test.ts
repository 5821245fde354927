import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWallet, walletChoices } from '../../commands/shared/wallet-option.ts';
import { checksummed, shortAddress, type WalletAddress } from '../../src/domain/address.ts';
import { createRegistry, type Registry } from '../../src/watches/registry.ts';
import { type Watch, watchKey } from '../../src/watches/watch.ts';
import { documentStore } from '../support/documents.ts';
import { testMachine } from '../support/machine.ts';
import { orRefusal } from '../support/or-refusal.ts';
import { walletOfDigit } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

const { ownerId: GUILD } = watchOf();

const watch = (label: string | null, digit: string, changes: Partial<Watch> = {}) =>
  watchOf({ wallet: walletOfDigit(digit), label, ...changes });

const choicesOf = (
  typed: string,
  watches: readonly Watch[],
  recencyOf = (_wallet: WalletAddress) => 0,
  channelId = '',
) => walletChoices(typed, watches, recencyOf, channelId);

const order = (...asked: Parameters<typeof choicesOf>) =>
  choicesOf(...asked).map(({ value }) => value.charAt(2));

function registryOf(...watches: readonly Watch[]): Registry {
  const registry = createRegistry(testMachine(), documentStore());
  for (const one of watches) registry.load(watchKey(one), one);
  return registry;
}

describe('the option wallet', () => {
  const whale = watch('Big Whale', '1');
  const twin = watch('Twin', '2');
  const otherTwin = watch('twin', '3');
  const registry = registryOf(whale, twin, otherTwin, watch('@home', '4'), watch('home', '5'));
  const read = (text: string) => readWallet(text, GUILD, registry);
  const refusal = (text: string) => orRefusal(() => `took ${read(text)}`);

  it.each([
    'big whale',
    '  BIG   WHALE ',
    '@Big Whale',
    '"Big Whale"',
    '„Big Whale“',
    '`Big Whale`',
    '**Big Whale**',
    '<Big Whale>',
    'Big Whale (0x1111…1111)',
    'Big Whale (0x1111...1111)',
    '0x1111…1111',
    `https://venue.example/profile/0x${'1'.repeat(40)}?tab=1`,
  ])('understands %j', (text) => expect(read(text)).toBe(whale.wallet));

  it('prefers a label as it is typed, and tells equal labels apart by their addresses', () => {
    expect(read('@home')).toBe(walletOfDigit('4'));
    expect(read('home')).toBe(walletOfDigit('5'));
    expect(refusal('Twin')).toMatch(
      /More than one watched wallet has this label: `0x2{40}`, `0x3{40}`/,
    );
    expect(read(`Twin (${shortAddress(otherTwin.wallet)})`)).toBe(otherTwin.wallet);
  });

  it('takes an address before a label that quotes another one', () => {
    const address = walletOfDigit('8');
    expect(readWallet(address, GUILD, registryOf(watch(address, '9')))).toBe(address);
  });

  it('says what is wrong: several addresses, a transaction, a checksum, a shape, an unknown name', () => {
    const [a, b] = [whale.wallet, twin.wallet];
    expect(refusal(`${a} ${b}`)).toBe(
      `I found several addresses: \`${a}\`, \`${b}\`. Use just one.`,
    );
    const many = Array.from({ length: 7 }, (_, index) => `0x${String(index).repeat(40)}`).join(' ');
    expect(refusal(many)).toContain(' and 2 more. Use just one.');
    expect(refusal(`https://scan.example/tx/0x${'ab'.repeat(32)}`)).toMatch(
      /^`0xabababab…` is a transaction, not a wallet\./,
    );
    expect(refusal('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed')).toContain('checksum');
    expect(refusal('0x12')).toContain('40 hex digits');
    expect(refusal('nobody')).toContain('or the label of a wallet');
    expect(refusal('')).toContain('or the label of a wallet');
    const hostile = refusal('<@&1> ` [x](https://evil.example/0x1)');
    expect(hostile).not.toContain('<@&1>');
    expect(hostile).toMatch(/^`[^`]+` isn’t a wallet address\. Use 0x/);
  });
});

describe('choices for the option wallet', () => {
  it('are found by a link that holds the address, and by a label with an @ before it', () => {
    const watches = [watch('Whale', 'a'), watch('Shark', 'b')];
    expect(order(`https://venue.example/${checksummed(walletOfDigit('b'))}`, watches)).toEqual([
      'b',
    ]);
    expect(order('@wha', watches)).toEqual(['a']);
    expect(order('"Shark (0xBb', watches)).toEqual([]);
  });

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
    const askedForMs = new Map<string, number>();
    const watches = [
      watch('Alpha', '1', { sinceSeconds: 10 }),
      watch('Anna', '2', { sinceSeconds: 30 }),
      watch('Abel', '3', { sinceSeconds: 20 }),
    ];
    const recencyOf = (wallet: WalletAddress) => askedForMs.get(wallet) ?? 0;
    expect(order('', watches, recencyOf)).toEqual(['2', '3', '1']);
    askedForMs.set(walletOfDigit('2'), 1);
    askedForMs.set(walletOfDigit('1'), 2);
    expect(order('a', watches, recencyOf)).toEqual(['1', '2', '3']);
  });

  it('name a wallet once, by the label that matches best', () => {
    const elsewhere = { channelId: '100000000000000009' };
    const choices = choicesOf('whale', [watch('Old whale', '1'), watch('Whale', '1', elsewhere)]);
    expect(choices).toEqual([
      { name: expect.stringMatching(/^Whale \(0x1111…1111\)$/), value: `0x${'1'.repeat(40)}` },
    ]);
  });

  it('begin with what the channel watches, by its label there, where others match as well', () => {
    const elsewhere = { channelId: '100000000000000009', sinceSeconds: 2_000 };
    const watches = [
      watch('Metronome', '1', elsewhere),
      watch('Other', '2', elsewhere),
      watch('Metro', '1'),
    ];
    const named = (typed: string, channelId: string) =>
      choicesOf(typed, watches, () => 0, channelId).map(({ name }) => name.split(' ')[0]);
    expect(named('', '100000000000000002')).toEqual(['Metro', 'Other']);
    expect(named('met', '100000000000000009')).toEqual(['Metronome']);
    expect(named('metro', '100000000000000009'), 'the whole label').toEqual(['Metro']);
  });

  it('are what Discord takes, and all hold what was typed', () => {
    const labels = fc.array(fc.string({ maxLength: 64, unit: 'grapheme' }), { maxLength: 60 });
    fc.assert(
      fc.property(labels, fc.string({ maxLength: 3 }), (names, typed) => {
        const watches = names.map((name, index) => ({
          ...watch(name, '1'),
          wallet: `0x${index.toString(16).padStart(40, '0')}` as WalletAddress,
        }));
        const choices = choicesOf(typed, watches);
        expect(choices.length).toBeLessThanOrEqual(25);
        for (const { name, value } of choices) {
          expect([...name].length).toBeGreaterThan(0);
          expect([...name].length).toBeLessThanOrEqual(100);
          const label = watches.find(({ wallet }) => wallet === value)?.label ?? '';
          const plain = (text: string) =>
            text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
          const bare = [...plain(typed)];
          while (bare.length > 0 && '<@`*"\'“”„«»「」 '.includes(bare[0] ?? '')) bare.shift();
          while (bare.length > 0 && '>`*"\'“”„«»「」 '.includes(bare.at(-1) ?? '')) bare.pop();
          const inner = bare.join('');
          const wanted = [plain(typed), inner, inner.replace('...', '…')];
          expect(wanted.some((text) => plain(label).includes(text) || value.includes(text))).toBe(
            true,
          );
        }
      }),
    );
  });
});
