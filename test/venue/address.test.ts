import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksummed, parseAddress, shortAddress, type WalletAddress } from '../../src/venue/address.ts';

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
    expect(parsed).toMatchObject({ ok: false, fault: 'checksum', reason: expect.stringContaining('mistyped') });
  });

  it.each(['', 'vitalik.eth', '0x12', `0x${'g'.repeat(40)}`, `0x${'a'.repeat(41)}`, 'a'.repeat(40)])(
    'refuses "%s" and says what an address is',
    (text) => {
      expect(parseAddress(text)).toMatchObject({
        ok: false,
        fault: 'shape',
        reason: expect.stringContaining('40 hex digits'),
      });
    },
  );

  it('shows a short form from the checksummed address', () => {
    expect(shortAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' as WalletAddress)).toBe('0x5aAe…eAed');
  });
});
