import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { type Fixture, inMarket, openFixture, redemption, trade, WALLET } from './fixture.ts';

const SHARES = { quantity: 283.28, fee: 0 };
let block = 0;

/** The wallet buys and then redeems all of it; resolves with the messages of each, once the channel has got so many in all. */
async function buyAndRedeem(fixture: Fixture, market: number, [bought, ended]: readonly [number, number]) {
  const { discord, ledger, channelId } = fixture;
  const messages = () => discord.messages(channelId).filter(({ interactionId }) => interactionId === null);
  const paid = { price: 65.85, grossValue: 186.53, transferNetAmount: 186.53 };
  block += 1;
  await ledger.addActivity(WALLET, block, trade({ ...SHARES, ...paid, ...inMarket(market) }));
  await fixture.alerted(bought);
  const before = messages().length;
  block += 1;
  const received = { grossValue: 283.28, transferNetAmount: -283.28 };
  await ledger.addActivity(WALLET, block, redemption({ ...SHARES, ...received, ...inMarket(market) }));
  await fixture.alerted(ended);
  return { purchase: messages()[before - 1], after: () => messages().slice(before) };
}

const wordsOf = (message: SeenMessage | undefined) => `${message?.content}\n${message?.embeds[0]?.description}`;

describe('the end of a position that a channel was alerted to', { timeout: 90_000 }, () => {
  it('is told by its redemption, over a kill; alone where that is hidden; and not where results are off', async () => {
    const fixture = await openFixture({ asProcess: true });
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });

    const shown = await buyAndRedeem(fixture, 1, [1, 2]);
    const [redeemed] = shown.after();
    expect(redeemed?.content).toBe('🏁 Whale REDEEM **Yes** $283.28 · **+$96.75** (+51.9%) · Will it rain in…');
    expect(redeemed?.embeds[0]?.description).toMatch(
      /^\*\*\+\$96\.75\*\* \(\+51\.9%\) · paid \$186\.53\n-# .* · 283\.28 shares · /,
    );
    expect(redeemed?.replyToId).toBe(shown.purchase?.id);
    const [button = ''] = JSON.stringify(redeemed?.components).match(/details:[^"]+/) ?? [];
    const details = await (await fixture.discord.press(fixture.member, redeemed?.id ?? '', button)).reply();
    expect(JSON.stringify(details.embeds)).toContain(
      'Result of what was alerted here: **+$96.75** (+51.9%) · paid $186.53 · received $283.28',
    );
    await fixture.bot.kill();
    await fixture.startBot();

    await fixture.say('watch edit', { wallet: WALLET, kinds: 'buy' });
    const hidden = await buyAndRedeem(fixture, 2, [3, 4]);
    expect(shown.after().slice(0, 2)).toEqual([redeemed, hidden.purchase]);
    const [answer] = hidden.after();
    expect(answer?.content).toContain('Whale closed **+$96.75** (+51.9%)');
    expect(wordsOf(answer)).toContain('Paid $186.53 · received $283.28\n');
    expect(answer?.replyToId).toBe(hidden.purchase?.id);

    await fixture.say('watch edit', { wallet: WALLET, kinds: 'all' });
    const off = await fixture.say('watch channel', { results: 'off' });
    expect(off.content).toContain('Results are off.');
    expect((await fixture.say('watch list')).embeds[0]?.description).toContain('no results');
    const silent = await buyAndRedeem(fixture, 3, [5, 6]);
    expect(silent.after()[0]).toMatchObject({ replyToId: null });
    expect(silent.after()[0]?.content).toBe('🏁 Whale REDEEM **Yes** $283.28 · Will it rain in Paris?');
    expect(wordsOf(silent.after()[0])).not.toContain('paid');

    expect((await fixture.say('watch channel', { results: 'on' })).content).toContain('Results are on.');
    const again = await buyAndRedeem(fixture, 4, [7, 8]);
    expect(again.after()[0]?.replyToId).toBe(again.purchase?.id);
    // Eight messages of alerts, and nothing else.
    expect([...shown.after(), shown.purchase]).toHaveLength(8);
    expect(fixture.discord.rejections).toEqual([]);
  });
});
