import { once } from 'node:events';
import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { PERMISSIONS, USUAL_BOT_PERMISSIONS } from '@walletbell/local-discord/discord/permissions';
import { describe, expect, it } from 'vitest';
import { type Digest, digestKind } from '../../src/digests/documents.ts';
import { entryKeys } from '../../src/domain/market-keys.ts';
import { SETTLEMENTS_PREFIX } from '../../src/feed/settlements/settlements.ts';
import { openStore } from '../../src/store/store.ts';
import { verdictKind } from '../../src/watches/verdicts.ts';
import { testMachine } from '../support/machine.ts';
import { nowSeconds, sale, trade, transfer } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, query } from './fixture.ts';

const HOUR = 3_600;
const DAY = 86_400;
const OTHER = `0x${'2'.repeat(40)}`;

/** A minute of the day by UTC. */
const clockOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 16);

const digestsIn = (fixture: Fixture, channelId = fixture.channelId): SeenMessage[] =>
  fixture.discord
    .messages(channelId)
    .filter(({ embeds }) => /digest · /.test(embeds[0]?.title ?? ''));

async function digested(
  fixture: Fixture,
  channelId = fixture.channelId,
): Promise<SeenMessage | undefined> {
  await fixture.until(() => digestsIn(fixture, channelId).length > 0, channelId);
  return digestsIn(fixture, channelId)[0];
}

/** Changes what is stored of a channel's digest, while no bot runs. */
async function changeStored(
  fixture: Fixture,
  channelId: string,
  change: (document: Digest) => Partial<Digest>,
): Promise<void> {
  const store = await openStore(fixture.storeUrl);
  const documents = digestKind.open(testMachine(), store);
  expect(
    documents.load(digestKind.prefix + channelId, await store.get(digestKind.prefix + channelId)),
  ).toBe('kept');
  await documents.change(channelId, (digest) => digest && { ...digest, ...change(digest) });
  await store.close();
}

/** Stores that a market of the wallet ended, and that it was better than luck until then. */
async function storeNews(
  { storeUrl, channelId, guildId }: Fixture,
  { beganSeconds, atSeconds }: Readonly<Record<'beganSeconds' | 'atSeconds', number>>,
): Promise<void> {
  const { market, outcome } = entryKeys(trade());
  const store = await openStore(storeUrl);
  const ended = [market, atSeconds / HOUR, [[outcome, 1]]];
  await store.set(`${SETTLEMENTS_PREFIX}0`, { markets: [ended] });
  const verdict = { state: 'ended', among: 1, changedSeconds: atSeconds, beganSeconds };
  const place = { ownerId: guildId, channelId, wallet: WALLET };
  await store.set(`${verdictKind.prefix}${channelId}:${WALLET}`, { ...place, ...verdict });
  await store.close();
}

const settledAgo = (seconds: number) => () => ({ doneUntilMs: (nowSeconds() - seconds) * 1000 });

describe('the digest', () => {
  it('is set in words, asked for, changed, ended, and forgotten with its channel; what it cannot read is refused', async () => {
    const fixture = await openFixture();
    const { say } = fixture;
    for (const [command, values] of [
      ['watch digest', { every: 'day' }],
      ['watch channel', { view: 'compact' }],
    ] as const) {
      const refused = await say(command, values);
      expect(refused.content, 'nothing is watched').toBe(
        `No wallets are watched in <#${fixture.channelId}>. Add one with \`/watch add\`.`,
      );
    }
    await say('watch add', { wallet: WALLET });
    const weekly = { every: 'week', at: '9:30', 'time-zone': 'europe/berlin', day: 'Friday' };
    const set = await say('watch digest', weekly);
    expect(set.content).toContain('Every Friday at 09:30 (Europe/Berlin). Next: <t:');
    await say('watch digest', { every: 'day' });
    expect((await say('watch digest')).content).toContain('Every day at 09:30 (Europe/Berlin)');
    expect((await say('watch digest', { at: '25:00' })).content).toContain(
      '`at` can’t be `25:00`. Use a time from `00:00` to `23:59`. Nothing changed.',
    );
    expect((await say('watch digest', { 'time-zone': 'Mars' })).content).toContain(
      '`time-zone` can’t be `Mars`. Use a name such as `Europe/Berlin`',
    );
    expect((await say('watch digest', { every: 'off' })).content).toContain(
      'no longer gets a digest',
    );
    expect((await say('watch digest')).content).toContain('has no digest');
    const asked = async (values: Record<string, string>) =>
      (await fixture.sayAs(fixture.german, 'watch digest', values)).content;
    const none =
      'hat keine Übersicht. Mit `/beobachten übersicht häufigkeit:` richtest du eine ein.';
    expect(await asked({})).toContain(none);
    expect(await asked({ at: '25:00' })).toContain('`25:00` passt nicht zu `uhrzeit`.');
    expect(await asked(weekly)).toMatch(
      /bekommt eine Übersicht\. Jeden Freitag um 09:30 Uhr \(Europe\/Berlin\)\. Nächste: <t:\d+:R> \(<t:\d+:F>, deine Zeit\)\.$/,
    );
    expect((await say('watch digest')).content, 'as it is stored for all').toContain(
      'Every Friday at 09:30',
    );

    const { id: channelId } = fixture.discord.createChannel(fixture.guildId, { name: 'short' });
    await say('watch add', { wallet: WALLET }, channelId);
    await say('watch digest', { every: 'day' }, channelId);
    await say('watch remove', { wallet: WALLET }, channelId);
    fixture.discord.deleteChannel(channelId);
    await say('watch digest', { every: 'day' });
    await fixture.bot.stop();
    const store = await openStore(fixture.storeUrl);
    expect(await store.get(digestKind.prefix + fixture.channelId)).toBeDefined();
    expect(await store.get(digestKind.prefix + channelId)).toBeUndefined();
    await store.close();
  });

  it('comes once, with the time until now, after the bot was away and was killed on the way; with a chart where it may, in one line where nothing happened', async () => {
    const fixture = await openFixture();
    // A past of the last day, and a daily digest that is due at an hour two hours ago.
    const dueSeconds = Math.floor(nowSeconds() / HOUR) * HOUR - 2 * HOUR;
    const within = dueSeconds - 5 * HOUR;
    await fixture.ledger.addTransfer(WALLET, transfer({ time: within - 60, amount: 5_000 }));
    await fixture.trades(
      trade({ time: within, grossValue: 700, transferNetAmount: 701 }),
      sale({ time: within + 600, quantity: 617.25, grossValue: 450, transferNetAmount: -449 }),
      trade({ time: dueSeconds + 60, grossValue: 90_000, transferNetAmount: 90_010 }),
    );
    const { discord, guildId, channelId } = fixture;
    const [quiet, plain] = ['quiet', 'plain'].map(
      (name) => discord.createChannel(guildId, { name }).id,
    );
    if (quiet === undefined || plain === undefined) throw new Error('Two channels were made.');
    const at = { every: 'day', at: clockOf(dueSeconds), 'time-zone': 'UTC' };
    for (const [where, wallet] of [
      [channelId, WALLET],
      [quiet, OTHER],
      [plain, WALLET],
    ] as const) {
      await fixture.say('watch add', { wallet, label: 'whale' }, where);
      await fixture.say('watch digest', at, where);
    }
    await fixture.bot.stop();
    // One more was due the day before: only the later one is sent, and covers both days and what
    // happened since it was due.
    await changeStored(fixture, channelId, settledAgo(30 * HOUR));
    await query(
      fixture,
      `UPDATE keyv SET value = json_set(value, '$.value.beganSeconds', ${dueSeconds - 3 * DAY})
        WHERE key LIKE '%watch:${channelId}:%' OR key LIKE '%watch:${plain}:%'`,
    );
    await storeNews(fixture, { beganSeconds: dueSeconds - 3 * DAY, atSeconds: dueSeconds - HOUR });
    for (const step of ['digest.stored', 'post.answered']) {
      await fixture.startBot({ WALLETBELL_TEST_KILL_AT: `${step}:1` }).catch(() => {});
      const { process: bot } = fixture.bot;
      if (bot.signalCode === null) await once(bot, 'close');
      expect(bot.signalCode).toBe('SIGKILL');
    }
    const digest = await digested(fixture);
    // So long after the first attempt Discord has forgotten its nonce.
    await changeStored(fixture, channelId, ({ underWay }) => ({
      underWay: underWay && { ...underWay, startedAtMs: underWay.startedAtMs - HOUR * 1000 },
    }));
    for (const where of [quiet, plain]) await changeStored(fixture, where, settledAgo(20 * HOUR));
    discord.setBotPermissions(plain, USUAL_BOT_PERMISSIONS & ~PERMISSIONS.ATTACH_FILES);
    await fixture.startBot();
    await fixture.logged('digest.found');
    const empty = await digested(fixture, quiet);
    const bare = await digested(fixture, plain);
    await fixture.bot.stop();

    expect(digestsIn(fixture)).toHaveLength(1);
    const [embed] = digest?.embeds ?? [];
    expect(embed?.title).toMatch(/^Daily digest · .*\d\d:00.*\d\d:00$/);
    expect(embed?.imageUrl).toContain('digest.png');
    expect(embed?.footer?.text).toMatch(/ \(UTC\) · #\w{8}$/);
    const said = embed?.description ?? '';
    for (const texts of [
      '**3 trades, $91.2K** volume · largest: whale BUY **Yes $90,010** at ',
      '-# 1 wallet · 1 transfer · net deposits +\u2060$5,000',
      '**whale** · 3 trades, **$91,150**',
      '\n\n**1 market settled**\n• [Will it rain in Paris?](https://venue.example/market/501) · **Yes** won · whale\n',
      '\n**whale** · no longer better than luck: **Too early to say**',
    ]) {
      expect(said).toContain(texts);
    }
    expect(said).not.toMatch(/realized|gain/i);
    expect(bare?.embeds[0]?.description).toContain('**3 trades, $91.2K** volume');
    expect(bare?.embeds[0]?.imageUrl).toBeNull();
    expect(bare?.embeds[0]?.description).toMatch(
      /\n-# ⚠️ The chart is missing: I need Attach Files in this channel\.$/,
    );
    const lines = empty?.embeds[0]?.description?.split('\n') ?? [];
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^Quiet from <t:\d+:f> to <t:\d+:f>: no trades.* from 1 wallet\. Part of that time is unknown\.$/,
    );
    expect(discord.rejections).toEqual([]);
    expect(discord.warnings).toEqual([]);
  });
});
