import { describe, expect, it } from 'vitest';
import { createPayers } from '../../src/watches/payers.ts';

const [SERVER, OTHER, UNSEEN] = ['100000000000000001', '100000000000000002', '100000000000000003'];
const [ADA, BOB] = ['200000000000000001', '200000000000000002'];

function payersWith(weights: Readonly<Record<string, number>> = {}, secret = 'token') {
  return createPayers({ secret, weightOf: (ownerId) => weights[ownerId] });
}

describe('who pays', () => {
  it('is the person who owns the server, for all servers alike, and is not named by the id', () => {
    const payers = payersWith();
    for (const server of [SERVER, OTHER]) payers.learn(server, ADA);
    const { payer } = payers.accountOf(SERVER);
    expect(payers.accountOf(OTHER)).toEqual({ payer, owner: OTHER, weight: 1 });
    expect(payer).toMatch(/^[0-9a-f]{16}$/);
    expect(payer).not.toContain(ADA);
  });

  it('has the same name in all bots of a token, and another one in those of another token', () => {
    const names = ['token', 'token', 'other'].map((secret) => {
      const payers = payersWith({}, secret);
      payers.learn(SERVER, ADA);
      return payers.accountOf(SERVER).payer;
    });
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
  });

  it('is the server itself until its owner is known, and another person once it was given away', () => {
    const payers = payersWith();
    const changed: string[] = [];
    payers.listen((ownerId) => changed.push(ownerId));
    expect(payers.accountOf(UNSEEN)).toEqual({ payer: UNSEEN, owner: UNSEEN, weight: 1 });
    payers.learn(SERVER, ADA);
    payers.learn(SERVER, ADA);
    const before = payers.accountOf(SERVER).payer;
    payers.learn(SERVER, BOB);
    expect(payers.accountOf(SERVER).payer).not.toBe(before);
    expect(changed).toEqual([SERVER, SERVER]);
  });

  it('are all persons together', () => {
    const payers = payersWith({ '@': 4 });
    expect(payers.accountOf(`@${ADA}`)).toEqual({ payer: '@', owner: `@${ADA}`, weight: 4 });
    expect(payers.accountOf(`@${BOB}`).payer).toBe('@');
  });

  it('is a server with a weight for itself', () => {
    const payers = payersWith({ [SERVER]: 2.5 });
    for (const server of [SERVER, OTHER]) payers.learn(server, ADA);
    expect(payers.accountOf(SERVER)).toEqual({ payer: SERVER, owner: SERVER, weight: 2.5 });
  });
});
