import { once } from 'node:events';
import { CHANNEL_TYPES } from '@walletbell/local-discord/discord/model';
import { PERMISSIONS, USUAL_BOT_PERMISSIONS } from '@walletbell/local-discord/discord/permissions';
import { type Client, Events, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { logIn } from '../../../packages/local-discord/test/client.ts';
import { type Fixture, openFixture } from '../../../packages/local-discord/test/fixture.ts';
import { createSender } from '../../../src/delivery/sender.ts';
import { createWelcomes, welcomeKind } from '../../../src/discord/guilds/welcome.ts';
import { hasPermission } from '../../../src/discord/permissions.ts';
import { createAdmission } from '../../../src/discord/quotas/exceptions.ts';
import { LANGUAGE_TAGS, languageFor } from '../../../src/language/language.ts';
import { documentStore } from '../../support/documents.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';

const DAY = 86_400_000;
const DEAF = PERMISSIONS.VIEW_CHANNEL;

/** The bot's part that welcomes, over restarts: a client, and a store that stays. */
async function openDoor() {
  const fixture = await openFixture();
  const store = documentStore();
  const clock = { aheadMs: 0 };
  const { log, lines } = collectingLog();
  const client = await logIn(fixture.discord);
  const admission = createAdmission({
    ALLOWED_GUILDS: null,
    WATCHES_PER_USER: 25,
    LIMITS_FILE: new Map(),
  });
  /** A process that has read the store. */
  const start = () => {
    const machine = testMachine({ nowMs: () => Date.now() + clock.aheadMs, log });
    const welcomes = welcomeKind.open(machine, store);
    const sender = createSender({
      rest: client.rest,
      selfId: () => client.user?.id ?? null,
      canReadHistory: (channelId) =>
        hasPermission(client, channelId, PermissionFlagsBits.ReadMessageHistory),
    });
    for (const [key, document] of store.documents)
      expect(welcomes.load(key, JSON.parse(JSON.stringify(document)))).toBe('kept');
    return createWelcomes(machine, { client, welcomes, admission, sender });
  };
  const guildOf = (guildId: string) => {
    const guild = client.guilds.cache.get(guildId);
    if (guild === undefined) throw new Error('The bot is in the server.');
    return guild;
  };
  return { ...fixture, fixture, store, clock, client, lines, start, guildOf };
}

/** Resolves when the client has heard of what is done. */
async function heard(client: Client, event: Events, act: () => void): Promise<void> {
  const told = once(client, event);
  act();
  await told;
}

const saidIn = (fixture: Fixture, channelId: string) =>
  fixture.discord.messages(channelId).map(({ content }) => content);

describe('a server that invites the bot', () => {
  it.each(LANGUAGE_TAGS)('gets it in its own language: %s', async (tag) => {
    const { discord, client, start, guildOf } = await openDoor();
    const guild = discord.createGuild({ name: 'Desk', locale: tag });
    await heard(client, Events.ChannelCreate, () =>
      discord.createChannel(guild.id, { name: 'alerts' }),
    );
    await start().greet(guildOf(guild.id));
    const { texts } = languageFor(tag);
    const [channel] = guildOf(guild.id).channels.cache.keys();
    const [content] = discord.messages(channel ?? '').map((message) => message.content);
    expect(content).toBe(texts.answers.welcome(texts.errors.permissions.manageServer));
    expect(content).toContain(texts.slash.add);
    expect(content?.length).toBeLessThan(500);
  });

  it('gets it in its system channel, else in the first text channel in which the bot may write, else nowhere', async () => {
    const { fixture, discord, client, start, guildOf } = await openDoor();
    const settle = async (guildId: string) => {
      // What was done to the server has been heard when this has.
      await heard(client, Events.ChannelCreate, () =>
        discord.createChannel(guildId, { name: 'voice', type: CHANNEL_TYPES.VOICE }),
      );
      await start().greet(guildOf(guildId));
      return guildOf(guildId)
        .channels.cache.filter((channel) => saidIn(fixture, channel.id).length > 0)
        .map(({ name }) => name);
    };
    const makeGuild = () => {
      const { id } = discord.createGuild({ name: 'Desk' });
      const make = (name: string, type?: number) =>
        discord.createChannel(id, { name, ...(type === undefined ? {} : { type }) }).id;
      return {
        id,
        news: make('news', CHANNEL_TYPES.ANNOUNCEMENT),
        rules: make('rules'),
        closed: make('closed'),
        chat: make('chat'),
        lobby: make('lobby'),
      };
    };
    const usual = makeGuild();
    discord.setServerChannels(usual.id, {
      systemChannelId: usual.lobby,
      rulesChannelId: usual.rules,
    });
    expect(await settle(usual.id)).toEqual(['lobby']);

    const first = makeGuild();
    discord.setServerChannels(first.id, {
      systemChannelId: first.closed,
      rulesChannelId: first.rules,
    });
    discord.setBotPermissions(first.closed, DEAF);
    expect(await settle(first.id)).toEqual(['chat']);

    const none = makeGuild();
    discord.setServerChannels(none.id, { systemChannelId: none.rules, rulesChannelId: none.rules });
    for (const id of [none.closed, none.chat, none.lobby]) discord.setBotPermissions(id, DEAF);
    expect(await settle(none.id)).toEqual([]);
    // A permission that comes later brings no belated greeting.
    discord.setBotPermissions(none.chat, USUAL_BOT_PERMISSIONS);
    expect(await settle(none.id)).toEqual([]);
    expect(discord.rejections).toEqual([]);
  });

  it('does not get it if the bot has been there for long', async () => {
    const { fixture, clock, start, guildOf, guildId, channelId } = await openDoor();
    clock.aheadMs = 8 * DAY;
    await start().greet(guildOf(guildId));
    expect(saidIn(fixture, channelId)).toEqual([]);
  });

  it('gets it once also if the answer was lost, and later if Discord could not take it', async () => {
    const { fixture, discord, guildId, channelId, start, guildOf, store, clock, lines } =
      await openDoor();
    const { set } = store;
    /** From now on the process ends before it has stored that the welcome was said. */
    const endEarly = () => {
      store.set = async (key, document) => {
        if ((document as { underWay: unknown }).underWay === null) throw new Error('ended');
        await set(key, document);
      };
    };
    discord.faults.refuseRest({ route: 'POST /channels', status: 503, times: 4 });
    await start().greet(guildOf(guildId));
    expect(saidIn(fixture, channelId)).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ event: 'guild.not_welcomed' });

    endEarly();
    await expect(start().retry()).rejects.toThrow('ended');
    expect(saidIn(fixture, channelId)).toHaveLength(1);
    // Within a minute Discord knows the nonce; later the channel is looked at.
    await expect(start().retry()).rejects.toThrow('ended');
    clock.aheadMs = DAY;
    await expect(start().greet(guildOf(guildId))).rejects.toThrow('ended');
    store.set = set;
    expect(saidIn(fixture, channelId)).toHaveLength(1);
    await start().greet(guildOf(guildId));
    expect(saidIn(fixture, channelId)).toHaveLength(1);
    await start().retry();
    expect(saidIn(fixture, channelId)).toHaveLength(1);
  });

  it('gets it after an hour without Discord, and not at all where nobody knows whether it was', async () => {
    const { fixture, discord, guildId, channelId, client, start, guildOf, clock } =
      await openDoor();
    discord.faults.refuseRest({ route: 'POST /channels', status: 503, times: 4 });
    const welcomes = start();
    await welcomes.greet(guildOf(guildId));
    clock.aheadMs = 3_600_000;
    await welcomes.retry();
    expect(saidIn(fixture, channelId)).toHaveLength(1);

    const other = discord.createGuild({ name: 'Other' });
    const { id: blind } = discord.createChannel(other.id, { name: 'blind' });
    await heard(client, Events.ChannelUpdate, () =>
      discord.setBotPermissions(blind, PERMISSIONS.VIEW_CHANNEL | PERMISSIONS.SEND_MESSAGES),
    );
    discord.faults.refuseRest({ route: 'POST /channels', status: 503, times: 4 });
    await welcomes.greet(guildOf(other.id));
    clock.aheadMs += 3_600_000;
    await welcomes.retry();
    expect(saidIn(fixture, blind)).toEqual([]);
  });

  it('is left alone where Discord refuses the message', async () => {
    const { fixture, discord, guildId, channelId, start, guildOf } = await openDoor();
    discord.faults.refuseRest({ route: 'POST /channels', status: 403, code: 50013 });
    await start().greet(guildOf(guildId));
    await start().greet(guildOf(guildId));
    await start().retry();
    expect(saidIn(fixture, channelId)).toEqual([]);
    expect(discord.rejections.filter(({ injected }) => !injected)).toEqual([]);
  });
});
