import { Client, Events, GatewayIntentBits } from 'discord.js';
import { onTestFinished } from 'vitest';
import type { FakeDiscord } from '../src/discord/fake-discord.ts';
import { TOKEN } from './fixture.ts';

/** Returns a real discord.js client, logged in and ready until the test ends. */
export async function logIn(
  discord: FakeDiscord,
  intents: number[] = [GatewayIntentBits.Guilds],
): Promise<Client> {
  const client = new Client({ intents, rest: { api: discord.apiUrl } });
  onTestFinished(() => client.destroy());
  const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
  await client.login(TOKEN);
  await ready;
  return client;
}
