import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import { expect, it } from 'vitest';
import { nowSeconds, trade, transfer } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

it('an answer whose picture or file Discord does not take comes without it, and says why; the next one has it again', async () => {
  const fixture = await openFixture();
  const { discord, member, press, say } = fixture;
  await fixture.trades(
    ...Array.from({ length: 12 }, (_, n) => trade({ time: nowSeconds() - 3_600 * n })),
  );
  await fixture.ledger.addTransfer(WALLET, transfer({ time: nowSeconds() - 60 }));
  await say('watch add', { wallet: WALLET, label: 'Whale' });
  const refuse = (status: number, code: number, times = Number.POSITIVE_INFINITY) =>
    discord.faults.refuseRest({ route: '/webhooks', withFiles: true, times, status, code });
  const noteOf = ({ embeds }: SeenMessage) => embeds.at(-1)?.description?.split('\n').at(-1);

  // The card stays where the picture does not.
  let accept = refuse(503, 0);
  const list = await say('activity', { wallet: WALLET });
  expect(noteOf(list)).toBe('-# ⚠️ The chart is missing: Discord didn’t take it.');
  expect(list.embeds.map(({ title }) => title)).toEqual(['Whale', 'Whale’s activity']);
  expect(list.embeds.at(-1)?.imageUrl).toBeNull();
  accept();
  const turned = await press(member, list, 'activity:\\d+:1');
  expect(turned.embeds[0]?.imageUrl).toContain('.png');
  expect(noteOf(turned)).not.toContain('missing');
  await fixture.logged('files.refused');

  accept = refuse(403, 50013);
  const flows = await say('flows', { wallet: WALLET });
  expect(noteOf(flows)).toBe('-# ⚠️ The chart is missing: I need Attach Files in this channel.');
  expect(await press(member, flows, 'flows:\\d+:csv')).toMatchObject({
    ephemeralFor: member.userId,
    content: 'The file is missing: I need Attach Files in this channel.',
    attachments: [],
  });
  accept();

  accept = refuse(413, 40005);
  const bare = await say('watch export');
  expect([bare.content, bare.attachments.length]).toEqual([
    'The file is missing: too large for Discord.',
    0,
  ]);
  accept();
  expect((await say('watch export')).attachments[0]?.filename).toBe('watches.csv');

  // What has nothing to do with files is told as it was.
  accept = discord.faults.refuseRest({ route: 'PATCH /webhooks', times: 8, status: 500 });
  await discord.command(fixture.admin, fixture.channelId, 'flows', { wallet: WALLET });
  await fixture.logged('command.failed');
  accept();
  expect(discord.rejections.every(({ injected }) => injected)).toBe(true);
  expect(discord.warnings).toEqual([]);
});
