import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WELCOME_PREFIX } from '../../src/discord/welcome.ts';
import { inspectStore } from '../../src/store/store.ts';
import { eventually } from '../sandbox/room.ts';
import { openRoom, type Room } from './room.ts';

const welcomesIn = (room: Room, channelId: string) =>
  room.discord.messages(channelId).filter(({ content }) => /^(Hi!|Hallo!)/.test(content)).length;
const welcomed = (room: Room, channelId: string, count: number) =>
  room.discord.waitForMessage(channelId, () => welcomesIn(room, channelId) >= count, 20_000);

/** The servers of which the bot's store knows a welcome. */
async function stored(room: Room): Promise<string[]> {
  const store = await inspectStore(`sqlite://${join(room.directory, 'data', 'bot.sqlite')}`);
  const keys: string[] = [];
  for await (const [key] of store.entries())
    if (key.startsWith(WELCOME_PREFIX)) keys.push(key.slice(WELCOME_PREFIX.length));
  await store.close();
  return keys.toSorted();
}

it('a server is told once an invitation how to begin: over restarts, new sessions, kills, and when it comes back', {
  timeout: 90_000,
}, async () => {
  const room = await openRoom({ asProcess: true, withoutBot: true });
  const { discord, guildId, channelId } = room;
  // Invited while no bot ran.
  await room.startBot();
  await welcomed(room, channelId, 1);
  await room.logged('commands.registered');

  const german = discord.createGuild({ name: 'Tisch', locale: 'de', withBot: false });
  const { id: place } = discord.createChannel(german.id, { name: 'plausch' });
  discord.inviteBot(german.id);
  await welcomed(room, place, 1);

  const identified = eventually<[{ readonly kind: string }]>(
    (listener) => discord.events.on('gateway', listener),
    ({ kind }) => kind === 'identified',
  );
  discord.faults.invalidSession(false);
  await identified;
  await room.say('watch status');
  for (const _ of [1, 2]) {
    await room.bot.kill();
    await room.startBot();
    await room.say('watch status');
  }
  discord.setGuildUnavailable(german.id, true);
  discord.setGuildUnavailable(german.id, false);
  await room.say('watch status');
  await room.bot.stop();
  expect([welcomesIn(room, channelId), welcomesIn(room, place)]).toEqual([1, 1]);
  expect(await stored(room)).toEqual([guildId, german.id].toSorted());

  // Removed while no bot ran: nothing is kept of it, and another invitation is another one.
  discord.kickBot(german.id);
  await room.startBot();
  expect(await room.logged('guild.left_meanwhile')).toMatchObject({ guild: german.id });
  await room.say('watch status');
  await room.bot.stop();
  expect(await stored(room)).toEqual([guildId]);
  discord.inviteBot(german.id);
  await room.startBot({ ALLOWED_GUILDS: guildId });
  await room.say('watch status');
  await room.bot.stop();
  expect(welcomesIn(room, place), 'it is not served').toBe(1);
  await room.startBot();
  await welcomed(room, place, 2);
  discord.kickBot(german.id);
  await expect.poll(() => stored(room)).toEqual([guildId]);
  await room.bot.stop();
  expect([welcomesIn(room, channelId), welcomesIn(room, place)]).toEqual([1, 2]);
  expect(discord.rejections.filter(({ status }) => ![403, 404].includes(status))).toEqual([]);
});
