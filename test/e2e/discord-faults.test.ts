import { once } from 'node:events';
import { CHANNEL_TYPES } from '@walletbell/local-discord/discord/model';
import { describe, expect, it } from 'vitest';
import { inMarket, trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, textOf } from './fixture.ts';

const OTHER_WALLET = `0x${'5'.repeat(40)}`;

const tradesOf = ({ trades }: Fixture, quantity: number) =>
  trades(trade({ quantity, ...inMarket(quantity) }));
const quantities = ({ lines }: Fixture, channelId?: string) =>
  lines(channelId).map((line) => Number(/BUY ([\d.]+)/.exec(line)?.[1]));

describe('what Discord does to the bot', { timeout: within(90_000) }, () => {
  it('takes no page of whatever stands in between for Discord’s word, and delivers once and in order through errors, rate limits of every scope, and answers that never arrive', async () => {
    const fixture = await openFixture({ withoutBot: true });
    const { faults } = fixture.discord;
    const pages = [401, 404, 405, 400].map((status) => ({
      status,
      body: '<html>Who are you?</html>',
    }));
    for (const page of pages.slice(0, 2)) faults.refuseRest({ ...page, route: 'GET /gateway/bot' });
    await fixture.startBot({}, { asProcess: true });
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    const route = 'POST /channels/:channel/messages';
    for (const [index, page] of pages.entries()) {
      faults.refuseRest({ ...page, route });
      await tradesOf(fixture, index + 1);
      await fixture.alerted(index + 1);
    }
    const events = fixture.logLines.map(({ event }) => event);
    expect(events).not.toContain('alert.rejected');
    expect(events.filter((event) => event === 'alert.retry')).toHaveLength(pages.length);
    expect(fixture.bot.process.exitCode).toBeNull();
    expect(JSON.stringify((await fixture.say('watch status')).embeds)).not.toContain(
      'no connection to Discord',
    );

    const harms: readonly (() => unknown)[] = [
      () => faults.refuseRest({ status: 500, route, times: 2 }),
      () => faults.rateLimit({ scope: 'user', retryAfterMs: 300, route }),
      () => faults.rateLimit({ scope: 'shared', retryAfterMs: 300, route }),
      () => faults.rateLimit({ scope: 'global', retryAfterMs: 300, route }),
      () => faults.cutBeforeAccept(),
      () => faults.cutAfterAccept(),
      () => faults.refuseRest({ status: 502, body: '<html>Bad gateway</html>', route }),
    ];
    for (const [index, harm] of harms.entries()) {
      harm();
      await tradesOf(fixture, pages.length + index + 1);
      await fixture.alerted(pages.length + index + 1);
    }
    expect(quantities(fixture)).toEqual([...pages, ...harms].map((_, index) => index + 1));
  });

  it('posts in a thread and in a forum’s post as in a channel: an archived one wakes, a locked one waits and says so', async () => {
    const fixture = await openFixture();
    const { discord, guildId, say } = fixture;
    const { id: parentId } = discord.createChannel(guildId, {
      name: 'wallets',
      type: CHANNEL_TYPES.FORUM,
    });
    const create = (name: string) =>
      discord.createChannel(guildId, { name, type: CHANNEL_TYPES.PUBLIC_THREAD, parentId }).id;
    const [post, other] = [create('Whale'), create('Shark')];
    const refused = say('watch add', { wallet: WALLET, channel: parentId });
    await expect(refused, 'Discord’s client offers no forum').rejects.toThrow();
    await say('watch add', { wallet: WALLET, label: 'Whale' }, post);
    await tradesOf(fixture, 1);
    await fixture.alerted(1, post);

    // A fill more of the purchase: its message takes no edit any more, so that it gets one of its
    // own.
    discord.setThread(post, { archived: true });
    await fixture.trades(trade({ quantity: 2, ...inMarket(1) }));
    await fixture.alerted(2, post);
    expect(discord.channel(post)?.archived).toBe(false);

    // Archived while the bot was away, so that the gateway does not name it.
    await fixture.bot.stop();
    for (const id of [post, other]) discord.setThread(id, { archived: true });
    await fixture.startBot();
    const added = await say('watch add', { wallet: OTHER_WALLET, label: 'Shark', channel: other });
    expect(added.embeds[0]?.description).toContain(`Watching **Shark** in <#${other}>`);
    await tradesOf(fixture, 3);
    await fixture.alerted(3, post);

    discord.setThread(post, { locked: true });
    await tradesOf(fixture, 4);
    await fixture.logged('channel.blocked');
    const list = await fixture.sayAs(fixture.german, 'watch list');
    expect(list.embeds[0]?.description).toMatch(/Thread ist gesperrt/);
    expect((await say('watch add', { wallet: OTHER_WALLET, channel: post })).content).toContain(
      `I can’t post in <#${post}>: the thread is locked. Unlock it`,
    );
    discord.setThread(post, { locked: false });
    await fixture.alerted(4, post);
    expect(quantities(fixture, post)).toEqual([1, 2, 3, 4]);
  });

  it('goes on after a dropped gateway, an invalid session, a requested reconnect, an unanswered heartbeat, and a 429 that does not say how long', async () => {
    const fixture = await openFixture({ asProcess: true, heartbeatIntervalMs: 400 });
    const { say } = fixture;
    const { events, faults } = fixture.discord;
    await say('watch add', { wallet: WALLET });
    for (const [index, harm] of [
      () => faults.dropGateway(),
      () => faults.reconnect(),
      () => faults.invalidSession(false),
    ].entries()) {
      const isBack = new Promise<void>((resolve) => {
        events.on('gateway', ({ kind }) => {
          if (kind === 'resumed' || kind === 'identified') resolve();
        });
      });
      harm();
      await tradesOf(fixture, index + 1);
      await fixture.alerted(index + 1);
      await isBack;
    }
    // What is typed while the gateway is away reaches nobody: Discord does not say it again.
    const ask = () => say('watch list').catch(() => say('watch list'));
    expect((await ask()).embeds[0]?.title).toBe('1 watched wallet');
    expect(quantities(fixture)).toEqual([1, 2, 3]);

    fixture.logLines.length = 0;
    faults.zombie(true);
    await fixture.logged('discord.reconnecting');
    faults.zombie(false);
    await fixture.logged('discord.resumed');
    expect((await say('watch list')).embeds[0]?.title).toBe('1 watched wallet');

    // Where a 429 does not say how long, it waits instead of asking again and again.
    const refusals = fixture.discord.rejections.length;
    faults.rateLimit({
      scope: 'user',
      retryAfterMs: 1_000,
      headers: 'none',
      route: 'POST /channels/:channel/messages',
      times: 100,
    });
    const rejected = once(events, 'rejected');
    await tradesOf(fixture, 4);
    await rejected;
    expect((await say('watch list')).embeds[0]?.title).toBe('1 watched wallet');
    expect(fixture.discord.rejections.length - refusals).toBeLessThanOrEqual(2);
  });

  it('ends the watches of a channel that is deleted, lets those of a server rest, and goes on with the others', async () => {
    const fixture = await openFixture();
    const { id: other } = fixture.discord.createChannel(fixture.guildId, { name: 'other' });
    await fixture.say('watch add', { wallet: WALLET });
    await fixture.say('watch add', { wallet: WALLET, channel: other });
    fixture.discord.deleteChannel(fixture.channelId);
    await fixture.logged('watch.removed');
    await tradesOf(fixture, 1);
    await fixture.alerted(1, other);
    expect((await fixture.say('watch list', {}, other)).embeds[0]?.title).toBe('1 watched wallet');
    fixture.logLines.length = 0;
    fixture.discord.deleteGuild(fixture.guildId);
    await fixture.logged('guild.rests');
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('answers an interaction that is delivered twice once, buries an alert that AutoMod blocks, says so in the list also after the token was revoked, and delivers the next', async () => {
    const fixture = await openFixture({ asProcess: true });
    const handle = await fixture.discord.command(fixture.admin, fixture.channelId, 'watch add', {
      wallet: WALLET,
    });
    handle.redeliver();
    await handle.reply();
    expect((await fixture.say('watch list')).embeds[0]?.title).toBe('1 watched wallet');
    expect(handle.replies).toHaveLength(1);
    expect(fixture.discord.rejections).toEqual([]);

    fixture.discord.faults.refuseRest({
      status: 400,
      code: 200000,
      message: 'Message was blocked by automatic moderation',
      route: 'POST /channels/:channel/messages',
    });
    await tradesOf(fixture, 1);
    await fixture.logged('alert.rejected');
    await tradesOf(fixture, 2);
    await fixture.alerted(1);
    expect(quantities(fixture)).toEqual([2]);
    const list = await fixture.say('watch list');
    expect(list.embeds[0]?.description).toMatch(
      /1 alert couldn’t be delivered here.*blocked by automatic moderation/,
    );

    fixture.discord.revokeToken();
    await once(fixture.bot.process, 'close');
    expect(fixture.bot.process.exitCode).toBe(78);
    await tradesOf(fixture, 3);
    fixture.discord.restoreToken();
    await fixture.startBot();
    await fixture.alerted(2);
    expect(quantities(fixture)).toEqual([2, 3]);
    expect(textOf(await fixture.say('watch list'))).toContain('1 alert couldn’t be delivered');
  });
});
