import { once } from 'node:events';
import { type Client, Events, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHoldings, followGuildEvents } from '../../../src/discord/guilds/guilds.ts';
import { createWelcomes, welcomeKind } from '../../../src/discord/guilds/welcome.ts';
import { createAdmission } from '../../../src/discord/quotas/exceptions.ts';
import { restingKind } from '../../../src/watches/owner.ts';
import { createRegistry, type Registry } from '../../../src/watches/registry.ts';
import { logIn } from '../../sandbox/client.ts';
import { openFixture, SOON } from '../../sandbox/fixture.ts';
import { documentStore } from '../../support/documents.ts';
import { collectingLog, quietLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';
import { watchOf } from '../../support/watch.ts';
import { createSendingBot } from '../sending-bot.ts';

const DEAF = PermissionFlagsBits.ViewChannel;

type Store = Pick<ReturnType<typeof documentStore>, 'get' | 'set' | 'delete'>;

/** Follows what happens to servers until the test ends. @returns events of its log */
function follow(client: Client, bot: ReturnType<typeof createSendingBot>, registry: Registry, store: Store) {
  const { log, lines } = collectingLog();
  const machine = testMachine({ log });
  const { deliveryWorker, sender } = bot;
  const admission = createAdmission({ ALLOWED_GUILDS: null, WATCHES_PER_USER: 25, LIMITS_FILE: new Map() });
  const stop = followGuildEvents(machine, {
    client,
    registry,
    holdings: createHoldings({ registry, collections: [], deliveryWorker, pruneWallet: async () => {} }),
    resting: restingKind.open(machine, store),
    admission,
    welcomes: createWelcomes(machine, { client, welcomes: welcomeKind.open(machine, store), admission, sender }),
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
    const registry = createRegistry({ log: quietLog() }, documentStore());
    await registry.add(watchOf({ ownerId: guildId, channelId }));
    const store = documentStore();
    const events = follow(client, createSendingBot(discord, createVirtualTime()), registry, {
      ...store,
      async set(key, document) {
        if (restingKind.holds(key)) {
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
    expect([...store.documents.keys()].filter(restingKind.holds)).toEqual([]);
  });

  it('does not rest by an answer of Discord that is older than the invitation', async () => {
    const { discord, guildId, channelId } = await openFixture();
    const guild = discord.createGuild({ name: 'Late', withBot: false });
    const channel = discord.createChannel(guild.id, { name: 'alerts' });
    const client = await logIn(discord);
    const store = documentStore();
    const registry = createRegistry({ log: quietLog() }, store);
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

describe('a channel that is put right', () => {
  it.each(['its own permissions', 'a role'])('while its block is being stored is written at once: %s', async (what) => {
    const { discord, guildId, channelId } = await openFixture();
    const client = await logIn(discord);
    const place = what === 'a role' ? guildId : channelId;
    const store = documentStore();
    const log = quietLog();
    let repairs = 0;
    const bot = createSendingBot(discord, createVirtualTime(), {
      ...store,
      async set(key, document) {
        const { block = null } = document as { readonly block?: unknown };
        if (block !== null) {
          repairs += 1;
          const isTold = once(client, what === 'a role' ? Events.GuildRoleUpdate : Events.ChannelUpdate);
          discord.setBotPermissions(place, null);
          await isTold;
        }
        await store.set(key, document);
      },
    });
    const registry = createRegistry({ log }, store);
    await registry.add(watchOf({ ownerId: guildId, channelId }));
    follow(client, bot, registry, store);
    discord.setBotPermissions(place, DEAF);
    bot.start();
    await bot.alert('a', [channelId]);
    await vi.waitFor(() => expect(discord.messages(channelId)).toHaveLength(1), SOON);
    expect(repairs).toBe(1);
    expect(bot.deliveryWorker.blockedChannels()).toEqual([]);
  });
});
