import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { buy, inMarket, redemption, sell, trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture, openWatched, textOf } from './fixture.ts';

const USUAL =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.ReadMessageHistory;
const SHARES = { quantity: 283.28, fee: 0 };

/**
 * The wallet buys and then redeems all of it; resolves with the messages of each, once the channel
 * has got so many in all.
 */
async function buyAndRedeem(
  fixture: Fixture,
  market: number,
  [bought, ended]: readonly [number, number],
) {
  const { posted, trades } = fixture;
  const paid = { price: 65.85, grossValue: 186.53, transferNetAmount: 186.53 };
  await trades(trade({ ...SHARES, ...paid, ...inMarket(market) }));
  await fixture.alerted(bought);
  const before = posted().length;
  await trades(
    redemption({ ...SHARES, grossValue: 283.28, transferNetAmount: -283.28, ...inMarket(market) }),
  );
  await fixture.alerted(ended);
  return { purchase: posted()[before - 1], after: () => posted().slice(before) };
}

const wordsOf = (message: SeenMessage | undefined) =>
  `${message?.content}\n${message?.embeds[0]?.description}`;

describe('the end of a position that a channel was alerted to', { timeout: within(90_000) }, () => {
  it('is told by its redemption, over a restart; alone where that is hidden; and not where results are off', async () => {
    const fixture = await openWatched();
    const { say } = fixture;

    const shown = await buyAndRedeem(fixture, 1, [1, 2]);
    const [redeemed] = shown.after();
    expect(redeemed?.content).toBe('🏁 **Whale** REDEEM **Yes $283** · Will it rain in Paris?');
    expect(redeemed?.embeds[0]?.description).toMatch(
      /^position \*\*\+\u2060\$96\.75\*\* \(\+51\.9%\) · paid \$186\.53\n-# .* · 283\.3 shares · /,
    );
    expect(redeemed?.replyToId).toBe(shown.purchase?.id);
    const details = await fixture.press(fixture.member, redeemed, 'details:');
    expect(JSON.stringify(details.embeds)).toContain(
      'Result of the alerts here: **+\u2060$96.75** (+51.9%) · paid $186.53 · received $283.28',
    );
    await fixture.bot.stop();
    await fixture.startBot();

    await say('watch edit', { wallet: WALLET, kinds: 'buy' });
    const hidden = await buyAndRedeem(fixture, 2, [3, 4]);
    expect(shown.after().slice(0, 2)).toEqual([redeemed, hidden.purchase]);
    const [answer] = hidden.after();
    expect(answer?.content).toContain('**Whale** closed **Yes** **+\u2060$96.75** (+51.9%)');
    expect(wordsOf(answer)).toContain('Paid $186.53 · received $283.28\n');
    expect(answer?.replyToId).toBe(hidden.purchase?.id);

    await say('watch edit', { wallet: WALLET, kinds: 'all' });
    const off = await say('watch channel', { results: 'off' });
    expect(off.content).toContain('Results are off.');
    expect(textOf(await say('watch list'))).toContain('no results');
    const silent = await buyAndRedeem(fixture, 3, [5, 6]);
    expect(silent.after()[0]).toMatchObject({ replyToId: null });
    expect(silent.after()[0]?.content).toBe(
      '🏁 **Whale** REDEEM **Yes $283** · Will it rain in Paris?',
    );
    expect(wordsOf(silent.after()[0])).not.toContain('paid');

    expect((await say('watch channel', { results: 'on' })).content).toContain('Results are on.');
    const again = await buyAndRedeem(fixture, 4, [7, 8]);
    expect(again.after()[0]?.replyToId).toBe(again.purchase?.id);
    // Eight messages of alerts, and nothing else.
    expect([...shown.after(), shown.purchase]).toHaveLength(8);
    expect(fixture.discord.rejections).toEqual([]);
  });

  it('come in one message after an outage, without a sound if small, and a consensus leads, in a compact channel', async () => {
    const fixture = await openFixture();
    const { discord, channelId, posted, trades, say } = fixture;
    const arrived = (said: RegExp) => fixture.until(({ content }) => said.test(content));
    const named = { Whale: WALLET, Shark: `0x${'1'.repeat(40)}`, Minnow: `0x${'2'.repeat(40)}` };
    const deal = async (
      who: keyof typeof named,
      market: number,
      shares: number,
      cents: number,
      sells = false,
    ) => {
      await trades(
        (sells ? sell : buy)(shares, cents, { ...inMarket(market), trader: named[who] }),
      );
    };
    for (const [label, wallet] of Object.entries(named)) await say('watch add', { wallet, label });
    const setChannel = (values: Record<string, string | number>) => say('watch channel', values);
    const refused = await setChannel({ 'consensus-only': 'on' });
    expect(refused.content).toBe(
      '`consensus-only` can’t be `on` without a consensus. Use it together with `consensus`. Nothing changed.',
    );
    await setChannel({ view: 'compact', consensus: 3 });

    await deal('Minnow', 1, 200, 40);
    await arrived(/Minnow\*\* BUY/);
    await deal('Minnow', 1, 100, 45, true);
    await arrived(/Minnow\*\* SELL/);
    await deal('Shark', 1, 300, 44);
    await arrived(/Shark\*\* BUY/);
    await deal('Whale', 1, 600, 45);
    const consensus = await arrived(/^🤝/);
    expect(consensus.content).toBe(
      '🤝 3 wallets bought **Yes** · **$442** at 44.2¢ · Will it rain in Paris?',
    );
    const plain = (text: string | null | undefined) =>
      text?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\u00a0', ' ');
    expect(consensus.embeds).toHaveLength(1);
    expect(plain(consensus.embeds[0]?.description)).toMatch(
      /^Whale \$270 at 45¢ · Shark \$132 at 44¢ · Minnow \$40\.00 at 40¢, half sold(?:\n-# (?:all|\S+ first,) within \S+.*)?$/,
    );
    expect(JSON.stringify(consensus.components)).not.toMatch(/Mute/);
    expect(consensus.silent).toBe(false);
    await arrived(/Whale\*\* BUY/);

    const only = await setChannel({ 'consensus-only': 'on', language: 'de' });
    expect(only.content).toContain(
      'single trades, redemptions, deposits and withdrawals are **not posted** here',
    );
    expect(textOf(await say('watch list'))).toContain('consensus only');
    const watched = await say('watch add', { wallet: `0x${'3'.repeat(40)}` });
    expect(watched.embeds[0]?.description).toMatch(
      /^Watching .*\.\n⚠️ Consensus only: .* are \*\*not posted\*\* here/,
    );
    const before = posted().length;
    await deal('Minnow', 2, 100, 50);
    await deal('Shark', 2, 100, 50);
    await deal('Whale', 2, 100, 50);
    const alone = await arrived(/^🤝 3 Wallets haben/);
    expect(plain(alone.content)).toBe(
      '🤝 3 Wallets haben **Yes** gekauft · **150 $** zu 50 ¢ · Will it rain in Paris?',
    );
    expect(posted().slice(before)).toEqual([alone]);
    // What is sold while the channel cannot be written is in the consensus when it comes.
    const seen = () => fixture.logLines.filter(({ event }) => event === 'poll.fresh').length;
    discord.setBotPermissions(channelId, PermissionFlagsBits.ViewChannel);
    for (const who of ['Minnow', 'Shark', 'Whale'] as const) await deal(who, 3, 100, 50);
    await fixture.logged('channel.blocked');
    await expect.poll(seen).toBe(10);
    await deal('Whale', 3, 75, 50, true);
    await expect.poll(seen).toBe(11);
    discord.setBotPermissions(channelId, USUAL);
    const old = await arrived(/113\s\$/u);
    expect(plain(old.embeds[0]?.description)).toMatch(/Whale 12,50 \$ zu 50 ¢, 75 % verkauft/);
    expect(posted().slice(before)).toEqual([alone, old]);
    const off = await setChannel({ 'consensus-only': 'off', consensus: 0 });
    expect(off.content).toContain('Single alerts are posted too.');

    for (let market = 11; market <= 16; market += 1) await deal('Whale', market, 100, 50);
    await deal('Shark', 21, 100, 50);
    // One line an alert, several in a message.
    await fixture.until(
      () => posted().slice(before).map(textOf).join('\n').split('\n').length >= 8,
    );
    await fixture.until((message) => JSON.stringify(message).includes('market/21'));
    expect(await fixture.bot.stop()).toBe(0);
    for (let market = 11; market <= 16; market += 1) {
      const ended = {
        quantity: 100,
        grossValue: 100,
        transferNetAmount: market === 11 ? -20 : -100,
      };
      await trades(redemption({ ...ended, ...inMarket(market) }));
    }
    await fixture.startBot();
    const results = await arrived(/geschlossen/);
    expect(plain(results.content)).toBe(
      '📈 6 Positionen geschlossen: **+220 $** (+73,3 %) · 5 von 6 mit Gewinn',
    );
    const rows = results.embeds[0]?.description?.split('\n') ?? [];
    expect(rows.filter((row) => row.includes('EINLÖSUNG **Yes 100'))).toHaveLength(5);
    expect(results.replyToId).toBeNull();
    const firsts = rows.map((row) => /\[erste Meldung\]\((.*)\)/.exec(row)?.[1]?.split('/') ?? []);
    const purchases = new Map(posted().map((message) => [message.id, message]));
    for (const [index, [, , host, , guild, channel, first = '']] of firsts.entries()) {
      expect([host, guild, channel]).toEqual(['discord.com', fixture.guildId, channelId]);
      expect(JSON.stringify(purchases.get(first))).toContain(`market/${11 + index}`);
    }

    await setChannel({ language: 'en-US' });
    await deal('Shark', 21, 100, 50.5, true);
    const sold = await arrived(/Shark\*\* SELL/);
    expect(plain(sold.content)).toContain('position **+\u2060$0.50** (+1%) · paid $50.00');
    expect(sold.silent).toBe(false);
    // Where the first alert is a row of several Discord would quote the first of them.
    const first = posted().find((message) => JSON.stringify(message).includes('market/21'));
    const isAmongOthers = first?.embeds.length !== 0;
    expect(sold.replyToId).toBe(isAmongOthers ? null : first?.id);
    const link = /\[first alert\]\([^)]*\/(\d+)\)/.exec(sold.content)?.[1];
    expect(link).toBe(isAmongOthers ? first?.id : undefined);
    expect(posted().filter(({ content }) => /geschlossen|closed/.test(content))).toHaveLength(1);
    // A process that has just begun does not know how much of the bucket the one before it had
    // taken.
    expect(
      discord.rejections.filter(({ status, code }) => status !== 429 && code !== 50_013),
    ).toEqual([]);
  });
});
