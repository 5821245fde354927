import { expect, it } from 'vitest';
import { postedKind } from '../../../src/alerts/wallets/posted-documents.ts';
import type { WalletDocument } from '../../../src/alerts/wallets/wallet-document.ts';
import { createWalletDocuments } from '../../../src/alerts/wallets/wallet-documents.ts';
import { marketOf } from '../../../src/portfolio/market.ts';
import { newPortfolio } from '../../../src/portfolio/portfolio.ts';
import type { AlertedPositions } from '../../../src/portfolio/results/alerted-positions.ts';
import { newKnowledge } from '../../../src/portfolio/wallet-knowledge.ts';
import { documentStore } from '../../support/documents.ts';
import { testMachine } from '../../support/machine.ts';
import { trade } from '../../support/records.ts';
import { walletOf } from '../../support/wallets.ts';

/** Wallets' documents on a store that counts what is read of it. */
function countingDocuments() {
  let reads = 0;
  const store = documentStore(undefined, {
    onRead() {
      reads += 1;
    },
  });
  const documents = createWalletDocuments(testMachine(), {
    store,
    posted: postedKind.open(store),
    anew: () => ({ state: {}, outbox: [] }),
    lostIn: () => [],
  });
  const use = (n: number) => documents.run(walletOf(n), () => documents.read(walletOf(n)));
  return {
    write: (n: number, document: WalletDocument) =>
      documents.run(walletOf(n), () => documents.write(walletOf(n), document)),
    read: use,
    /** Acknowledges an alert in a channel, whose positions are these then. */
    acknowledge: (n: number, channelId: string, alertedPositions: AlertedPositions) =>
      documents.run(walletOf(n), async () => {
        const { state, outbox } = await documents.readFor(walletOf(n), channelId);
        const { knowledge = NO_KNOWLEDGE } = state;
        const changed = { ...state, knowledge: { ...knowledge, alertedPositions } };
        const since = { channelId, isKept: true, done: [], added: [] };
        await documents.writeAfter(walletOf(n), { state: changed, outbox }, since);
      }),
    positionsFor: (n: number, channelId: string) =>
      documents.run(walletOf(n), async () => {
        const { state } = await documents.readFor(walletOf(n), channelId);
        return state.knowledge?.alertedPositions;
      }),
    /** Uses the documents one after the other; returns how many documents were read in the store. */
    async readsOf(wallets: readonly number[]): Promise<number> {
      reads = 0;
      for (const n of wallets) await use(n);
      return reads;
    },
  };
}

/** A document of so many bytes, and a few more. */
function documentOf(bytes: number): WalletDocument {
  const time = { fromSeconds: 1, toSeconds: 2 };
  const gap = { cause: 'backlog' as const, endpoint: 'activity' as const, ...time };
  const waiting = { event: { kind: 'gap' as const, gap }, seenAtMs: 1, channels: ['1'] };
  return { state: {}, outbox: [{ id: 'x'.repeat(bytes), ...waiting }] };
}

const NO_KNOWLEDGE = newKnowledge(newPortfolio(0, true));

const range = (length: number) => Array.from({ length }, (_, n) => n);

it('keeps some thousand small documents, and large ones up to 20 MB', async () => {
  const small = countingDocuments();
  for (const n of range(1_000)) await small.write(n, documentOf(2_000));
  expect(await small.readsOf(range(1_000))).toBe(0);

  const large = countingDocuments();
  for (const n of range(25)) await large.write(n, documentOf(1_000_000));
  const newest = range(25).slice(-18);
  expect(await large.readsOf(newest)).toBe(0);
  expect(await large.readsOf(range(5))).toBe(5);
});

it('keeps the four documents used last, however large they are', async () => {
  const documents = countingDocuments();
  for (const n of range(5)) await documents.write(n, documentOf(12_000_000));
  expect(await documents.readsOf([1, 2, 3, 4])).toBe(0);
  expect(await documents.readsOf([0])).toBe(1);
});

/** A channel's positions: one, with the ways in which the whole list was made of it. */
function countedPositions(channelId: string, shares: string) {
  const market = marketOf(trade());
  const outcome = { outcome: 'o', side: 'Yes', shares, paid: '1', received: '0', fees: '0' };
  const positions: AlertedPositions = [
    {
      ...{ market, key: 'k', channelId, messageId: '1', openedSeconds: 1, soldSeconds: null },
      outcomes: [outcome],
    },
  ];
  const counted = { positions, times: 0 };
  const iterate = positions[Symbol.iterator].bind(positions);
  Object.defineProperty(positions, Symbol.iterator, {
    value: () => {
      counted.times += 1;
      return iterate();
    },
  });
  return counted;
}

it('puts all channels’ positions together once somebody reads them, not at each acknowledgement', async () => {
  const documents = countingDocuments();
  await documents.write(0, { state: { knowledge: NO_KNOWLEDGE }, outbox: [] });
  const first = range(50).map((n) => countedPositions(`${n}`, '1'));
  for (const [n, { positions }] of first.entries())
    await documents.acknowledge(0, `${n}`, positions);
  const all = (await documents.read(0)).state.knowledge?.alertedPositions;
  expect(all).toEqual(first.flatMap(({ positions }) => [positions[0]]));
  const second = range(50).map((n) => countedPositions(`${n}`, '2'));
  for (const counted of first) counted.times = 0;
  for (const [n, { positions }] of second.entries()) {
    expect(await documents.positionsFor(0, `${n}`)).toBe(first[n]?.positions);
    await documents.acknowledge(0, `${n}`, positions);
    expect(await documents.positionsFor(0, `${n}`)).toBe(positions);
  }
  const times = [...first, ...second].reduce((sum, counted) => sum + counted.times, 0);
  expect(times).toBe(0);
  expect((await documents.read(0)).state.knowledge?.alertedPositions).toEqual(
    second.flatMap(({ positions }) => [positions[0]]),
  );
});
