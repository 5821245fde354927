import { setImmediate as turn } from 'node:timers/promises';
import { Routes } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFixture, TOKEN } from '../../../packages/local-discord/test/fixture.ts';
import { NO_RATE_LIMITS } from '../../../packages/local-discord/test/unlimited.ts';
import { classifyFailure } from '../../../src/delivery/failures.ts';
import { createDiscordClient, createRest } from '../../../src/discord/client.ts';
import { createRequestTurns, TURN_LIMIT_MS } from '../../../src/discord/requests/turns.ts';
import { testMachine } from '../../support/machine.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';

const BURST = 10;
const PER_SECOND = 50;
/** A second has 1,050 ms here: two requests may come closer on their way. */
const EVERY_MS = 1_050 / PER_SECOND;

/**
 * Both ways to a local Discord, with one counter, on a clock that the test moves. Servers of `one`
 * have one owner.
 */
async function openWays(limits: object = NO_RATE_LIMITS) {
  const { discord } = await openFixture(limits);
  const { now, sleep, pass } = createVirtualTime();
  const ownerByChannel = new Map<string, string>();
  const payerByOwner = new Map<string, string>();
  const stopping = new AbortController();
  /** Owners of the requests that had a turn, in order. */
  const inTurn: string[] = [];
  const turns = createRequestTurns(testMachine({ monotonicMs: now, sleep }), {
    accountOf: (owner) => ({ payer: payerByOwner.get(owner) ?? owner, owner, weight: 1 }),
    ownerOf: (channelId) => ownerByChannel.get(channelId) ?? null,
    perSecond: PER_SECOND,
    signal: stopping.signal,
    onTurn: ({ owner }) => void inTurn.push(owner),
  });
  const { apiUrl } = discord;
  const rest = createRest({ apiUrl, token: TOKEN, turns });
  const client = createDiscordClient({ apiUrl, sharding: 'auto', turns });
  client.rest.setToken(TOKEN);
  onTestFinished(async () => {
    stopping.abort();
    rest.clearHandlerSweeper();
    await client.destroy();
  });
  let underWay = 0;
  const noted = async <Result>(work: Promise<Result>) => {
    underWay += 1;
    try {
      return await work.catch((error: unknown) => classifyFailure(error));
    } finally {
      underWay -= 1;
    }
  };
  /** Until all that is under way waits for a turn. */
  const idle = async () => {
    for (let quiet = 0; quiet < 20; quiet = underWay > turns.waiting ? 0 : quiet + 1) await turn();
  };
  const heard: string[] = [];
  discord.events.on('request', ({ path }) => void heard.push(path));
  return {
    discord,
    turns,
    rest,
    client,
    stopping,
    heard,
    inTurn,
    noted,
    idle,
    pass: (ms: number) => pass(ms, idle),
    /**
     * Channels of a new server.
     *
     * @param payer who owns it; left out: nobody else's owner
     */
    openServer(name: string, count: number, payer?: string) {
      const { id } = discord.createGuild({ name });
      if (payer !== undefined) payerByOwner.set(id, payer);
      return Array.from({ length: count }, (_, index) => {
        const channel = discord.createChannel(id, { name: `${name}-${index}` });
        ownerByChannel.set(channel.id, id);
        return channel.id;
      });
    },
    post: (channelId: string) =>
      noted(rest.post(Routes.channelMessages(channelId), { body: { content: 'x' } })),
  };
}

const messagesOf = (channelId: string) =>
  expect.stringContaining(`/channels/${channelId}/messages`);

describe('Discord’s requests', () => {
  it('are counted together, whichever client they go through: ten at once, then one each 21 ms', async () => {
    const { client, openServer, post, noted, pass, idle, heard, inTurn } = await openWays();
    for (const channelId of openServer('many', 15)) {
      void post(channelId);
      void noted(client.rest.get(Routes.channel(channelId)));
    }
    await idle();
    expect(heard).toHaveLength(BURST);
    await pass(5 * EVERY_MS);
    expect(heard).toHaveLength(BURST + 5);
    await pass(15 * EVERY_MS);
    expect(heard).toHaveLength(30);
    // Told with whose they are as they go; what is nobody's, such as the bot's own name, is not.
    void noted(client.rest.get(Routes.user()));
    await pass(EVERY_MS);
    expect(heard).toHaveLength(31);
    expect(inTurn).toEqual(heard.slice(0, 30).map(() => inTurn[0]));
    expect(inTurn).toHaveLength(30);
  });

  it('have their turns by payer, then by server, then by channel, whatever came first', async () => {
    const { openServer, post, pass, idle, heard } = await openWays();
    const flood = [...openServer('flood-a', 15, 'one'), ...openServer('flood-b', 15, 'one')];
    const [given = ''] = openServer('given', 1, 'one');
    const honest = openServer('honest', 3);
    for (const channelId of flood) void post(channelId);
    await idle();
    heard.length = 0;
    for (const channelId of honest) void post(channelId);
    void post(given);
    await idle();
    await pass(2 * EVERY_MS);
    expect(heard.filter((path) => path.includes(honest[0] ?? ''))).toHaveLength(1);
    await pass(4 * EVERY_MS);
    expect(
      honest.filter((channelId) => heard.some((path) => path.includes(channelId))),
    ).toHaveLength(3);
    expect(heard).toContainEqual(messagesOf(given));
  });

  it('have as long for their answer as ever, however long they wait for their turn, and wait for nothing of discord.js', async () => {
    const { client, rest } = await openWays();
    for (const { options } of [client.rest, rest]) {
      expect(options.timeout).toBeGreaterThan(TURN_LIMIT_MS + 15_000);
      expect(options.globalRequestsPerSecond).toBe(Number.POSITIVE_INFINITY);
    }
  });

  it('have a turn again when discord.js repeats them', async () => {
    const { discord, client, openServer, post, noted, pass, idle, heard } = await openWays();
    discord.faults.refuseRest({ status: 502, times: 2, route: 'GET' });
    for (const channelId of openServer('many', BURST - 1)) void post(channelId);
    const asked = noted(client.rest.get(Routes.user()));
    await idle();
    expect(heard).toHaveLength(BURST);
    await pass(2 * EVERY_MS);
    expect(heard).toHaveLength(BURST + 2);
    expect(await asked).toMatchObject({ id: discord.bot.id });
  });

  it('leave their place to others while they wait for the limit of their channel', async () => {
    const limit = { limit: 2, windowMs: 5_000 };
    const { turns, openServer, post, heard } = await openWays({
      rateLimits: { 'message.create': limit },
    });
    const [full = '', free = ''] = openServer('both', 2);
    // discord.js knows the limit by the first answer, and what is left by the second one.
    await post(full);
    await post(full);
    void post(full);
    for (let count = 0; count < 50; count += 1) await turn();
    expect(turns.waiting).toBe(0);
    void post(free);
    await expect.poll(() => heard).toContainEqual(messagesOf(free));
    expect(heard).toHaveLength(3);
  });

  it('go without a turn where they answer an interaction', async () => {
    const { client, openServer, post, noted, idle, heard, turns } = await openWays();
    for (const channelId of openServer('many', 2 * BURST)) void post(channelId);
    await idle();
    expect(turns.waiting).toBe(BURST);
    const body = { type: 5 };
    const callback = Routes.interactionCallback('300000000000000003', 'token');
    await noted(client.rest.post(callback, { body, auth: false }));
    await noted(
      client.rest.patch(Routes.webhookMessage('400000000000000004', 'token'), {
        body: {},
        auth: false,
      }),
    );
    expect(heard).toHaveLength(BURST + 2);
    expect(turns.waiting).toBe(BURST);
  });

  it('come back unsent after a minute without a turn, which tells nothing of Discord', async () => {
    const { discord, client, openServer, post, noted, pass, idle, heard } = await openWays();
    const [channelId = ''] = openServer('held', 1);
    discord.faults.rateLimit({ scope: 'global', retryAfterMs: 2 * TURN_LIMIT_MS, route: 'POST' });
    // A 429 for all holds both clients.
    expect(await post(channelId)).toMatchObject({ kind: 'retry', status: 0 });
    const waiting = noted(client.rest.get(Routes.channel(channelId)));
    await idle();
    await pass(TURN_LIMIT_MS - 1);
    expect(heard).toHaveLength(1);
    await pass(1);
    expect(await waiting).toMatchObject({ kind: 'retry', status: 0, pauseMs: null });
    expect(heard).toHaveLength(1);
  });

  it('come back unsent when the bot stops, and when Cloudflare turns the address away', async () => {
    const { discord, stopping, openServer, post, idle, heard } = await openWays();
    const channels = openServer('many', 4 * BURST);
    discord.faults.refuseRest({
      status: 429,
      body: '<html>banned</html>',
      times: Number.POSITIVE_INFINITY,
    });
    const banned = await Promise.all(channels.map(post));
    const kinds = banned.map((failure) => (failure as { kind: string }).kind);
    expect(kinds.filter((kind) => kind === 'banned')).toHaveLength(BURST);
    expect(kinds.filter((kind) => kind === 'retry')).toHaveLength(3 * BURST);
    expect(heard).toHaveLength(BURST);
    discord.faults.clear();
    const stopped = channels.map(post);
    await idle();
    stopping.abort();
    const outcomes = await Promise.all(stopped);
    expect(outcomes.every((outcome) => (outcome as { kind?: string }).kind === 'retry')).toBe(true);
    expect(heard).toHaveLength(BURST);
  });
});
