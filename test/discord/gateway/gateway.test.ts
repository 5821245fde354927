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
