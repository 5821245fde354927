import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNats, shownNats } from '../../../src/feed/nats/address.ts';
import { decoded } from '../../../src/lib/text/url.ts';
import { temporaryFolder } from '../../support/temp.ts';

const faultsOf = (text: string) => {
  const read = readNats(text);
  return 'faults' in read ? read.faults : [];
};

describe('NATS_URL', () => {
  it.each([
    'nats://localhost:4222',
    'nats://[::1]:4222',
    'tls://user:pass@a.example:4222,tls://user:pass@b.example:4222',
  ])('may be %s', (text) => {
    expect(readNats(text)).toEqual({ value: { urls: text.split(','), files: {} } });
  });

  it.each([
    ['', /is not the address/],
    ['localhost', /is not the address/],
    ['http://localhost:4222', /is not the address/],
    ['user:pass@localhost:4222', /^is not the address/],
    ['nats:user:pass@localhost', /^is not the address/],
    ['nats://localhost,localhost', /is not the address/],
    ['nats://a@h1,nats://b@h2', /different users/],
    ['nats://h1,tls://h2', /mixes/],
    ['nats://h1?tls=true', /unknown parameter/],
    ['nats://h1?toString=/x', /unknown parameter/],
    ['nats://h1#ca=/x', /has a #/],
    ['nats://h1/walletbell', /has a path/],
    ['nats://h1?ca=/no/such', /parameter ca, which cannot be read: ENOENT/],
    ['nats://h1?ca=', /parameter ca, which cannot be read/],
    ['nats://h1?ca=/tmp', /parameter ca, which cannot be read: EISDIR/],
  ])('is refused as %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(fault)]);
  });

  it('names files, whatever their names have in them, which count for all servers, and keeps them from the client', () => {
    const folder = temporaryFolder();
    const ca = join(folder, 'a certificate + 100% of, "mine" @home?#é.pem');
    writeFileSync(ca, '-----BEGIN CERTIFICATE-----\n');
    const encoded = encodeURIComponent(ca);
    const urls = ['nats://user:p%3F@h1:4222', 'nats://user:p%3F@h2:4222'];
    for (const text of [
      `${urls[0]}?ca=${encoded},${urls[1]}`,
      ` ${urls[0]} , ${urls[1]}?ca=${encoded} ,`,
      `${urls[0]}?ca=${encoded}&,${urls[1]}?ca=${encoded}`,
      // A slash and a plus sign need no sign, and a percent sign only where it would mean another.
      `${urls[0]}?ca=${encoded.replaceAll('%2F', '/').replaceAll('%2B', '+')},${urls[1]}`,
    ]) {
      expect(readNats(text), text).toEqual({ value: { urls, files: { ca } } });
    }
    expect(faultsOf(`${urls[0]}?ca=${encoded},${urls[1]}?ca=/other`)).toContain(
      'has two paths of ca: write one.',
    );
    expect(faultsOf(`${urls[0]}?key=${encoded}`)).toEqual([
      expect.stringMatching(/parameter key, which names a file that is not a private key/),
      expect.stringMatching(/has one of cert and key/),
    ]);
  });

  it.each(['nats://bell:', 'nats://', 'tls://'])(
    'has a password or token behind %s with special characters if they are encoded, and names what can be misread',
    (before) => {
      const unit = fc.constantFrom(...'ab1@#/?:,%& +=é\\[]'.split(''));
      const password = fc.string({ unit, minLength: 1 });
      fc.assert(
        fc.property(password, (text) => {
          const readAt = (login: string) => readNats(`${before}${login}@h.example:4222`);
          const encoded = readAt(encodeURIComponent(text));
          expect(encoded).toHaveProperty('value');
          const plain = readAt(text);
          if ('value' in plain) {
            expect(shownNats(plain.value)).toMatch(/^(nats|tls):\/\/h\.example:4222$/);
            const { username, password } = new URL(plain.value.urls[0] ?? '');
            const login = [username, password].map(decoded).join(':');
            const meant = `${before.replace(/^.*:\/\//, '')}${decoded(text)}`;
            expect(login.replace(/:$/, '')).toBe(meant.replace(/:$/, ''));
          } else {
            expect(plain.faults).toEqual([
              expect.stringMatching(/special characters.*%XX.*a comma is %2C/),
            ]);
            expect(plain).toEqual(readNats('nats://x,@'));
          }
        }),
      );
    },
  );

  it('is shown without its secrets', () => {
    const read = readNats('nats://user:pass@h1:4222, nats://user:pass@h2');
    expect('value' in read && shownNats(read.value)).toBe('nats://h1:4222,nats://h2');
  });
});
