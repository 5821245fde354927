import { once } from 'node:events';
import { Events } from 'discord.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openFixture, SOON, TOKEN } from '../../../packages/local-discord/test/fixture.ts';
import { TokenRefused } from '../../../src/delivery/failures.ts';
import { createDiscordClient } from '../../../src/discord/client.ts';
import { keepLoggedIn, trackGateway } from '../../../src/discord/gateway/gateway.ts';
import { patientStrategy } from '../../../src/discord/gateway/patient-strategy.ts';
import { collectingLog } from '../../support/log.ts';
import { testMachine } from '../../support/machine.ts';

const GATEWAY = 'GET /gateway/bot';

async function openGateway() {
  // discord.js and the gateway both count the seconds between log-ins by it.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const fixture = await openFixture();
  const client = createDiscordClient({ apiUrl: fixture.discord.apiUrl, sharding: 'auto' });
  onTestFinished(() => client.destroy());
  const { log, lines } = collectingLog();
  const delaysMs: number[] = [];
  const sleep = async (delayMs: number) => {
    delaysMs.push(delayMs);
    vi.setSystemTime(Date.now() + delayMs);
  };
  const machine = testMachine({ sleep, random: () => 0.5, log });
  const stopping = new AbortController();
  const { signal } = stopping;
  onTestFinished(() => stopping.abort());
  return {
    ...fixture,
    client,
    lines,
    delaysMs,
    gateway: trackGateway(client),
    stop: () => stopping.abort(),
    keepLoggedIn: () => keepLoggedIn(machine, { client, token: TOKEN, signal }),
  };
}

describe('logging in', () => {
  it('goes on trying while something else answers in Discord’s place, and is then as good as at the first try', async () => {
    const { discord, client, lines, gateway, stop, keepLoggedIn: begin } = await openGateway();
    for (const status of [401, 404, 400, 405, 200]) {
      discord.faults.refuseRest({ status, body: '<html>Who are you?</html>', route: GATEWAY });
    }
    discord.faults.refuseRest({
      status: 400,
      body: { code: 7, message: 'Invalid token' },
      route: GATEWAY,
    });
    discord.faults.refuseRest({ status: 401, code: 0, route: GATEWAY });
    void begin();
    await vi.waitFor(() => expect(gateway.isUp()).toBe(true), SOON);
    expect(lines.map(({ event }) => event)).toEqual(
      Array.from({ length: 7 }, () => 'discord.login_failed'),
    );
    expect(discord.connections).toBe(1);
    stop();
    await client.destroy();
    await vi.waitFor(() => expect(discord.connections).toBe(0), SOON);
  });

  it('ends with a token that Discord refuses', async () => {
    const { discord, keepLoggedIn: begin } = await openGateway();
    discord.revokeToken();
    await expect(begin()).rejects.toThrow(TokenRefused);
  });

  it('ends without a word when the process stops while it goes on, whatever comes of it', async () => {
    const { discord, lines, stop, keepLoggedIn: begin } = await openGateway();
    discord.faults.refuseRest({ status: 404, body: '<html>Who are you?</html>', route: GATEWAY });
    const kept = begin();
    stop();
    await kept;
    expect(lines).toEqual([]);
  });

  it('is not said to have a wrong token when the process stops while it goes on', async () => {
    const { discord, stop, keepLoggedIn: begin } = await openGateway();
    discord.revokeToken();
    const kept = begin();
    stop();
    await expect(kept).resolves.toBeUndefined();
  });

  it('waits, and logs in again, where the gateway alone refuses the token: when it begins, and later', async () => {
    const { discord, gateway, lines, delaysMs, keepLoggedIn: begin } = await openGateway();
    let connections = 0;
    discord.events.on('gateway', ({ kind }) => {
      if (kind !== 'connected') return;
      connections += 1;
      if (connections === 1) discord.faults.dropGateway(4004);
    });
    const kept = begin();
    for (const times of [1, 2]) {
      await vi.waitFor(() => expect(delaysMs).toHaveLength(times), SOON);
      await vi.waitFor(() => expect(gateway.isUp()).toBe(true), SOON);
      if (times === 1) discord.faults.dropGateway(4004);
    }
    expect(delaysMs).toEqual([300_000, 300_000]);
    expect(connections).toBe(3);
    expect(lines.map(({ event }) => event)).toEqual([
      'discord.login_failed',
      'discord.login_failed',
    ]);
    expect(lines[0]).toMatchObject({ advice: expect.stringContaining('Discord does not confirm') });
    discord.revokeToken();
    await expect(kept).rejects.toThrow(TokenRefused);
  });

  it('says what to look for where no log-in is left today, and goes on by itself', async () => {
    const { discord, gateway, lines, keepLoggedIn: begin } = await openGateway();
    const limit = { total: 1_000, remaining: 0, reset_after: 3_600_000, max_concurrency: 1 };
    const answer = { url: 'ws://127.0.0.1:1', shards: 1, session_start_limit: limit };
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(answer);
    discord.faults.refuseRest({ status: 200, headers, body, route: GATEWAY });
    void begin();
    await vi.waitFor(() => expect(gateway.isUp()).toBe(true), SOON);
    expect(lines[0]).toMatchObject({ advice: expect.stringMatching(/^No log-in is left today: /) });
  });

  it('waits as long as a ban asks for', async () => {
    const { discord, delaysMs, gateway, keepLoggedIn: begin } = await openGateway();
    const headers = { 'Retry-After': '1234' };
    discord.faults.refuseRest({
      status: 429,
      headers,
      body: '<h1>error code: 1015</h1>',
      route: GATEWAY,
    });
    discord.faults.refuseRest({ status: 403, body: '<h1>error code: 1020</h1>', route: GATEWAY });
    void begin();
    await vi.waitFor(() => expect(gateway.isUp()).toBe(true), SOON);
    expect(delaysMs).toEqual([1_234_000, 300_000]);
  });
});

describe('a gateway that closes connections soon after they were opened', () => {
  it('is tried again later each time, with jitter, and at once after one that had lasted', async () => {
    const { discord } = await openFixture();
    const stopping = new AbortController();
    const delaysMs: number[] = [];
    let nowMs = 0;
    const machine = testMachine({
      monotonicMs: () => nowMs,
      random: () => 0.5,
      sleep: async (delayMs) => void delaysMs.push(delayMs),
    });
    const buildStrategy = patientStrategy(machine, stopping.signal);
    const client = createDiscordClient({ apiUrl: discord.apiUrl, sharding: 'auto', buildStrategy });
    onTestFinished(async () => {
      stopping.abort();
      await client.destroy();
    });
    await client.login(TOKEN);
    const dropped = async () => {
      const back = once(client, Events.ShardResume);
      discord.faults.dropGateway(4000);
      await back;
    };
    for (let close = 0; close < 4; close += 1) await dropped();
    expect(delaysMs).toEqual([750, 1_500, 3_000]);
    nowMs += 61_000;
    await dropped();
    expect(delaysMs).toHaveLength(3);
  });
});

describe('a session whose first packet cannot be read', () => {
  it.each([
    ['no user', { user: null }],
    ['a user without an id', { user: {} }],
    ['a server without an id', { guilds: [{ unavailable: true }] }],
    ['no application', { application: undefined }],
    ['what discord.js fails at', { guilds: [{ id: '1234567890123456789', channels: [null] }] }],
  ])('is replaced by a new one: %s', async (_name, odd) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { discord, guildId } = await openFixture({ gateway: { maxConcurrency: 10 } });
    let isFirst = true;
    discord.faults.alterPackets((event, data) => {
      if (event !== 'READY' || !isFirst) return data;
      isFirst = false;
      return { ...(data as object), ...odd };
    });
    const reported: unknown[] = [];
    const client = createDiscordClient({
      apiUrl: discord.apiUrl,
      sharding: 'auto',
      gatewayFaults: { report: (where) => void reported.push(where) },
    });
    onTestFinished(() => client.destroy());
    // discord.js lets five seconds pass between two log-ins.
    client.on(Events.ShardReconnecting, () => void vi.setSystemTime(Date.now() + 10_000));
    const ready = once(client, Events.ClientReady);
    await client.login(TOKEN);
    await ready;
    expect(client.user?.id).toBe(discord.bot.id);
    expect(client.guilds.cache.get(guildId)?.available).toBe(true);
    expect(reported[0]).toEqual({ packet: 'READY' });
    expect(discord.connections).toBe(1);
  });
});
