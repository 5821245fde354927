import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { messageId } from '../../src/alerts-out/message-id.ts';
import { readSecret, signed } from '../../src/alerts-out/signature.ts';
import { walletOfDigit } from '../support/wallets.ts';

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const keyOf = (secret: string) => readSecret(secret) ?? expect.fail('It is a secret.');

describe('a signature', () => {
  it('is accepted by the package of the specification, with either of two secrets, and no other', () => {
    fc.assert(
      fc.property(secrets, secrets, secrets, fc.json(), (one, other, third, body) => {
        fc.pre(third !== one && third !== other);
        const id = messageId({ wallet: walletOfDigit('1'), id: 'abc', ownerId: '1' });
        const headers = { ...signed(id, body, [keyOf(one), keyOf(other)], Date.now()) };
        for (const secret of [one, other])
          expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(third).verify(body, headers)).toThrow();
        expect(() => new Webhook(one).verify(`${body} `, headers)).toThrow();
        const late = signed(id, body, [keyOf(one)], Date.now() - 600_000);
        expect(() => new Webhook(one).verify(body, { ...late })).toThrow(/old/);
      }),
    );
  });

  it('takes only secrets that the specification has', () => {
    const wrong = ['', 'whsec_', 'whsec_short', 'c2VjcmV0', `whsec_${'!'.repeat(40)}`];
    const bytes = (count: number) => `whsec_${Buffer.alloc(count, 1).toString('base64')}`;
    for (const text of [...wrong, bytes(23), bytes(65)]) expect(readSecret(text), text).toBeNull();
    expect(readSecret(bytes(24))).toEqual(Buffer.alloc(24, 1));
    expect(readSecret(bytes(32).replace(/=+$/, '')), 'unpadded').toEqual(Buffer.alloc(32, 1));
  });
});

describe('the id of a message', () => {
  it('is the same for ever, another for each owner, wallet, alert and channel, and has no dot', () => {
    const named = { wallet: walletOfDigit('1'), id: 'abcdefgh', ownerId: '100000000000000001' };
    const id = messageId(named);
    expect(id).toBe('msg_c84q4Tj2yCHyeZhMTSnh9YTERpWC8JYy');
    expect(id).not.toContain('.');
    const others = [
      { ...named, ownerId: '100000000000000002' },
      { ...named, wallet: walletOfDigit('2') },
      { ...named, id: 'abcdefgi' },
      { ...named, channelId: '100000000000000001' },
    ].map(messageId);
    expect(new Set([id, ...others]).size).toBe(5);
  });
});
