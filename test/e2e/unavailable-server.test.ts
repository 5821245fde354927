import { describe, expect, it } from 'vitest';
import { inMarket, nowSeconds, trade } from '../support/records.ts';
import { variants, within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, type Fixture, openFixture } from './fixture.ts';

const bought = (quantity: number) => trade({ ...inMarket(quantity), quantity, time: nowSeconds() });

/** What Discord may answer to a message for a server that it cannot show. */
const ANSWERS = [
  { name: 'takes messages', status: 200, code: 0 },
  { name: 'answers 503', status: 503, code: 0 },
  { name: 'answers Missing Access', status: 403, code: 50001 },
  { name: 'answers Unknown Channel', status: 404, code: 10003 },
] as const;

/**
 * Has Discord answer so to messages in the channel.
 *
 * @returns ends it
 */
function answerSo(
  { discord }: Fixture,
  channelId: string,
  { status, code }: (typeof ANSWERS)[number],
): () => void {
  if (status === 200) return () => {};
  const route = `/channels/${channelId}/messages`;
  return discord.faults.refuseRest({ status, code, route, times: Number.POSITIVE_INFINITY });
}

/** What a fault of the bot, or the end of its process, would have logged. */
const faultsOf = ({ logLines }: Fixture) =>
  logLines.filter(({ event, level }) => Number(level) >= 50 || event === 'watch.removed');

describe('a server that Discord cannot show', () => {
  const starts = ANSWERS.flatMap((answer) =>
    (['GUILD_DELETE', 'GUILD_CREATE', 'nothing'] as const).map((sent) => ({ ...answer, sent })),
  );
  // Of a server of which nothing is sent discord.js waits 15 seconds to hear.
  const quick = variants(
    starts,
    ({ sent, status }) =>
      sent === (status === 404 ? 'GUILD_CREATE' : 'GUILD_DELETE') && status > 200,
  );

  it.each(quick)(
    'keeps no other waiting at the start, and has its alerts when it is back: the gateway sends $sent, Discord $name',
    { timeout: within(90_000) },
    async (how) => {
      const fixture = await openFixture({ unavailableGuilds: how.sent });
      const { discord } = fixture;
      const other = elsewhere(fixture);
      // Another in which nobody has ever used the bot.
      const stranger = discord.createGuild({ name: 'Strange' });
      await fixture.say('watch add', { wallet: WALLET, label: 'Here' });
      await other.say('watch add', { wallet: WALLET, label: 'There' });
      await fixture.bot.stop();
      discord.setGuildUnavailable(other.guildId, true);
      discord.setGuildUnavailable(stranger.id, true);
      const over = answerSo(fixture, other.channelId, how);
      await fixture.startBot();
      await fixture.trades(bought(1));
      await fixture.alerted(1);
      expect((await fixture.say('watch list')).embeds[0]?.description).toContain('Here');
      if (how.status !== 200) expect(fixture.alerts(other.channelId)).toEqual([]);
      over();
      discord.setGuildUnavailable(other.guildId, false);
      await fixture.alerted(1, other.channelId);
      await fixture.trades(bought(2));
      await fixture.alerted(2, other.channelId);
      await fixture.alerted(2);
      expect(JSON.stringify((await other.say('watch list')).embeds)).toContain('There');
      expect(faultsOf(fixture)).toEqual([]);
    },
  );

  it('is served when it is back, where it has invited the bot meanwhile; and its alerts come when it was away later', async () => {
    const fixture = await openFixture();
    const { discord } = fixture;
    const { id: guildId } = discord.createGuild({ name: 'Away', withBot: false });
    const there = elsewhere(fixture, guildId);
    await fixture.say('watch add', { wallet: WALLET, label: 'Here' });
    discord.setGuildUnavailable(guildId, true);
    discord.inviteBot(guildId);
    await fixture.trades(bought(1));
    await fixture.alerted(1);
    expect(discord.messages(there.channelId)).toEqual([]);
    discord.setGuildUnavailable(guildId, false);
    await fixture.until(({ content }) => content.startsWith('Hi!'), there.channelId);
    await there.say('watch add', { wallet: WALLET, label: 'There' });

    discord.setGuildUnavailable(guildId, true);
    const over = answerSo(fixture, there.channelId, ANSWERS[3]);
    await fixture.trades(bought(2));
    await fixture.alerted(2);
    over();
    discord.setGuildUnavailable(guildId, false);
    await fixture.alerted(1, there.channelId);
    expect(faultsOf(fixture)).toEqual([]);
  });
});
