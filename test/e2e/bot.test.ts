import { describe, expect, it } from 'vitest';
import { inMarket, nowSeconds, redemption, sale, trade, transfer } from '../support/records.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import { elsewhere, openFixture, openWatched, textOf } from './fixture.ts';

const OTHER_WALLET = `0x${'7'.repeat(40)}`;
/** A position of which nothing else is known, so that no alert closes another. */
const OTHER_POSITION = { tokenId: '72', conditionId: `0x${'d'.repeat(64)}` };

describe('the bot, end to end', () => {
  it('alerts once on each kind, also over a restart, on fills of one market in one message, and on nothing of before', async () => {
    const fixture = await openFixture();
    const { ledger, discord, lines, trades } = fixture;
    const past = (index: number) =>
      trade({ time: 1_750_000_000 + index * 60, quantity: index + 1 });
    await trades(...Array.from({ length: 25 }, (_, index) => past(index)));
    const added = await fixture.say('watch add', { wallet: WALLET_SHOWN, label: 'Whale' });
    expect(added.embeds[0]?.description).toMatch(
      /^Watching \*\*Whale\*\* in <#\d+>\. You’ll get an alert for everything it does\./,
    );
    expect(added.embeds[0]?.description).toContain('Latest: **Bought Yes $785** · ');

    // One after the other: several that wait together would be lines of one message.
    for (const [index, play] of [
      () => trades(trade()),
      () => trades(sale(OTHER_POSITION)),
      () => trades(redemption(OTHER_POSITION)),
      () => ledger.addTransfer(WALLET, transfer()),
      () =>
        ledger.addTransfer(
          WALLET,
          transfer({ type: 'withdrawal', amount: 250.5, address: `0x${'d'.repeat(40)}` }),
        ),
    ].entries()) {
      await play();
      await fixture.alerted(index + 1);
    }
    expect(lines().toSorted()).toEqual([
      'Whale BUY 1235 Yes',
      'Whale REDEEM 1235 Yes',
      'Whale SELL 1235 Yes',
      'Whale deposited $5,000 via bridge',
      'Whale withdrew $251',
    ]);
    const [bought] = fixture.alerts().filter(({ line }) => line.includes('BUY'));
    expect(JSON.stringify(discord.messages(fixture.channelId))).toContain(
      'BUY **Yes $785** at 63.5¢',
    );
    // The first line has the whole of the market's name.
    expect(bought).toMatchObject({ title: null, url: null, footer: null, timestamp: null });
    expect(bought?.description).toContain(`[0x5aAe…eAed](https://venue.example/wallet/${WALLET})`);
    expect(bought?.thumbnailUrl).toBeNull();

    expect(await fixture.bot.stop()).toBe(0);
    const puts = discord.commandCounts.puts;
    await fixture.startBot();
    await trades(trade({ quantity: 7, ...inMarket(7) }));
    await fixture.alerted(6);
    expect(lines().slice(5)).toEqual(['Whale BUY 7 Yes']);
    expect(discord.commandCounts.puts).toBe(puts);

    const fill = trade({ quantity: 2, ...inMarket(8) });
    await trades(fill, fill, { ...fill, quantity: 3 }, sale({ ...inMarket(9), quantity: 9 }));
    // The duplicate record is announced when further polls have confirmed it.
    await fixture.until(() => lines().lastIndexOf('Whale BUY 7 Yes') > 5);
    await trades(trade({ quantity: 4, ...inMarket(8) }));
    await fixture.until(() => lines().includes('Whale BUY 11 Yes'));
    expect(lines().slice(6).toSorted()).toEqual(['Whale BUY 11 Yes', 'Whale SELL 9 Yes']);
    const grouped = fixture.alerts().find(({ line }) => line.includes('BUY 11'));
    expect(grouped?.description).toContain(' · 4 fills · taker');
    // A process that has just begun does not know how much of the bucket the one before it had
    // taken.
    expect(discord.rejections.filter(({ status }) => status !== 429)).toEqual([]);
    expect(discord.messages(fixture.channelId, 'all').every(({ pings }) => !pings.everyone)).toBe(
      true,
    );
  });

  it('collects what came while it was away into one message a wallet, and ends what went with its channel or server', async () => {
    const fixture = await openWatched();
    const left = elsewhere(fixture);
    const deleted = fixture.discord.createChannel(fixture.guildId, { name: 'old' });
    await fixture.say('watch add', { wallet: OTHER_WALLET }, deleted.id);
    await left.say('watch add', { wallet: OTHER_WALLET });
    await fixture.bot.stop();
    fixture.discord.kickBot(left.guildId);
    fixture.discord.deleteChannel(deleted.id);
    await fixture.trades(
      trade({ quantity: 1 }),
      sale({ ...OTHER_POSITION, quantity: 2 }),
      redemption({ ...OTHER_POSITION, quantity: 3 }),
    );
    // Before the bot is back, all of it is older than this.
    await fixture.startBot({ CATCH_UP_AFTER_MINUTES: '0.001' });
    await fixture.alerted(1);
    const isLate = ({ content }: { content: string }) =>
      content.startsWith('⏱ **Whale**: 3 late alerts · largest: REDEEM **Yes $1,235**');
    expect(fixture.discord.messages(fixture.channelId).filter(isLate)).toHaveLength(1);
    const [catchUp] = fixture.alerts();
    expect(catchUp?.description).toContain(
      '1 buy, paid **$785.11** · 1 sell, received **$782.71**',
    );
    for (const text of ['BUY **Yes $785**', 'SELL **Yes $783**', 'REDEEM **Yes $1,235**']) {
      expect(catchUp?.description).toContain(text);
    }
    expect(await fixture.logged('guild.left_meanwhile')).toMatchObject({ guild: left.guildId });
    expect(await fixture.logged('channel.deleted_meanwhile')).toMatchObject({
      channel: deleted.id,
    });
    const list = JSON.stringify(await fixture.say('watch list'));
    expect(list).toContain(fixture.channelId);
    for (const gone of [deleted.id, left.channelId]) expect(list).not.toContain(gone);
  });

  it('shows the watches, and stops when one is removed', async () => {
    const fixture = await openFixture();
    const { say } = fixture;
    await say('watch add', { wallet: WALLET, label: 'Whale *bold* @everyone' });
    const list = await say('watch list');
    expect(list.ephemeralFor).toBe(fixture.admin.userId);
    expect(list.embeds[0]?.description).toMatch(/• Whale \\\*bold\\\* @\u200beveryone/);
    expect(list.embeds[0]?.description).not.toContain(' *bold*');
    const suggest = (wallet: string) =>
      fixture.discord.autocomplete(
        fixture.admin,
        fixture.channelId,
        'watch remove',
        { wallet },
        'wallet',
      );
    expect(await suggest('whal')).toEqual([
      { name: expect.stringContaining('0x5aAe…eAed'), value: WALLET },
    ]);
    // Only Discord's own client heeds the option's length while somebody types.
    expect(await suggest('whal'.padEnd(500))).toHaveLength(1);
    expect(await suggest('whal'.padEnd(501))).toEqual([]);
    const removed = await say('watch remove', { wallet: WALLET_SHOWN });
    expect(removed.content).toContain('no longer watched');
    await fixture.ledger.addActivity(WALLET, 1, trade());
    await fixture.logged('poll.fresh');
    expect(textOf(await say('watch list'))).toContain('No wallets watched yet');
    expect(fixture.alerts()).toEqual([]);

    // Undone after a restart: what happened meanwhile comes, once, with the label.
    await fixture.bot.stop();
    await fixture.startBot();
    await fixture.ledger.addActivity(WALLET, 2, trade({ quantity: 2, ...inMarket(2) }));
    await fixture.logged('poll.fresh');
    const undo = (message = removed, who = fixture.admin) =>
      fixture.press(who, message, 'watch:remove:');
    expect((await undo(removed, fixture.member)).content).toContain(
      'Only people with the permission Manage Server',
    );
    expect(fixture.alerts()).toEqual([]);
    expect((await undo(removed, fixture.german)).content).toMatch(
      /^↩️ .*Whale .* wird in <#\d+> wieder beobachtet/,
    );
    await fixture.alerted(2);
    expect(fixture.lines()).toEqual([
      expect.stringContaining('BUY 1235'),
      expect.stringContaining('BUY 2 '),
    ]);

    // Added again meanwhile: Undo of the older removal is over.
    const second = await say('watch remove', { wallet: WALLET });
    await say('watch add', { wallet: WALLET, label: 'New' });
    expect((await undo(second)).content).toContain('can’t be undone any more');
    await fixture.ledger.addActivity(WALLET, 3, trade({ quantity: 3, ...inMarket(3) }));
    await fixture.alerted(3);

    // A pause that was there is there again, and is said.
    await say('watch pause', { wallet: WALLET });
    const paused = await say('watch remove', { wallet: WALLET });
    expect((await undo(paused)).content).toMatch(/is watched in .*\n⏸️ .*paused until/i);
  });

  it('pauses and resumes with its channel what was removed, since that may yet be undone', async () => {
    const { say, trades, press, admin, until, lines, logged } = await openFixture();
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    await say('watch add', { wallet: `0x${'2'.repeat(40)}` });
    const removed = await say('watch remove', { wallet: WALLET });
    const paused = await say('watch pause', {});
    expect((await press(admin, removed, 'watch:remove:')).content).toMatch(/^↩️ .*\n⏸️/);
    await trades(trade({ quantity: 1, ...inMarket(1) }), trade({ quantity: 2, ...inMarket(2) }));
    await logged('poll.fresh');

    const again = await say('watch remove', { wallet: WALLET });
    expect((await press(admin, paused, 'watch:resume:')).content).toContain('▶️');
    expect((await press(admin, again, 'watch:remove:')).content).not.toContain('⏸️');
    // A second later than the resume: until then it may have happened in the pause.
    await trades(trade({ quantity: 3, time: nowSeconds() + 2, ...inMarket(3) }));
    await until(() => lines().length > 0);
    expect(lines()).toEqual([expect.stringContaining('BUY 3 ')]);
  });
});
