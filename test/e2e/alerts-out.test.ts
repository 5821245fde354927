import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { SECRET, startReceiver } from '../alerts-out/receiver.ts';
import { trade } from '../support/records.ts';
import { WALLET, WALLET_A } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

type Answer = Parameters<typeof startReceiver>[0];

async function open(answer?: Answer) {
  const receiver = await startReceiver(answer);
  onTestFinished(receiver.close);
  const environment = { ALERTS_URL: receiver.url, ALERTS_SECRET: SECRET, ALERTS_GUILDS: '*' };
  const fixture = await openFixture({ environment });
  return { fixture, receiver };
}

it('hands each alert of a server on, wanted or not, and none of a private watch', async () => {
  const { fixture, receiver } = await open();
  const { discord, guildId, channelId, member } = fixture;
  const { id: otherId } = discord.createChannel(guildId, { name: 'whales' });
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await fixture.say('watch add', { wallet: WALLET, label: 'Sales', kinds: 'sell' }, otherId);
  const direct = discord.openDm(member.userId).id;
  await fixture.sayAs(member, 'watch add', { wallet: WALLET_A, label: 'Mine' }, direct);
  const mine = trade({ trader: WALLET_A });
  const shown = trade();
  await fixture.trades(mine);
  await fixture.alerted(1, direct);
  await fixture.trades(shown);
  await fixture.alerted(1);
  await receiver.until(1);
  expect(receiver.received).toHaveLength(1);
  const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
  expect(headers['content-type']).toBe('application/json');
  expect(body).toMatchObject({
    type: 'trade',
    timestamp: new Date(shown.time * 1000).toISOString(),
    data: {
      wallet: WALLET,
      sequence: 1,
      late: false,
      record: { txHash: shown.txHash, price: 63.5, tokenId: shown.tokenId },
    },
  });
  expect(body.data.watches.toSorted((a, b) => a.channel.localeCompare(b.channel))).toEqual(
    [
      { channel: channelId, label: 'Whale', wanted: true },
      { channel: otherId, label: 'Sales', wanted: false },
    ].toSorted((a, b) => a.channel.localeCompare(b.channel)),
  );
  const status = await fixture.say('watch status');
  expect(status.embeds[0]?.description).toContain('also sent to a service outside of Discord');
  const private_ = await fixture.sayAs(member, 'watch status', {}, direct);
  expect(private_.embeds[0]?.description).not.toContain('service outside');
  expect(JSON.stringify(fixture.logLines)).not.toContain(new URL(receiver.url).pathname);
});

it('tries what failed again after a restart: the same id, signed anew', async () => {
  let status = 503;
  const { fixture, receiver } = await open(() => ({ status, headers: { 'retry-after': '3600' } }));
  await fixture.say('watch add', { wallet: WALLET });
  await fixture.trades(trade());
  await receiver.until(1);
  await fixture.logged('alerts_out.failing');
  // Others go on meanwhile.
  await fixture.trades(trade());
  await receiver.until(2);
  await fixture.alerted(1);
  await fixture.bot.stop();
  status = 204;
  await fixture.startBot();
  await receiver.until(4);
  const ids = receiver.received.map(({ id }) => id);
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  expect(new Set(ids).size).toBe(2);
  await fixture.trades(trade());
  await receiver.until(5);
  expect(receiver.received.at(-1)?.body.data.sequence).toBe(3);
});

it('delays no message to Discord while the receiver does not answer', async () => {
  const { fixture, receiver } = await open(() => new Promise(() => {}));
  await fixture.say('watch add', { wallet: WALLET });
  for (let count = 1; count <= 3; count += 1) {
    await fixture.trades(trade({ marketId: `${count}`, conditionId: `0x${count}` }));
    await fixture.alerted(count);
  }
  await receiver.until(1);
  expect(receiver.received).toHaveLength(1);
});

it('posts nothing more once the receiver is gone, until the next start', async () => {
  let status = 410;
  const { fixture, receiver } = await open(() => ({ status }));
  await fixture.say('watch add', { wallet: WALLET });
  await fixture.trades(trade());
  await fixture.logged('alerts_out.gone');
  await fixture.trades(trade({ marketId: '2', conditionId: '0x2' }));
  await fixture.alerted(2);
  await fixture.bot.stop();
  status = 204;
  await fixture.startBot();
  const later = trade({ marketId: '3', conditionId: '0x3' });
  await fixture.trades(later);
  await receiver.until(2);
  expect(receiver.received.at(-1)?.body.data).toMatchObject({ record: { txHash: later.txHash } });
});

it('is taken by the receiver that the docs show', async () => {
  const page = readFileSync('docs/signed-alerts.md', 'utf8');
  const [, code = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(22);
  const example = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, ALERTS_SECRET: SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void example.kill());
  const lines = createInterface(example.stdout);
  const [port] = await once(lines, 'line');
  const fixture = await openFixture({
    environment: {
      ALERTS_URL: `http://127.0.0.1:${port}/`,
      ALERTS_SECRET: `whsec_${Buffer.alloc(24, 1).toString('base64')},${SECRET}`,
      ALERTS_GUILDS: '*',
    },
  });
  const said = once(lines, 'line');
  await fixture.say('watch add', { wallet: WALLET });
  await fixture.trades(trade());
  const [line] = await said;
  expect(line).toMatch(new RegExp(`^msg_[\\w-]{32} trade ${WALLET}$`));
});
