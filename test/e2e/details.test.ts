import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { ActivityItem } from '../../src/domain/records.ts';
import { limitsOfAll } from '../support/limits-file.ts';
import {
  inMarket,
  nowSeconds,
  redemption,
  sale,
  trade,
  transfer,
  txHash,
} from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { within } from '../support/thorough.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import {
  elsewhere,
  type Fixture,
  idIn,
  labelsOf,
  openFixture,
  partsOf,
  post,
  query,
  standBefore,
  textOf,
} from './fixture.ts';
import { bought, remember, traded } from './past.ts';

const VISIBLE = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;
const DAY_MS = 86_400_000;

const fieldsOf = ({ embeds }: SeenMessage) =>
  Object.fromEntries(embeds[0]?.fields.map(({ name, value }) => [name, value.split('\n')]) ?? []);
const linesOf = ({ embeds }: SeenMessage) => embeds[0]?.description?.split('\n') ?? [];

/** Passes on to the venue, and shows what people look up there. */
async function lookUpsOf(fixture: Fixture) {
  const seen = { url: '', paths: [] as string[], isDown: false };
  seen.url = await standBefore(fixture, async (url, serve) => {
    // What the bot asks by itself has no beginning.
    if (url.searchParams.has('fromTimestamp')) seen.paths.push(url.pathname);
    return seen.isDown ? null : serve();
  });
  return seen;
}

async function openWatched(environment: Record<string, string> = {}) {
  const fixture = await openFixture({ withoutBot: true });
  const lookups = await lookUpsOf(fixture);
  const start = () => fixture.startBot({ VENUE_BASE_URL: lookups.url, ...environment });
  await start();
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  return { fixture, lookups, start };
}

const add = (fixture: Fixture, ...items: readonly ActivityItem[]) => fixture.trades(...items);

/** The newest message of the channel that answers nobody. */
const alertWith = (fixture: Fixture, text: string) =>
  fixture.until(
    (message) => message.interactionId === null && JSON.stringify(message.raw).includes(text),
  );

const press = (fixture: Fixture, message: SeenMessage, who = fixture.member) =>
  fixture.press(who, message, 'details:');

const records = (fixture: Fixture) =>
  query(fixture, "SELECT * FROM keyv WHERE key LIKE '%details:%'");

/** Makes the stopped bot's records as old as that. */
async function age(fixture: Fixture, days: number): Promise<void> {
  const older = `json_set(value, '$.value.createdAtMs', ${Date.now() - days * DAY_MS})`;
  await query(fixture, `UPDATE keyv SET value = ${older} WHERE key LIKE '%details:%'`);
}

/** A message of the bot with buttons that it did not put there itself. */
function plant(
  fixture: Fixture,
  customIds: readonly string[],
  channelId = fixture.channelId,
): Promise<SeenMessage> {
  const buttons = customIds.map((id) => ({ type: 2, style: 2, label: 'Details', custom_id: id }));
  const rows = [buttons.slice(0, 5), buttons.slice(5)].filter((row) => row.length > 0);
  return post(fixture, channelId, {
    content: `planted ${txHash()}`,
    components: rows.map((components) => ({ type: 1, components })),
  });
}

const cheap = {
  fee: 0.000001,
  price: 50.12,
  quantity: 100.5,
  grossValue: 50.3706,
  transferNetAmount: 50.370601,
};

describe('Details of an alert', { timeout: within(90_000) }, () => {
  it('answers whoever presses with every figure, position and record at the alert, and leads on; also after a restart', async () => {
    const { fixture, lookups, start } = await openWatched();
    const now = nowSeconds();
    const hashes = [txHash(), txHash()];
    await add(
      fixture,
      trade({ ...cheap, time: now, txHash: hashes[0] ?? '' }),
      trade({
        ...cheap,
        time: now + 1,
        txHash: hashes[1] ?? '',
        price: 63.123456,
        liquidityRole: 'MAKER',
      }),
      trade({ ...cheap, time: now + 1, txHash: hashes[1] ?? '', quantity: 0.000001 }),
    );
    const alert = await alertWith(fixture, 'Will it rain');
    // What was known is stored while the message is sent: on a busy machine it may still be on its
    // way.
    await fixture.logged('alert.sent');
    expect(labelsOf(alert)).toEqual([['View market', 'Details', 'Mute 1 h']]);
    expect(partsOf(alert)[0]?.[0]?.url).toBe('https://venue.example/market/501');

    const answer = await press(fixture, alert);
    expect(answer.ephemeralFor).toBe(fixture.member.userId);
    expect(answer.embeds[0]?.title).toMatch(/^Details: Whale BUY \*\*Yes \$151\*\* at 56\.62¢$/);
    expect(linesOf(answer)).toEqual([
      '**[Will it rain in Paris?](https://venue.example/market/501)**',
      `\`${WALLET_SHOWN}\` · [open the wallet](https://venue.example/wallet/${WALLET})`,
      'Paid **$151.111803** · gross $151.1118 · fees $0.000003',
      '201.000001 shares · average ≈ 56.621728¢ · best 50.12¢ · worst 63.123456¢',
      '3 fills in 2 transactions · taker 2 · maker 1',
      `Traded from <t:${now}:d> <t:${now}:T> to <t:${now + 1}:T>`,
      expect.stringMatching(/^Seen by the bot <t:\d+:T>$/),
      expect.stringMatching(/^Posted <t:\d+:T>( · \d+ s late)?$/),
    ]);
    expect(fieldsOf(answer)).toEqual({
      'Position at the time of the alert': [
        '0 → 201.000001 shares · average entry ≈ 56.621728¢',
        'First trade in this market',
      ],
      'Record at the time of the alert': ['No market is old enough yet.'],
    });
    expect(answer.embeds[0]?.footer?.text).toMatch(/^≈ rounded · #/);
    expect(answer.embeds[1]?.title).toBe('3 fills, newest first');
    expect(answer.embeds[1]?.description?.split('\n').toSorted()).toEqual(
      [
        `<t:${now + 1}:T> 100.5 at 63.123456¢ · gross $50.3706 · fee $0.000001 · maker`,
        `<t:${now + 1}:T> 0.000001 at 50.12¢ · gross $50.3706 · fee $0.000001 · taker`,
        `<t:${now}:T> 100.5 at 50.12¢ · gross $50.3706 · fee $0.000001 · taker`,
      ]
        .map((line, index) => {
          const hash = hashes[index === 2 ? 0 : 1] ?? '';
          return `${line} · [${hash.slice(0, 6)}…${hash.slice(-4)}](https://explorer.example/tx/${hash})`;
        })
        .toSorted(),
    );
    expect(answer.attachments).toEqual([]);
    expect(lookups.paths).toHaveLength(1);

    // It leads on to the lists of the wallet, for the same person alone.
    expect(labelsOf(answer)).toEqual([['Activity', 'Flows', 'Alert me']]);
    const list = await fixture.press(fixture.member, answer, `activity:open:${WALLET}`);
    expect(list.embeds.at(-1)?.title).toBe('Whale’s activity');
    expect(list.ephemeralFor).toBe(fixture.member.userId);

    // A sale tells what was known when it was announced, however much is traded afterwards.
    await add(
      fixture,
      sale({
        ...cheap,
        time: now + 2,
        quantity: 201.000001,
        price: 70,
        transferNetAmount: -140.700001,
        grossValue: 140.700002,
      }),
    );
    const sold = await alertWith(fixture, ':s0:');
    await fixture.logged('alert.sent');
    await add(fixture, trade({ ...cheap, time: now + 3, quantity: 7 }));
    await fixture.alerted(3);
    await fixture.bot.stop();
    await start();
    fixture.discord.setLocale(fixture.member.userId, 'de');
    const german = await press(fixture, sold);
    expect(german.embeds[0]?.title).toMatch(/^Details: Whale VERKAUF \*\*Yes 141\s\$\*\* /);
    const spaced = (line = '') => line.replaceAll('\u00a0', ' ');
    const received = 'Erhalten **140,700001 $** · brutto 140,700002 $ · Gebühren 0,000001 $';
    expect(spaced(linesOf(german)[2])).toBe(received);
    const position = fieldsOf(german)['Position zum Zeitpunkt der Meldung']?.map(spaced);
    expect(position?.[0]).toMatch(/^201,000001 → 0 Anteile · Ø Einstieg ≈ 56,621728 ¢$/);
    expect(position?.[1]).toMatch(
      /^Realisiert \*\*−10,411802 \$\*\* \(−6,9 %\) zum Durchschnittspreis gerechnet, nach ausgewiesenen Gebühren/,
    );
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('asks the venue once for all who press, counts it for no server, and says so when the venue is down', async () => {
    const limits = limitsOfAll(temporaryFolder(), { users: 6, guilds: 6 });
    const { fixture, lookups } = await openWatched(limits);
    await add(fixture, trade({ quantity: 5 }));
    const alert = await alertWith(fixture, 'Will it rain');
    const crowd = Array.from({ length: 30 }, (_, index) =>
      fixture.discord.createMember(fixture.guildId, { name: `member-${index}` }),
    );
    // What was known is stored while the message is sent.
    await fixture.logged('alert.sent');
    lookups.isDown = true;
    const down = await press(fixture, alert, crowd[0]);
    expect(down.embeds[0]?.description).toMatch(/^⚠️ The exchange/);
    expect(
      fieldsOf(down)['Position at the time of the alert']?.[0],
      'what the bot itself knows',
    ).toContain('0 → 5 shares');
    expect(down.ephemeralFor).toBe(crowd[0]?.userId);
    lookups.isDown = false;
    lookups.paths.length = 0;
    const answers = await Promise.all(crowd.map((person) => press(fixture, alert, person)));
    expect(new Set(answers.map(({ ephemeralFor }) => ephemeralFor)).size).toBe(30);
    expect(new Set(answers.map(({ embeds }) => embeds[0]?.title))).toEqual(
      new Set(['Details: Whale BUY **Yes $785** at 63.5¢']),
    );
    expect(lookups.paths).toHaveLength(1);
    // One person alone is held back, and the server's commands have not been used up by the crowd.
    const again = await Promise.all(
      Array.from({ length: 5 }, () => press(fixture, alert, crowd[1])),
    );
    expect(again.some(({ content }) => / at <t:\d+:T>/.test(content))).toBe(true);
    expect(textOf(await fixture.say('watch list'))).toContain('Whale');
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('has a file where hundreds of fills do not fit, and says so where Discord does not take it', async () => {
    const { fixture, lookups, start } = await openWatched({ LOG_LEVEL: 'debug' });
    fixture.discord.setBotPermissions(fixture.channelId, VISIBLE);
    const atSeconds = nowSeconds();
    for (let batch = 0; batch < 3; batch += 1) {
      fixture.logLines.length = 0;
      await add(
        fixture,
        ...Array.from({ length: 90 }, (_, n) =>
          trade({ time: atSeconds + 1 + batch, quantity: 1 + n / 8 + batch / 1_024 }),
        ),
      );
      // Pages that are full of one second: the venue is asked what else it held, and alerts wait
      // for that.
      await fixture.logged(batch === 0 ? 'poll.fresh' : 'positions.answered');
    }
    await fixture.bot.stop();
    await start();
    fixture.discord.setBotPermissions(fixture.channelId, null);
    const alert = await alertWith(fixture, '270 fills');
    const answer = await press(fixture, alert);
    expect(lookups.paths).toHaveLength(3);
    expect(linesOf(answer)).toContain('270 fills in 270 transactions · taker');
    const listed = answer.embeds[1]?.description?.split('\n') ?? [];
    expect(listed.at(-1)).toBe(
      `… and ${270 - (listed.length - 1)} more. All of them are in the file.`,
    );
    const [file] = answer.attachments;
    expect(file?.filename).toMatch(/^details-5aaeb605-[a-z2-9]{8}\.csv$/);
    const rows = Buffer.from(file?.data ?? [])
      .toString()
      .trim()
      .split('\n');
    expect(rows).toHaveLength(271);
    expect(
      rows.filter((row) => row.includes(',12.125,')),
      'all digits',
    ).toHaveLength(1);

    fixture.discord.faults.refuseRest({
      route: 'PATCH /webhooks',
      status: 403,
      code: 50013,
      message: 'Missing Permissions',
    });
    const plain = await press(fixture, alert, fixture.admin);
    expect(plain.attachments).toEqual([]);
    expect(plain.embeds[1]?.description).toMatch(/Discord didn’t take the file here\.$/);
    await fixture.logged('files.refused');
  });

  it('keeps what was known for 30 days: then it is as of now, and an id that does not say enough is answered so', async () => {
    const { fixture, start } = await openWatched();
    // What comes later is an alert of its own.
    await fixture.say('watch edit', { wallet: WALLET, style: 'each', kinds: 'all, other' });
    const long = {
      tokenId: '7',
      conditionId: '0x7',
      marketId: '7'.repeat(78),
      marketTitle: 'Long market',
    };
    const odd = { marketTitle: 'Odd market', marketId: 'no number', conditionId: '0x8' };
    await add(fixture, trade({ quantity: 10 }));
    const alert = await alertWith(fixture, 'Will it rain');
    await add(fixture, trade({ ...long, quantity: 4 }));
    const longAlert = await alertWith(fixture, 'Long market');
    await add(fixture, trade({ ...odd, action: 'Merge', actionType: 7, quantity: 6 }));
    const oddAlert = await alertWith(fixture, 'Odd market');
    for (const [short, text] of [
      [longAlert, 'Long market'],
      [oddAlert, 'Odd market'],
    ] as const) {
      expect(idIn(short, 'details:')).toMatch(/^details:[A-Za-z0-9_-]{27}:[a-z2-9]{8}$/);
      const answer = await press(fixture, short);
      expect(answer.content).toBe('');
      expect(linesOf(answer)[0]).toContain(text);
    }
    await add(fixture, trade({ quantity: 5, time: nowSeconds() + 2 }));
    await fixture.alerted(4);
    await fixture.say('watch list');
    await fixture.bot.stop();
    expect(await records(fixture)).toHaveLength(4);
    await age(fixture, 29.9);
    await remember(fixture, {
      [WALLET]: { record: bought(40, 99, 1), accounts: traded(40, 99), watchedDays: 100 },
    });
    await start();
    const before = await press(fixture, alert);
    expect(fieldsOf(before)['Record at the time of the alert']).toEqual([
      'No market is old enough yet.',
    ]);
    expect(fieldsOf(before)['Position at the time of the alert']?.[0]).toContain('0 → 10 shares');
    await fixture.bot.stop();
    await age(fixture, 30.1);
    await start();
    const after = await press(fixture, alert);
    const holds = 'Holds 15 shares · average entry 63.5¢ · cost $1,570.215, listed fees included';
    expect(fieldsOf(after)['Position now']?.[0]).toBe(holds);
    expect(fieldsOf(after)['Record now']?.[0]).toBe(
      '**No edge shown** · **0¢** a share · 40 markets',
    );
    const howToRead = fieldsOf(after)['How to read this']?.join(' ');
    expect(howToRead).toMatch(/kept for 30 days: position.*may belong to another alert/);
    expect(linesOf(after)[3]).toBe('10 shares · 63.5¢');
    await fixture.say('watch channel', { delay: '15m' });
    const delayed = await press(fixture, alert);
    expect(fieldsOf(delayed)['Position now']).toEqual(['Not shown: this channel is delayed.']);
    await fixture.say('watch channel', { delay: 'none' });
    const gone = /^Details are kept for 30 days, and this alert’s are gone\./;
    expect((await press(fixture, longAlert)).content).toMatch(gone);
    await fixture.bot.stop();
    expect(await records(fixture), 'what has expired is deleted').toEqual([]);
  });

  it('offers a menu where a message has several; says what is wrong with a forged id, and shows no other server what is known here', async () => {
    const { fixture } = await openWatched();
    await add(fixture, trade({ ...inMarket(31), quantity: 10 }));
    const alert = await alertWith(fixture, 'Will it rain');
    const id = idIn(alert, 'details:');
    const forged = [
      'details',
      'details:',
      `${id}:1`,
      id.replace(':31:', ':3 1:'),
      `${id.slice(0, -2)}$$`,
      'details:__proto__:constructor',
      `details:${'é'.repeat(40)}`,
    ];
    const planted = await plant(fixture, forged);
    for (const customId of forged) {
      const answer = await (
        await fixture.discord.press(fixture.member, planted.id, customId)
      ).reply();
      expect(answer.content, customId).toMatch(/^I can’t read this button\. /);
      expect(answer.ephemeralFor).toBe(fixture.member.userId);
    }
    const { channelId, admin: eve } = elsewhere(fixture);
    const copied = await plant(fixture, [id], channelId);
    const answer = await fixture.press(eve, copied, id);
    expect(answer.embeds[0]?.title).toMatch(/^Details: 0x5aAe…eAed BUY \*\*Yes/);
    expect(fieldsOf(answer)['Position now']).toEqual([
      'Unknown: the wallet isn’t watched here, or I haven’t read its earlier trades.',
    ]);
    expect(fieldsOf(answer)['Record now']).toEqual(['No market is old enough yet.']);
    expect(JSON.stringify(answer)).not.toContain('Whale');
    const gone = await plant(fixture, [id.split(':').slice(0, 3).join(':')], channelId);
    expect((await press(fixture, gone, eve)).content).toMatch(/^Details are kept for 30 days/);

    await fixture.say('watch channel', { view: 'compact' });
    const snow = {
      tokenId: '7',
      conditionId: '0x7',
      marketId: '777',
      marketTitle: 'Snow? @everyone `x`',
    };
    await add(
      fixture,
      trade({ quantity: 1 }),
      trade({ ...snow, quantity: 2 }),
      redemption({ quantity: 3, marketId: '9', conditionId: '0x9', tokenId: '9' }),
    );
    const message = await alertWith(fixture, 'Snow');
    expect(labelsOf(message)).toEqual([['Details or mute…']]);
    const options = partsOf(message)[0]?.[0]?.options ?? [];
    expect(options.map(({ label, description }) => [label, description]).toSorted()).toEqual([
      ['Mute Whale 1 h', undefined],
      ['Whale BUY Yes $785.11', '1 share · Will it rain in Paris?'],
      ['Whale BUY Yes $785.11', '2 shares · Snow? @everyone `x`'],
      ['Whale REDEEM Yes $1,234.50', '3 shares · Will it rain in Paris?'],
    ]);
    const value = options.find(({ description }) => description?.includes('Snow'))?.value ?? '';
    const chosen = await (
      await fixture.discord.select(fixture.member, message.id, 'details', [value])
    ).reply();
    expect(chosen.ephemeralFor).toBe(fixture.member.userId);
    expect(linesOf(chosen)[0]).toContain('Snow? @\u200beveryone');
    expect(linesOf(chosen)[3]).toBe('2 shares · 63.5¢');
    const redeemed = options.find(({ label }) => label.includes('REDEEM'))?.value ?? '';
    const back = await (
      await fixture.discord.select(fixture.member, message.id, 'details', [redeemed])
    ).reply();
    expect(linesOf(back).slice(2, 5)).toEqual([
      'Received **$1,234.50** · gross $1,234.50 · no fees',
      '3 shares',
      '1 redemption in 1 transaction',
    ]);

    await fixture.say('watch channel', { view: 'full' });
    const moved = transfer({ type: 'withdrawal', amount: 321 });
    await fixture.ledger.addTransfer(WALLET, moved);
    const transferred = await alertWith(fixture, 'withdrew **$321');
    expect(labelsOf(transferred)).toEqual([['Mute 1 h']]);
    expect(transferred.embeds[0]?.description).toContain(
      `(https://explorer.example/tx/${moved.txHash})`,
    );

    // What the menu says of Mute does what the button does.
    const { value: mute = '' } = options.find(({ label }) => label.startsWith('Mute')) ?? {};
    const select = async (who: MemberRef) =>
      (await fixture.discord.select(who, message.id, 'details', [mute])).reply();
    expect((await select(fixture.member)).content).toContain('Manage Server');
    const muted = await select(fixture.admin);
    expect(muted.content).toMatch(/> muted \*\*Whale\*\* .*1 h \(until <t:/);
    expect(muted.ephemeralFor).toBeNull();
    expect(muted.pings, 'it names who pressed, and mentions nobody').toMatchObject({
      everyone: false,
      userIds: [],
    });
    const { components } = fixture.discord.message(message.id) ?? {};
    expect(components, 'the alert stays as it was').toEqual(message.components);

    // The channel goes, and its records with it.
    fixture.discord.deleteChannel(fixture.channelId);
    await expect.poll(async () => (await records(fixture)).length).toBe(0);
    expect(fixture.discord.rejections).toEqual([]);
  });
});
