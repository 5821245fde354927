import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { KNOWLEDGE } from '../../src/alerts/build.ts';
import { WALLET_PREFIX } from '../../src/alerts/outbox.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import type { AlertedPositions } from '../../src/portfolio/results/alerted-positions.ts';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { imageSize } from '../../src/sandbox/discord/image.ts';
import { openStore } from '../../src/store/store.ts';
import { type Fixture, nowSeconds, openFixture, sale, trade, WALLET } from './fixture.ts';

const DAY = 86_400;
const OTHER = `0x${'2'.repeat(40)}`;
const SMALL = `0x${'3'.repeat(40)}`;

const documentSchema = z.looseObject({ poll: z.record(z.string(), z.unknown()) });

/** A record of so many closed markets, each of $10 paid, half of them won, and of open ones of this age. */
function followed(
  channelId: string,
  closed: number,
  receivedOfWon: number,
  openDays: readonly number[],
): AlertedPositions {
  const won = closed / 2;
  const nothing = { markets: 0, paid: '0', received: '0', paidPaid: 0, receivedReceived: 0, paidReceived: 0 };
  const received = won * receivedOfWon + (closed - won) * 5;
  return {
    open: openDays.map((days, index) => ({
      title: 'Rain?',
      marketId: `${index}`,
      marketSlug: 'rain',
      eventSlug: 'weather',
      channelId,
      market: `m${index}`,
      messageId: null,
      openedSeconds: nowSeconds() - days * DAY,
      soldSeconds: null,
      outcomes: [{ outcome: `o${index}`, shares: '10', paid: '10', received: '0', fees: '0' }],
      undelivered: [],
    })),
    records: [
      {
        channelId,
        markets: closed,
        won,
        paid: String(closed * 10),
        received: String(received),
        fees: '0',
        paidPaid: closed * 100,
        receivedReceived: won * receivedOfWon ** 2 + (closed - won) * 25,
        paidReceived: received * 10,
        abandoned: 0,
        overdue: nothing,
      },
    ],
  };
}

/** Gives wallets a past, while no bot runs. */
async function remember(fixture: Fixture, past: Readonly<Record<string, AlertedPositions>>): Promise<void> {
  const store = await openStore(`sqlite://${join(fixture.directory, 'data', 'bot.sqlite')}`);
  for (const [wallet, alertedPositions] of Object.entries(past)) {
    const before = documentSchema.parse(
      (await store.get(WALLET_PREFIX + wallet)) ?? { version: 1, poll: {}, outbox: [] },
    );
    const known = before.poll[KNOWLEDGE] ?? {
      portfolio: newPortfolio(nowSeconds(), false),
      entries: [],
      announced: [],
    };
    const knowledge = { ...(known as object), alertedPositions };
    await store.set(WALLET_PREFIX + wallet, { ...before, poll: { ...before.poll, [KNOWLEDGE]: knowledge } });
  }
  await store.close();
}

const textOf = ({ embeds }: SeenMessage) => embeds[0]?.description ?? '';
const fileOf = ({ attachments }: SeenMessage) => Buffer.from(attachments[0]?.data ?? []).toString();

describe('/watch scores', { timeout: 90_000 }, () => {
  it('ranks the wallets of a channel for all to see, with a chart and a file, and without them where Discord takes none', async () => {
    const fixture = await openFixture();
    const { discord, channelId } = fixture;
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    await fixture.say('watch add', { wallet: OTHER, label: '=Shark' });
    await fixture.say('watch add', { wallet: SMALL });
    const empty = await fixture.say('watch scores');
    expect(empty.ephemeralFor, 'everybody sees it').toBeNull();
    expect(textOf(empty)).toMatch(/^No scores yet: no purchase of these wallets has been alerted here\./);
    expect(empty.attachments).toEqual([]);

    await fixture.bot.stop();
    await remember(fixture, {
      [WALLET]: followed(channelId, 40, 20, [3, 40, 45]),
      [OTHER]: followed(channelId, 20, 18, []),
      [SMALL]: followed(channelId, 18, 30, [1]),
    });
    await fixture.startBot();
    const scores = await fixture.say('watch scores');
    expect(scores.ephemeralFor).toBeNull();
    expect(scores.embeds[0]?.title).toBe('Wallet scores');
    const lines = textOf(scores).split('\n');
    // 500 for 400 paid, 20 more of them lost: 500 / 420 − 1.
    expect(lines[3]).toMatch(/^\*\*1\.\*\* Whale · \*\*\+19%\*\* ± 1[12](\.\d)?%$/);
    expect(lines[4]).toMatch(
      /^-# 20 of 40 closed markets won · closed ones alone \+25% ± 1\d(\.\d)?% · 3 open, oldest since <t:\d+:d> · 2 over 30 days old, counted as lost$/,
    );
    expect(lines[5]).toMatch(/^\*\*2\.\*\* =Shark · \*\*\+15%\*\* ± 1\d(\.\d)?%$/);
    expect(lines.slice(7)).toEqual([
      '',
      '**Not ranked: fewer than 20 closed markets**',
      expect.stringMatching(/^• 0x3333…3333 · \*\*\+75%\*\*/),
    ]);
    const response = await fetch(scores.embeds[0]?.imageUrl ?? '');
    expect(imageSize(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ width: 1_200 });
    const rows: Record<string, string>[] = parse(fileOf(scores), { columns: true });
    expect(rows.map(({ rank, label }) => [rank, label])).toEqual([
      ['1', 'Whale'],
      ['2', "'=Shark"],
      ['', ''],
    ]);
    expect(rows[0]).toMatchObject({
      closed_markets: '40',
      return_per_dollar: '0.25',
      over_30_days_open: '2',
      return_with_those_lost: '0.190476',
    });

    const german = discord.createMember(fixture.guildId, { name: 'Gretel', admin: true, locale: 'de' });
    const asked = await discord.command(german, channelId, 'watch scores');
    expect(textOf(await asked.reply())).toContain('19\u00a0%');

    const refusals = [
      [403, 50013, 'I need Attach Files in this channel.'],
      [413, 40005, 'too large for Discord.'],
      [500, 0, 'Discord didn’t take it.'],
    ] as const;
    for (const [status, code, why] of refusals) {
      const accept = discord.faults.refuseRest({
        route: 'PATCH /webhooks',
        withFiles: true,
        times: Number.POSITIVE_INFINITY,
        status,
        code,
      });
      const bare = await fixture.say('watch scores');
      accept();
      expect(textOf(bare)).toBe(`${textOf(scores)}\n\n-# ⚠️ Chart and file are missing: ${why}`);
      expect([bare.embeds[0]?.imageUrl, bare.attachments.length]).toEqual([null, 0]);
    }
    expect(discord.rejections.every(({ injected }) => injected)).toBe(true);

    // A market that closes over the wire counts at once.
    await fixture.ledger.addActivity(SMALL, 1, trade({ trader: SMALL, time: nowSeconds() }));
    await fixture.alerted(1);
    await fixture.ledger.addActivity(SMALL, 2, sale({ trader: SMALL, time: nowSeconds() }));
    await fixture.alerted(3);
    expect(textOf(await fixture.say('watch scores'))).toContain(' of 19 closed markets won');
  });

  it('shows a channel only to those who see it, and only where everybody does', async () => {
    const fixture = await openFixture();
    const { discord, guildId, member } = fixture;
    const { id: secret } = discord.createChannel(guildId, { name: 'secret' });
    const { id: open } = discord.createChannel(guildId, { name: 'open' });
    discord.setOverwrite(secret, { id: member.userId, type: 1, allow: 0n, deny: PermissionFlagsBits.ViewChannel });
    await fixture.say('watch add', { wallet: WALLET, label: 'Hidden' }, secret);
    await fixture.say('watch add', { wallet: OTHER, label: 'Shown' }, open);
    const command = discord.commands().find(({ name }) => name === 'watch');
    discord.setCommandExceptions(guildId, command?.id ?? '', [{ id: member.userId, type: 2, permission: true }]);
    const asBob = async (values: Record<string, string>) =>
      (await discord.command(member, fixture.channelId, 'watch scores', values)).reply();

    await expect(
      asBob({ channel: secret }),
      'a client offers no channel that its person does not see',
    ).rejects.toThrow();
    const told = await fixture.say('watch scores', { channel: secret });
    expect(told.ephemeralFor).toBe(fixture.admin.userId);
    expect(told.content).toBe(`Not everybody who reads this channel can see <#${secret}>. Ask for its scores there.`);
    expect(textOf(await fixture.say('watch scores', {}, secret))).toContain('No scores yet');
    expect((await fixture.say('watch scores')).content).toContain(`<#${fixture.channelId}>`);
    expect(discord.rejections).toEqual([]);

    expect(textOf(await asBob({ channel: open })), 'for the same people').toContain('No scores yet');
  });
});
