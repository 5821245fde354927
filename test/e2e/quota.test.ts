import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { expect, it } from 'vitest';
import { limitsOfAll } from '../support/limits-file.ts';
import { trade } from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, openFixture } from './fixture.ts';

it('refuses who asks too much, by person and by server, while others and the alerts go on', async () => {
  const fixture = await openFixture({
    keys: [{ ...DEMO_KEY, limit: 60, windowSeconds: 60 }],
    environment: {
      ...limitsOfAll(temporaryFolder(), { users: 12, guilds: 1_000 }),
      WATCHES_PER_GUILD: '1',
    },
  });
  const { discord, guildId, channelId, say } = fixture;
  const other = elsewhere(fixture);
  await say('watch add', { wallet: WALLET, label: 'Whale' });
  expect((await say('watch add', { wallet: `0x${'1'.repeat(40)}` })).content).toContain(
    'can have 1 watched wallet, counted',
  );

  // What was removed keeps its place while that can be undone: nobody has more polled by removing
  // and adding.
  const removed = await say('watch remove', { wallet: WALLET });
  const another = await say('watch add', { wallet: `0x${'2'.repeat(40)}` });
  expect(another.content).toContain('One of them was just removed');
  expect((await fixture.press(fixture.german, removed, 'watch:remove:')).content).toMatch(/^↩️/);

  const ask = (who = fixture.member, where = channelId) =>
    fixture.sayAs(who, 'activity', { wallet: WALLET }, where);
  const answers = [];
  for (let count = 0; count < 8; count += 1) answers.push(await ask());
  const refused = answers.filter(({ content }) => content.includes('Slow down a little'));
  expect(refused.length).toBeGreaterThan(0);
  for (const { content, ephemeralFor } of refused) {
    expect(ephemeralFor).toBe(fixture.member.userId);
    expect(content).toMatch(/try again at <t:\d+:T>\.$/);
  }
  expect(
    answers.slice(0, 6).every(({ embeds }) => embeds.at(-1)?.title === 'Whale’s activity'),
  ).toBe(true);

  // Suggestions have a bucket of their own, ten times as large: who has used up the commands still
  // gets some.
  const typing = () =>
    discord.autocomplete(fixture.member, channelId, 'activity', { wallet: 'Wh' }, 'wallet');
  const suggested = [];
  for (let count = 0; count < 140; count += 1) suggested.push((await typing()).length);
  expect(suggested.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 1));
  expect(suggested).toContain(0);

  // Others of the same server use up its share: a quarter of 54 requests.
  let told = '';
  for (let index = 0; index < 20 && told === ''; index += 1) {
    told = (await ask(discord.createMember(guildId, { name: `guest-${index}` }))).content;
  }
  expect(told).toMatch(
    /^This server has used up its lookups \(13 in \d+ s\)\. Try again at <t:\d+:T>/,
  );
  expect((await ask(other.admin, other.channelId)).embeds.at(-1)?.title).toContain('’s activity');
  await fixture.ledger.addActivity(WALLET, 1, trade());
  await fixture.alerted(1);
  expect(discord.rejections).toEqual([]);
});

it('bounds all watches together by WATCHES_TOTAL: refuses who has their part, by command and by file, and leaves newcomers theirs', async () => {
  const fixture = await openFixture({
    environment: { WATCHES_TOTAL: '4' },
  });
  const { discord, say, press, admin, member } = fixture;
  const [other, third] = [elsewhere(fixture), elsewhere(fixture)];
  const walletNumber = (index: number) => `0x${String(index).padStart(40, '0')}`;
  const add = (who: { readonly say: typeof say }, index: number) =>
    who.say('watch add', { wallet: walletNumber(index) });
  const send = (who: { readonly say: typeof say }, indexes: readonly number[]) => {
    const data = Buffer.from(indexes.map(walletNumber).join('\n'));
    return who.say('watch import', { file: { filename: 'watches.csv', data } });
  };
  const FULL = 'I’m watching as many wallets as my operator allows in all';

  // A file with as many as there is room for; while it waits somebody takes one of the places.
  const whole = await send(fixture, [1, 2, 3, 4]);
  expect(whole.embeds[0]?.title).toBe('4 new, 0 changed, 0 the same');
  expect((await add(other, 1)).embeds[0]?.description).toContain('Watching');
  const refused = await press(admin, whole, 'watch:import:apply:');
  expect(refused.content).toContain(`${FULL}, so there’s no room for 4 more. Nothing changed.`);
  expect((await say('watch list')).embeds[0]?.title).toBe('0 watched wallets');
  const fitting = await send(fixture, [1, 2, 3]);
  const applied = await press(admin, fitting, 'watch:import:apply:');
  expect(applied.embeds[0]?.title).toBe('Applied: 3 new, 0 changed');

  // All four are there: of two payers each has a part of two.
  expect((await add(fixture, 5)).content).toContain(`${FULL}, so there’s no room for another.`);
  const tooMany = await send(fixture, [5, 6]);
  expect(JSON.stringify(tooMany.embeds)).toContain('so there’s no room for 2 more');
  expect((await add(other, 2)).embeds[0]?.description).toContain('Watching');
  expect((await add(other, 3)).content).toContain(FULL);
  // Somebody new: of three each has one and a third, and may add up to two.
  const bob = { userId: member.userId, guildId: null };
  const dm = discord.openDm(bob.userId).id;
  const ofPerson = (index: number) =>
    fixture.sayAs(bob, 'watch add', { wallet: walletNumber(index) }, dm);
  expect((await ofPerson(1)).embeds[0]?.description).toContain('Watching');
  expect((await ofPerson(2)).embeds[0]?.description).toContain('Watching');
  expect((await ofPerson(3)).content).toContain(FULL);
  expect((await add(third, 9)).embeds[0]?.description).toContain('Watching');

  // What was removed comes back by Undo, however full it is.
  const removed = await say('watch remove', { wallet: walletNumber(1) });
  expect((await add(fixture, 5)).content).toContain(FULL);
  expect((await press(admin, removed, 'watch:remove:')).content).toMatch(/^↩️/);

  // A start with a lower bound removes nothing, and a higher one makes room.
  await fixture.bot.stop();
  await fixture.startBot({ WATCHES_TOTAL: '1' });
  expect((await say('watch list')).embeds[0]?.title).toContain('3 watched wallets');
  expect((await add(fixture, 5)).content).toContain(FULL);
  await fixture.bot.stop();
  await fixture.startBot({ WATCHES_TOTAL: '9' });
  expect((await add(fixture, 5)).embeds[0]?.description).toContain('Watching');
  expect((await add(fixture, 6)).content).toContain(FULL);
});
