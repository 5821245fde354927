import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alert/alert.ts';
import { createOutbox } from '../../src/alert/outbox.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { transfer } from '../e2e/room.ts';
import { quietLog } from '../support/log.ts';
import { put } from './put.ts';

const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;

function open() {
  const disk = new Map<string, unknown>();
  const store = {
    get: async (key: string) => structuredClone(disk.get(key)),
    set: async (key: string, document: unknown) => void disk.set(key, structuredClone(document)),
    delete: async (key: string) => void disk.delete(key),
  };
  return {
    disk,
    outbox: createOutbox({ store, log: quietLog(), onStep: () => {}, settle: (poll) => ({ poll, alerts: [] }) }),
  };
}

function alert(number: number, channels = ['1']) {
  const event: WalletEvent = { kind: 'transfer', item: transfer({ time: 1_000 + number }) };
  return { id: `i${number}`, event, seenAtMs: number, channels };
}

describe('the outbox', () => {
  it('keeps poll state and alerts in one document, and gives both back after a restart', async () => {
    const { disk, outbox } = open();
    await put(outbox, WALLET, { activity: { mark: 1 } }, [alert(1, ['1', '2']), alert(2, [])]);
    await outbox.acknowledge('2', [{ wallet: WALLET, id: 'i1' }], null);
    const again = open().outbox;
    const [[key, document]] = [...disk] as [[string, unknown]];
    expect(again.load(key, document)?.poll).toEqual({ activity: { mark: 1 } });
    expect(again.pending('1').map(({ id }) => id)).toEqual(['i1']);
    expect(again.pending('2')).toEqual([]);
  });

  it('takes an alert that waits already only once', async () => {
    const { outbox } = open();
    await put(outbox, WALLET, {}, [alert(1)]);
    await put(outbox, WALLET, {}, [alert(1), alert(2)]);
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i1', 'i2']);
  });

  it('tells what the store has kept although it said that the write had failed', async () => {
    const disk = new Map<string, unknown>();
    let isCut = false;
    const store = {
      get: async (key: string) => structuredClone(disk.get(key)),
      delete: async (key: string) => void disk.delete(key),
      async set(key: string, document: unknown) {
        disk.set(key, structuredClone(document));
        if (isCut) throw new Error('the connection broke before the answer came');
      },
    };
    const outbox = createOutbox({ store, log: quietLog(), onStep: () => {}, settle: (poll) => ({ poll, alerts: [] }) });
    await put(outbox, WALLET, {}, [alert(1)]);
    isCut = true;
    await expect(put(outbox, WALLET, { activity: 1 }, [alert(2)])).rejects.toThrow('the connection broke');
    isCut = false;
    const told: (readonly string[])[] = [];
    outbox.listen((channelIds) => told.push(channelIds));
    // The next poll finds nothing new: the mark that it starts from has the item already.
    expect(await outbox.pollState(WALLET)).toEqual({ activity: 1 });
    expect(told).toEqual([['1']]);
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i1', 'i2']);
  });

  it('keeps a wallet’s order when the clock steps back', async () => {
    const { outbox } = open();
    await put(outbox, WALLET, {}, [alert(9)]);
    await put(outbox, WALLET, {}, [alert(3)]);
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i9', 'i3']);
  });

  it('keeps alerts that can be read when one beside them cannot', async () => {
    const { disk, outbox } = open();
    await put(outbox, WALLET, {}, [alert(1), alert(2)]);
    const [[key, document]] = [...disk] as [[string, { outbox: object[] }]];
    const damaged = { ...document, outbox: [{ id: 'i1', event: null }, document.outbox[1]] };
    const loaded = open().outbox.load(key, damaged);
    expect(loaded?.unreadable).toHaveLength(1);
    expect(loaded?.document.outbox.map(({ id }) => id)).toEqual(['i2']);
  });

  it('stays bounded for a channel that cannot be written, and says of which time something is left out', async () => {
    const { disk, outbox } = open();
    for (let round = 0; round < 30; round += 1) {
      await put(
        outbox,
        WALLET,
        {},
        Array.from({ length: 100 }, (_, index) => alert(round * 100 + index)),
      );
    }
    const waiting = outbox.pending('1');
    expect(waiting.length).toBeLessThanOrEqual(1_000);
    expect(waiting.at(-1)?.id).toBe('i2999');
    const [first, second] = waiting;
    expect(first?.event).toMatchObject({ kind: 'gap', gap: { cause: 'backlog', fromSeconds: 1_000 } });
    const toSeconds = first?.event.kind === 'gap' ? first.event.gap.toSeconds : 0;
    expect(second?.event.kind === 'transfer' && second.event.item.time).toBe(toSeconds + 1);
    const [[key, document]] = [...disk] as [[string, unknown]];
    const again = open().outbox;
    again.load(key, document);
    expect(again.pending('1').map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
  });
});
