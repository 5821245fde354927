import { expect, it } from 'vitest';
import { eventually } from '../../packages/local-discord/test/fixture.ts';
import { welcomeKind } from '../../src/discord/guilds/welcome.ts';
import { inspectStore } from '../../src/store/store.ts';
import { within } from '../support/thorough.ts';
import { type Fixture, openFixture } from './fixture.ts';

const welcomesIn = (fixture: Fixture, channelId: string) =>
  fixture.discord.messages(channelId).filter(({ content }) => /^(Hi!|Hallo!)/.test(content)).length;
const welcomed = (fixture: Fixture, channelId: string, count: number) =>
  fixture.until(() => welcomesIn(fixture, channelId) >= count, channelId);

/** The servers of which the bot's store knows a welcome. */
async function stored(fixture: Fixture): Promise<string[]> {
  const store = await inspectStore(fixture.storeUrl);
  const keys: string[] = [];
  for await (const [key] of store.entries())
    if (welcomeKind.holds(key)) keys.push(welcomeKind.idOf(key));
  await store.close();
  return keys.toSorted();
}

it('a server gets one message an invitation how to begin: over restarts, new sessions, and when it comes back', {
  timeout: within(90_000),
}, async () => {
  const fixture = await openFixture({ withoutBot: true });
  const { discord, guildId, channelId, say } = fixture;
  // Invited while no bot ran.
  await fixture.startBot();
  await welcomed(fixture, channelId, 1);

  const german = discord.createGuild({ name: 'Tisch', locale: 'de', withBot: false });
  const { id: place } = discord.createChannel(german.id, { name: 'plausch' });
  discord.inviteBot(german.id);
  await welcomed(fixture, place, 1);

  const identified = eventually<[{ readonly kind: string }]>(
    (listener) => discord.events.on('gateway', listener),
    ({ kind }) => kind === 'identified',
  );
  discord.faults.invalidSession(false);
  await identified;
  await say('watch status');
  await fixture.bot.stop();
  await fixture.startBot();
  await say('watch status');
  discord.setGuildUnavailable(german.id, true);
  discord.setGuildUnavailable(german.id, false);
  await say('watch status');
  await fixture.bot.stop();
  expect([welcomesIn(fixture, channelId), welcomesIn(fixture, place)]).toEqual([1, 1]);
  expect(await stored(fixture)).toEqual([guildId, german.id].toSorted());

  // Removed while no bot ran: nothing is kept of it, and another invitation is another one.
  discord.kickBot(german.id);
  await fixture.startBot();
  expect(await fixture.logged('guild.left_meanwhile')).toMatchObject({ guild: german.id });
  await expect.poll(() => stored(fixture)).toEqual([guildId]);
  await fixture.bot.stop();
  discord.inviteBot(german.id);
  await fixture.startBot({ ALLOWED_GUILDS: guildId });
  await say('watch status');
  await fixture.bot.stop();
  expect(welcomesIn(fixture, place), 'it is not served').toBe(1);
  await fixture.startBot();
  await welcomed(fixture, place, 2);
  discord.kickBot(german.id);
  await expect.poll(() => stored(fixture)).toEqual([guildId]);
  await fixture.bot.stop();
  expect([welcomesIn(fixture, channelId), welcomesIn(fixture, place)]).toEqual([1, 2]);
  expect(discord.rejections.filter(({ status }) => ![403, 404].includes(status))).toEqual([]);
});

it('a server that comes with the gateway’s first word gets its message as well', async () => {
  const fixture = await openFixture({ withoutBot: true, hasGuildsInReady: true });
  await fixture.startBot();
  await welcomed(fixture, fixture.channelId, 1);
});
