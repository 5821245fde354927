import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import { initialDetectionState } from '../../src/alerts/detect.ts';
import { createOutboxBounds } from '../../src/alerts/outbox-bounds.ts';
import type { NewAlert, WalletState } from '../../src/alerts/wallets/wallet-document.ts';
import { put } from '../embeds/put.ts';
import { documentStore } from '../support/documents.ts';
import { testOutbox, testOutboxWithCatchUp } from '../support/outbox.ts';
import { sampleTrade, transfer } from '../support/records.ts';
import { WALLET_A, walletOf } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';

function openOutbox(stored: readonly (readonly [key: string, document: unknown])[] = []) {
  const store = documentStore(new Map(stored));
  return {
    disk: store.documents,
    store,
    outbox: testOutbox(store, {
      anew: () => ({ state: read(99), alerts: [alert(99, ['1', '2'])] }),
    }),
  };
}

/** The state after a page of the endpoint. */
function read(
  pollId: number,
  endpoint: 'activity' | 'deposits-withdrawals' = 'activity',
): WalletState {
  return { [endpoint]: { detectionState: initialDetectionState(0), pollId } };
}

function alert(number: number, channels = ['1']) {
  const event: WalletEvent = { kind: 'transfer', item: transfer({ time: 1_000 + number }) };
  return { id: `i${number}`, event, seenAtMs: number, channels };
}

const alerts = (from: number, count: number, channels?: string[]) =>
  Array.from({ length: count }, (_, index) => alert(from + index, channels));

const gapsIn = (outbox: ReturnType<typeof testOutbox>, channelId: string) =>
  outbox.pending(channelId).flatMap(({ event }) => (event.kind === 'gap' ? [event.gap] : []));

describe('the outbox', () => {
  it('keeps poll state and alerts in one document, and gives both back after a restart', async () => {
    const { disk, outbox } = openOutbox();
    await put(outbox, WALLET_A, read(1), [alert(1, ['1', '2']), alert(2, [])]);
    await outbox.acknowledge('2', [{ ...alert(1), wallet: WALLET_A }], null);
    const again = openOutbox().outbox;
    const [[key, document]] = [...disk] as [[string, unknown]];
    expect(again.load(key, document)?.committed).toEqual({ activity: 1 });
    expect(again.pending('1').map(({ id }) => id)).toEqual(['i1']);
    expect(again.pending('2')).toEqual([]);
  });

  it('takes an alert that waits already only once', async () => {
    const { outbox } = openOutbox();
    await put(outbox, WALLET_A, {}, [alert(1)]);
    await put(outbox, WALLET_A, {}, [alert(1), alert(2)]);
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i1', 'i2']);
  });

  it('puts a document aside that cannot be read, and begins anew with what its channels are told', async () => {
    const { disk, outbox } = openOutbox([[`wallet:${WALLET_A}`, null]]);
    const announced: string[] = [];
    outbox.listen((channels) => announced.push(...channels));
    await put(outbox, WALLET_A, read(1, 'deposits-withdrawals'), []);
    expect(await outbox.stateOf(WALLET_A)).toEqual({
      ...read(99),
      ...read(1, 'deposits-withdrawals'),
    });
    expect(disk.get(`quarantine:wallet:${WALLET_A}`)).toBeNull();
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i99']);
    expect(announced.toSorted()).toEqual(['1', '2']);
    await outbox.acknowledge('1', [{ ...alert(99), wallet: WALLET_A }], null);
    expect(disk.get(`wallet:${WALLET_A}`)).toMatchObject({
      outbox: [{ id: 'i99', channels: ['2'] }],
    });
  });

  it('puts alerts aside that cannot be read, and keeps the rest of the document', async () => {
    const key = `wallet:${WALLET_A}`;
    const torn = { ...alert(2), seenAtMs: null };
    const stored = { state: read(1), outbox: [alert(1), torn] };
    const { disk, outbox } = openOutbox([[key, stored]]);
    expect(outbox.load(key, stored)).toMatchObject({ isDamaged: true });
    expect(await outbox.stateOf(WALLET_A)).toEqual(read(1));
    expect(disk.get(`quarantine:${key}:outbox`)).toEqual([torn]);
    expect(disk.get(key)).toMatchObject({ outbox: [{ id: 'i1' }] });
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i1']);
  });

  it('puts aside what cannot be read of an endpoint, and knows until its next page that it is lost', async () => {
    const key = `wallet:${WALLET_A}`;
    const { disk, outbox } = openOutbox([
      [key, { state: { activity: { pollId: 'x' } }, outbox: [] }],
    ]);
    await put(outbox, WALLET_A, read(1, 'deposits-withdrawals'), []);
    expect(disk.get(`quarantine:${key}:activity`)).toEqual({ pollId: 'x' });
    expect(disk.get(key)).toMatchObject({ state: { activity: null } });
    expect(await openOutbox([...disk]).outbox.stateOf(WALLET_A)).toMatchObject({ activity: null });
  });

  it('puts aside what cannot be read of what goes out of Discord, and keeps the rest', async () => {
    const key = `wallet:${WALLET_A}`;
    const forReceivers = { sequences: {}, waiting: [{ id: 'i1' }] };
    const { disk, outbox } = openOutbox([
      [key, { state: { ...read(1), forReceivers }, outbox: [alert(1)] }],
    ]);
    expect(outbox.load(key, disk.get(key))).toMatchObject({ isDamaged: true });
    expect(await outbox.stateOf(WALLET_A)).toEqual(read(1));
    expect(disk.get(`quarantine:${key}:forReceivers`)).toEqual(forReceivers);
    expect(disk.get(key)).not.toHaveProperty('state.forReceivers');
    expect(disk.get(key)).toMatchObject({ state: read(1), outbox: [{ id: 'i1' }] });
  });

  it('goes on from the same state whether it has kept the document or reads it anew', async () => {
    const { disk, outbox } = openOutbox();
    await put(outbox, WALLET_A, read(1), [alert(1), alert(2, ['1', '2'])]);
    await put(outbox, WALLET_A, read(2, 'deposits-withdrawals'), [alert(3)]);
    await outbox.acknowledge('1', [{ ...alert(1), wallet: WALLET_A }], { messageId: 'm' });
    const again = openOutbox([...disk]).outbox;
    expect(await outbox.stateOf(WALLET_A)).toEqual(await again.stateOf(WALLET_A));
  });

  describe('after a write that the store has kept although it said that it had failed', () => {
    /** The connection breaks once the next write has landed, before its answer comes. */
    function openOnNetwork() {
      const disk = new Map<string, unknown>();
      const network = { isCut: false };
      const store = documentStore(disk, {
        onWritten() {
          if (network.isCut) throw new Error('the connection broke before the answer came');
        },
      });
      // An alert that is delivered is answered by one more, as the end of a bet is.
      const outbox = testOutbox(store, {
        afterDelivery: (_, state, concerned, delivered) =>
          delivered === null || 'activity' in state || concerned.get('i1')?.has('1') !== true
            ? { state, alerts: [] }
            : { state: { ...state, ...read(7) }, alerts: [alert(50)] },
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
      await put(outbox, WALLET_A, {}, [alert(1)]);
      await cut(put(outbox, WALLET_A, read(1), [alert(2)]));
      // The mark that the next poll starts from has the item already.
      expect(await outbox.stateOf(WALLET_A)).toEqual(read(1));
      expect(announced).toEqual([['1']]);
      expect(waiting()).toEqual(['i1', 'i2']);
    });

    it('queues its alerts also when the poll of the other endpoint is the next to write', async () => {
      const { outbox, announced, cut, waiting } = openOnNetwork();
      await cut(put(outbox, WALLET_A, read(1), [alert(1)]));
      await put(outbox, WALLET_A, read(2, 'deposits-withdrawals'), [alert(2, ['2'])]);
      expect(await outbox.stateOf(WALLET_A)).toEqual({
        ...read(1),
        ...read(2, 'deposits-withdrawals'),
      });
      expect(announced.flat().toSorted()).toEqual(['1', '2']);
      expect(waiting()).toEqual(['i1']);
    });

    it('queues its alerts also when a delivery is acknowledged next', async () => {
      const { outbox, cut, waiting } = openOnNetwork();
      await put(outbox, WALLET_A, {}, [alert(3)]);
      await cut(put(outbox, WALLET_A, read(1), [alert(4)]));
      await outbox.acknowledge('1', [{ ...alert(3), wallet: WALLET_A }], { messageId: 'm' });
      expect(waiting()).toEqual(['i4']);
    });

    it('queues what follows from a delivery when its acknowledgement is repeated', async () => {
      const { outbox, announced, cut, waiting } = openOnNetwork();
      await put(outbox, WALLET_A, {}, [alert(1)]);
      await cut(outbox.acknowledge('1', [{ ...alert(1), wallet: WALLET_A }], { messageId: 'm' }));
      await outbox.acknowledge('1', [{ ...alert(1), wallet: WALLET_A }], { messageId: 'm' });
      expect(announced).toEqual([['1']]);
      expect(waiting()).toEqual(['i50']);
    });

    it('lets nothing wait any more that it has taken out', async () => {
      const { outbox, cut, waiting } = openOnNetwork();
      await put(outbox, WALLET_A, {}, [alert(3)]);
      await cut(outbox.forget(WALLET_A, () => false));
      expect(await outbox.stateOf(WALLET_A)).toEqual({});
      expect(waiting()).toEqual([]);
    });
  });

  it('lets nothing wait any more of a wallet whose document has been deleted since it was read', async () => {
    const { outbox } = openOutbox();
    outbox.load(`wallet:${WALLET_A}`, { state: {}, outbox: [alert(1, ['1', '2'])] });
    await outbox.acknowledge('1', [{ ...alert(1), wallet: WALLET_A }], null);
    expect(outbox.pending('1')).toEqual([]);
    expect(outbox.channels()).toEqual(['2']);
  });

  it('gives a watch that begins what was committed a moment before, however much others have traded', async () => {
    const { outbox, catchUp } = testOutboxWithCatchUp(openOutbox().store, {
      isMissed: ({ fromSeconds }, { seenAtMs }) => seenAtMs >= fromSeconds,
    });
    const others = Array.from({ length: 5 }, (_, n) => walletOf(n));
    const hour = 3_600_000;
    const old = alerts(0, 999).map((other) => ({ ...other, channels: [] }));
    for (const wallet of others) await put(outbox, wallet, {}, old);
    await put(outbox, WALLET_A, {}, [alert(hour, [])]);
    for (const wallet of others) await put(outbox, wallet, {}, [alert(hour, [])]);
    await catchUp.give(
      [{ watch: watchOf({ wallet: WALLET_A, channelId: '1' }), fromSeconds: hour }],
      async () => {},
    );
    expect(outbox.pending('1').map(({ id }) => id)).toEqual([`i${hour}`]);
  });

  it('keeps a wallet’s order when the clock steps back', async () => {
    const { outbox } = openOutbox();
    await put(outbox, WALLET_A, {}, [alert(9)]);
    await put(outbox, WALLET_A, {}, [alert(3)]);
    expect(outbox.pending('1').map(({ id }) => id)).toEqual(['i9', 'i3']);
  });

  it('says of trades and of transfers apart that some were left out', async () => {
    const { outbox } = openOutbox();
    const trades = alerts(0, 10).map(({ seenAtMs }, index): NewAlert => {
      const item = { ...sampleTrade(), time: 500 + index };
      return { id: `t${index}`, event: { kind: 'activity', item }, seenAtMs, channels: ['2'] };
    });
    await put(outbox, WALLET_A, {}, trades);
    await put(outbox, WALLET_A, {}, alerts(10, 1_000, ['1', '2']));
    const cause = 'backlog';
    expect(gapsIn(outbox, '2')).toEqual([
      { cause, endpoint: 'activity', fromSeconds: 500, toSeconds: 509 },
      { cause, endpoint: 'deposits-withdrawals', fromSeconds: 1_010, toSeconds: 1_509 },
    ]);
    expect(outbox.pending('2')).toHaveLength(502);
    expect(gapsIn(outbox, '1')).toEqual([]);
    expect(outbox.pending('1')).toHaveLength(1_000);
  });

  it('drops nothing because others have alerts of their own, as each channel has its results', async () => {
    const { outbox } = openOutbox();
    const channels = Array.from({ length: 600 }, (_, index) => String(index + 1));
    const own = channels.flatMap((channelId, index) => [
      alert(2 * index, [channelId]),
      alert(2 * index + 1, [channelId]),
    ]);
    await put(outbox, WALLET_A, {}, own);
    expect(channels.filter((channelId) => outbox.pending(channelId).length !== 2)).toEqual([]);
    expect(channels.flatMap((channelId) => gapsIn(outbox, channelId))).toEqual([]);
  });

  it('drops alerts of channels with too many, each of which is told of its own time, and of no other', async () => {
    const { outbox } = openOutbox();
    await put(outbox, WALLET_A, {}, alerts(0, 200, ['1']));
    await put(outbox, WALLET_A, {}, alerts(200, 900, ['1', '2', '3']));
    await put(outbox, WALLET_A, {}, alerts(1_100, 200, ['2']));
    const cause = 'backlog';
    const endpoint = 'deposits-withdrawals';
    expect(gapsIn(outbox, '1')).toEqual([
      { cause, endpoint, fromSeconds: 1_000, toSeconds: 1_599 },
    ]);
    expect(gapsIn(outbox, '2')).toEqual([
      { cause, endpoint, fromSeconds: 1_200, toSeconds: 1_799 },
    ]);
    expect(outbox.pending('1')).toHaveLength(501);
    expect(outbox.pending('2')).toHaveLength(501);
    expect(gapsIn(outbox, '3')).toEqual([]);
    expect(outbox.pending('3')).toHaveLength(900);
  });

  it('drops alerts of the channels with the most where the document would have more than 4 MB', async () => {
    const { disk, outbox } = openOutbox();
    const long = (number: number, channels: string[]): NewAlert => {
      const item = { ...sampleTrade(), time: 500 + number, marketTitle: 'x'.repeat(6_000) };
      return { ...alert(number, channels), event: { kind: 'activity', item } };
    };
    const list = (from: number, count: number, channels: string[]) =>
      Array.from({ length: count }, (_, index) => long(from + index, channels));
    await put(outbox, WALLET_A, {}, [
      ...list(0, 20, ['few']),
      ...list(20, 300, ['many']),
      ...list(320, 400, ['most']),
    ]);
    const [document] = [...disk.values()];
    expect(JSON.stringify(document).length).toBeLessThan(4_000_000);
    expect(outbox.pending('few')).toHaveLength(20);
    expect(gapsIn(outbox, 'few')).toEqual([]);
    const left = outbox.pending('most').length - 1;
    expect(left).toBeGreaterThan(100);
    expect(outbox.pending('many')).toHaveLength(left + 1);
    expect(gapsIn(outbox, 'many')).toMatchObject([{ fromSeconds: 520, toSeconds: 819 - left }]);
    expect(gapsIn(outbox, 'most')).toMatchObject([{ fromSeconds: 820, toSeconds: 1_219 - left }]);
  });

  it('looks at each alert as often, however many wait, where there are too many bytes', () => {
    const looksAt = (count: number): number => {
      let looks = 0;
      const waiting = Array.from({ length: count }, (_, index): NewAlert => {
        const item = { ...sampleTrade(), marketTitle: 'x'.repeat(5_000_000 / count) };
        const { channels, ...rest } = alert(index);
        const counted = { ...rest, event: { kind: 'activity' as const, item } };
        return Object.defineProperty(counted, 'channels', {
          enumerable: true,
          get() {
            looks += 1;
            return channels;
          },
        }) as NewAlert;
      });
      const { dropped } = createOutboxBounds()(WALLET_A, waiting);
      expect(dropped.length).toBeGreaterThan(count / 2);
      return looks / count;
    };
    expect(looksAt(800) / looksAt(50)).toBeLessThan(1.2);
  });

  it('stays bounded for a channel that cannot be written, and says of which time something is left out', async () => {
    const { disk, outbox } = openOutbox();
    for (let round = 0; round < 30; round += 1)
      await put(outbox, WALLET_A, {}, alerts(round * 100, 100));
    const waiting = outbox.pending('1');
    expect(waiting.length).toBeLessThanOrEqual(1_000);
    expect(waiting.at(-1)?.id).toBe('i2999');
    const [first, second] = waiting;
    expect(first?.event).toMatchObject({
      kind: 'gap',
      gap: { cause: 'backlog', fromSeconds: 1_000 },
    });
    const toSeconds = first?.event.kind === 'gap' ? first.event.gap.toSeconds : 0;
    expect(second?.event.kind === 'transfer' && second.event.item.time).toBe(toSeconds + 1);
    const [[key, document]] = [...disk] as [[string, unknown]];
    const again = openOutbox().outbox;
    again.load(key, document);
    expect(again.pending('1').map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
  });
});
