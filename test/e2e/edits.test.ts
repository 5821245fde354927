import { once } from 'node:events';
import { CHANNEL_TYPES } from '@walletbell/local-discord/discord/model';
import { expect, it } from 'vitest';
import { buy, inMarket, sell } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { openFixture } from './fixture.ts';

it('a purchase in pieces is one alert, over a kill and a failing Discord, as is its result; and another one where its message is deleted', {
  timeout: within(90_000),
}, async () => {
  const fixture = await openFixture({ asProcess: true });
  const { discord, lines, posted, trades } = fixture;
  const shown = (line: string) => fixture.until(() => lines().includes(line));
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
  await trades(buy(100, 40));
  await shown('Whale BUY 100 Yes');
  const route = 'PATCH /channels/:channel/messages/:message';
  discord.faults.refuseRest({ status: 503, route });
  discord.faults.cutAfterAccept({ route });
  const edited = once(discord.events, 'edit');
  await trades(buy(200, 55));
  await edited;
  // Discord has changed the message, and nobody knows.
  await fixture.bot.kill();
  await fixture.startBot();
  await shown('Whale BUY 300 Yes');
  await fixture.logged('alert.edited');
  const [purchase, ...others] = posted();
  expect(others).toEqual([]);
  expect(purchase?.content).toContain('BUY **Yes $150** at 50¢');
  expect(purchase?.embeds[0]?.description).toContain('2 fills');
  expect(purchase?.editedAtMs).not.toBeNull();

  await trades(sell(300, 60));
  await fixture.alerted(2);
  const result = posted().find(({ replyToId }) => replyToId !== null);
  expect(result?.replyToId).toBe(purchase?.id);
  expect(`${result?.content} ${result?.embeds[0]?.description}`).toMatch(
    /SELL \*\*Yes \$180\*\* .*position .* · paid \$150\.00/s,
  );

  // Within two minutes of the first: added to its message nobody would hear of it.
  await trades(buy(250, 40));
  await shown('Whale BUY 250 Yes');
  expect(posted().at(-1)?.content).toContain('BUY **Yes $100**');

  await trades(buy(100, 40, inMarket(2)));
  await shown('Whale BUY 100 Yes');
  discord.deleteMessage(posted().at(-1)?.id ?? '');
  await trades(buy(7, 55, inMarket(2)));
  await shown('Whale BUY 7 Yes');
  // A process that has just begun does not know how much of the bucket the one before it had taken.
  const refusals = discord.rejections.filter(({ injected, status }) => !injected && status !== 429);
  expect(refusals.map(({ code }) => code)).toEqual([10_008]);
});

it('an edit that Discord holds back, or never answers, holds no other alert of its channel', async () => {
  const fixture = await openFixture();
  const { discord, guildId, posted, trades } = fixture;
  const names = ['held for 1163 s', 'held for 30 s', 'never answered'];
  const channels = names.map((name) => discord.createChannel(guildId, { name }).id);
  const [hour = '', announcement = '', silent = ''] = channels;
  const inAll = (isSo: (lines: readonly string[]) => boolean) =>
    Promise.all(
      channels.map((channelId) => fixture.until(() => isSo(fixture.lines(channelId)), channelId)),
    );
  for (const channelId of channels)
    await fixture.say('watch add', { wallet: WALLET, label: 'Whale' }, channelId);
  // There nothing is edited: the rest of the purchase is gathered for two minutes.
  const { id: news } = discord.createChannel(guildId, {
    name: 'news',
    type: CHANNEL_TYPES.ANNOUNCEMENT,
  });
  await fixture.say('watch add', { wallet: WALLET, label: 'Whale' }, news);
  await trades(buy(100, 40));
  await inAll((lines) => lines.includes('Whale BUY 100 Yes'));

  const editIn = (channelId: string) => ({
    route: `PATCH /channels/${channelId}/`,
    times: Number.POSITIVE_INFINITY,
  });
  discord.faults.limitEdits({ retryAfterMs: 1_163_097, ...editIn(hour) });
  discord.faults.limitEdits({ code: 20022, retryAfterMs: 30_000, ...editIn(announcement) });
  discord.faults.hang(editIn(silent));
  const tried = new Set<string>();
  const isTried = new Promise<void>((resolve) => {
    discord.events.on('request', ({ method, path }) => {
      if (method === 'PATCH') tried.add(path.split('/')[2] ?? '');
      if (channels.every((channelId) => tried.has(channelId))) resolve();
    });
  });
  await trades(buy(200, 55));
  await isTried;
  await trades(buy(7, 40, inMarket(2)));
  await inAll((lines) => lines.includes('Whale BUY 7 Yes'));

  discord.faults.clear();
  await fixture.until(() => fixture.lines(silent).includes('Whale BUY 300 Yes'), silent);
  for (const channelId of [hour, announcement]) {
    // What was to be added has a message of its own, and is nowhere else.
    await fixture.until(
      () => posted(channelId).some(({ content }) => content.includes('part of $150')),
      channelId,
    );
    const sums = posted(channelId).map(
      ({ content }) => /BUY \*\*Yes (\$[\d.]+)/.exec(content)?.[1],
    );
    expect(sums.toSorted()).toEqual(['$110', '$2.80', '$40.00']);
  }
  expect(posted(silent)).toHaveLength(2);
  expect(fixture.lines(news)).toEqual(['Whale BUY 100 Yes', 'Whale BUY 7 Yes']);
  expect(tried.has(news)).toBe(false);
});
