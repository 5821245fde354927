import type { FakeDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { DefaultUserAgent } from 'discord.js';
import { expect } from 'vitest';

/**
 * Replaces the commands with `/ping`, as another program with the same token would.
 *
 * @param guildId if omitted, for all servers
 */
export async function registerAnothers(
  { apiUrl, bot }: Pick<FakeDiscord, 'apiUrl' | 'bot'>,
  token: string,
  guildId?: string,
): Promise<void> {
  const place = guildId === undefined ? '' : `/guilds/${guildId}`;
  const headers = {
    authorization: `Bot ${token}`,
    'content-type': 'application/json',
    'user-agent': DefaultUserAgent,
  };
  const { status } = await fetch(
    `${apiUrl}/v10/applications/${bot.applicationId}${place}/commands`,
    {
      method: 'PUT',
      headers,
      body: JSON.stringify([{ name: 'ping', type: 1, description: 'Answers' }]),
    },
  );
  expect(status).toBe(200);
}
