import { once } from 'node:events';
import { Routes } from 'discord.js';
import { expect, it } from 'vitest';
import { openFixture, TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { classifyFailure } from '../../src/delivery/failures.ts';
import { createRest } from '../../src/discord/client.ts';

it('keeps a message back that waited for Discord’s rate limit while the store was lost', async () => {
  const { discord, channelId } = await openFixture();
  let isOurs = true;
  const rest = createRest({
    apiUrl: discord.apiUrl,
    token: TOKEN,
    async fence() {
      if (!isOurs) throw new Error('The store does not belong to this process any more.');
    },
  });
  const statuses: number[] = [];
  discord.events.on('request', ({ status }) => statuses.push(status));
  const headers = { 'Retry-After': '0.3', 'content-type': 'application/json' };
  discord.faults.refuseRest({
    status: 429,
    headers,
    body: { message: 'You are being rate limited.', retry_after: 0.3, global: false },
    route: 'POST /channels/',
  });
  const refused = once(discord.events, 'request');
  const sent = rest.post(Routes.channelMessages(channelId), { body: { content: 'late' } });
  await refused;
  isOurs = false;
  const failure = await sent.then(
    () => null,
    (error: unknown) => classifyFailure(error),
  );
  expect(failure).toMatchObject({ kind: 'retry', status: 0 });
  expect(statuses).toEqual([429]);
  expect(discord.messages(channelId)).toEqual([]);
});
