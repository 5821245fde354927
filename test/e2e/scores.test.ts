import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { imageSize } from '@walletbell/local-discord/discord/image';
import { parse } from 'csv-parse/sync';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openWatched, textOf } from './fixture.ts';
import { bought, remember, traded } from './past.ts';

const OTHER = `0x${'2'.repeat(40)}`;
const SMALL = `0x${'3'.repeat(40)}`;

const fileOf = ({ attachments }: SeenMessage) => Buffer.from(attachments[0]?.data ?? []).toString();

describe('/watch scores', { timeout: within(90_000) }, () => {
  it('ranks the wallets of a channel for all to see, with a chart and a file on demand, and without them where Discord takes none', async () => {
    const fixture = await openWatched();
    const { discord, channelId, guildId, member, say } = fixture;
    await say('watch add', { wallet: OTHER, label: '=Shark' });
    await say('watch add', { wallet: SMALL });
    const empty = await say('watch scores');
    expect(empty.ephemeralFor, 'everybody sees it').toBeNull();
    expect(textOf(empty)).toMatch(/^No records yet\./);
    expect(empty.attachments).toEqual([]);

    await fixture.bot.stop();
    await remember(fixture, {
      [WALLET]: { record: bought(60, 99, 1), watchedDays: 50 },
      [OTHER]: { record: bought(40, 99, 1.8), accounts: traded(40, 99), watchedDays: 100 },
      [SMALL]: { record: bought(12, 30, 1), watchedDays: 100 },
    });
    await fixture.startBot();
    await fixture.logged('verdict.changed');
    const scores = await say('watch scores');
    expect(scores.ephemeralFor).toBeNull();
    expect(scores.embeds[0]?.title).toBe('Wallet scores');
    expect(textOf(scores).split('\n').slice(0, 5)).toEqual([
      '**Better than luck**',
      // 20 at 50¢ that came to $1.80 a share, 20 that came to nothing: +40¢.
      '1\\. **=Shark** **+40¢** a share · 40 markets',
      // Of 60 the last 10 since the channel watches it: too few.
      '**Too early to say**',
      expect.stringMatching(/^• 0x3333…3333 · 12 markets · first verdict around <t:\d+:d>$/),
      expect.stringMatching(/^• Whale · 10 markets · first verdict around <t:\d+:d>$/),
    ]);
    const response = await fetch(scores.embeds[0]?.imageUrl ?? '');
    expect(imageSize(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ width: 1_200 });
    expect(scores.attachments, 'the file comes by a button').toEqual([]);
    const pressed = () => fixture.press(fixture.admin, scores, `watch:scores:${channelId}`);
    const file = await pressed();
    expect(file.ephemeralFor, 'only who presses sees it').toBe(fixture.admin.userId);
    const rows: Record<string, string>[] = parse(fileOf(file), { columns: true });
    expect(rows.map(({ rank, label }) => [rank, label])).toEqual([
      ['1', "'=Shark"],
      ['', ''],
      ['', 'Whale'],
    ]);
    expect(rows[0]).toMatchObject({
      markets: '40',
      won: '20',
      edge_cents: '40',
      luck_reaches_cents: expect.stringMatching(/^\d+(?:\.\d+)?$/),
      better_than_luck: 'true',
      came_back_markets: '40',
      came_back_without_known_end: '20',
      came_back_without_known_end_usdc: '100',
      came_back_paid_usdc: '200',
      came_back_usdc: '200',
      came_back_gain_usdc: '',
    });
    expect(rows[0]?.['came_back_up_to_utc']).toMatch(/^20\d\d-\d\d-\d\dT[\d:]+Z$/);
    expect(rows[1]?.['came_back_usdc'], 'too early').toBe('');

    expect(textOf(await fixture.sayAs(fixture.german, 'watch scores'))).toContain(
      '**Besser als Zufall**\n1\\. **=Shark** **+40\u00a0¢** pro Anteil',
    );

    const refusal = { withFiles: true, times: Number.POSITIVE_INFINITY, status: 413, code: 40005 };
    const accept = discord.faults.refuseRest({ ...refusal, route: 'PATCH /webhooks' });
    const bare = await say('watch scores');
    accept();
    expect(textOf(bare)).toBe(
      `${textOf(scores)}\n\n-# ⚠️ The chart is missing: too large for Discord.`,
    );
    expect([bare.embeds[0]?.imageUrl, bare.attachments.length]).toEqual([null, 0]);
    discord.faults.refuseRest({
      route: 'POST /webhooks',
      withFiles: true,
      status: 403,
      code: 50013,
    });
    expect((await pressed()).content).toBe(
      'The file is missing: I need Attach Files in this channel.',
    );

    // A channel is shown only to those who see it, and only where everybody does.
    const { id: secret } = discord.createChannel(guildId, { name: 'secret' });
    const { id: open } = discord.createChannel(guildId, { name: 'open' });
    fixture.deny(secret, member, PermissionFlagsBits.ViewChannel);
    await say('watch add', { wallet: WALLET, label: 'Hidden' }, secret);
    await say('watch add', { wallet: OTHER, label: 'Shown' }, open);
    fixture.lendWatch();
    const asBob = (values: Record<string, string>) => fixture.sayAs(member, 'watch scores', values);

    const unseen = asBob({ channel: secret });
    await expect(
      unseen,
      'a client offers no channel that its person does not see',
    ).rejects.toThrow();
    const told = await say('watch scores', { channel: secret });
    expect(told.ephemeralFor).toBe(fixture.admin.userId);
    expect(told.content).toBe(`Not everyone here can see <#${secret}>. Run the command there.`);
    expect(textOf(await say('watch scores', {}, secret))).toContain('No records yet');
    const { id: lobby } = discord.createChannel(guildId, { name: 'lobby' });
    expect((await say('watch scores', {}, lobby)).content).toContain(`<#${lobby}>`);
    expect(textOf(await asBob({ channel: open })), 'for the same people').toContain(
      'No records yet',
    );
    expect(discord.rejections.every(({ injected }) => injected)).toBe(true);
  });
});
