import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type Fixture, nowSeconds, openFixture, trade, WALLET } from './fixture.ts';

/** Stands before the venue and keeps requests for transfers waiting while it is told to. Polls of trades pass. */
async function startSlowDoor(fixture: Fixture) {
  const door = { isShut: true, waiting: [] as (() => void)[] };
  const server = createServer(async (request, response) => {
    if (door.isShut && request.url?.includes('/deposits-withdrawals') === true) {
      const opened = new Promise<void>((resolve) => door.waiting.push(resolve));
      server.emit('asked');
      await opened;
    }
    const { authorization = '' } = request.headers;
    const answer = await fetch(`${fixture.venue.url}${request.url}`, { headers: { authorization } });
    for (const name of ['content-type', 'date', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      response.setHeader(name, answer.headers.get(name) ?? '');
    response.writeHead(answer.status);
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => once(server, 'asked'),
    shut() {
      door.isShut = true;
    },
    open() {
      door.isShut = false;
      for (const resolve of door.waiting.splice(0)) resolve();
    },
  };
}

/** Each in a market of its own, so that none is sent together with another. */
function purchase(quantity: number, inSeconds: number) {
  const id = String(quantity);
  return trade({ quantity, time: nowSeconds() + inSeconds, tokenId: id, marketId: id, conditionId: `0x${id}` });
}

it('alerts on what happens while /watch add waits for the venue, whether or not others watch the wallet', async () => {
  const fixture = await openFixture({ withoutBot: true });
  const door = await startSlowDoor(fixture);
  const registered = once(fixture.discord.events, 'commands');
  await fixture.startBot({ VENUE_BASE_URL: door.url });
  await registered;
  const { id: office } = fixture.discord.createChannel(fixture.guildId, { name: 'office' });

  /** Types the command and trades before its page has come. */
  const addAndTrade = async (channelId: string, quantity: number) => {
    door.shut();
    const asked = door.asked();
    const answer = await fixture.discord.command(fixture.admin, channelId, 'watch add', {
      wallet: WALLET,
      label: 'Whale',
    });
    await asked;
    await fixture.ledger.addActivity(WALLET, quantity, purchase(quantity, 2));
    return answer;
  };
  const alertsOf = (channelId: string, quantity: number) =>
    fixture.alerts(channelId).filter(({ line }) => line === `Whale BUY ${quantity} Yes`);
  const alertsOnce = async (channelId: string, quantity: number) => {
    await fixture.discord.waitForMessage(channelId, () => alertsOf(channelId, quantity).length > 0, 20_000);
  };

  const first = await addAndTrade(fixture.channelId, 1);
  door.open();
  expect((await first.reply()).embeds[0]?.description).toContain('Watching **Whale**');
  await alertsOnce(fixture.channelId, 1);

  const second = await addAndTrade(office, 2);
  // The poll for the first channel finds it before the second one's watch is there.
  await alertsOnce(fixture.channelId, 2);
  door.open();
  expect((await second.reply()).embeds[0]?.description).toContain('Watching **Whale**');
  await alertsOnce(office, 2);
  await fixture.ledger.addActivity(WALLET, 3, purchase(3, 3));
  await alertsOnce(office, 3);
  for (const [channelId, quantity] of [
    [fixture.channelId, 1],
    [fixture.channelId, 2],
    [office, 2],
    [office, 3],
  ] as const)
    expect(alertsOf(channelId, quantity)).toHaveLength(1);
});

it.each([
  ['missed.stored', false],
  ['watch.stored', true],
])('begins a watch with all that it has missed, or not at all, when it is killed at %s', async (step, isWatched) => {
  const fixture = await openFixture({ withoutBot: true });
  const door = await startSlowDoor(fixture);
  door.open();
  const registered = once(fixture.discord.events, 'commands');
  // The first watch passes the step.
  await fixture.startBot({ VENUE_BASE_URL: door.url, WALLETBELL_TEST_KILL_AT: `${step}:2` });
  await registered;
  const { id: office } = fixture.discord.createChannel(fixture.guildId, { name: 'office' });
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  door.shut();
  const asked = door.asked();
  await fixture.discord.command(fixture.admin, office, 'watch add', { wallet: WALLET, label: 'Whale' });
  await asked;
  await fixture.ledger.addActivity(WALLET, 2, purchase(2, 2));
  await fixture.alerted(1);
  const ended = once(fixture.bot.process, 'close');
  door.open();
  await ended;
  await fixture.startBot({ VENUE_BASE_URL: door.url });
  if (isWatched) await fixture.alerted(1, office);
  const again = await fixture.say('watch add', { wallet: WALLET, label: 'Whale' }, office);
  expect(again.embeds.length).toBe(isWatched ? 0 : 1);
  await fixture.ledger.addActivity(WALLET, 3, purchase(3, 3));
  await fixture.alerted(isWatched ? 2 : 1, office);
  await fixture.alerted(2);
  expect(fixture.alerts(office)).toHaveLength(isWatched ? 2 : 1);
  expect(fixture.alerts()).toHaveLength(2);
});
