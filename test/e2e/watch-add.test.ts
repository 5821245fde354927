import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { ZERO_ADDRESS } from '../../src/domain/address.ts';
import { inMarket, nowSeconds, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, standBefore, textOf } from './fixture.ts';

/**
 * A venue that keeps requests for transfers waiting while its door is shut. Polls of trades pass.
 */
async function startSlowDoor(fixture: Fixture) {
  const door = { isShut: true, waiting: [] as (() => void)[], knocks: new EventEmitter() };
  const url = await standBefore(fixture, async ({ pathname }, serve) => {
    if (door.isShut && pathname.includes('/deposits-withdrawals')) {
      const opened = new Promise<void>((resolve) => door.waiting.push(resolve));
      door.knocks.emit('asked');
      await opened;
    }
    return serve();
  });
  return {
    url,
    asked: () => once(door.knocks, 'asked'),
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
const purchase = (quantity: number, inSeconds: number) =>
  trade({ ...inMarket(quantity), quantity, time: nowSeconds() + inSeconds });

it('alerts on what happens while /watch add waits for the venue, whether or not others watch the wallet', async () => {
  const fixture = await openFixture({ withoutBot: true });
  const door = await startSlowDoor(fixture);
  await fixture.startBot({ VENUE_BASE_URL: door.url });
  const { id: office } = fixture.discord.createChannel(fixture.guildId, { name: 'office' });

  /** Types the command and trades before its page has come. */
  const addAndTrade = async (channelId: string, quantity: number) => {
    door.shut();
    const asked = door.asked();
    const whale = { wallet: WALLET, label: 'Whale' };
    const answer = await fixture.discord.command(fixture.admin, channelId, 'watch add', whale);
    await asked;
    await fixture.trades(purchase(quantity, 2));
    return answer;
  };
  const alertsOf = (channelId: string, quantity: number) =>
    fixture.lines(channelId).filter((line) => line === `Whale BUY ${quantity} Yes`);
  const alertsOnce = (channelId: string, quantity: number) =>
    fixture.until(() => alertsOf(channelId, quantity).length > 0, channelId);

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
  await fixture.trades(purchase(3, 3));
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
])(
  'begins a watch with all that it has missed, or not at all, when it is killed at %s',
  async (step, isWatched) => {
    const fixture = await openFixture({ withoutBot: true });
    const door = await startSlowDoor(fixture);
    door.open();
    // The first watch passes the step.
    await fixture.startBot({ VENUE_BASE_URL: door.url, WALLETBELL_TEST_KILL_AT: `${step}:2` });
    const { id: office } = fixture.discord.createChannel(fixture.guildId, { name: 'office' });
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    door.shut();
    const asked = door.asked();
    await fixture.discord.command(fixture.admin, office, 'watch add', {
      wallet: WALLET,
      label: 'Whale',
    });
    await asked;
    await fixture.trades(purchase(2, 2));
    await fixture.alerted(1);
    const ended = once(fixture.bot.process, 'close');
    door.open();
    await ended;
    await fixture.startBot({ VENUE_BASE_URL: door.url });
    if (isWatched) await fixture.alerted(1, office);
    const again = await fixture.say('watch add', { wallet: WALLET, label: 'Whale' }, office);
    expect(again.embeds.length).toBe(isWatched ? 0 : 1);
    await fixture.trades(purchase(3, 3));
    await fixture.alerted(isWatched ? 2 : 1, office);
    await fixture.alerted(2);
    expect(fixture.alerts(office)).toHaveLength(isWatched ? 2 : 1);
    expect(fixture.alerts()).toHaveLength(2);
  },
);

it('watches no zero address, which is nobody’s', async () => {
  const fixture = await openFixture();
  const { content } = await fixture.say('watch add', { wallet: ZERO_ADDRESS });
  expect(content).toContain('is the zero address, which no wallet has');
  expect(textOf(await fixture.say('watch list'))).not.toContain('0x0000');
});
