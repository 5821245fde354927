import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { trade, transfer, txHash } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, textOf } from './fixture.ts';

/** The answer, once what is on its way to the channel in which it is typed has come to rest. */
async function answered(fixture: Fixture, transaction: string): Promise<string[]> {
  const answer = await fixture.say('watch why', { wallet: 'Whale', transaction });
  expect(answer.ephemeralFor).toBe(fixture.admin.userId);
  const lines = textOf(answer).split('\n');
  const isMoving = lines.includes(`**<#${fixture.channelId}>**: ⏳ on its way to the channel`);
  return isMoving ? answered(fixture, transaction) : lines;
}

describe('/watch why', () => {
  it('says for each channel what became of a transaction, and after a restart what is known then', async () => {
    const fixture = await openFixture();
    const { discord, guildId, channelId, say, admin } = fixture;
    const [picky, quiet, slow, wordy, agreed] = ['picky', 'quiet', 'slow', 'wordy', 'agreed'].map(
      (name) => discord.createChannel(guildId, { name }).id,
    ) as [string, string, string, string, string];
    const watch = (where: string, values = {}) =>
      say('watch add', { wallet: WALLET, ...values }, where);
    await watch(channelId, { label: 'Whale' });
    await watch(picky, { kinds: 'sell, other' });
    await watch(quiet);
    await say('watch pause', {}, quiet);
    await watch(slow, { 'min-usdc': 5_000 });
    await watch(wordy);
    for (const _ of ['asked', 'confirmed'])
      await say('watch channel', { words: 'only: snow' }, wordy);
    await watch(agreed);
    await say('watch channel', { consensus: 2, 'consensus-only': 'on' }, agreed);

    const [before, bought] = [trade({ time: trade().time - 3_600 }), trade()];
    await fixture.trades(bought);
    await fixture.alerted(1);
    const [alert] = fixture.posted();
    const link = `https://discord.com/channels/${guildId}/${channelId}/${alert?.id}`;

    const choices = await discord.autocomplete(
      admin,
      channelId,
      'watch why',
      { wallet: 'Whale', transaction: 'rain' },
      'transaction',
    );
    expect(choices).toEqual([
      {
        name: expect.stringMatching(/^BUY Yes \$785 at 63\.5¢ · Will it rain in Paris\? · 0x0000…/),
        value: bought.txHash,
      },
    ]);
    const why = (hash = bought.txHash) => answered(fixture, hash);
    const lineOf = (lines: readonly string[], where: string) =>
      lines.find((line) => line.startsWith(`**<#${where}>**: `))?.slice(`**<#${where}>**: `.length);

    const now = await why();
    expect(now[0]).toMatch(
      /^🟢 \*\*Whale\*\* BUY \*\*Yes \$785\*\* at 63\.5¢ · \[Will it rain in Paris\?\]/,
    );
    expect(lineOf(now, channelId)).toBe(`✅ [posted](${link})`);
    expect(lineOf(now, picky)).toBe('🚫 not posted: the setting “only sells and other actions”');
    expect(lineOf(now, quiet)).toBe('🚫 not posted: its alerts were paused');
    expect(lineOf(now, slow)).toMatch(
      /^⏳ waiting because of the setting “from \$5,000”, until <t:\d+:T> at the latest$/,
    );
    expect(lineOf(now, wordy)).toBe(
      '🚫 not posted: the channel’s setting “only markets with `snow`”',
    );
    expect(lineOf(now, agreed)).toBe('🚫 not posted: only consensus alerts are posted here');

    const merged = trade({ action: 'Merge', actionType: 7 });
    await fixture.trades(merged);
    await fixture.alerted(1, picky);
    const unnamed = await why(merged.txHash);
    expect(lineOf(unnamed, channelId)).toBe(
      '🚫 not posted: it’s none of the usual kinds, and `kinds` doesn’t name `other`',
    );

    const bob = fixture.member;
    fixture.lendWatch();
    fixture.deny(picky, bob, PermissionFlagsBits.ViewChannel);
    const seen = textOf(
      await fixture.sayAs(bob, 'watch why', { wallet: WALLET, transaction: bought.txHash }),
    );
    expect(seen).toContain(`<#${quiet}>`);
    expect(seen).not.toContain(picky);

    expect(
      await fixture.refused('watch why', { wallet: 'Whale', transaction: txHash() }),
    ).toContain('lists no trade or redemption of this wallet with this transaction');
    expect(await fixture.refused('watch why', { wallet: 'Whale', transaction: '0x12' })).toContain(
      'isn’t a transaction hash',
    );

    await fixture.ledger.addAll([{ kind: 'activity', wallet: WALLET, block: 0, item: before }]);
    expect(lineOf(await why(before.txHash), channelId)).toBe(
      '🚫 not posted: it happened before this wallet was watched here',
    );

    expect(await fixture.bot.stop()).toBe(0);
    await fixture.startBot();
    const later = await why();
    const [posted, at] = lineOf(later, channelId)?.split(' · ') ?? [];
    expect(posted).toBe(`✅ [posted](${link})`);
    expect(at).toMatch(/^<t:\d+:R>$/);
    const unknown = 'I no longer know what happened then. Today it';
    expect(lineOf(later, picky)).toBe(
      `❔ ${unknown} wouldn’t be posted: the setting “only sells and other actions”`,
    );
    expect(lineOf(later, quiet)).toBe(`❔ ${unknown} wouldn’t be posted: its alerts were paused`);
    expect(lineOf(later, agreed)).toBe(
      `❔ ${unknown} wouldn’t be posted: only consensus alerts are posted here`,
    );
    expect(lineOf(later, slow), 'it is in the store').toMatch(/^⏳ waiting/);
    await say('watch edit', { wallet: 'Whale', kinds: 'all' }, picky);
    expect(lineOf(await why(), picky)).toBe(`❔ ${unknown} would be posted`);
  });

  it('says what waits where Discord cannot be reached, and what was added to a message', async () => {
    const fixture = await openFixture();
    const { discord, channelId, say } = fixture;
    const { id: closed } = discord.createChannel(fixture.guildId, { name: 'closed' });
    await say('watch add', { wallet: WALLET, label: 'Whale' });
    await say('watch add', { wallet: WALLET, label: 'Whale' }, closed);
    fixture.deny(closed, { userId: discord.bot.id }, PermissionFlagsBits.SendMessages);
    const [first, second] = [trade(), trade()];
    await fixture.trades(first);
    await fixture.alerted(1);
    await fixture.trades(second);
    const [alert] = fixture.posted();
    await fixture.until(({ id, editedAtMs }) => id === alert?.id && editedAtMs !== null);
    const answer = (await answered(fixture, second.txHash)).join('\n');
    expect(answer).toContain(
      `**<#${channelId}>**: ✅ [posted in one message with other records](https://discord.com/channels/${fixture.guildId}/${channelId}/${alert?.id})`,
    );
    expect(answer).toMatch(new RegExp(`\\*\\*<#${closed}>\\*\\*: ⏳ I can’t post in <#${closed}>`));

    const moved = transfer();
    await fixture.ledger.addTransfer(WALLET, moved);
    await fixture.alerted(2);
    expect((await answered(fixture, moved.txHash)).join('\n')).toMatch(
      /^📥 \*\*Whale\*\* deposited \*\*\$5,000\*\*[\s\S]*✅ \[posted\]/,
    );
  });
});
