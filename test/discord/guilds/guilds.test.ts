import { once } from 'node:events';
import { CHANNEL_TYPES } from '@walletbell/local-discord/discord/model';
import { type Client, Events, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { logIn } from '../../../packages/local-discord/test/client.ts';
import { openFixture, SOON } from '../../../packages/local-discord/test/fixture.ts';
import { followGuildEvents } from '../../../src/discord/guilds/guilds.ts';
import { createOwnerData } from '../../../src/discord/guilds/owner-data.ts';
import { createWelcomes, welcomeKind } from '../../../src/discord/guilds/welcome.ts';
import { reachOf } from '../../../src/discord/permissions.ts';
import { createAdmission } from '../../../src/discord/quotas/exceptions.ts';
import type { Machine } from '../../../src/lib/machine.ts';
import { suspendedKind } from '../../../src/watches/owner.ts';
import { createRegistry, type Registry } from '../../../src/watches/registry.ts';
import { documentStore } from '../../support/documents.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { createSendingBot } from '../../support/sending-bot.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';
import { watchOf } from '../../support/watch.ts';

const DEAF = PermissionFlagsBits.ViewChannel;

type Store = Pick<ReturnType<typeof documentStore>, 'get' | 'set' | 'delete'>;

/**
 * Follows what happens to servers until the test ends.
 *
 * @returns events of its log
 */
function follow(
  client: Client,
  bot: ReturnType<typeof createSendingBot>,
  registry: Registry,
  store: Store,
  given: Partial<Machine> = {},
) {
  const { log, lines } = collectingLog();
  const machine = testMachine({ log, ...given });
  const { deliveryWorker, sender } = bot;
  const admission = createAdmission({
    ALLOWED_GUILDS: null,
    WATCHES_PER_USER: 25,
    LIMITS_FILE: new Map(),
  });
  const stop = followGuildEvents(machine, {
    client,
    registry,
    ownerData: createOwnerData({
      registry,
      collections: [],
      deliveryWorker,
      pruneWallet: async () => {},
    }),
    suspended: suspendedKind.open(machine, store),
    admission,
    welcomes: createWelcomes(machine, {
      client,
      welcomes: welcomeKind.open(machine, store),
      admission,
      sender,
    }),
    deliveryWorker,
    venueNowSeconds: () => Date.now() / 1000,
  });
  onTestFinished(stop);
  return () => lines.map(({ event }) => event);
}

describe('a server that removes the bot and invites it again', () => {
  it('hears again, also where the removal is still being stored', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const client = await logIn(discord);
    const registry = createRegistry(testMachine(), documentStore());
    await registry.add(watchOf({ ownerId: guildId, channelId }));
    const store = documentStore();
    const events = follow(client, createSendingBot(discord, createVirtualTime()), registry, {
      ...store,
      async set(key, document) {
        if (suspendedKind.holds(key)) {
          const isBack = once(client, Events.GuildCreate);
          discord.inviteBot(guildId);
          await isBack;
        }
        await store.set(key, document);
      },
    });
    discord.kickBot(guildId);
    await expect.poll(events, SOON).toContain('guild.returned');
    expect(registry.ofOwner(guildId)).toHaveLength(1);
    expect([...store.documents.keys()].filter(suspendedKind.holds)).toEqual([]);
  });

  it('does not rest by an answer of Discord that is older than the invitation', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const guild = discord.createGuild({ name: 'Late', withBot: false });
    const channel = discord.createChannel(guild.id, { name: 'alerts' });
    const client = await logIn(discord);
    const store = documentStore();
    const registry = createRegistry(testMachine(), store);
    await registry.add(watchOf({ ownerId: guildId, channelId }));
    await registry.add(watchOf({ ownerId: guild.id, channelId: channel.id }));
    const events = follow(client, createSendingBot(discord, createVirtualTime()), registry, store);
    const { makeRequest } = client.rest.options;
    client.rest.options.makeRequest = async (...request) => {
      const answer = await makeRequest(...request);
      client.rest.options.makeRequest = makeRequest;
      const isBack = once(client, Events.GuildCreate);
      discord.inviteBot(guild.id);
      await isBack;
      return answer;
    };
    client.emit(Events.ClientReady, client as Client<true>);
    await expect.poll(events, SOON).toContain('guild.left_meanwhile');
    const welcome = () => store.documents.get(welcomeKind.prefix + guild.id);
    await expect.poll(welcome, SOON).toMatchObject({ underWay: null });
    expect(registry.ofOwner(guild.id)).toHaveLength(1);
    expect(events()).not.toContain('guild.rests');
  });
});

describe('a thread that was archived before the bot started', () => {
  it('keeps its watches while Discord knows of no channel at all, and loses them when it alone is unknown', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const { PUBLIC_THREAD } = CHANNEL_TYPES;
    const { id } = discord.createChannel(guildId, {
      name: 'old',
      type: PUBLIC_THREAD,
      parentId: channelId,
    });
    discord.setThread(id, { archived: true });
    const client = await logIn(discord);
    expect(client.channels.cache.has(id)).toBe(false);
    const store = documentStore();
    const registry = createRegistry(testMachine(), store);
    await registry.add(watchOf({ ownerId: guildId, channelId: id }));
    const events = follow(client, createSendingBot(discord, createVirtualTime()), registry, store);
    const route = 'GET /channels/:channel';
    const end = discord.faults.refuseRest({
      status: 404,
      code: 10003,
      route,
      times: Number.POSITIVE_INFINITY,
    });
    const asked: string[] = [];
    discord.events.on('request', ({ method, path }) => {
      if (method === 'GET') asked.push(path);
    });
    const start = () => client.emit(Events.ClientReady, client as Client<true>);
    start();
    await expect.poll(() => asked.length, SOON).toBe(2);
    end();
    start();
    await expect.poll(() => asked.length, SOON).toBe(3);
    expect(registry.ofOwner(guildId)).toHaveLength(1);
    discord.deleteChannel(id);
    start();
    await expect.poll(events, SOON).toContain('channel.deleted_meanwhile');
    await expect.poll(() => registry.ofOwner(guildId), SOON).toEqual([]);
  });
});

describe('a channel that the bot cannot write', () => {
  /**
   * A client that has heard all, and a bot that sends; Discord, client and bot on one clock that
   * the test moves.
   */
  async function openClosable() {
    const time = createVirtualTime();
    const fixture = await openFixture({ now: time.now });
    const { discord, guildId, channelId } = fixture;
    const client = await logIn(discord);
    const store = documentStore();
    const registry = createRegistry(testMachine(), store);
    await registry.add(watchOf({ ownerId: guildId, channelId }));
    const reach = (id: string) => reachOf(client, id, guildId, time.now());
    const bot = createSendingBot(discord, time, store, reach);
    follow(client, bot, registry, store, { nowMs: time.now, sleep: time.sleep });
    const requests: unknown[] = [];
    discord.events.on('request', (request) => void requests.push(request));
    bot.start();
    const arrived = (count: number) =>
      vi.waitFor(() => expect(discord.messages(channelId)).toHaveLength(count), SOON);
    return { ...fixture, client, bot, requests, arrived };
  }

  it.each([
    ['its own permissions', Events.ChannelUpdate],
    ['a role', Events.GuildRoleUpdate],
  ])('is not tried, whatever changes, until it is put right: %s', async (what, event) => {
    const { discord, guildId, channelId, client, bot, requests, arrived } = await openClosable();
    const place = event === Events.GuildRoleUpdate ? guildId : channelId;
    const changed = async (change: () => unknown) => {
      const isTold = once(client, event);
      change();
      await isTold;
    };
    await changed(() => discord.setBotPermissions(place, DEAF));
    await bot.alert('a', [channelId]);
    await bot.idle();
    await changed(() => discord.setBotPermissions(place, DEAF | PermissionFlagsBits.AddReactions));
    await bot.idle();
    expect(bot.deliveryWorker.isBlocked(channelId), what).toBe(true);
    expect(requests).toEqual([]);
    discord.setBotPermissions(place, null);
    await arrived(1);
    expect(bot.deliveryWorker.blockedChannels()).toEqual([]);
  });
});
