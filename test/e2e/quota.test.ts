import { DEMO_KEY } from '@walletbell/venue-server/keys';
import { expect, it } from 'vitest';
import { trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { elsewhere, openFixture } from './fixture.ts';

it('refuses who asks too much, by person and by server, while others and the alerts go on', async () => {
  const fixture = await openFixture({
    keys: [{ ...DEMO_KEY, limit: 60, windowSeconds: 60 }],
    environment: {
      COMMANDS_PER_MINUTE_USER: '12',
      COMMANDS_PER_MINUTE_GUILD: '1000',
      WATCHES_PER_GUILD: '1',
    },
  });
  const { discord, guildId, channelId, say } = fixture;
  const other = elsewhere(fixture);
  await say('watch add', { wallet: WALLET, label: 'Whale' });
  expect((await say('watch add', { wallet: `0x${'1'.repeat(40)}` })).content).toContain(
    'can have 1 watched wallet.',
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
    expect(content).toMatch(/try again <t:\d+:R>\.$/);
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
    /^This server has used up its lookups \(13 in \d+ s\)\. Try again <t:\d+:R>/,
  );
  expect((await ask(other.admin, other.channelId)).embeds.at(-1)?.title).toContain('’s activity');
  await fixture.ledger.addActivity(WALLET, 1, trade());
  await fixture.alerted(1);
  expect(discord.rejections).toEqual([]);
});
