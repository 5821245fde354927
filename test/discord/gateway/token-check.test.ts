import type { FaultOptions } from '@walletbell/local-discord/discord/faults';
import { Routes } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { openFixture, TOKEN } from '../../../packages/local-discord/test/fixture.ts';
import { classifyFailure } from '../../../src/delivery/failures.ts';
import { createDiscordClient, createRest } from '../../../src/discord/client.ts';

const PAGE = '<html>401 Authorization Required</html>';
const CREATE = 'POST /channels/:channel/messages';
const ME = 'GET /users/@me';

async function openTokenCheck() {
  const fixture = await openFixture();
  const { discord, channelId } = fixture;
  const rest = createRest({ apiUrl: discord.apiUrl, token: TOKEN });
  const asked: string[] = [];
  discord.events.on(
    'request',
    ({ method, path, status }) => void asked.push(`${method} ${path} ${status}`),
  );
  return {
    ...fixture,
    asked: (request: string) => asked.filter((line) => line.startsWith(request)),
    post: (content: string, where = channelId) =>
      rest.post(Routes.channelMessages(where), { body: { content } }).then(
        () => 'sent' as const,
        (error: unknown) => classifyFailure(error).kind,
      ),
  };
}

describe('a 401', () => {
  it.each<[string, Omit<FaultOptions, 'route'> & { code?: number; body?: unknown }]>([
    ['a page of a proxy', { body: PAGE }],
    ['JSON of a proxy', { body: { code: 401, message: 'Unauthorized' } }],
    ['Discord’s form', { code: 0 }],
    ['a code of Discord’s', { code: 40001 }],
  ])(
    'is tried again while Discord accepts the token, and the bot goes on working with it: %s',
    async (_what, form) => {
      const { discord, channelId, asked, post } = await openTokenCheck();
      discord.faults.refuseRest({ ...form, status: 401, route: CREATE });
      expect(await post('first')).toBe('retry');
      expect(asked(ME)).toEqual([`${ME} 200`]);
      expect(await post('second')).toBe('sent');
      expect(discord.messages(channelId).map(({ content }) => content)).toEqual(['second']);
    },
  );

  it('means a refused token when Discord says so again', async () => {
    const { discord, post } = await openTokenCheck();
    discord.revokeToken();
    expect(await post('first')).toBe('refused');
    discord.restoreToken();
    expect(await post('second')).toBe('sent');
  });

  it('is tried again when whatever answers so answers everything so, or nobody can be asked', async () => {
    const { discord, asked, post } = await openTokenCheck();
    const { faults } = discord;
    const remove = faults.refuseRest({ status: 401, body: PAGE, times: Number.POSITIVE_INFINITY });
    expect(await post('first')).toBe('retry');
    remove();
    faults.refuseRest({ status: 401, code: 0, route: CREATE });
    faults.cutBeforeAccept({ route: ME });
    expect(await post('second')).toBe('retry');
    expect(asked(ME)).toEqual([`${ME} 401`, `${ME} 0`]);
    expect(await post('third')).toBe('sent');
  });

  it('is asked about once when many come together', async () => {
    const { discord, guildId, asked, post } = await openTokenCheck();
    const channels = ['a', 'b', 'c'].map((name) => discord.createChannel(guildId, { name }).id);
    discord.faults.refuseRest({ status: 401, body: PAGE, times: 3, route: CREATE });
    discord.faults.delayRest(300, { route: ME });
    const ends = await Promise.all(channels.map((id) => post('x', id)));
    expect(ends).toEqual(['retry', 'retry', 'retry']);
    expect(asked(ME)).toHaveLength(1);
  });

  it('leaves a discord.js client its token too', async () => {
    const { discord, guildId } = await openFixture();
    const client = createDiscordClient({ apiUrl: discord.apiUrl, sharding: 'auto' });
    client.rest.setToken(TOKEN);
    discord.faults.refuseRest({ status: 401, body: PAGE, route: 'GET /guilds/' });
    await expect(client.rest.get(Routes.guild(guildId))).rejects.toThrow('does not confirm');
    expect(await client.rest.get(Routes.guild(guildId))).toMatchObject({ id: guildId });
    await client.destroy();
  });
});
