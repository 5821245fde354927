import { expect, it } from 'vitest';
import { trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

it('calls a wallet as its channel does, else as it was typed, and takes the label over where it is watched anew', async () => {
  const fixture = await openFixture();
  const { discord, guildId, say } = fixture;
  const [office, desk, lobby, hidden] = ['office', 'desk', 'lobby', 'hidden'].map(
    (name) => discord.createChannel(guildId, { name }).id,
  ) as [string, string, string, string];
  const secret = `0x${'5'.repeat(40)}`;
  fixture.hide(hidden);
  await fixture.ledger.addActivity(WALLET, 1, trade());
  await say('watch add', { wallet: WALLET, label: 'Metronome' });
  await say('watch add', { wallet: WALLET, label: 'Metro' }, office);
  await say('watch add', { wallet: secret, label: 'Secret' }, hidden);

  const titleOf = async (wallet: string, channelId: string) =>
    (await say('activity', { wallet }, channelId)).embeds.at(-1)?.title;
  expect(await titleOf('metronome', office)).toBe('Metro’s activity');
  expect(await titleOf('metro', desk)).toBe('Metro’s activity');
  expect(await titleOf('metronome', desk)).toBe('Metronome’s activity');

  const added = async (values: Record<string, string>, channelId: string) =>
    (await say('watch add', values, channelId)).embeds[0]?.description;
  expect(await added({ wallet: 'metro' }, desk)).toContain('Watching **Metro** in');
  expect(
    await added({ wallet: secret }, desk),
    'not everybody there sees where it is called so',
  ).toContain('Watching `0x5555…5555` in');
  const list = { filename: 'wallets.txt', data: Buffer.from(`${WALLET}\n${secret}\n`) };
  const preview = (await say('watch import', { file: list }, lobby)).embeds[0]?.description;
  expect(preview).toMatch(/• new: (Metro|Metronome) `0x5aAe…eAed`/);
  expect(preview).toContain('• new: `0x5555…5555`');
});
