import { expect, inject, it, onTestFinished } from 'vitest';
import { call } from '../../packages/local-discord/test/fixture.ts';
import { createSandbox } from '../../src/demo/sandbox.ts';

it('accepts no bot token that anybody could have read in the sources', async () => {
  const sandbox = await createSandbox({
    discordPort: 0,
    historyHours: 0,
    botMain: inject('botMain'),
    say: () => {},
    complain: () => {},
  });
  onTestFinished(() => sandbox.close());
  const answer = await call(sandbox.discord, 'GET', '/users/@me', {
    token: 'sandbox.token.for-the-local-discord',
  });
  expect(answer.status).toBe(401);
});
