import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { inMarket, nowSeconds, trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, textOf } from './fixture.ts';

/** Looks up the wallet that a message of the channel names. */
async function lookUp({ discord, admin, member }: Fixture, channelId: string) {
  const { id } = discord.say(admin, channelId, WALLET);
  return (await discord.useOnMessage(member, id, 'Look up wallets')).reply();
}

describe('a channel that hears later', { timeout: within(150_000) }, () => {
  it('gets each alert once and not early, over a kill, and at once when its delay ends', async () => {
    const fixture = await openFixture({ asProcess: true });
    const { discord, guildId, say } = fixture;
    const { id: free } = discord.createChannel(guildId, { name: 'free' });
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    await say('watch add', { wallet: WALLET, label: 'Whale' }, free);
    expect(await fixture.refused('watch channel', { delay: '30s' })).toMatch(
      /`delay` can’t be `30s`\. Use a time from 1 min to 6 h/,
    );
    expect((await say('watch channel', {}, free)).content).not.toContain('later');
    const time = nowSeconds();
    // So long that however slow the machine is, nothing of it may be seen before the delay changes.
    const delayed = await say('watch channel', { delay: '6h' }, free);
    expect(delayed.content).toContain('Alerts here are delayed by 6 h.');

    await fixture.bot.kill();
    await fixture.startBot({ WALLETBELL_TEST_KILL_AT: 'later.stored:1' });
    const ended = once(fixture.bot.process, 'close');
    // Of a time before the delay was set, but seen after it.
    const bought = trade({ time });
    await fixture.trades(bought);
    await ended;
    await fixture.startBot({}, { asProcess: true });
    await fixture.alerted(1);
    const [atOnce] = fixture.posted();
    expect(fixture.posted(free)).toEqual([]);

    const lastTrades = (list: string) => list.match(/last trade/g)?.length;
    // Shown once the bot has polled the wallet after its restart.
    let list = textOf(await say('watch list'));
    while (lastTrades(list) === undefined) list = textOf(await say('watch list'));
    expect(list).toContain(`**<#${free}>** · delayed by 6 h\n`);
    expect(lastTrades(list), 'only where the trade was shown').toBe(1);
    const status = await say('watch status');
    expect(JSON.stringify(status.embeds)).toContain(`Delayed channels: <#${free}>`);
    // The channel shows it before the bot has Discord's answer.
    const why = await vi.waitFor(async () => {
      const asked = await say('watch why', { wallet: WALLET, transaction: bought.txHash });
      const text = `${asked.content}${textOf(asked)}`;
      expect(text).toContain(`**<#${fixture.channelId}>**: ✅ [posted`);
      return text;
    }, 20_000);
    expect(why).toContain(`**<#${free}>**: ⏳ not yet: this channel is delayed`);
    const market = await fixture.sayAs(fixture.member, 'market', {}, free);
    expect(market.content).toContain('This channel is delayed, and `/market` says what');
    expect((await fixture.sayAs(fixture.member, 'market')).embeds).toHaveLength(1);
    // A thread hears as its channel does.
    const { id: thread } = discord.createChannel(guildId, {
      name: 'talk',
      type: 11,
      parentId: free,
    });
    const inThread = await fixture.sayAs(fixture.member, 'market', {}, thread);
    expect(inThread.content).toBe(market.content);
    const offered = async (channelId: string) =>
      JSON.stringify((await lookUp(fixture, channelId)).components).includes('Alert me');
    expect([await offered(fixture.channelId), await offered(free), await offered(thread)]).toEqual([
      true,
      false,
      false,
    ]);

    const shorter = await say('watch channel', { delay: '1m' }, free);
    expect(shorter.content).toContain('Alerts here are delayed by 1 min.');
    const isThere = () => fixture.alerts(free).length > 0;
    await discord.waitForMessage(free, isThere, 90_000);
    const [later] = fixture.posted(free);
    const secondsLater = ((later?.createdAtMs ?? 0) - (atOnce?.createdAtMs ?? 0)) / 1000;
    expect(secondsLater).toBeGreaterThan(50);
    expect(later?.content).toBe(atOnce?.content);
    expect(lastTrades(textOf(await say('watch list')))).toBe(2);

    await fixture.trades(trade({ quantity: 7, ...inMarket(2) }));
    await fixture.alerted(2);
    expect(fixture.posted(free)).toEqual([later]);
    const ending = await say('watch channel', { delay: 'none' }, free);
    expect(ending.content).toContain('Alerts here aren’t delayed.');
    await fixture.alerted(2, free);
    await fixture.trades(trade({ quantity: 8, ...inMarket(3) }));
    await fixture.alerted(3, free);
    expect(fixture.alerts(free)).toHaveLength(3);
  });
});
