import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checksummed,
  findAddress,
  type ParsedAddress,
  parseAddress,
  shortAddress,
  type WalletAddress,
} from '../../src/domain/address.ts';
import { ENGLISH } from '../../src/language/language.ts';

const said = (parsed: ParsedAddress) =>
  parsed.ok ? '' : ENGLISH.texts.errors.wallet.address[parsed.fault](parsed.typed);
const digits = fc.stringMatching(/^[0-9a-f]{40}$/);

describe('parseAddress', () => {
  // The four mixed-case examples of EIP-55 itself.
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('accepts the checksummed %s and keeps it lower-case', (text) => {
    const parsed = parseAddress(` ${text} `);
    expect(parsed).toEqual({ ok: true, address: text.toLowerCase() });
    if (parsed.ok) expect(checksummed(parsed.address)).toBe(text);
  });

  it('accepts any address in lower case, upper case and with its checksum', () => {
    fc.assert(
      fc.property(digits, (hex) => {
        const address = `0x${hex}` as WalletAddress;
        for (const text of [address, `0x${hex.toUpperCase()}`, checksummed(address)]) {
          expect(parseAddress(text)).toEqual({ ok: true, address });
        }
      }),
    );
  });

  it('names a wrong checksum as a likely typing error', () => {
    const parsed = parseAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed');
    expect(parsed).toMatchObject({ ok: false, fault: 'checksum' });
    expect(said(parsed)).toContain('typo');
  });

  it.each([
    '',
    'vitalik.eth',
    '0x12',
    `0x${'g'.repeat(40)}`,
    `0x${'a'.repeat(41)}`,
    'a'.repeat(40),
  ])('refuses "%s" and says what an address is', (text) => {
    expect(parseAddress(text)).toMatchObject({ ok: false, fault: 'shape' });
    expect(said(parseAddress(text))).toContain('40 hex digits');
  });

  it('shows a short form from the checksummed address', () => {
    expect(shortAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' as WalletAddress)).toBe(
      '0x5aAe…eAed',
    );
  });
});

describe('findAddress', () => {
  const address = digits.map((hex) => `0x${hex}` as WalletAddress);
  /** As it is written by hand, by wallets and by shouting programs. */
  const written = address.chain((known) =>
    fc
      .constantFrom(
        known,
        checksummed(known),
        `0x${known.slice(2).toUpperCase()}`,
        known.toUpperCase(),
      )
      .map((text) => ({ known, text })),
  );
  const around = fc.constantFrom<readonly [string, string]>(
    ['', ''],
    ['  ', '\n'],
    ['<', '>'],
    ['`', '`'],
    ['https://venue.example/profile/', ''],
    ['<https://venue.example/@', '-1795255200?tab=positions>'],
    ['https://scan.example/address/', '#tokentxns'],
    ['https://scan.example/token/0x12?a=', '&page=2'],
    ['https://venue.example/?next=%2Fprofile%2F', '%3Ftab%3D1'],
    ['ethereum:', '@137'],
    ['Whale (', ')'],
    ['钱包', '的'],
    [`https://scan.example/tx/0x${'a'.repeat(64)}?by=`, ''],
  );

  it('finds the one address in whatever it stands, however often and in whatever case', () => {
    fc.assert(
      fc.property(written, around, fc.boolean(), ({ known, text }, [before, after], twice) => {
        const whole = before + text + after;
        expect(findAddress(twice ? `${whole} ${known}` : whole)).toEqual({
          ok: true,
          address: known,
        });
      }),
    );
  });

  it('takes alone what parseAddress takes, and refuses what that refuses', () => {
    const changed = fc
      .tuple(written, fc.nat(42), fc.constantFrom('a', 'B', '7', 'g', ' ', ''), fc.nat(1))
      .map(([{ text }, at, put, taken]) => text.slice(0, at) + put + text.slice(at + taken));
    fc.assert(
      fc.property(fc.oneof(changed, fc.string()), (text) => {
        const parsed = parseAddress(text);
        const found = findAddress(text);
        expect(found.ok).toBe(parsed.ok);
        if (parsed.ok) expect(found).toEqual(parsed);
      }),
    );
  });

  it('names several, and takes none of them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(address, { minLength: 2, maxLength: 5 }),
        fc.constantFrom(' ', ',', '/'),
        (all, gap) => {
          expect(findAddress(all.map(checksummed).join(gap))).toEqual({
            ok: false,
            fault: 'several',
            addresses: all,
          });
        },
      ),
    );
  });

  it('takes no part of a transaction hash or of a longer number for an address', () => {
    const number = fc.stringMatching(/^[0-9a-f]{41,80}$/);
    fc.assert(
      fc.property(
        number,
        around.filter(([before]) => !before.includes('tx/')),
        (hex, [before, after]) => {
          const fault = hex.length === 64 ? 'transaction' : 'shape';
          expect(findAddress(`${before}0x${hex}${after}`)).toMatchObject({ ok: false, fault });
        },
      ),
    );
    expect(findAddress(`https://scan.example/tx/0x${'Ab'.repeat(32)}`)).toEqual({
      ok: false,
      fault: 'transaction',
      typed: `0x${'Ab'.repeat(32)}`,
    });
  });

  it('keeps to the rule of checksums inside of a link', () => {
    const link = 'https://venue.example/profile/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed?tab=1';
    expect(findAddress(link)).toEqual({
      ok: false,
      fault: 'checksum',
      typed: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed',
    });
  });
});
