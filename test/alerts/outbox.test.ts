import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import { createOutbox, type NewAlert } from '../../src/alerts/outbox.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { transfer } from '../e2e/fixture.ts';
import { put } from '../embeds/put.ts';
import { quietLog } from '../support/log.ts';
import { activityItem } from '../venue/samples.ts';

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
    outbox: createOutbox({
      store,
      log: quietLog(),
      onFailpoint: () => {},
      onDelivered: (poll) => ({ poll, alerts: [] }),
      onCaughtUp: (poll) => poll,
      resetDocument: () => ({ poll: { activity: 'anew' }, alerts: [alert(99, ['1', '2'])] }),
    }),
  };
}

const never = () => {
  throw new Error('All documents can be read.');
};

function alert(number: number, channels = ['1']) {
  const event: WalletEvent = { kind: 'transfer', item: transfer({ time: 1_000 + number }) };
  return { id: `i${number}`, event, seenAtMs: number, channels };
}

describe('the outbox', () => {
  it('keeps poll state and alerts in one document, and gives both back after a restart', async () => {
    const { disk, outbox } = open();
    await put(outbox, WALLET, { activity: { state: 1 } }, [alert(1, ['1', '2']), alert(2, [])]);
    await outbox.acknowledge('2', [{ wallet: WALLET, id: 'i1' }], null);
    const again = open().outbox;
    const [[key, document]] = [...disk] as [[string, unknown]];
    expect(again.load(key, document)?.poll).toEqual({ activity: { state: 1 } });
    expect(again.pending('1').map(({ id }) => id)).toEqual(['i1']);
    expect(again.pending('2')).toEqual([]);
  });

  it('takes an alert that waits already only once', async () => {
    const { outbox } = open();
    await put(outbox, WALLET, {}, [alert(1)]);
    await put(outbox, WALLET, {}, [alert(1), alert(2)]);
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i1', 'i2']);
  });

  it('puts a document aside that became unreadable meanwhile, and begins anew with what its channels are told', async () => {
    const { disk, outbox } = open();
    await put(outbox, WALLET, { activity: 'before' }, [alert(1)]);
    const announced: string[] = [];
    outbox.listen((channels) => announced.push(...channels));
    disk.set(`wallet:${WALLET}`, null);
    expect(await put(outbox, WALLET, { transfers: 'new' }, [])).toEqual({ activity: 'anew', transfers: 'new' });
    expect(disk.get(`quarantine:wallet:${WALLET}`)).toBeNull();
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i99']);
    expect(announced.toSorted()).toEqual(['1', '2']);
    await outbox.acknowledge('1', [{ wallet: WALLET, id: 'i99' }], null);
    expect(disk.get(`wallet:${WALLET}`)).toMatchObject({ outbox: [{ id: 'i99', channels: ['2'] }] });
  });

  it('puts alerts aside that became unreadable meanwhile, and keeps the rest of the document', async () => {
    const { disk, outbox } = open();
    await put(outbox, WALLET, { activity: 'before' }, [alert(1)]);
    const key = `wallet:${WALLET}`;
    const torn = { ...alert(2), seenAtMs: null };
    disk.set(key, { version: 1, poll: { activity: 'before' }, outbox: [alert(1), torn] });
    expect(await outbox.pollState(WALLET)).toEqual({ activity: 'before' });
    expect(disk.get(`quarantine:${key}:outbox`)).toEqual([torn]);
    expect(disk.get(key)).toMatchObject({ outbox: [{ id: 'i1' }] });
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i1']);
  });

  describe('after a write that the store has kept although it said that it had failed', () => {
    /** The connection breaks once the next write has landed, before its answer comes. */
    function openOnNetwork() {
      const disk = new Map<string, unknown>();
      const network = { isCut: false };
      const answer = () => {
        if (network.isCut) throw new Error('the connection broke before the answer came');
      };
      const store = {
        get: async (key: string) => structuredClone(disk.get(key)),
        delete: async (key: string) => {
          disk.delete(key);
          answer();
        },
        set: async (key: string, document: unknown) => {
          disk.set(key, structuredClone(document));
          answer();
        },
      };
      // An alert that is delivered is answered by one more, as the end of a bet is.
      const settle: Parameters<typeof createOutbox>[0]['onDelivered'] = (poll, { ids, delivered }) =>
        delivered === null || poll['answered'] === true || !ids.has('i1')
          ? { poll, alerts: [] }
          : { poll: { ...poll, answered: true }, alerts: [alert(50)] };
      const outbox = createOutbox({
        store,
        log: quietLog(),
        onFailpoint: () => {},
        onDelivered: settle,
        onCaughtUp: (poll) => poll,
        resetDocument: never,
      });
      const announced: (readonly string[])[] = [];
      outbox.listen((channelIds) => announced.push(channelIds));
      const cut = async (write: Promise<unknown>) => {
        network.isCut = true;
        await expect(write).rejects.toThrow('the connection broke');
        network.isCut = false;
        announced.length = 0;
      };
      const waiting = () => outbox.pending('1').map(({ id }) => id);
      return { outbox, announced, cut, waiting };
    }

    it('queues its alerts at the next poll, which finds nothing new', async () => {
      const { outbox, announced, cut, waiting } = openOnNetwork();
      await put(outbox, WALLET, {}, [alert(1)]);
      await cut(put(outbox, WALLET, { activity: 1 }, [alert(2)]));
      // The mark that the next poll starts from has the item already.
      expect(await outbox.pollState(WALLET)).toEqual({ activity: 1 });
      expect(announced).toEqual([['1']]);
      expect(waiting()).toEqual(['i1', 'i2']);
    });

    it('queues its alerts also when the poll of the other endpoint is the next to write', async () => {
      const { outbox, announced, cut, waiting } = openOnNetwork();
      await cut(put(outbox, WALLET, { activity: 1 }, [alert(1)]));
      expect(await put(outbox, WALLET, { transfers: 1 }, [alert(2, ['2'])])).toEqual({ activity: 1, transfers: 1 });
      expect(announced.flat().toSorted()).toEqual(['1', '2']);
      expect(waiting()).toEqual(['i1']);
    });

    it('queues its alerts also when a delivery is acknowledged next', async () => {
      const { outbox, cut, waiting } = openOnNetwork();
      await put(outbox, WALLET, {}, [alert(3)]);
      await cut(put(outbox, WALLET, { activity: 1 }, [alert(4)]));
      await outbox.acknowledge('1', [{ wallet: WALLET, id: 'i3' }], { messageId: 'm' });
      expect(waiting()).toEqual(['i4']);
    });

    it('queues what follows from a delivery when its acknowledgement is repeated', async () => {
      const { outbox, announced, cut, waiting } = openOnNetwork();
      await put(outbox, WALLET, {}, [alert(1)]);
      await cut(outbox.acknowledge('1', [{ wallet: WALLET, id: 'i1' }], { messageId: 'm' }));
      await outbox.acknowledge('1', [{ wallet: WALLET, id: 'i1' }], { messageId: 'm' });
      expect(announced).toEqual([['1']]);
      expect(waiting()).toEqual(['i50']);
    });

    it('lets nothing wait any more that it has taken out', async () => {
      const { outbox, cut, waiting } = openOnNetwork();
      await put(outbox, WALLET, {}, [alert(3)]);
      await cut(outbox.forget(WALLET, () => false));
      expect(await outbox.pollState(WALLET)).toEqual({});
      expect(waiting()).toEqual([]);
    });
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

  it('says of trades and of transfers apart that some were left out', async () => {
    const { outbox } = open();
    const trades = Array.from(
      { length: 10 },
      (_, index): NewAlert => ({
        ...alert(index),
        id: `t${index}`,
        event: { kind: 'activity', item: { ...activityItem(), time: 500 + index } },
        channels: ['2'],
      }),
    );
    await put(outbox, WALLET, {}, trades);
    await put(
      outbox,
      WALLET,
      {},
      Array.from({ length: 1_000 }, (_, index) => alert(10 + index)),
    );
    const gaps = (channelId: string) =>
      outbox.pending(channelId).flatMap(({ event }) => (event.kind === 'gap' ? [event.gap] : []));
    const cause = 'backlog';
    expect(gaps('1')).toEqual([{ cause, endpoint: 'deposits-withdrawals', fromSeconds: 1_010, toSeconds: 1_509 }]);
    expect(gaps('2')).toEqual([{ cause, endpoint: 'activity', fromSeconds: 500, toSeconds: 509 }]);
    expect(outbox.pending('2')).toHaveLength(1);
    expect(outbox.pending('1')).toHaveLength(501);
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
