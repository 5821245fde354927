import { once } from 'node:events';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { trade } from '../support/records.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import { elsewhere, type Fixture, idIn, openFixture, textOf } from './fixture.ts';

const walletNumber = (index: number) => `0x${String(index).padStart(40, '0')}`;

const send = ({ say }: Fixture, text: string, filename = 'watches.csv') =>
  say('watch import', { file: { filename, data: Buffer.from(text) } });

async function exported(fixture: Fixture, values: Record<string, string> = {}): Promise<string> {
  const answer = await fixture.say('watch export', values);
  expect(answer.ephemeralFor).toBe(fixture.admin.userId);
  const [attachment] = answer.attachments;
  return (await fetch(attachment?.url ?? '')).text();
}

const APPLY = 'watch:import:apply:';
const decide = (
  { press, admin }: Fixture,
  message: SeenMessage,
  deed: 'apply' | 'cancel',
  who = admin,
) => press(who, message, `watch:import:${deed}:`);
const titleOf = ({ embeds }: SeenMessage) => embeds[0]?.title;

describe('import and export', () => {
  it('exports, takes an edited file after a dry run that outlives a restart, and alerts as the file says', async () => {
    const fixture = await openFixture({ environment: { WATCHES_PER_GUILD: '5' } });
    const { discord, guildId, german, say } = fixture;
    const { id: office } = discord.createChannel(guildId, { name: 'office' });
    const { id: closed } = discord.createChannel(guildId, { name: 'closed' });
    discord.setBotPermissions(closed, PermissionFlagsBits.ViewChannel);
    const { channelId: foreign, say: sayThere } = elsewhere(fixture);
    await sayThere('watch add', { wallet: walletNumber(9), label: 'Secret' });
    expect((await say('watch export')).content).toContain('nothing to export');
    await say('watch add', { wallet: WALLET, label: '=Whale, "the" first' });

    const csv = await exported(fixture);
    expect(csv).toContain(
      `${WALLET_SHOWN},"'=Whale, ""the"" first",<#${fixture.channelId}>,#alerts,`,
    );
    expect(csv).not.toContain('Secret');
    expect(csv).not.toContain(foreign);
    const same = await send(fixture, csv);
    expect(titleOf(same)).toBe('0 new, 0 changed, 1 the same');
    expect(JSON.stringify(same.components)).not.toContain(APPLY);
    expect(
      titleOf(await send(fixture, await exported(fixture, { format: 'json' }), 'w.json')),
    ).toBe(titleOf(same));

    const bad = await send(
      fixture,
      [
        'wallet,channel,minUsdc',
        `${WALLET},,lots`,
        `${walletNumber(2)},<#${foreign}>,`,
        `${walletNumber(2)},#nowhere,`,
        '0x12*bold*,,',
        `${walletNumber(3)},office,`,
        `${walletNumber(3)},${office},`,
        `${walletNumber(4)},closed,`,
      ].join('\n'),
    );
    expect(bad.ephemeralFor).toBe(fixture.admin.userId);
    expect(titleOf(bad)).toBe('6 errors: nothing changed');
    const rows = textOf(bad).split('\n');
    expect(rows[0]).toContain('1 new, 0 changed, 0 the same, **6 errors**');
    expect(rows.slice(1)).toEqual([
      '• **Line 2**: minUsdc is `lots`. Use USDC from 0, such as 100 or 0.5.',
      expect.stringMatching(/^• \*\*Line 3\*\*: channel is `\d+`\. Use a channel of this server/),
      expect.stringMatching(/^• \*\*Line 4\*\*: channel is `#nowhere`\. Use/),
      expect.stringMatching(/^• \*\*Line 5\*\*: `0x12\*bold\*` isn’t a wallet address/),
      '• **Line 7**: repeats the wallet and channel of Line 6. Keep one.',
      expect.stringMatching(
        /^• \*\*Line 8\*\*: I can’t post in <#\d+>\. Give me Send Messages and Embed Links there/,
      ),
    ]);
    expect(JSON.stringify(bad.components)).not.toContain(APPLY);
    const many = Array.from({ length: 5 }, (_, index) => walletNumber(index + 20)).join('\n');
    expect(textOf(await send(fixture, many))).toMatch(
      /can have 5 watched wallets, counted once in each channel\. This one has 1, so there’s no room for 5 more/,
    );

    const edited = `${csv.replace('""the"" first', '""the big"" one').trimEnd()}\r\n${walletNumber(2)},Second,#office\r\n`;
    const cancelled = await send(fixture, edited);
    expect(titleOf(await decide(fixture, cancelled, 'cancel'))).toBe('Cancelled');
    const dryRun = await send(fixture, edited);
    expect(titleOf(dryRun)).toBe('1 new, 1 changed, 0 the same');
    expect(textOf(dryRun)).toContain(
      '• changed (label =Whale, "the" first → =Whale, "the big" one): =Whale, "the big" one `0x5aAe…eAed`',
    );
    expect(textOf(dryRun)).toContain(`• new: Second \`0x0000…0002\` in <#${office}>`);
    expect(titleOf(await say('watch list'))).toBe('1 watched wallet');

    await fixture.bot.stop();
    await fixture.startBot();
    const applied = await decide(fixture, dryRun, 'apply');
    expect(titleOf(applied)).toBe('Applied: 1 new, 1 changed');
    expect(JSON.stringify(applied.components)).not.toContain('watch:import');
    await fixture.trades(trade({ trader: walletNumber(2) }), trade());
    await fixture.alerted(1, office);
    await fixture.alerted(1);
    expect(fixture.alerts(office)[0]?.line).toContain('Second BUY');
    expect(fixture.alerts()[0]?.line).toContain('=Whale, "the big" one BUY');

    const list = [
      WALLET_SHOWN,
      `https://venue.example/u/${walletNumber(2)}?x=1`,
      walletNumber(30),
    ].join(',\n');
    const add = (
      wallet: string,
      values: Record<string, string | number> = {},
      who = fixture.admin,
    ) => fixture.sayAs(who, 'watch add', { wallet, ...values });
    const tooMany = Array.from({ length: 4 }, (_, index) => walletNumber(index + 40)).join(' ');
    for (const [wallet, values, fault] of [
      [tooMany, {}, /This one has 2, so there’s no room for 4 more/],
      [`${list} ${WALLET_SHOWN.replace('b', 'B')}`, {}, /checksum of `0x5aAe\w+` is wrong/],
      [`${list} 0x1234*`, {}, /`0x1234` isn’t a wallet address/],
      [list, { label: 'All' }, /\*\*label\*\* can’t be `All`|`label` can’t be `All`/],
    ] as const) {
      const refused = await add(wallet, values);
      expect(refused.content).toMatch(fault);
      expect(refused.ephemeralFor).toBe(fixture.admin.userId);
    }
    const preview = await add(list, { 'min-usdc': 50 }, german);
    expect(preview.ephemeralFor).toBe(german.userId);
    expect(textOf(preview)).toContain(
      'Noch ist nichts geändert. Übernimm es innerhalb einer Stunde oder brich ab.\n',
    );
    expect(textOf(preview)).toContain('Second `0x0000…0002`');
    expect(titleOf(await say('watch list'))).toBe('2 watched wallets in 2 channels');
    await decide(fixture, preview, 'apply', german);
    const watched = await exported(fixture);
    expect(watched).toMatch(new RegExp(`${walletNumber(2)},Second,<#${fixture.channelId}>.*,50`));
    expect(watched).toContain(`${walletNumber(30)},,<#${fixture.channelId}>`);
    expect(watched).not.toMatch(/Whale.*,50,/);
    expect(textOf(await add(list))).toContain(
      'Nothing to change: all of them are watched there already.',
    );
    expect(discord.rejections).toEqual([]);
  });

  it('asks Discord for no channel but those in which the server has watches, and for no more of a file after a refusal', async () => {
    const fixture = await openFixture();
    const { discord, guildId, channelId, say } = fixture;
    const foreign = elsewhere(fixture);
    const strange = Array.from({ length: 10 }, (_, index) =>
      discord.createChannel(foreign.guildId, { name: `strange ${index}` }),
    );
    discord.kickBot(foreign.guildId);
    const threads = ['watched', 'other', 'third'].map((name) =>
      discord.createChannel(guildId, { name, type: 11, parentId: channelId }),
    );
    const [watched = '', other = '', third = ''] = threads.map(({ id }) => id);
    for (const id of [watched, third]) await say('watch add', { wallet: WALLET }, id);
    for (const { id } of threads) discord.setThread(id, { archived: true });
    const asked: string[] = [];
    discord.events.on('request', ({ method, path, pattern }) => {
      if (method === 'GET' && pattern === '/channels/:channel') asked.push(path);
    });
    // Archived threads are not in what the gateway says at the start: the bot looks whether those
    // that have watches are still there.
    await fixture.bot.stop();
    await fixture.startBot();
    await expect.poll(() => asked.length).toBe(2);
    asked.length = 0;
    const rows = (ids: readonly string[]) =>
      ['wallet,channel', ...ids.map((id, index) => `${walletNumber(index + 1)},<#${id}>`)].join(
        '\n',
      );

    const refused = await send(fixture, rows([...strange.map(({ id }) => id), other]));
    expect(titleOf(refused)).toBe('11 errors: nothing changed');
    expect(textOf(refused)).toContain('open an archived thread first');
    expect(asked).toEqual([]);
    expect(discord.invalidRequests).toBe(0);

    const over = discord.faults.refuseRest({
      status: 403,
      code: 50001,
      route: 'GET /channels/:channel',
      times: Number.POSITIVE_INFINITY,
    });
    expect(titleOf(await send(fixture, rows([watched, third])))).toBe('2 errors: nothing changed');
    expect(asked).toEqual([`/channels/${watched}`]);
    over();
    expect(titleOf(await send(fixture, rows([watched])))).toBe('1 new, 0 changed, 0 the same');
    expect(asked).toEqual([`/channels/${watched}`, `/channels/${watched}`]);
  });

  it('finishes at the next start what a crash has cut off, and new watches alert on what came in between', async () => {
    const fixture = await openFixture({
      asProcess: true,
      environment: { WALLETBELL_TEST_KILL_AT: 'import.stored:4' },
    });
    const wallets = Array.from({ length: 10 }, (_, index) => walletNumber(index + 1));
    const dryRun = await send(fixture, wallets.join('\n'));
    expect(titleOf(dryRun)).toBe('10 new, 0 changed, 0 the same');
    const died = once(fixture.bot.process, 'close');
    await fixture.discord.press(fixture.admin, dryRun.id, idIn(dryRun, APPLY));
    await died;
    expect(fixture.logLines.filter(({ event }) => event === 'watch.added')).toHaveLength(4);
    const last = wallets.at(-1) ?? '';
    await fixture.ledger.addActivity(last, 1, trade({ trader: last }));
    await fixture.startBot({ WALLETBELL_TEST_KILL_AT: '' });
    expect(fixture.logLines.filter(({ event }) => event === 'watch.added')).toHaveLength(6);
    expect(titleOf(await fixture.say('watch list'))).toBe('10 watched wallets');
    await fixture.alerted(1);
    const again = await fixture.discord.press(fixture.admin, dryRun.id, idIn(dryRun, APPLY));
    expect((await again.waitFor(({ content }) => content !== '')).content).toContain(
      'This import has ended',
    );
  });
});
