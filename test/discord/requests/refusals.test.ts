import { Routes } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { openFixture, TOKEN } from '../../../packages/local-discord/test/fixture.ts';
import { NO_RATE_LIMITS } from '../../../packages/local-discord/test/unlimited.ts';
import { createDiscordClient, createRest } from '../../../src/discord/client.ts';
import { createRefusals } from '../../../src/discord/requests/refusals.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';

const MINUTE_MS = 60_000;
const SHARE = 0.01;

/** Both ways to a local Discord, on a clock that the test moves; a hundred refusals are the limit. */
async function openRefusals() {
  const { discord } = await openFixture(NO_RATE_LIMITS);
  const time = createVirtualTime();
  const { log, lines } = collectingLog();
  const ownerByChannel = new Map<string, string>();
  const refusals = createRefusals(testMachine({ monotonicMs: time.now, log }), {
    share: SHARE,
    accountOf: (owner) => ({ payer: owner, owner, weight: 1 }),
    ownerOf: (channelId) => ownerByChannel.get(channelId) ?? null,
  });
  const { apiUrl } = discord;
  const rest = createRest({ apiUrl, token: TOKEN, refusals });
  const client = createDiscordClient({ apiUrl, sharding: 'auto', refusals });
  client.rest.setToken(TOKEN);
  const channelIn = (owner: string) => {
    const channelId = discord.createChannel(discord.createGuild({ name: owner }).id, {
      name: 'alerts',
    }).id;
    ownerByChannel.set(channelId, owner);
    return channelId;
  };
  const refuse = (status: number, code: number, times: number) =>
    discord.faults.refuseRest({ status, code, times, route: /^POST \/channels\// });
  const post = (way: typeof rest, channelId: string) =>
    way.post(Routes.channelMessages(channelId), { body: { content: 'x' } }).catch(() => null);
  const limit = (scope: 'user' | 'shared') =>
    discord.faults.rateLimit({ scope, retryAfterMs: 1, route: /^POST \/channels\// });
  return { time, lines, limit, refusals, rest, client, channelIn, refuse, post };
}

describe('refusals', () => {
  it('are counted for all and each server, on both ways, for ten minutes; half of the limit counts at the start', async () => {
    const { time, refusals, rest, client, channelIn, refuse, post } = await openRefusals();
    const one = channelIn('1');
    const other = channelIn('2');
    refuse(403, 50013, 3);
    await post(rest, one);
    await post(client.rest, one);
    await post(rest, other);
    refuse(404, 10003, 1);
    await post(rest, other);
    await post(rest, other);
    expect([refusals.ofOwner('1'), refusals.ofOwner('2'), refusals.total()]).toEqual([2, 1, 3]);
    expect([refusals.count(), refusals.limit]).toEqual([53, 100]);
    await time.pass(10 * MINUTE_MS);
    expect([refusals.ofOwner('1'), refusals.total(), refusals.count()]).toEqual([0, 3, 0]);
  });

  it('are also the 429s that discord.js repeats by itself, but for those of a shared limit', async () => {
    const { refusals, client, channelIn, limit, post } = await openRefusals();
    limit('user');
    await post(client.rest, channelIn('1'));
    expect(refusals.total()).toBe(1);
    limit('shared');
    await post(client.rest, channelIn('2'));
    expect(refusals.total()).toBe(1);
  });

  it('are named in the log at each tenth of the limit, with the server that most are of', async () => {
    const { lines, refusals, rest, channelIn, refuse, post } = await openRefusals();
    const one = channelIn('1');
    const other = channelIn('2');
    refuse(403, 50013, 30);
    await post(rest, other);
    for (let n = 0; n < 21; n += 1) await post(rest, one);
    expect(refusals.total()).toBe(22);
    expect(lines.filter(({ event }) => event === 'discord.refusals')).toMatchObject([
      { refused: 10, limit: 100, guild: '1', ofPayer: 9 },
      { refused: 20, limit: 100, guild: '1', ofPayer: 19 },
    ]);
  });
});
