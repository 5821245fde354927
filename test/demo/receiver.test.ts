import { expect, it, onTestFinished } from 'vitest';
import { readSecret, signed } from '../../src/alerts-out/signature.ts';
import { startReceiver } from '../../src/demo/receiver.ts';
import { WALLET } from '../support/wallets.ts';

const AT = '2026-11-27T20:00:00Z';
const GAP = {
  type: 'gap',
  timestamp: AT,
  data: {
    wallet: WALLET,
    sequence: 1,
    seenAt: AT,
    late: false,
    watches: [{ channel: '100000000000000001', label: null, wanted: true }],
    endpoint: 'activity',
    cause: 'overflow',
    from: AT,
    to: AT,
  },
};

it('takes what the bot has signed, knows what it has had before, and refuses all else', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const key = readSecret(receiver.secret);
  const post = async (id: string, body: string, changes: object = {}) => {
    const headers = { ...signed(id, body, key === null ? [] : [key], Date.now()), ...changes };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  };
  const body = JSON.stringify(GAP);
  expect(await post('a', body)).toBe(204);
  expect(await post('b', body)).toBe(204);
  expect(await post('a', body)).toBe(204);
  expect(await post('c', body, { 'webhook-signature': 'v1,AAAA' })).toBe(401);
  expect(await post('d', '{"type":"gap"}'), 'signed, and no alert').toBe(401);
  const { alerts, repeated, refused, newest } = receiver.received;
  expect({ alerts, repeated, refused }).toEqual({ alerts: 2, repeated: 1, refused: 2 });
  expect(newest.map(({ alert, isRepeated }) => [alert?.type, isRepeated])).toEqual([
    [undefined, false],
    [undefined, false],
    ['gap', true],
    ['gap', false],
    ['gap', false],
  ]);
  expect(newest.at(-1)?.alert).toMatchObject({ wallet: WALLET, isLate: false });
});
