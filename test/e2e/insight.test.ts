import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { alertsIn } from '../support/alert-lines.ts';
import { buy, sell } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

const WITHOUT_HISTORY =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks;
const WALLETS = [WALLET, ...['1', '2', '3', '4', '5'].map((digit) => `0x${digit.repeat(40)}`)];

describe('positions, results and consensus', { timeout: within(90_000) }, () => {
  it('a channel reads what trades mean, how they ended and where its wallets agree, also over a restart', async () => {
    const fixture = await openFixture();
    const { discord, channelId } = fixture;
    /** The wallet trades; resolves when the channel has so many alerts. */
    const play = async (trader: string, item: ActivityItem, alerts: number) => {
      await fixture.trades({ ...item, trader });
      await fixture.alerted(alerts);
    };
    const messageOf = (said: string) =>
      fixture.posted().find((message) => alertsIn(message).some(({ line }) => line.includes(said)));
    const wordsOf = (said: string) =>
      fixture.alerts().find(({ line }) => line.includes(said))?.description ??
      `no alert says ${said}`;
    for (const [index, wallet] of WALLETS.entries()) {
      await fixture.say('watch add', { wallet, label: `Desk ${index}`, style: 'each' });
    }

    await play(WALLET, buy(100, 40), 1);
    expect(wordsOf('BUY 100 Yes')).toContain(
      'New position: 100 shares · first trade in this market\n-# ',
    );
    await play(WALLET, buy(200, 55), 2);
    expect(wordsOf('BUY 200 Yes')).toContain('**100 → 300 shares** · entry 50¢\n-# ');
    await play(WALLET, sell(160, 60), 3);
    const reduced = '**+\u2060$16.00** (+20%) · 140 shares left · entry 50¢\n-# ';
    expect(wordsOf('SELL 160 Yes')).toContain(reduced);

    await play(WALLET, sell(140, 40), 4);
    // The sale that closes the position says what came of all of it.
    const closed =
      'position **+\u2060$2.00** (+1.3%) · paid $150.00 · received $152.00 · held < 1 min\n-# ';
    expect(wordsOf('SELL 140 Yes')).toContain(closed);
    expect(messageOf('SELL 140 Yes')?.replyToId).toBe(messageOf('BUY 100 Yes')?.id);

    // Without the history nothing can be answered; what there is to say is sent all the same.
    const other = { tokenId: '88', marketId: '601', conditionId: `0x${'e'.repeat(64)}` };
    await play(WALLET, buy(10, 50, other), 5);
    discord.setBotPermissions(channelId, WITHOUT_HISTORY);
    await play(WALLET, sell(10, 90, other), 6);
    expect(wordsOf('SELL 10 Yes')).toContain('position **+\u2060$4.00** (+80%) · paid $5.00');
    expect(messageOf('SELL 10 Yes')).toMatchObject({ replyToId: null });

    const wish = { consensus: 3, 'consensus-within': '1h' };
    const answer = await fixture.say('watch channel', wish);
    expect(answer.content).toContain('3 of its wallets buy the same outcome within 1 h');
    const final = {
      tokenId: '901',
      marketId: '777',
      conditionId: `0x${'f'.repeat(64)}`,
      marketTitle: 'Who wins?',
    };
    const no = { ...final, tokenId: '902', positionSide: 'No', outcomeIndex: 1 };
    const [first = '', second = '', third = '', fourth = '', hedger = '', bear = ''] = WALLETS;
    await play(hedger, buy(10, 50, final), 7);
    await play(hedger, buy(10, 50, no), 8);
    expect(wordsOf('Desk 4 BUY 10 No')).toContain('also holds 10 shares on the other side');
    await play(bear, buy(50, 40, no), 9);
    await play(first, buy(100, 60, final), 10);
    await play(second, buy(200, 60, final), 11);
    const others =
      'also here: Desk 0 **$60.00** Yes at 60¢ · Desk 5 **$20.00** No at 40¢ · Desk 4 **$5.00** ';
    expect(wordsOf('Desk 1 BUY 200 Yes')).toContain(others);
    await fixture.bot.stop();
    await fixture.startBot();
    await play(third, buy(100, 64, final), 13);
    const both =
      'also here: Desk 1 **$120** Yes at 60¢ · Desk 0 **$60.00** Yes at 60¢ · Desk 5 **$20.00** No at 40¢ · +1\n-# ';
    expect(wordsOf('Desk 2 BUY 100 Yes')).toContain(both);
    const told = wordsOf('Wallets disagree: 3 on Yes, 1 on No');
    const [yes, against] = told.split('\n').map((line) => line.replace(/\]\([^)]*\)/g, ']'));
    expect(yes).toBe(
      '**Yes**: [Desk 1] $120 at 60¢ · [Desk 2] $64.00 at 64¢ · [Desk 0] $60.00 at 60¢',
    );
    expect(against).toBe('**No**: [Desk 5] $20.00 at 40¢');
    expect(told).toContain('1 more bought both sides and counts on neither');
    await play(third, buy(10, 64, final), 14);
    await play(fourth, buy(10, 64, final), 16);
    expect(messageOf('Wallets disagree: 4 on Yes, 1 on No')).toBeDefined();
    const consensus = fixture.alerts().filter(({ line }) => line.includes('disagree'));
    expect(consensus).toHaveLength(2);
    // A process that has just begun does not know how much of the bucket the one before it had
    // taken.
    expect(discord.rejections.filter(({ status }) => status !== 429)).toEqual([]);
  });
});
