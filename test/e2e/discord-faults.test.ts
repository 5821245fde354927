import { describe, expect, it } from 'vitest';
import { inMarket, openRoom, type Room, trade, WALLET } from './room.ts';

let block = 0;

async function buy({ ledger }: Room, quantity: number): Promise<void> {
  block += 1;
  await ledger.addActivity(WALLET, block, trade({ quantity, ...inMarket(block) }));
}

function quantities(room: Room, channelId?: string): number[] {
  return room.alerts(channelId).map(({ line }) => Number(/BUY ([\d.]+)/.exec(line)?.[1]));
}

const BUSY_MACHINE_MS = 90_000;

describe('what Discord does to the bot', { timeout: BUSY_MACHINE_MS }, () => {
  it('delivers once and in order through server errors, rate limits of every scope, and answers that never arrive', async () => {
    const room = await openRoom();
    const { faults } = room.discord;
    await room.say('watch add', { wallet: WALLET, label: 'Whale' });
    const route = 'POST /channels/:channel/messages';
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
      await buy(room, index + 1);
      await room.alerted(index + 1);
    }
    expect(quantities(room)).toEqual(harms.map((_, index) => index + 1));
  });

  it('takes no page of whatever stands in between for Discord’s word: nothing is buried, and the bot goes on', async () => {
    const room = await openRoom({ asProcess: true, withoutBot: true });
    const { faults } = room.discord;
    const pages = [401, 404, 405, 400].map((status) => ({ status, body: '<html>Who are you?</html>' }));
    for (const page of pages.slice(0, 2)) faults.refuseRest({ ...page, route: 'GET /gateway/bot' });
    await room.startBot();
    await room.logged('commands.registered');
    await room.say('watch add', { wallet: WALLET, label: 'Whale' });
    for (const [index, page] of pages.entries()) {
      faults.refuseRest({ ...page, route: 'POST /channels/:channel/messages' });
      await buy(room, index + 1);
      await room.alerted(index + 1);
    }
    expect(quantities(room)).toEqual([1, 2, 3, 4]);
    const events = room.logLines.map(({ event }) => event);
    expect(events).not.toContain('alert.rejected');
    expect(events.filter((event) => event === 'alert.retry')).toHaveLength(pages.length);
    expect(room.bot.process.exitCode).toBeNull();
    expect(JSON.stringify((await room.say('watch status')).embeds)).not.toContain('no connection to Discord');
  });

  it('goes on after a dropped gateway, an invalid session and a requested reconnect', async () => {
    const room = await openRoom({ asProcess: true });
    await room.say('watch add', { wallet: WALLET });
    const back = () =>
      new Promise<void>((resolve) => {
        room.discord.events.on('gateway', ({ kind }) => {
          if (kind === 'resumed' || kind === 'identified') resolve();
        });
      });
    for (const [index, harm] of [
      () => room.discord.faults.dropGateway(),
      () => room.discord.faults.reconnect(),
      () => room.discord.faults.invalidSession(false),
    ].entries()) {
      const isBack = back();
      harm();
      await buy(room, index + 1);
      await room.alerted(index + 1);
      await isBack;
    }
    // What is typed while the gateway is away reaches nobody: Discord does not say it again.
    const ask = () => room.say('watch list').catch(() => room.say('watch list'));
    expect((await ask()).embeds[0]?.title).toBe('1 watch');
    expect(quantities(room)).toEqual([1, 2, 3]);
  });

  it('notices a gateway that answers no heartbeat, and makes the connection anew', async () => {
    const room = await openRoom({ asProcess: true, heartbeatIntervalMs: 400 });
    await room.say('watch add', { wallet: WALLET });
    room.discord.faults.zombie(true);
    await room.logged('discord.reconnecting');
    room.discord.faults.zombie(false);
    await room.logged('discord.resumed');
    expect((await room.say('watch list')).embeds[0]?.title).toBe('1 watch');
  });

  it('answers an interaction that is delivered twice once, and waits where a 429 does not say how long', async () => {
    const room = await openRoom();
    const handle = await room.discord.command(room.admin, room.channelId, 'watch add', { wallet: WALLET });
    handle.redeliver();
    await handle.reply();
    expect((await room.say('watch list')).embeds[0]?.title).toBe('1 watch');
    expect(handle.replies).toHaveLength(1);
    expect(room.discord.rejections).toEqual([]);

    room.discord.faults.rateLimit({
      scope: 'user',
      retryAfterMs: 1_000,
      headers: 'none',
      route: 'POST /channels/:channel/messages',
      times: 100,
    });
    const rejected = new Promise<void>((resolve) => room.discord.events.once('rejected', () => resolve()));
    await buy(room, 1);
    await rejected;
    // Instead of asking again and again.
    expect((await room.say('watch list')).embeds[0]?.title).toBe('1 watch');
    expect(room.discord.rejections.length).toBeLessThanOrEqual(2);
  });

  it('ends the watches of a channel that is deleted, lets those of a server rest, and goes on with the others', async () => {
    const room = await openRoom();
    const { id: other } = room.discord.createChannel(room.guildId, { name: 'other' });
    await room.say('watch add', { wallet: WALLET });
    await room.say('watch add', { wallet: WALLET, channel: other });
    room.discord.deleteChannel(room.channelId);
    await room.logged('watch.removed');
    await buy(room, 1);
    await room.alerted(1, other);
    expect((await room.say('watch list', {}, other)).embeds[0]?.title).toBe('1 watch');
    room.logLines.length = 0;
    room.discord.deleteGuild(room.guildId);
    await room.logged('guild.rests');
    expect(room.discord.rejections).toEqual([]);
  });

  it('buries an alert that AutoMod blocks, says so in the list also after the token was revoked, and delivers the next', async () => {
    const room = await openRoom({ asProcess: true });
    await room.say('watch add', { wallet: WALLET });
    room.discord.faults.refuseRest({
      status: 400,
      code: 200000,
      message: 'Message was blocked by automatic moderation',
      route: 'POST /channels/:channel/messages',
    });
    await buy(room, 1);
    await room.logged('alert.rejected');
    await buy(room, 2);
    await room.alerted(1);
    expect(quantities(room)).toEqual([2]);
    const list = await room.say('watch list');
    expect(list.embeds[0]?.description).toMatch(/1 alert could not be delivered here.*blocked by automatic moderation/);

    room.discord.revokeToken();
    await new Promise<void>((resolve) => room.bot.process.once('close', () => resolve()));
    expect(room.bot.process.exitCode).toBe(78);
    await buy(room, 3);
    room.discord.restoreToken();
    await room.startBot();
    await room.alerted(2);
    expect(quantities(room)).toEqual([2, 3]);
    expect((await room.say('watch list')).embeds[0]?.description).toContain('1 alert could not be delivered');
  });
});
