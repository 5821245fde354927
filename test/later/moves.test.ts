import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { WAITING_BOUNDS } from '../../src/later/waiting-items.ts';
import { moment } from '../support/moment.ts';
import { inMarket } from '../support/records.ts';
import { A, B, CHANNEL, OTHER, START, type TestBot } from '../support/test-bot.ts';
import { type DelayedBot, openDelayedBot } from './delayed-bot.ts';

const AT_ONCE = '200000000000000003';
const OTHER_GUILD = '100000000000000002';
const DELAY = { ms: 60_000, fromMs: 0 };

function waitingIn(bot: TestBot, channelId: string): readonly Pick<Alert, 'event'>[] {
  const own = [...bot.disk].filter(([key]) => key.startsWith(`later:${channelId}:`));
  return own.flatMap(([, text]) => JSON.parse(text).alerts);
}

const isGap = ({ event }: Pick<Alert, 'event'>) => event.kind === 'gap';

/** Sends what the channel is to get now, without waiting for moves. */
async function deliver({ messages }: DelayedBot): Promise<void> {
  for (;;) {
    const step = await messages.next(CHANNEL);
    if (typeof step === 'number') return;
    await step.send();
  }
}

describe('alerts on their way to delayed channels', () => {
  it('hold up no page of their wallet while their channels’ documents are written', async () => {
    const delayed = openDelayedBot();
    const { bot } = delayed;
    await bot.watch(A, AT_ONCE, {}, START);
    await bot.watch(A, CHANNEL, {}, START);
    await delayed.setDelay(DELAY.ms);
    await bot.poll(A);
    const writing = moment();
    const released = moment();
    bot.onWrite = async (key) => {
      if (!key.startsWith('later:')) return;
      writing.reach();
      await released.reached;
    };
    await bot.see(A, inMarket(1));
    await writing.reached;
    await bot.see(A, inMarket(2));
    expect(bot.waiting(AT_ONCE, 'activity')).toHaveLength(2);
    await bot.deliver(AT_ONCE);
    expect(bot.allWaiting(AT_ONCE)).toEqual([]);
    released.reach();
    await delayed.later.idle();
    expect(waitingIn(bot, CHANNEL)).toHaveLength(2);
    expect(JSON.parse(bot.disk.get(`wallet:${A}`) ?? '').outbox).toEqual([]);
  });

  it('are posted once where a move is repeated while its channel’s time comes', async () => {
    const delayed = openDelayedBot();
    const { bot, shown } = delayed;
    for (const channel of [OTHER, CHANNEL]) await bot.watch(A, channel, { style: 'each' }, START);
    for (const channel of [OTHER, CHANNEL]) await bot.setChannel(channel, { delay: DELAY });
    await bot.poll(A);
    const killed = moment();
    bot.onFailpoint = (step) => {
      if (step !== 'later.stored') return;
      killed.reach();
      delayed.kill();
    };
    await bot.see(A);
    await killed.reached;
    // The move is repeated, and waits for the other channel, whose document the store has lost.
    bot.disk.delete(`later:${OTHER}:0`);
    const writing = moment();
    const released = moment();
    bot.onWrite = async (key) => {
      if (!key.startsWith(`later:${OTHER}:`)) return;
      writing.reach();
      await released.reached;
    };
    await delayed.restart();
    await writing.reached;
    bot.nowSeconds += 120;
    await deliver(delayed);
    expect(shown).toHaveLength(1);
    released.reach();
    await delayed.later.idle();
    expect(waitingIn(bot, CHANNEL)).toEqual([]);
    await delayed.deliver();
    expect(shown).toHaveLength(1);
    expect(waitingIn(bot, OTHER)).toHaveLength(1);
  });

  it('are bounded in all channels of a server, where the fullest lose first, with a notice', async () => {
    const delayed = openDelayedBot({ bounds: { ...WAITING_BOUNDS, items: 20 } });
    const { bot } = delayed;
    const [few, ofOther] = ['200000000000000004', '200000000000000005'];
    for (const channel of [CHANNEL, OTHER]) await bot.watch(A, channel, {}, START);
    await bot.watch(B, few, {}, START);
    for (const channel of [CHANNEL, OTHER, few]) await bot.setChannel(channel, { delay: DELAY });
    await bot.watch(A, ofOther, {}, START, OTHER_GUILD);
    await bot.setChannel(ofOther, { ownerId: OTHER_GUILD, delay: DELAY });
    for (const wallet of [A, B]) await bot.poll(wallet);
    const see = async (wallet: typeof A, count: number) => {
      for (let n = 0; n < count; n += 1) await bot.see(wallet);
      await delayed.later.idle();
    };
    await see(B, 6);
    await see(A, 17);
    expect(delayed.later.counts()).toEqual({ waiting: 6 + 3 * 17, dropped: 0 });
    await see(A, 1);
    // 42 of 40 waited for the server. 36 are left: 6, and 15 in each of the fullest.
    expect(delayed.later.counts().dropped).toBe(2 * 3);
    for (const channel of [CHANNEL, OTHER]) {
      const waiting = waitingIn(bot, channel);
      expect([waiting.length, waiting.filter(isGap).length]).toEqual([16, 1]);
    }
    for (const [channel, count] of [[few, 6] as const, [ofOther, 18] as const]) {
      const waiting = waitingIn(bot, channel);
      expect([waiting.length, waiting.filter(isGap).length]).toEqual([count, 0]);
    }
  });
});
