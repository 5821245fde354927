import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { imageSize } from '@walletbell/local-discord/discord/image';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import {
  buy,
  nowSeconds,
  redemption,
  sale,
  sell,
  trade,
  transfer,
  txHash,
} from '../support/records.ts';
import { WALLET, WALLET_SHOWN } from '../support/wallets.ts';
import { elsewhere, type Fixture, openFixture, partsOf, post, rowWith } from './fixture.ts';

const DAY = 86_400;
/** 21 November 2026, 10:00 UTC. */
const NOON = 1_795_255_200;

/** The buttons of a message by their labels. */
const buttonsOf = (message: SeenMessage) =>
  Object.fromEntries(
    partsOf(message).flatMap((row) =>
      row.flatMap((part) => (part.custom_id ? [[part.label, part] as const] : [])),
    ),
  );

const press = (fixture: Fixture, message: SeenMessage, label: string) =>
  fixture.press(fixture.member, message, buttonsOf(message)[label]?.custom_id ?? label);

async function pictureOf({ embeds }: SeenMessage): Promise<unknown> {
  const response = await fetch(embeds.at(-1)?.imageUrl ?? '');
  return imageSize(new Uint8Array(await response.arrayBuffer()));
}

/** Presses a button with this custom id under a message of the bot, as it stands under an alert. */
async function pressElsewhere(fixture: Fixture, customId: string): Promise<SeenMessage> {
  const alert = await post(fixture, fixture.channelId, {
    content: customId,
    components: [rowWith(customId)],
  });
  return fixture.press(fixture.member, alert, customId);
}

const totalsOf = ({ embeds }: SeenMessage) => embeds.at(-1)?.fields[0]?.value ?? '';
const listOf = ({ embeds }: SeenMessage) => embeds.at(-1)?.description ?? '';
describe('/activity and /flows', () => {
  it('narrow by market, action, time and transaction, total exactly, draw, export, and outlive a restart', async () => {
    const fixture = await openFixture();
    const { trades, refused, say } = fixture;
    const rain = (n: number) =>
      trade({
        time: NOON - n * 3_600,
        grossValue: 0.1,
        fee: 0.01,
        transferNetAmount: 0.11,
        quantity: n,
      });
    const snow = {
      marketId: '777',
      marketSlug: 'snow-in-oslo',
      marketTitle: '=SUM(A1) @everyone [x](https://evil.example)',
    };
    const hash = `0x${'AB'.repeat(32)}`;
    await trades(
      ...Array.from({ length: 30 }, (_, n) => rain(30 - n)),
      sale({ ...snow, time: NOON - 5 * DAY, txHash: hash.toLowerCase(), grossValue: 0.2 }),
      redemption({ ...snow, time: NOON - 9 * DAY, grossValue: 7 }),
    );

    const first = await say('activity', { wallet: WALLET });
    expect(first.embeds.at(-1)?.footer?.text).toBe('Page 1, newest first');
    expect(totalsOf(first)).toBe(
      '30 buys $3.00 · 1 sell $0.20 · 1 redemption $7.00\nFees $1.50 · paid $3.30 · received $2,017\n-# All 32 records.',
    );
    expect(listOf(first).match(/Bought/g)).toHaveLength(10);
    expect(listOf(first).match(/Will it rain/g), 'a market is named once').toHaveLength(1);
    expect(await pictureOf(first)).toEqual({ width: 1_200, height: 750 });
    expect(first.pings.everyone).toBe(false);

    // The market has been seen: it is offered by its title, and its slug is as good as its number.
    const typed = { wallet: WALLET, market: 'snow' };
    const offered = await fixture.discord.autocomplete(
      fixture.member,
      fixture.channelId,
      'activity',
      typed,
      'market',
    );
    expect(offered).toEqual([{ name: expect.stringContaining('SUM'), value: '777' }]);
    for (const market of ['777', 'Snow-in-Oslo']) {
      const narrowed = await say('activity', { wallet: WALLET, market });
      expect(listOf(narrowed)).toContain('Only market 777');
      expect(totalsOf(narrowed)).toContain('All 2 records.');
    }
    const redeemed = await say('activity', { wallet: WALLET, action: 'Redeem' });
    expect(totalsOf(redeemed)).toContain('1 found among all 32 records.');
    expect(await pictureOf(redeemed)).toEqual({ width: 1_200, height: 750 });
    const slug = await say('activity', { wallet: WALLET, market: 'never-seen' });
    expect(listOf(slug)).toContain('Nothing matches.');
    const times = { from: '2026-11-20 10:00', to: '2026-11-21' };
    expect(totalsOf(await say('activity', { wallet: WALLET, ...times }))).toContain(
      'All 24 records.',
    );
    const one = await say('activity', { wallet: WALLET, transaction: hash });
    expect(listOf(one)).toContain(' · 1,235 at ');
    expect(totalsOf(one)).toContain('The only record.');
    expect(Object.keys(buttonsOf(one))).toEqual(['CSV']);

    expect(await refused('activity', { wallet: WALLET, from: 'soon' })).toContain(
      'I can’t read `soon` as a time. Try `2h`',
    );
    expect(await refused('activity', { wallet: WALLET, to: '1795255200000' })).toContain(
      'milliseconds',
    );
    expect(
      await refused('activity', { wallet: WALLET, from: '2026-11-02', to: '2026-11-01' }),
    ).toContain('is later than');
    expect(await refused('activity', { wallet: WALLET, transaction: '0x12' })).toContain(
      '0x followed by 64 hex digits',
    );
    expect(await refused('activity', { wallet: WALLET, market: 'no slug!' })).toContain(
      'isn’t a market id or slug',
    );

    const file = await press(fixture, first, 'CSV');
    expect(file.ephemeralFor).toBe(fixture.member.userId);
    expect(file.content).toBe('0x5aAe…eAed’s activity, 32 rows. All 32 records.');
    expect(file.attachments[0]?.filename).toBe('activity-5aaeb605.csv');
    const rows: Record<string, string>[] = parse(Buffer.from(file.attachments[0]?.data ?? []), {
      columns: true,
    });
    expect(rows).toHaveLength(32);
    expect(rows[0]).toMatchObject({ action: 'Buy', gross_usdc: '0.1', shares: '1' });
    expect(rows[30]?.['market_title']).toMatch(/^'=SUM/);

    const second = await press(fixture, first, 'Next');
    expect(listOf(second)).toContain(' · 11 at ');
    expect(totalsOf(second)).toBe(totalsOf(first));
    await fixture.bot.stop();
    await fixture.startBot();
    // What has come since does not shift the pages.
    await trades(...[0, 1, 2].map((n) => trade({ time: NOON + n })));
    const third = await press(fixture, second, 'Next');
    expect(listOf(third)).toContain(' · 21 at ');
    expect(totalsOf(third)).toBe(totalsOf(first));
    const last = await press(fixture, third, 'Next');
    expect(listOf(last)).toContain(' · 1,235 shares');
    expect(buttonsOf(last)['Next']?.disabled).toBe(true);
    expect(await pictureOf(last)).toEqual({ width: 1_200, height: 750 });
    expect(listOf(await press(fixture, last, 'Previous'))).toContain(' · 21 at ');

    // A list stays in the language of whoever asked for it; what one person alone sees is in
    // theirs.
    const list = await fixture.sayAs(fixture.german, 'activity', {
      wallet: WALLET,
      market: 'rain-in-paris',
    });
    expect(list.embeds[0]?.title).toBe('Aktivität von 0x5aAe…eAed');
    expect(listOf(list)).toContain('Nur Markt ');
    const turned = await press(fixture, list, 'Weiter');
    expect(turned.embeds[0]?.footer?.text).toBe('Seite 2, neueste zuerst');
    expect(Object.keys(buttonsOf(turned))).toEqual(['Zurück', 'Weiter', 'CSV']);
    expect((await press(fixture, turned, 'CSV')).content).toMatch(
      /^0x5aAe…eAed’s activity, 3\d rows\. /,
    );
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('say how far they have read, read on when asked, and open under an alert for one person alone', async () => {
    const fixture = await openFixture();
    const past = (n: number) => (n === 449 || n === 5 ? sale : trade)({ time: NOON - n * 60 });
    await fixture.trades(...Array.from({ length: 450 }, (_, n) => past(n)));
    const long = await fixture.say('activity', { wallet: WALLET });
    expect(totalsOf(long)).toContain(`The newest 300 records, back to <t:${NOON - 299 * 60}:f>.`);
    const sold = await fixture.say('activity', { wallet: WALLET, action: 'Sell' });
    expect(totalsOf(sold)).toContain('1 found among the newest 300 records, back to');
    const further = await press(fixture, sold, 'Search further');
    expect(listOf(further).match(/Sold/g)).toHaveLength(2);
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
    const { discord, admin, member, channelId } = fixture;
    const lookUp = async (content: string, who = member) =>
      (
        await discord.useOnMessage(
          who,
          discord.say(admin, channelId, content).id,
          'Look up wallets',
        )
      ).reply();
    const card = await lookUp(
      `who is ${WALLET_SHOWN}? https://venue.example/u/${WALLET}?tx=${txHash()}`,
    );
    expect(card.ephemeralFor).toBe(member.userId);
    const { title, description } = long.embeds[0] ?? {};
    expect(card.embeds).toMatchObject([{ title, description }]);
    expect(Object.keys(buttonsOf(card))).toEqual(['Activity', 'Flows', 'Alert me']);
    const many = Array.from({ length: 6 }, (_, n) => `0x${String(n).repeat(40)}`);
    const cards = await lookUp([WALLET, ...many].join(' '));
    expect(cards.content).toBe('The first 5 of 7 wallets in this message:');
    expect(cards.embeds).toHaveLength(5);
    expect(cards.embeds[1]?.description).toContain('has no trades or redemptions');
    const none = await lookUp(`gm ${WALLET.slice(0, -1)} ${txHash()}`);
    expect(none.content).toBe('I found no wallet address in this message.');
    const typo = WALLET_SHOWN.replace('b', 'B');
    expect((await lookUp(`gm ${typo}`)).content).toContain(`The checksum of \`${typo}\` is wrong`);
    const embeds = [{ description: `Top wallets:\n${WALLET}\n\t${many[1]}` }];
    const posted = await post(fixture, channelId, { embeds });
    const ofEmbed = await (
      await discord.useOnMessage(member, posted.id, 'Look up wallets')
    ).reply();
    expect(ofEmbed.embeds.map(({ title }) => title)).toEqual([
      long.embeds[0]?.title,
      expect.stringContaining('0x1111'),
    ]);
    const forward = (id: string) => discord.forward(member, channelId, id).id;
    const forwards = [
      forward(discord.say(admin, channelId, `gm ${WALLET}`).id),
      forward(posted.id),
    ];
    for (const id of forwards) {
      const ofForward = await (await discord.useOnMessage(member, id, 'Look up wallets')).reply();
      expect(ofForward.embeds[0]).toMatchObject({ title: card.embeds[0]?.title });
    }
    const inGerman = await lookUp('nichts @everyone', fixture.german);
    expect(inGerman.content).toBe('In dieser Nachricht steht keine Wallet-Adresse.');

    const now = nowSeconds();
    await fixture.ledger.addTransfer(WALLET, transfer({ time: now - 3_600, amount: 0.1 }));
    await fixture.ledger.addTransfer(WALLET, transfer({ time: now - 7_200, amount: 0.2 }));
    await fixture.ledger.addTransfer(
      WALLET,
      transfer({ time: now - 2 * DAY, amount: 250.5, type: 'withdrawal' }),
    );
    await fixture.ledger.addTransfer(WALLET, transfer({ time: now - 60 * DAY, amount: 5_000 }));
    const flows = await fixture.say('flows', { wallet: WALLET });
    expect(totalsOf(flows).split('\n')).toEqual([
      '**24 h:** in $0.30 (2) · out $0.00 (0) · net **+\u2060$0.30**',
      '**7 d, 30 d:** in $0.30 (2) · out $251 (1) · net **−\u2060$250**',
      '**All time:** in $5,000 (3) · out $251 (1) · net **+\u2060$4,750**',
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
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('open with a card of the wallet and this channel’s record of its alerts, of which no other server sees anything', async () => {
    const fixture = await openFixture();
    const { ledger, trades } = fixture;
    const now = nowSeconds();
    const snow = {
      tokenId: '7',
      conditionId: '0x7',
      marketId: '777',
      marketTitle: 'Snow? @everyone',
    };
    await trades(buy(100, 50, { ...snow, time: now - 10 * DAY }));
    await ledger.addTransfer(WALLET, transfer({ time: now - 11 * DAY, amount: 1_000 }));

    const other = elsewhere(fixture);
    const askOther = (line: string, values = {}) => other.say(line, { wallet: WALLET, ...values });
    const cardOf = ({ embeds: [card, list] }: SeenMessage) =>
      card === undefined || list === undefined
        ? null
        : [
            card.description,
            ...card.fields.map(({ name, value }) => `${name} | ${value.replaceAll('\n', ' | ')}`),
          ];

    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    await trades(buy(100, 50));
    await fixture.alerted(1);
    // When the next alert goes out, the bot knows that the first was delivered.
    await ledger.addTransfer(
      WALLET,
      transfer({ time: nowSeconds(), amount: 20, type: 'withdrawal' }),
    );
    await fixture.alerted(2);
    const open = await fixture.say('activity', { wallet: WALLET });
    expect(cardOf(open)?.[0]).toMatch(/^\*\*Too early to say\*\* · /);
    await trades(sell(100, 60));
    await fixture.alerted(3);

    const first = await fixture.say('activity', { wallet: WALLET });
    expect(first.embeds.map(({ title }) => title)).toEqual(['Whale', 'Whale’s activity']);
    expect(cardOf(first)).toEqual([
      '**Too early to say** · how long its markets take isn’t known yet',
      'Returned | too early for a sum',
      expect.stringMatching(
        /^Open · 1 market · \$50\.00 paid \| \*\*Yes \$50\.00\*\* · \[Snow\? @\u200beveryone\]\(.*777\)$/,
      ),
      'Usual trade · $50.00 | only 3 trades · Volume 24 h **$110** · 30 d **$160**',
    ]);
    expect(first.pings.everyone).toBe(false);
    expect((await fixture.say('activity', { wallet: WALLET, action: 'Buy' })).embeds).toHaveLength(
      1,
    );

    // A server that does not watch the wallet is shown what the list brings, and nothing else.
    const unwatched = await askOther('activity');
    expect(cardOf(unwatched)?.slice(0, 2)).toEqual([
      '-# Based on all 3 records.',
      expect.stringMatching(/^Open · 1 market · \$50\.00 paid/),
    ]);
    expect(JSON.stringify(unwatched)).not.toMatch(/Whale|Too early|Returned/);
    await askOther('watch add', { label: 'Shark' });
    let watched = await askOther('activity');
    // Until the bot has polled the wallet for it, the card is that of a wallet that it does not watch.
    while (JSON.stringify(cardOf(watched)).includes('Based on')) {
      watched = await askOther('activity');
    }
    expect(watched.embeds.map(({ title }) => title)).toEqual(['Shark', 'Shark’s activity']);
    expect(JSON.stringify(watched)).not.toMatch(/Whale/);
    expect(JSON.stringify(await fixture.say('activity', { wallet: WALLET }))).not.toContain(
      'Shark',
    );
    expect(fixture.discord.rejections).toEqual([]);
  });
});
