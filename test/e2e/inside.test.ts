import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { expect, it, onTestFinished } from 'vitest';
import { trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture, TOKEN, wholeStatus } from './fixture.ts';

const HEARTBEAT_PATH = '/ping/5f0c31a2-0b6d-4f3e-9d57-2c8f1a7be901';

/** Counts the pings that arrive. */
async function startPinged() {
  const paths: string[] = [];
  let hasCome = () => {};
  const first = new Promise<void>((resolve) => {
    hasCome = resolve;
  });
  const server = createServer((incoming, outgoing) => {
    paths.push(incoming.url ?? '');
    hasCome();
    outgoing.end('OK');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${HEARTBEAT_PATH}`, paths, first };
}

function sample(metrics: string, name: string): number {
  const line = metrics.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
}

it('lets whoever looks after the bot see inside: health, readiness through an outage, metrics, heartbeat and /watch status', {
  timeout: within(90_000),
}, async () => {
  const pinged = await startPinged();
  const fixture = await openFixture({ environment: { HTTP_PORT: '0', HEARTBEAT_URL: pinged.url } });
  const { url } = await fixture.logged('http.listening');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);

  const availability = await fixture.served('/healthz');
  expect(availability.status).toBe(200);
  expect(JSON.parse(availability.text)).toMatchObject({ ok: true });

  const { readiness } = fixture;
  const idle = await readiness(({ ready }) => ready);
  expect(idle.checks['lastPoll']).toMatchObject({
    ok: true,
    reason: 'No wallets are watched, so nothing is polled.',
  });

  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await fixture.ledger.addActivity(WALLET, 1, trade());
  await fixture.alerted(1);
  const working = await readiness(({ status }) => status === 200);
  expect(working.checks['lastPoll']).toMatchObject({ ok: true, reason: null });
  expect(Object.keys(working.checks)).toEqual(['gateway', 'store', 'feed', 'venue', 'lastPoll']);

  // The bot counts a message when it has read Discord's answer, a little after the channel shows
  // it.
  let metrics = '';
  while (sample(metrics, 'walletbell_outbox_alerts{channels="open"}') !== 0) {
    const { headers, text } = await fixture.served('/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    metrics = text;
  }
  expect(sample(metrics, 'walletbell_alert_delay_seconds_count')).toBe(1);
  expect(sample(metrics, 'walletbell_watches')).toBe(1);
  expect(sample(metrics, 'walletbell_budget_limit_requests')).toBe(DEMO_KEY.limit);
  expect(sample(metrics, 'walletbell_discord_sends_total{outcome="sent"}')).toBe(1);
  expect(
    sample(metrics, 'walletbell_polls_total{endpoint="activity",outcome="ok"}'),
  ).toBeGreaterThan(0);
  expect(sample(metrics, 'walletbell_commands_total{command="watch add",outcome="ok"}')).toBe(1);
  expect(sample(metrics, 'walletbell_ready{check="all"}')).toBe(1);
  for (const id of [WALLET, fixture.guildId, fixture.channelId, TOKEN, HEARTBEAT_PATH]) {
    expect(metrics.toLowerCase()).not.toContain(id.toLowerCase());
  }

  const summary = (await fixture.say('watch status')).embeds[0];
  expect(summary?.title).toMatch(/^(✅ I’m up and running|⏳ The exchange isn’t answering)$/);
  expect(summary?.description).toMatch(
    /^(⏳ .*\n)?Alerts come \d+ s after the trade \(95% within \d+ s, the latest \d+ s\)\. No alerts are waiting\.$/,
  );
  const status = (await wholeStatus(fixture)).embeds[0];
  const told = [
    status?.title,
    status?.description,
    ...(status?.fields.map(({ value }) => value) ?? []),
  ].join('\n');
  expect(status?.title).toMatch(/^(✅ I’m up and running|⏳ The exchange isn’t answering)$/);
  expect(told).toMatch(/of 600 requests left/);
  expect(told).toMatch(/Delay of the last 1: median \d+ s/);
  expect(told).toMatch(/1 watched wallet here · 1 in all$/m);
  expect(status?.footer?.text).toMatch(/^walletbell \d+\.\d+\.\d+(?:-\w+)? · up for \d+ s$/);

  await pinged.first;
  await fixture.venue.close();
  const down = await readiness(({ ready }) => !ready);
  expect(down.status).toBe(503);
  expect(down.checks['venue']?.ok).toBe(false);
  expect(down.checks['venue']?.reason).toMatch(/doesn’t answer properly/);
  expect(down.checks['gateway']?.ok).toBe(true);
  const trouble = (await fixture.say('watch status')).embeds[0];
  expect(trouble?.title).toBe('⚠️ Something is wrong');
  expect(trouble?.description).toMatch(/Exchange: The exchange doesn’t answer properly/);

  await fixture.reopenVenue();
  expect((await readiness(({ ready }) => ready)).status).toBe(200);

  fixture.discord.faults.outage(true);
  const alone = await readiness(({ ready }) => !ready);
  expect(alone.checks['gateway']).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/Not connected to Discord/),
  });
  expect(alone.checks['venue']?.ok).toBe(true);
  fixture.discord.faults.outage(false);
  await readiness(({ ready }) => ready);
  expect(pinged.paths).toEqual([HEARTBEAT_PATH]);
  expect(JSON.stringify(fixture.logLines)).not.toContain(HEARTBEAT_PATH);
});
