import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configureStore } from '../support/configure.ts';
import { sale, trade, transfer, txHash } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, openFixture } from './fixture.ts';

describe('how a channel wants its alerts', () => {
  it('is how it gets them: grouped, each, compact, above a minimum, with a mention, without a sound, after a cooldown', async () => {
    const fixture = await openFixture();
    const { discord, guildId, directory } = fixture;
    const { id: roleId } = discord.createRole(guildId, { name: 'desk', mentionable: true });
    const channelFor = (name: string) => discord.createChannel(guildId, { name }).id;
    const channels = {
      grouped: fixture.channelId,
      each: channelFor('each'),
      compact: channelFor('compact'),
      min: channelFor('min'),
      mention: channelFor('mention'),
      silent: channelFor('silent'),
      cooldown: channelFor('cooldown'),
    };
    const watched = { wallet: WALLET, label: 'Whale @everyone' };
    for (const channel of Object.values(channels)) {
      await fixture.say('watch add', { ...watched, channel });
    }
    const abroad = elsewhere(fixture, discord.createGuild({ name: 'Pult', locale: 'de' }).id);
    const german = abroad.channelId;
    await abroad.say('watch add', watched);
    await fixture.bot.stop();
    await configureStore(join(directory, 'data', 'bot.sqlite'), {
      settings: {
        [channels.each]: { style: 'each' },
        [channels.min]: { minUsdc: 2_000 },
        [channels.mention]: {
          mention: { roleId, minUsdc: 2_000, cooldownSeconds: 3_600 },
          kinds: ['buy', 'deposit'],
        },
        [channels.silent]: { silentBelowUsdc: 10_000 },
        [channels.cooldown]: { cooldownSeconds: 4, kinds: ['buy'] },
      },
      compactChannels: [channels.compact],
      languages: { [channels.silent]: 'ja' },
    });
    await fixture.startBot();

    const fills = (...quantities: number[]) => {
      const hash = txHash();
      return quantities.map((quantity) => trade({ quantity, txHash: hash }));
    };
    const { posted: messages, lines: titles } = fixture;
    const texts = (channelId: string) =>
      messages(channelId).map(({ content }) => content.replaceAll('\u00a0', ' '));

    // Two fills of $785.11 each, and $782.71 come back: nothing reaches $2,000.
    await fixture.trades(...fills(3, 4), sale({ quantity: 5 }));
    for (const channelId of [channels.grouped, channels.silent, german])
      await fixture.alerted(2, channelId);
    for (const channelId of [channels.compact, channels.mention, channels.cooldown])
      await fixture.alerted(1, channelId);
    await fixture.alerted(3, channels.each);
    const name = 'Whale @\u200beveryone';
    expect(titles(channels.grouped)).toEqual([`${name} BUY 7 Yes`, `${name} SELL 5 Yes`]);
    expect(fixture.alerts().map(({ description }) => description?.split('\n')[0])).toEqual([
      'New position: 7 shares · first trade in this market',
      '**−\u2060$338.87** (−30.2%) · 2 shares left · entry 63.5¢',
    ]);
    expect(texts(german)).toEqual([
      `🟢 **${name}** KAUF **Yes 1.570 $** zu 63,5 ¢ · Will it rain in Paris?`,
      `🔴 **${name}** VERKAUF **Yes 783 $** zu 63,5 ¢ · Will it rain in Paris?`,
    ]);
    expect(texts(channels.silent)[0]).toContain(`🟢 **${name}** 購入 **Yes $1,570** @ 63.5¢`);
    expect(fixture.alerts(german)[0]?.footer).toBeNull();
    const [purchase] = fixture.alerts();
    expect(purchase?.description).toMatch(/: 7 shares .*\n-# \S+ · 2 fills · taker$/);
    expect(titles(channels.each).toSorted()).toEqual(
      ['BUY 3', 'BUY 4', 'SELL 5'].map((text) => `${name} ${text} Yes`),
    );
    const [compact] = messages(channels.compact);
    expect(compact?.embeds[0]?.description?.split('\n')).toEqual([
      expect.stringMatching(/^🟢 BUY \*\*Yes \$1,570\*\* at 63\.5¢ · /),
      expect.stringMatching(/^🔴 SELL \*\*Yes \$783\*\* at 63\.5¢ · /),
    ]);
    expect(titles(channels.cooldown)).toEqual([`${name} BUY 7 Yes`]);
    const cooledFromMs = messages(channels.cooldown)[0]?.createdAtMs ?? 0;
    expect(messages(channels.silent).map(({ silent }) => silent)).toEqual(
      messages(channels.silent).map(() => true),
    );
    expect(messages(channels.grouped).some(({ silent }) => silent)).toBe(false);
    expect(messages(channels.mention).flatMap(({ pings }) => pings.roleIds)).toEqual([]);

    // Two more: with the two before, which have waited, they reach $2,000; and the other side,
    // which is no part of it.
    const no = trade({ quantity: 9, positionSide: 'No', outcomeIndex: 1 });
    await fixture.trades(...fills(6), ...fills(8), no);
    await fixture.alerted(1, channels.min);
    expect(titles(channels.min)).toEqual([`${name} BUY 21 Yes`]);
    expect(fixture.alerts(channels.min)[0]?.description).toContain(' · 4 fills · taker');
    await fixture.alerted(2, channels.cooldown);
    // After a sale that was announced a purchase is a message of its own; where it was not, the
    // purchase grows.
    await fixture.alerted(4, channels.grouped);
    expect(titles(channels.grouped)).toEqual(
      ['BUY 7 Yes', 'SELL 5 Yes', 'BUY 14 Yes', 'BUY 9 No'].map((text) => `${name} ${text}`),
    );
    await fixture.until(
      () => titles(channels.cooldown)[0] === `${name} BUY 21 Yes`,
      channels.cooldown,
    );
    expect(titles(channels.cooldown).slice(1)).toEqual([`${name} BUY 9 No`]);
    // It counts from when the bot decided on the message, a little before Discord made it.
    expect(
      (messages(channels.cooldown)[1]?.createdAtMs ?? 0) - cooledFromMs,
    ).toBeGreaterThanOrEqual(3_500);

    // What brings the purchase to $2,000 mentions the role, though it is less by itself; nothing
    // does in the cooldown.
    await fixture.alerted(3, channels.mention);
    // Transfers have no market, and no fills.
    for (const amount of [2_000, 3_000]) {
      const before = fixture.alerts(channels.mention).length;
      await fixture.ledger.addTransfer(WALLET, transfer({ amount }));
      await fixture.alerted(before + 1, channels.mention);
    }
    expect(messages(channels.mention).flatMap(({ pings }) => pings.roleIds)).toEqual([roleId]);
    expect(messages(channels.mention).find(({ pings }) => pings.roleIds.length > 0)?.content).toBe(
      `🟢 **${name}** BUY **Yes $1,570** at 63.5¢ · part of $3,140 · Will it rain in Paris? <@&${roleId}>`,
    );
    await fixture.alerted(3, channels.min);
    const boughtInEach = () => titles(channels.each).filter((title) => title.includes('BUY'));
    // So many messages wait for Discord's limit of a channel.
    await fixture.until(() => boughtInEach().length >= 5, channels.each);
    expect(boughtInEach()).toHaveLength(5);
    const everything = Object.values(channels).flatMap((channelId) => messages(channelId));
    expect(everything.every(({ pings }) => !pings.everyone && pings.userIds.length === 0)).toBe(
      true,
    );
    expect(JSON.stringify(messages(channels.grouped)[0]?.components)).toContain(
      `watch:mute:${WALLET}`,
    );
    expect(discord.rejections).toEqual([]);
  });
});
