import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { imageSize } from '../../src/sandbox/discord/image.ts';
import {
  type Fixture,
  nowSeconds,
  openFixture,
  post,
  redemption,
  rowWith,
  sale,
  trade,
  transfer,
  txHash,
  WALLET,
  WALLET_SHOWN,
} from './fixture.ts';

const DAY = 86_400;
/** 21 November 2026, 10:00 UTC. */
const NOON = 1_795_255_200;

function buttonsOf({ components }: SeenMessage): Record<string, { customId: string; disabled: boolean }> {
  const found = JSON.stringify(components).matchAll(/\{[^{}]*"custom_id":"[^{}]*\}/g);
  return Object.fromEntries(
    [...found].map(([text]) => {
      const button = JSON.parse(text);
      return [button.label, { customId: button.custom_id, disabled: button.disabled === true }];
    }),
  );
}

async function press(
  fixture: Fixture,
  message: SeenMessage,
  label: string,
  who = fixture.member,
): Promise<SeenMessage> {
  return (await fixture.discord.press(who, message.id, buttonsOf(message)[label]?.customId ?? label)).reply();
}

async function pictureOf({ embeds }: SeenMessage): Promise<unknown> {
  const response = await fetch(embeds.at(-1)?.imageUrl ?? '');
  return imageSize(new Uint8Array(await response.arrayBuffer()));
}

/** Presses a button with this custom id under a message of the bot, as it stands under an alert. */
async function pressElsewhere(fixture: Fixture, customId: string): Promise<SeenMessage> {
  const alert = await post(fixture, fixture.channelId, { content: customId, components: [rowWith(customId)] });
  return (await fixture.discord.press(fixture.member, alert.id, customId)).reply();
}

const totalsOf = ({ embeds }: SeenMessage) => embeds.at(-1)?.fields[0]?.value ?? '';
const textOf = ({ embeds }: SeenMessage) => embeds.at(-1)?.description ?? '';
const refusalOf = async (fixture: Fixture, values: Record<string, string>) => {
  const answer = await fixture.say('activity', { wallet: WALLET, ...values });
  expect(answer.ephemeralFor, 'only the person who typed it sees it').toBe(fixture.admin.userId);
  return answer.content;
};

describe('/activity and /flows', () => {
  it('narrow by market, action, time and transaction, total exactly, draw, export, and outlive a restart', async () => {
    const fixture = await openFixture();
    const { ledger } = fixture;
    const rain = (n: number) =>
      trade({ time: NOON - n * 3_600, grossValue: 0.1, fee: 0.01, transferNetAmount: 0.11, quantity: n });
    const snow = {
      marketId: '777',
      marketSlug: 'snow-in-oslo',
      marketTitle: '=SUM(A1) @everyone [x](https://evil.example)',
    };
    const hash = `0x${'AB'.repeat(32)}`;
    for (let n = 30; n > 0; n -= 1) await ledger.addActivity(WALLET, 1, rain(n));
    await ledger.addActivity(
      WALLET,
      2,
      sale({ ...snow, time: NOON - 5 * DAY, txHash: hash.toLowerCase(), grossValue: 0.2 }),
    );
    await ledger.addActivity(WALLET, 2, redemption({ ...snow, time: NOON - 9 * DAY, grossValue: 7 }));

    const first = await fixture.say('activity', { wallet: WALLET });
    expect(first.embeds.at(-1)?.footer?.text).toBe('Page 1, newest first');
    expect(totalsOf(first)).toBe(
      '30 buys $3.00 · 1 sell $0.20 · 1 redemption $7.00\nFees $1.50 · net **+$2,013.91**\n-# All 32 records.',
    );
    expect(textOf(first).match(/Bought/g)).toHaveLength(10);
    expect(textOf(first).match(/Will it rain/g), 'a market is named once').toHaveLength(1);
    expect(await pictureOf(first)).toEqual({ width: 1_200, height: 750 });
    expect(first.pings.everyone).toBe(false);

    // The market has been seen: it is offered by its title, and its slug is as good as its number.
    const offered = await fixture.discord.autocomplete(
      fixture.member,
      fixture.channelId,
      'activity',
      { wallet: WALLET, market: 'snow' },
      'market',
    );
    expect(offered).toEqual([{ name: expect.stringContaining('SUM'), value: '777' }]);
    for (const market of ['777', 'Snow-in-Oslo']) {
      const narrowed = await fixture.say('activity', { wallet: WALLET, market });
      expect(textOf(narrowed)).toContain('Only market 777');
      expect(totalsOf(narrowed)).toContain('All 2 records.');
    }
    const redeemed = await fixture.say('activity', { wallet: WALLET, action: 'Redeem' });
    expect(totalsOf(redeemed)).toContain('1 found among all 32 records.');
    expect(await pictureOf(redeemed)).toEqual({ width: 1_200, height: 750 });
    const slug = await fixture.say('activity', { wallet: WALLET, market: 'never-seen' });
    expect(textOf(slug)).toContain('Nothing matches.');
    const times = { from: '2026-11-20 10:00', to: '2026-11-21' };
    expect(totalsOf(await fixture.say('activity', { wallet: WALLET, ...times }))).toContain('All 24 records.');
    const one = await fixture.say('activity', { wallet: WALLET, transaction: hash });
    expect(textOf(one)).toContain('**Sold 1,234.5 Yes**');
    expect(totalsOf(one)).toContain('The only record.');
    expect(Object.keys(buttonsOf(one))).toEqual(['CSV']);

    expect(await refusalOf(fixture, { from: 'soon' })).toContain('I can’t read `soon` as a time. Try `2h`');
    expect(await refusalOf(fixture, { to: '1795255200000' })).toContain('milliseconds');
    expect(await refusalOf(fixture, { from: '2026-11-02', to: '2026-11-01' })).toContain('is later than');
    expect(await refusalOf(fixture, { transaction: '0x12' })).toContain('0x followed by 64 hex digits');
    expect(await refusalOf(fixture, { market: 'no slug!' })).toContain('isn’t a market id or slug');

    const file = await press(fixture, first, 'CSV');
    expect(file.ephemeralFor).toBe(fixture.member.userId);
    expect(file.content).toBe('Activity of 0x5aAe…eAed, 32 rows. All 32 records.');
    expect(file.attachments[0]?.filename).toBe('activity-5aaeb605.csv');
    const rows: Record<string, string>[] = parse(Buffer.from(file.attachments[0]?.data ?? []), { columns: true });
    expect(rows).toHaveLength(32);
    expect(rows[0]).toMatchObject({ action: 'Buy', gross_usdc: '0.1', shares: '1' });
    expect(rows[30]?.['market_title']).toMatch(/^'=SUM/);

    const second = await press(fixture, first, 'Next');
    expect(textOf(second)).toContain('**Bought 11 Yes**');
    expect(totalsOf(second)).toBe(totalsOf(first));
    await fixture.bot.stop();
    await fixture.startBot();
    // What has come since does not shift the pages.
    for (let n = 0; n < 3; n += 1) await ledger.addActivity(WALLET, 3, trade({ time: NOON + n }));
    const third = await press(fixture, second, 'Next');
    expect(textOf(third)).toContain('**Bought 21 Yes**');
    expect(totalsOf(third)).toBe(totalsOf(first));
    const last = await press(fixture, third, 'Next');
    expect(textOf(last)).toContain('**Redeemed 1,234.5 Yes**');
    expect(buttonsOf(last)['Next']?.disabled).toBe(true);
    expect(await pictureOf(last)).toEqual({ width: 1_200, height: 750 });

    // A list stays in the language of whoever asked for it; what one person alone sees is in theirs.
    const german = fixture.discord.createMember(fixture.guildId, { name: 'Gretel', admin: true, locale: 'de' });
    const list = await (
      await fixture.discord.command(german, fixture.channelId, 'activity', { wallet: WALLET, market: 'rain-in-paris' })
    ).reply();
    expect(list.embeds[0]?.title).toBe('Aktivität von 0x5aAe…eAed');
    expect(textOf(list)).toContain('Nur Markt ');
    const turned = await press(fixture, list, 'Weiter');
    expect(turned.embeds[0]?.footer?.text).toBe('Seite 2, neueste zuerst');
    expect(Object.keys(buttonsOf(turned))).toEqual(['Zurück', 'Weiter', 'CSV']);
    expect((await press(fixture, turned, 'CSV')).content).toMatch(/^Activity of 0x5aAe…eAed, 3\d rows\. /);
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('say how far they have read, read on when asked, and open under an alert for one person alone', async () => {
    const fixture = await openFixture();
    for (let n = 0; n < 450; n += 1) {
      const make = n === 449 || n === 5 ? sale : trade;
      await fixture.ledger.addActivity(WALLET, 1, make({ time: NOON - n * 60 }));
    }
    const long = await fixture.say('activity', { wallet: WALLET });
    expect(totalsOf(long)).toContain(`The newest 300 records, back to <t:${NOON - 299 * 60}:f>.`);
    const sold = await fixture.say('activity', { wallet: WALLET, action: 'Sell' });
    expect(totalsOf(sold)).toContain('1 found among the newest 300 records, back to');
    const further = await press(fixture, sold, 'Search further');
    expect(textOf(further).match(/Sold/g)).toHaveLength(2);
    expect(totalsOf(further)).toContain('2 found among all 450 records.');
    expect(Object.keys(buttonsOf(further))).toEqual(['CSV']);

    // As it stands under an alert: the channel's message stays, and only who presses sees the list.
    const opened = await pressElsewhere(fixture, `activity:open:${WALLET}`);
    expect(opened.ephemeralFor).toBe(fixture.member.userId);
    expect(opened.id).not.toBe(long.id);
    const next = await press(fixture, opened, 'Next');
    expect(next.id).toBe(opened.id);
    expect(next.embeds[0]?.footer?.text).toBe('Page 2, newest first');
    expect(next.ephemeralFor).toBe(fixture.member.userId);
    expect(fixture.discord.rejections).toEqual([]);

    // Apps → Look up wallets: the cards of a message, for whoever asks alone.
    const { discord, admin, member, channelId, guildId } = fixture;
    const lookUp = async (content: string, who = member) =>
      (await discord.useOnMessage(who, discord.say(admin, channelId, content).id, 'Look up wallets')).reply();
    const card = await lookUp(`who is ${WALLET_SHOWN}? https://venue.example/u/${WALLET}?tx=${txHash()}`);
    expect(card.ephemeralFor).toBe(member.userId);
    expect(card.embeds.map(({ title, description }) => [title, description])).toEqual([
      [long.embeds[0]?.title, long.embeds[0]?.description],
    ]);
    expect(Object.keys(buttonsOf(card))).toEqual(['Activity', 'Flows']);
    const many = Array.from({ length: 6 }, (_, n) => `0x${String(n).repeat(40)}`);
    const cards = await lookUp([WALLET, ...many].join(' '));
    expect(cards.content).toBe('The first 5 of 7 wallets in this message:');
    expect(cards.embeds).toHaveLength(5);
    expect(cards.embeds[1]?.description).toContain('has no trades or redemptions');
    expect((await lookUp(`gm ${WALLET.slice(0, -1)} ${txHash()}`)).content).toBe(
      'I found no wallet address in this message.',
    );
    const typo = WALLET_SHOWN.replace('b', 'B');
    expect((await lookUp(`gm ${typo}`)).content).toContain(`The checksum of ${typo} is wrong`);
    const posted = await post(fixture, fixture.channelId, {
      embeds: [{ description: `Top wallets:\n${WALLET}\n\t${many[1]}` }],
    });
    const ofEmbed = await (await discord.useOnMessage(member, posted.id, 'Look up wallets')).reply();
    expect(ofEmbed.embeds.map(({ title }) => title)).toEqual([
      long.embeds[0]?.title,
      expect.stringContaining('0x1111'),
    ]);
    const eva = discord.createMember(guildId, { name: 'Eva', locale: 'de' });
    expect((await lookUp('nichts @everyone', eva)).content).toBe('In dieser Nachricht steht keine Wallet-Adresse.');

    // Where Discord does not take the picture, the rest comes without it.
    fixture.discord.faults.refuseRest({
      route: 'PATCH /webhooks',
      status: 403,
      code: 50013,
      message: 'Missing Permissions',
    });
    const plain = await fixture.say('activity', { wallet: WALLET });
    expect(totalsOf(plain)).toBe(totalsOf(long));
    expect(plain.embeds.at(-1)?.imageUrl).toBeNull();
    await fixture.logged('files.refused');

    const now = nowSeconds();
    await fixture.ledger.addTransfer(WALLET, transfer({ time: now - 3_600, amount: 0.1 }));
    await fixture.ledger.addTransfer(WALLET, transfer({ time: now - 7_200, amount: 0.2 }));
    await fixture.ledger.addTransfer(WALLET, transfer({ time: now - 2 * DAY, amount: 250.5, type: 'withdrawal' }));
    await fixture.ledger.addTransfer(WALLET, transfer({ time: now - 60 * DAY, amount: 5_000 }));
    const flows = await fixture.say('flows', { wallet: WALLET });
    expect(totalsOf(flows).split('\n')).toEqual([
      '**24 h:** in $0.30 (2) · out $0.00 (0) · net **+$0.30**',
      '**7 d, 30 d:** in $0.30 (2) · out $250.50 (1) · net **−$250.20**',
      '**All time:** in $5,000.30 (3) · out $250.50 (1) · net **+$4,749.80**',
      '-# All 4 records.',
    ]);
    expect(await pictureOf(flows)).toEqual({ width: 1_200, height: 750 });
    const file = await press(fixture, flows, 'CSV');
    expect(Buffer.from(file.attachments[0]?.data ?? []).toString()).toMatch(
      /^time_utc,type,amount_usdc,counterparty,tx_hash\n.*,deposit,0\.1,0x0{40},0x/,
    );
    const openedFlows = await pressElsewhere(fixture, `flows:open:${WALLET}`);
    expect(openedFlows.ephemeralFor).toBe(fixture.member.userId);
    expect(openedFlows.embeds[0]?.title).toBe('Deposits and withdrawals of 0x5aAe…eAed');
    expect(fixture.discord.rejections.every(({ injected }) => injected)).toBe(true);
  });

  it('open with a card of the wallet and this channel’s record of its alerts, of which no other server sees anything', async () => {
    const fixture = await openFixture();
    const { ledger, discord } = fixture;
    const now = nowSeconds();
    const cheap = { fee: 0, price: 50, quantity: 100, grossValue: 50, transferNetAmount: 50 };
    const paid = { fee: 0, price: 60, quantity: 100, grossValue: 60, transferNetAmount: -60 };
    const snow = {
      tokenId: '7',
      conditionId: '0x7',
      marketId: '777',
      marketSlug: 'snow',
      marketTitle: 'Snow? @everyone',
    };
    await ledger.addActivity(WALLET, 1, trade({ ...cheap, ...snow, time: now - 10 * DAY }));
    await ledger.addTransfer(WALLET, transfer({ time: now - 11 * DAY, amount: 1_000 }));

    const elsewhere = discord.createGuild({ name: 'Other desk' });
    const { id: otherChannel } = discord.createChannel(elsewhere.id, { name: 'alerts' });
    const other = discord.createMember(elsewhere.id, { name: 'eve', admin: true });
    const askOther = async (line: string, values: Record<string, string> = {}) =>
      (await discord.command(other, otherChannel, line, { wallet: WALLET, ...values })).reply();
    const cardOf = ({ embeds: [card, list] }: SeenMessage) =>
      card === undefined || list === undefined
        ? null
        : [card.description, ...card.fields.map(({ name, value }) => `${name} | ${value.replaceAll('\n', ' | ')}`)];

    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    await ledger.addActivity(WALLET, 2, trade({ ...cheap, time: nowSeconds() }));
    await fixture.alerted(1);
    // When the next alert goes out, the bot knows that the first was delivered.
    await ledger.addTransfer(WALLET, transfer({ time: nowSeconds(), amount: 20, type: 'withdrawal' }));
    await fixture.alerted(2);
    const open = await fixture.say('activity', { wallet: WALLET });
    expect(cardOf(open)).toContainEqual('Record | too early: 0 of 20 markets');
    await ledger.addActivity(WALLET, 3, sale({ ...paid, time: nowSeconds() }));
    await fixture.alerted(4);

    const first = await fixture.say('activity', { wallet: WALLET });
    expect(first.embeds.map(({ title }) => title)).toEqual(['Whale', 'Activity of Whale']);
    expect(cardOf(first)).toEqual([
      '-# All trades since its first · taker 66.7%',
      'Realized | **+$10.00** (+20%) | 1 of 1 won',
      'Usual trade | **$50.00** | only 3 trades',
      'Volume | 24 h **$110** · 30 d **$160**',
      expect.stringMatching(/^Last deposit \| \*\*\$1,000\*\* <t:\d+:R>$/),
      expect.stringMatching(/^Last withdrawal \| \*\*\$20\.00\*\* <t:\d+:R>$/),
      'Record | too early: 0 of 20 markets',
      expect.stringMatching(
        /^Open positions: 1 · cost \$50\.00 \| \*\*Yes \$50\.00\*\* at 50¢ · \[Snow\? @\u200beveryone\]\(.*777\)$/,
      ),
    ]);
    expect(first.pings.everyone).toBe(false);
    expect((await fixture.say('activity', { wallet: WALLET, action: 'Buy' })).embeds).toHaveLength(1);

    // A server that does not watch the wallet is shown what the list brings, and nothing else.
    const unwatched = await askOther('activity');
    expect(cardOf(unwatched)?.slice(0, 2)).toEqual([
      '-# Based on all 3 records. · taker 66.7%',
      'Realized | **+$10.00** (+20%) | 1 of 1 won',
    ]);
    expect(JSON.stringify(unwatched)).not.toMatch(/Whale|Record|Last deposit/);
    await askOther('watch add', { label: 'Shark' });
    const watched = await askOther('activity');
    expect(watched.embeds.map(({ title }) => title)).toEqual(['Shark', 'Activity of Shark']);
    expect(cardOf(watched)).toContainEqual(expect.stringContaining('All trades since its first'));
    expect(JSON.stringify(watched)).not.toMatch(/Whale/);
    expect(JSON.stringify(await fixture.say('activity', { wallet: WALLET }))).not.toContain('Shark');
    expect(discord.rejections).toEqual([]);
  });
});
