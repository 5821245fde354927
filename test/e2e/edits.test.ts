import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { type Fixture, openFixture, sale, trade, WALLET } from './fixture.ts';

let block = 0;

function buy(quantity: number, cents: number, changes: Partial<ActivityItem> = {}): ActivityItem {
  const usdc = (quantity * cents) / 100;
  return trade({ quantity, price: cents, fee: 0, grossValue: usdc, transferNetAmount: usdc, ...changes });
}

async function play({ ledger }: Fixture, item: ActivityItem): Promise<void> {
  block += 1;
  await ledger.addActivity(WALLET, block, item);
}

async function untilShown(fixture: Fixture, line: string): Promise<void> {
  const isThere = () => fixture.alerts().some((alert) => alert.line === line);
  await fixture.discord.waitForMessage(fixture.channelId, isThere, 25_000);
}

describe('a purchase that is filled in pieces', { timeout: 90_000 }, () => {
  it('is one alert, over a kill and a failing Discord, and its result is that of all pieces', async () => {
    const fixture = await openFixture({ asProcess: true });
    const { discord, channelId } = fixture;
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    await play(fixture, buy(100, 40));
    await untilShown(fixture, 'Whale BUY 100 Yes');
    const route = 'PATCH /channels/:channel/messages/:message';
    discord.faults.refuseRest({ status: 503, route });
    discord.faults.cutAfterAccept({ route });
    const edited = new Promise<void>((resolve) => discord.events.once('edit', () => resolve()));
    await play(fixture, buy(200, 55));
    await edited;
    // Discord has changed the message, and nobody knows.
    await fixture.bot.kill();
    await fixture.startBot();
    await untilShown(fixture, 'Whale BUY 300 Yes');
    await fixture.logged('alert.edited');
    const messages = () =>
      discord.messages(channelId).filter(({ interactionId, embeds }) => interactionId === null && embeds.length > 0);
    expect(messages()).toHaveLength(1);
    const [purchase] = messages();
    expect(purchase?.content).toContain('BUY **Yes $150** at 50¢');
    expect(purchase?.embeds[0]?.description).toContain('2 fills');
    expect(purchase?.editedAtMs).not.toBeNull();

    const received = { fee: 0, grossValue: 180, transferNetAmount: -180 };
    await play(fixture, sale({ quantity: 300, price: 60, ...received }));
    await fixture.alerted(3);
    const result = messages().find(({ replyToId }) => replyToId !== null);
    expect(result?.replyToId).toBe(purchase?.id);
    expect(`${result?.content} ${result?.embeds[0]?.description}`).toMatch(/\$150\.00.*\$180\.00/s);
  });

  it('gets another alert when its message has been deleted', async () => {
    const fixture = await openFixture();
    const { discord, channelId } = fixture;
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    await play(fixture, buy(100, 40));
    await fixture.alerted(1);
    const first = discord
      .messages(channelId)
      .find(({ interactionId, embeds }) => interactionId === null && embeds.length > 0);
    discord.deleteMessage(first?.id ?? '');
    await play(fixture, buy(7, 55));
    await untilShown(fixture, 'Whale BUY 7 Yes');
    expect(discord.rejections.map(({ code }) => code)).toEqual([10_008]);
  });
});
