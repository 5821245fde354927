import { Events, type Interaction, InteractionType } from 'discord.js';
import { expect, it } from 'vitest';
import { createDiscordClient } from '../../src/discord/client.ts';

it('takes an interaction that does not say who has installed the bot', async () => {
  const client = createDiscordClient({ apiUrl: 'http://127.0.0.1:9/api', sharding: 'auto' });
  const heard = new Promise<Interaction>((resolve) =>
    client.once(Events.InteractionCreate, resolve),
  );
  const user = { id: '200000000000000002', username: 'bob', discriminator: '0', avatar: null };
  const d = {
    id: '300000000000000003',
    application_id: '400000000000000004',
    type: InteractionType.ApplicationCommand,
    data: { id: '500000000000000005', name: 'watch', type: 1 },
    channel: { id: '600000000000000006', type: 1 },
    token: 'token',
    version: 1,
    user,
    locale: 'en-US',
    app_permissions: '0',
    context: 1,
  };
  // As discord.js hands on what comes from the gateway.
  client.emit(Events.Raw, { op: 0, t: 'INTERACTION_CREATE', s: 1, d }, 0);
  (
    client as unknown as { actions: { InteractionCreate: { handle(data: unknown): void } } }
  ).actions.InteractionCreate.handle(d);
  const { guildId, userId } = (await heard).authorizingIntegrationOwners;
  expect([guildId, userId]).toEqual([null, null]);
  await client.destroy();
});
