import { once } from 'node:events';
import { Events, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHoldings, followGuildEvents } from '../../../src/discord/guilds/guilds.ts';
import { createWelcomes, welcomeKind } from '../../../src/discord/guilds/welcome.ts';
import { createAdmission } from '../../../src/discord/quotas/exceptions.ts';
import { restingKind } from '../../../src/watches/owner.ts';
import { createRegistry } from '../../../src/watches/registry.ts';
import { logIn } from '../../sandbox/client.ts';
import { openFixture, SOON } from '../../sandbox/fixture.ts';
import { documentStore } from '../../support/documents.ts';
import { quietLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';
import { watchOf } from '../../support/watch.ts';
import { createSendingBot } from '../sending-bot.ts';

const DEAF = PermissionFlagsBits.ViewChannel;

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
    const { deliveryWorker } = bot;
    const admission = createAdmission({ ALLOWED_GUILDS: null, WATCHES_PER_USER: 25, LIMITS_FILE: new Map() });
    const stopFollowing = followGuildEvents(testMachine(), {
      client,
      registry,
      holdings: createHoldings({ registry, collections: [], deliveryWorker, pruneWallet: async () => {} }),
      resting: restingKind.open(testMachine(), store),
      admission,
      welcomes: createWelcomes(testMachine(), {
        client,
        welcomes: welcomeKind.open(testMachine(), store),
        admission,
        sender: bot.sender,
      }),
      deliveryWorker,
      venueNowSeconds: () => Date.now() / 1000,
    });
    onTestFinished(stopFollowing);
    discord.setBotPermissions(place, DEAF);
    bot.start();
    await bot.alert('a', [channelId]);
    await vi.waitFor(() => expect(discord.messages(channelId)).toHaveLength(1), SOON);
    expect(repairs).toBe(1);
    expect(bot.deliveryWorker.blockedChannels()).toEqual([]);
  });
});
