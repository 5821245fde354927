import { describe, expect, it } from 'vitest';
import type { MemberRef } from '../../src/sandbox/discord/fake-discord.ts';
import {
  type Fixture,
  inMarket,
  openFixture,
  redemption,
  sale,
  trade,
  transfer,
  WALLET,
  WALLET_SHOWN,
} from './fixture.ts';

const OTHER_WALLET = `0x${'7'.repeat(40)}`;
/** A position of which nothing else is known, so that no alert closes another. */
const OTHER_POSITION = { tokenId: '72', conditionId: `0x${'d'.repeat(64)}` };

/** One after the other: several that wait together would be lines of one message. */
async function playAllKinds(fixture: Fixture): Promise<void> {
  const { ledger } = fixture;
  const kinds = [
    () => ledger.addActivity(WALLET, 1, trade()),
    () => ledger.addActivity(WALLET, 2, sale(OTHER_POSITION)),
    () => ledger.addActivity(WALLET, 3, redemption(OTHER_POSITION)),
    () => ledger.addTransfer(WALLET, transfer()),
    () => ledger.addTransfer(WALLET, transfer({ type: 'withdrawal', amount: 250.5, address: `0x${'d'.repeat(40)}` })),
  ];
  for (const [index, play] of kinds.entries()) {
    await play();
    await fixture.alerted(index + 1);
  }
}

describe('the bot, end to end', () => {
  it('alerts once on each kind, also over a restart, and pages through a list whose buttons outlive it', async () => {
    const fixture = await openFixture();
    for (let index = 0; index < 25; index += 1) {
      await fixture.ledger.addActivity(WALLET, 1, trade({ time: 1_750_000_000 + index * 60, quantity: index + 1 }));
    }
    const added = await fixture.say('watch add', { wallet: WALLET_SHOWN, label: 'Whale' });
    expect(added.embeds[0]?.description).toMatch(/^Watching \*\*Whale\*\* in <#\d+>\. You’ll get every buy, sell,/);
    expect(added.embeds[0]?.description).toContain('**Bought 25 Yes**');

    await playAllKinds(fixture);
    await fixture.alerted(5);
    const titles = () => fixture.alerts().map(({ line }) => line);
    expect(titles().toSorted()).toEqual([
      'Whale BUY 1234.5 Yes',
      'Whale REDEEM 1234.5 Yes',
      'Whale SELL 1234.5 Yes',
      'Whale deposited $5,000 via bridge',
      'Whale withdrew $251 to 0xDDdD…DDDd',
    ]);
    const [bought] = fixture.alerts().filter(({ line }) => line.includes('BUY'));
    expect(JSON.stringify(fixture.discord.messages(fixture.channelId))).toContain('BUY **Yes $785** at 63.5¢');
    // The first line has the whole of the market's name.
    expect(bought).toMatchObject({ title: null, url: null, footer: null, timestamp: null });
    expect(bought?.description).toContain(`[0x5aAe…eAed](https://venue.example/wallet/${WALLET})`);
    expect(bought?.thumbnailUrl).toBe('https://images.venue.example/501.png');

    const list = await fixture.say('activity', { wallet: 'whale' });
    expect(list.embeds.at(-1)?.title).toBe('Activity of Whale');
    const buttonOf = (label: string, message: typeof list) => {
      const row: unknown = message.components;
      const id = new RegExp(
        `"custom_id":"([^"]+)"[^}]*"label":"${label}"|"label":"${label}"[^}]*"custom_id":"([^"]+)"`,
      ).exec(JSON.stringify(row));
      return id?.[1] ?? id?.[2] ?? '';
    };
    const second = await (await fixture.discord.press(fixture.member, list.id, buttonOf('Next', list))).reply();
    expect(second.embeds[0]?.footer?.text).toContain('Page 2');

    expect(await fixture.bot.stop()).toBe(0);
    const puts = fixture.discord.commandCounts.puts;
    await fixture.startBot();
    await fixture.ledger.addActivity(WALLET, 4, trade({ quantity: 7, ...inMarket(7) }));
    await fixture.alerted(6);
    expect(titles().slice(5)).toEqual(['Whale BUY 7 Yes']);
    expect(fixture.discord.commandCounts.puts).toBe(puts);

    const press = async (label: string, message: typeof list) =>
      (await fixture.discord.press(fixture.member, list.id, buttonOf(label, message))).reply();
    const back = await press('Previous', second);
    expect(back.embeds.at(-1)?.footer?.text).toContain('Page 1');
    const third = await press('Next', await press('Next', back));
    expect(third.embeds[0]?.footer?.text).toContain('Page 3');
    expect(third.embeds[0]?.description).toContain('**Bought 1 Yes**');
    // A process that has just begun does not know how much of the bucket the one before it had taken.
    expect(fixture.discord.rejections.filter(({ status }) => status !== 429)).toEqual([]);
    expect(fixture.discord.messages(fixture.channelId, 'all').every(({ pings }) => !pings.everyone)).toBe(true);
  });

  it('sends fills of one market in one alert, duplicate records too, and keeps silent about what was before', async () => {
    const fixture = await openFixture();
    const before = trade({ quantity: 1 });
    await fixture.ledger.addActivity(WALLET, 1, before);
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    const fill = trade({ quantity: 2 });
    const records = [fill, fill, { ...fill, quantity: 3 }, sale({ ...OTHER_POSITION, quantity: 9 })];
    await fixture.ledger.addAll(records.map((item) => ({ kind: 'activity', wallet: WALLET, block: 2, item })));
    const shares = () => fixture.alerts().reduce((sum, { line }) => sum + Number(/BUY (\d+)/.exec(line)?.[1] ?? 0), 0);
    // The duplicate record is announced when further polls have confirmed it.
    await fixture.discord.waitForMessage(fixture.channelId, () => shares() >= 7, 20_000);
    await fixture.ledger.addActivity(WALLET, 3, trade({ quantity: 4 }));
    await fixture.discord.waitForMessage(fixture.channelId, () => shares() >= 11, 20_000);
    const titles = fixture.alerts().map(({ line }) => line);
    expect(titles.toSorted()).toEqual(['Whale BUY 11 Yes', 'Whale SELL 9 Yes']);
    const [grouped] = fixture.alerts().filter(({ line }) => line.includes('BUY'));
    expect(grouped?.description).toContain(' · 4 fills · taker');
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('collects what came while it was away into one message a wallet, and ends what went with its channel or server', async () => {
    const fixture = await openFixture();
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    const elsewhere = fixture.discord.createGuild({ name: 'Elsewhere' });
    const stranger = fixture.discord.createMember(elsewhere.id, { name: 'eve', admin: true });
    const left = fixture.discord.createChannel(elsewhere.id, { name: 'alerts' });
    const deleted = fixture.discord.createChannel(fixture.guildId, { name: 'old' });
    await fixture.say('watch add', { wallet: OTHER_WALLET }, deleted.id);
    await (await fixture.discord.command(stranger, left.id, 'watch add', { wallet: OTHER_WALLET })).reply();
    await fixture.bot.stop();
    fixture.discord.kickBot(elsewhere.id);
    fixture.discord.deleteChannel(deleted.id);
    const away = [
      trade({ quantity: 1 }),
      sale({ ...OTHER_POSITION, quantity: 2 }),
      redemption({ ...OTHER_POSITION, quantity: 3 }),
    ];
    for (const [block, item] of away.entries()) await fixture.ledger.addActivity(WALLET, block, item);
    // Before the bot is back, all of it is older than this.
    await fixture.startBot({ CATCH_UP_AFTER_MINUTES: '0.001' });
    await fixture.alerted(1);
    const isLate = ({ content }: { content: string }) => content === '⏱ **Whale**: 3 late alerts';
    expect(fixture.discord.messages(fixture.channelId).filter(isLate)).toHaveLength(1);
    const [catchUp] = fixture.alerts();
    expect(catchUp?.description).toContain('1 buy, paid **$785.11** · 1 sell, received **$782.71**');
    for (const text of ['BUY **Yes $785**', 'SELL **Yes $783**', 'REDEEM **Yes $1,235**']) {
      expect(catchUp?.description).toContain(text);
    }
    expect(await fixture.logged('guild.left_meanwhile')).toMatchObject({ guild: elsewhere.id });
    expect(await fixture.logged('channel.deleted_meanwhile')).toMatchObject({ channel: deleted.id });
    const list = JSON.stringify(await fixture.say('watch list'));
    expect(list).toContain(fixture.channelId);
    for (const gone of [deleted.id, left.id]) expect(list).not.toContain(gone);
  });

  it('shows the watches, and stops when one is removed', async () => {
    const fixture = await openFixture();
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale *bold* @everyone' });
    const list = await fixture.say('watch list');
    expect(list.ephemeralFor).toBe(fixture.admin.userId);
    expect(list.embeds[0]?.description).toContain('0x5aAe…eAed');
    expect(list.embeds[0]?.description).not.toContain('*bold*');
    const suggest = (wallet: string) =>
      fixture.discord.autocomplete(fixture.admin, fixture.channelId, 'watch remove', { wallet }, 'wallet');
    expect(await suggest('whal')).toEqual([{ name: expect.stringContaining('0x5aAe…eAed'), value: WALLET }]);
    // Only Discord's own client heeds the option's length while somebody types.
    expect(await suggest('whal'.padEnd(500))).toHaveLength(1);
    expect(await suggest('whal'.padEnd(501))).toEqual([]);
    const removed = await fixture.say('watch remove', { wallet: WALLET_SHOWN });
    expect(removed.content).toContain('no longer watched');
    await fixture.ledger.addActivity(WALLET, 1, trade());
    await fixture.logged('poll.fresh');
    expect((await fixture.say('watch list')).embeds[0]?.description).toContain('No wallets watched yet');
    expect(fixture.alerts()).toEqual([]);

    // Undone after a restart: what happened meanwhile comes, once, with the label.
    await fixture.bot.stop();
    await fixture.startBot();
    await fixture.ledger.addActivity(WALLET, 2, trade({ quantity: 2, ...inMarket(2) }));
    await fixture.logged('poll.fresh');
    const undo = async (who: MemberRef) =>
      (await fixture.discord.press(who, removed.id, `watch:remove:${WALLET}:${fixture.channelId}`)).reply();
    expect((await undo(fixture.member)).content).toContain('Only people with the permission Manage Server');
    expect(fixture.alerts()).toEqual([]);
    const eva = fixture.discord.createMember(fixture.guildId, { name: 'eva', admin: true, locale: 'de' });
    expect((await undo(eva)).content).toMatch(/^↩️ .*Whale .* wird in <#\d+> wieder beobachtet/);
    await fixture.alerted(2);
    expect(fixture.alerts().map(({ line }) => line)).toEqual([
      expect.stringContaining('BUY 1234.5'),
      expect.stringContaining('BUY 2 '),
    ]);

    // Added again meanwhile: Undo of the older removal is over.
    const second = await fixture.say('watch remove', { wallet: WALLET });
    await fixture.say('watch add', { wallet: WALLET, label: 'New' });
    const late = fixture.discord.press(fixture.admin, second.id, `watch:remove:${WALLET}:${fixture.channelId}`);
    expect((await (await late).reply()).content).toContain('can’t be undone any more');
    await fixture.ledger.addActivity(WALLET, 3, trade({ quantity: 3, ...inMarket(3) }));
    await fixture.alerted(3);

    // A pause that was there is there again, and is said.
    await fixture.say('watch pause', { wallet: WALLET });
    const paused = await fixture.say('watch remove', { wallet: WALLET });
    const again = await fixture.discord.press(fixture.admin, paused.id, `watch:remove:${WALLET}:${fixture.channelId}`);
    expect((await again.reply()).content).toMatch(/is watched in .*\n⏸️ .*paused until/i);
  });
});
