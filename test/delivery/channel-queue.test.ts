import { describe, expect, it } from 'vitest';
import type { WalletEvent } from '../../src/alerts/alert.ts';
import { type Batch, createLaneStore, type DeadLetter, EMPTY_LANE } from '../../src/delivery/channel-queue.ts';
import { NO_TRACES } from '../../src/delivery/cooldowns.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { documentStore } from '../support/documents.ts';

const DAY_MS = 86_400_000;
const wallet = `0x${'a'.repeat(40)}` as WalletAddress;
const event: WalletEvent = {
  kind: 'gap',
  gap: { cause: 'overflow', endpoint: 'activity', fromSeconds: 1, toSeconds: 2 },
};

function open() {
  const store = documentStore();
  const clock = { nowMs: 1_800_000_000_000 };
  const lanes = createLaneStore(store, () => clock.nowMs);
  const letter = (id: string, channelId = '1'): DeadLetter => ({
    alert: { id, wallet, channelId, event, seenAtMs: 0 },
    reason: 'Invalid Form Body',
    atMs: clock.nowMs,
  });
  return { store, clock, lanes, letter, keys: () => [...store.documents.keys()] };
}

describe('the documents of channels', () => {
  it('keep nothing of a channel to which nothing is on its way and that can be written', async () => {
    const { lanes, keys } = open();
    const batch: Batch = {
      nonce: 'n',
      units: [{ kind: 'alert', wallet, ids: ['a'] }],
      startedAtMs: 1,
      messageId: null,
      attention: { roleIds: [], isSilent: false },
      traces: NO_TRACES,
    };
    await lanes.set('1', { ...EMPTY_LANE, batch });
    expect([lanes.channels(), keys()]).toEqual([['1'], ['lane:1']]);
    await lanes.set('1', EMPTY_LANE);
    expect([lanes.channels(), keys()]).toEqual([[], []]);
    expect(lanes.get('1')).toEqual(EMPTY_LANE);
    await lanes.set('1', { ...EMPTY_LANE, block: { reason: 'closed', gone: false, sinceMs: 1 } });
    expect(keys()).toEqual(['lane:1']);
    await lanes.set('1', { ...EMPTY_LANE, memory: { markets: {}, mentions: { [wallet]: 1 } } });
    expect(keys()).toEqual(['lane:1']);
  });

  it('keep a dead letter for thirty days, also if the process runs all the time', async () => {
    const { lanes, letter, clock, keys } = open();
    await lanes.bury(letter('old'));
    clock.nowMs += 29 * DAY_MS;
    await lanes.bury(letter('young', '2'));
    expect(keys()).toHaveLength(2);
    clock.nowMs += 2 * DAY_MS;
    await lanes.bury(letter('new', '3'));
    expect(keys()).toEqual([`dead:2:${wallet}:young`, `dead:3:${wallet}:new`]);
    expect(lanes.deadLetters('1')).toEqual([]);
  });

  it('keep the hundred newest dead letters of a channel, each once', async () => {
    const { lanes, letter, keys } = open();
    for (let index = 0; index < 150; index += 1) await lanes.bury(letter(`l${index}`));
    await lanes.bury(letter('l149'));
    expect(lanes.deadLetters('1').map(({ alert }) => alert.id)).toEqual(
      Array.from({ length: 100 }, (_, index) => `l${index + 50}`),
    );
    expect(keys()).toHaveLength(100);
  });
});
