import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { SECRET, startReceiver } from '../alerts-out/receiver.ts';
import { moment } from '../support/moment.ts';
import { createAuthority } from '../support/nats-identities.ts';
import { buy, sell, trade } from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { WALLET, WALLET_A } from '../support/wallets.ts';
import { elsewhere, type FixtureOptions, openFixture, query, standBefore } from './fixture.ts';

type Answer = Parameters<typeof startReceiver>[0];

async function open(answer?: Answer, options: FixtureOptions = {}) {
  const receiver = await startReceiver(answer);
  onTestFinished(receiver.close);
  const environment = { ALERTS_URL: receiver.url, ALERTS_SECRET: SECRET, ALERTS_GUILDS: '*' };
  const fixture = await openFixture({ environment, ...options });
  return { fixture, receiver };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Channels whose watches each message names, in the order in which they came. */
const channelsOf = ({ receiver }: Pick<Opened, 'receiver'>) =>
  receiver.received.map(({ body }) => body.data.watches.map(({ channel }) => channel));

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
  expect(status.embeds[0]?.description).toContain('alerts to a service outside Discord');
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

it('delays no message to Discord while the receiver does not answer, and hands all of it on then', async () => {
  const answered = moment();
  const { fixture, receiver } = await open(async () => {
    await answered.reached;
    return { status: 204 };
  });
  await fixture.say('watch add', { wallet: WALLET });
  for (let count = 1; count <= 3; count += 1) {
    await fixture.trades(trade({ marketId: `${count}`, conditionId: `0x${count}` }));
    await fixture.alerted(count);
  }
  await receiver.until(1);
  answered.reach();
  const sequences = () => new Set(receiver.received.map(({ body }) => body.data.sequence));
  while (sequences().size < 3) await receiver.until(receiver.received.length + 1);
  expect([...sequences()].toSorted()).toEqual([1, 2, 3]);
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

it('hands on alerts of named servers alone, and drops what waits of a server that is named no more', async () => {
  let status = 204;
  const answer = () => ({ status, headers: { 'retry-after': '3600' } });
  const { fixture, receiver } = await open(answer, { withoutBot: true });
  const other = elsewhere(fixture);
  const named = (ids: string) => ({ ALERTS_GUILDS: ids });
  let posts = 0;
  /** Trades, so that both servers are alerted; one or none is for the receiver. */
  const play = async () => {
    posts += 1;
    await fixture.trades(trade({ marketId: `${posts}`, conditionId: `0x${posts}` }));
    await fixture.alerted(posts);
    await fixture.alerted(posts, other.channelId);
  };
  await fixture.startBot(named(fixture.guildId));
  await fixture.say('watch add', { wallet: WALLET });
  await other.say('watch add', { wallet: WALLET });
  await play();
  await receiver.until(1);
  status = 503;
  await play();
  await receiver.until(2);
  await fixture.logged('alerts_out.failing');
  await fixture.bot.stop();

  status = 204;
  await fixture.startBot(named(other.guildId));
  await play();
  await receiver.until(3);
  expect(channelsOf({ receiver })).toEqual([
    [fixture.channelId],
    [fixture.channelId],
    [other.channelId],
  ]);

  status = 503;
  await play();
  await fixture.logged('alerts_out.failing');
  await fixture.bot.stop();
  const waiting = () => query(fixture, "SELECT key, value FROM keyv WHERE key LIKE '%later:%'");
  expect(await waiting()).toHaveLength(1);
  await fixture.startBot({ ALERTS_URL: '', ALERTS_SECRET: '', ALERTS_GUILDS: '' });
  await play();
  await fixture.bot.stop();
  expect(await waiting()).toEqual([]);
  expect(receiver.received).toHaveLength(4);
});

it('hands on to a server what happened while its watch began', async () => {
  const { fixture, receiver } = await open(undefined, { withoutBot: true });
  const other = elsewhere(fixture);
  const asked = moment();
  const opened = moment();
  let isShut = false;
  const url = await standBefore(fixture, async ({ pathname }, serve) => {
    if (isShut && pathname.includes('/deposits-withdrawals')) {
      asked.reach();
      await opened.reached;
    }
    return serve();
  });
  await fixture.startBot({ VENUE_BASE_URL: url });
  await fixture.say('watch add', { wallet: WALLET });
  isShut = true;
  const answer = await fixture.discord.command(other.admin, other.channelId, 'watch add', {
    wallet: WALLET,
  });
  await asked.reached;
  const shown = trade({ time: trade().time + 2 });
  await fixture.trades(shown);
  await receiver.until(1);
  opened.reach();
  await answer.reply();
  await fixture.alerted(1, other.channelId);
  await receiver.until(2);
  expect(channelsOf({ receiver })).toEqual([[fixture.channelId], [other.channelId]]);
  for (const { body } of receiver.received)
    expect(body).toMatchObject({ type: 'trade', data: { record: { txHash: shown.txHash } } });
});

it('hands on a consensus and results, one message for each channel that has them', async () => {
  const { fixture, receiver } = await open();
  const { say, trades } = fixture;
  const { id: whales } = fixture.discord.createChannel(fixture.guildId, { name: 'whales' });
  for (const where of [fixture.channelId, whales])
    for (const wallet of [WALLET, WALLET_A]) await say('watch add', { wallet }, where);
  await say('watch channel', { consensus: 2 });
  await trades(buy(100, 50));
  await receiver.until(1);
  await trades(buy(200, 55, { trader: WALLET_A }));
  await receiver.until(3);
  await trades(sell(100, 60));
  await receiver.until(6);
  const of = (type: string) => receiver.received.filter(({ body }) => body.type === type);
  expect(of('trade')).toHaveLength(3);
  expect(channelsOf({ receiver: { ...receiver, received: of('consensus') } })).toEqual([
    [fixture.channelId],
  ]);
  expect(of('consensus')[0]?.body.data).toMatchObject({
    side: 'Yes',
    stakes: expect.arrayContaining([
      expect.objectContaining({ wallet: WALLET, usdc: '50' }),
      expect.objectContaining({ wallet: WALLET_A, usdc: '110' }),
    ]),
  });
  const results = of('result');
  expect(results.map(({ body }) => body.data)).toEqual(
    Array(2).fill(expect.objectContaining({ wallet: WALLET, paid: '50', received: '60' })),
  );
  const told = channelsOf({ receiver: { ...receiver, received: results } }).flat();
  expect(told.toSorted()).toEqual([fixture.channelId, whales].toSorted());
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6);
});

it('posts by https to whom it can recognise, and to nobody else', async () => {
  const authority = createAuthority(temporaryFolder(), 'authority');
  const { certificate, key } = authority.issue('receiver', 'IP:127.0.0.1');
  const tls = { cert: readFileSync(certificate), key: readFileSync(key) };
  const receiver = await startReceiver(undefined, false, tls);
  onTestFinished(receiver.close);
  const environment = { ALERTS_URL: receiver.url, ALERTS_SECRET: SECRET, ALERTS_GUILDS: '*' };
  const fixture = await openFixture({ environment });
  await fixture.say('watch add', { wallet: WALLET });
  await fixture.trades(trade());
  const { reason } = await fixture.logged('alerts_out.failing');
  expect(reason).toMatch(/certificate/);
  await fixture.bot.stop();
  await fixture.startBot({ NODE_EXTRA_CA_CERTS: authority.ca }, { asProcess: true });
  await receiver.until(1);
  expect(receiver.received).toHaveLength(1);
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
