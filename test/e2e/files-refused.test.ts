import { expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/events.ts';
import { nowSeconds, openFixture, trade, transfer, WALLET } from './fixture.ts';

const buttonOf = ({ components }: SeenMessage, start: string) =>
  new RegExp(`"(${start}[^"]*)"`).exec(JSON.stringify(components))?.[1] ?? start;

it('an answer whose picture or file Discord does not take comes without it, and says why; the next one has it again', {
  timeout: 60_000,
}, async () => {
  const fixture = await openFixture();
  const { discord, ledger, member } = fixture;
  for (let n = 0; n < 12; n += 1) await ledger.addActivity(WALLET, 1, trade({ time: nowSeconds() - 3_600 * n }));
  await ledger.addTransfer(WALLET, transfer({ time: nowSeconds() - 60 }));
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  const refuse = (status: number, code: number, times = Number.POSITIVE_INFINITY) =>
    discord.faults.refuseRest({ route: '/webhooks', withFiles: true, times, status, code });
  const noteOf = ({ embeds }: SeenMessage) => embeds.at(-1)?.description?.split('\n').at(-1);

  // The card stays where the picture does not.
  let accept = refuse(503, 0);
  const list = await fixture.say('activity', { wallet: WALLET });
  expect(noteOf(list)).toBe('-# ⚠️ The chart is missing: Discord didn’t take it.');
  expect(list.embeds.map(({ title }) => title)).toEqual(['Whale', 'Activity of Whale']);
  expect(list.embeds.at(-1)?.imageUrl).toBeNull();
  accept();
  const turned = await (await discord.press(member, list.id, buttonOf(list, 'activity:\\d+:1'))).reply();
  expect(turned.embeds[0]?.imageUrl).toContain('.png');
  expect(noteOf(turned)).not.toContain('missing');
  await fixture.logged('files.refused');

  accept = refuse(403, 50013);
  const flows = await fixture.say('flows', { wallet: WALLET });
  expect(noteOf(flows)).toBe('-# ⚠️ The chart is missing: I need Attach Files in this channel.');
  const csv = await (await discord.press(member, flows.id, buttonOf(flows, 'flows:csv:'))).reply();
  expect(csv).toMatchObject({
    ephemeralFor: member.userId,
    content: 'The file is missing: I need Attach Files in this channel.',
    attachments: [],
  });
  accept();

  accept = refuse(413, 40005);
  const bare = await fixture.say('watch export');
  expect([bare.content, bare.attachments.length]).toEqual(['The file is missing: too large for Discord.', 0]);
  accept();
  expect((await fixture.say('watch export')).attachments[0]?.filename).toBe('watches.csv');

  // What has nothing to do with files is told as it was.
  accept = discord.faults.refuseRest({ route: 'PATCH /webhooks', times: 8, status: 500 });
  await discord.command(fixture.admin, fixture.channelId, 'flows', { wallet: WALLET });
  await fixture.logged('command.failed');
  accept();
  expect(discord.rejections.every(({ injected }) => injected)).toBe(true);
  expect(discord.warnings).toEqual([]);
});
