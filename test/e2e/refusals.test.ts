import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { inMarket, trade } from '../support/records.ts';
import { within } from '../support/thorough.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, openFixture } from './fixture.ts';

const CHANNELS = 20;
const CHANGES = 5;
const HOUR_MS = 3_600_000;
const { ViewChannel, SendMessages, EmbedLinks, ReadMessageHistory, AttachFiles, AddReactions } =
  PermissionFlagsBits;
const USUAL = ViewChannel | SendMessages | EmbedLinks | ReadMessageHistory | AttachFiles;

/** A server that watches one wallet in many channels; counts what Discord refuses the bot. */
async function openManyChannels() {
  const fixture = await openFixture();
  const { discord, guildId } = fixture;
  const channels = Array.from(
    { length: CHANNELS },
    (_, n) => discord.createChannel(guildId, { name: `c${n}` }).id,
  );
  const rows = ['wallet,channel', ...channels.map((channelId) => `${WALLET},${channelId}`)];
  const file = { filename: 'watches.csv', data: Buffer.from(rows.join('\n')) };
  await fixture.press(
    fixture.admin,
    await fixture.say('watch import', { file }),
    'watch:import:apply',
  );
  let refused = 0;
  discord.events.on('request', ({ status }) => {
    if (status === 403) refused += 1;
  });
  return { fixture, channels, refused: () => refused };
}

/** Waits until the bot has heard all that the gateway has said so far: a command comes after it. */
const heard = ({ say }: Fixture) => say('watch status');

/** Waits until each channel has this many alerts, and what each has to say goes no further. */
const alertedAll = async ({ alerted }: Fixture, channels: readonly string[], count: number) => {
  for (const channelId of channels) await alerted(count, channelId);
};

const blocked = ({ logLines }: Fixture) =>
  logLines.filter(({ event }) => event === 'channel.blocked').length;
const SOON = { timeout: 20_000, interval: 20 };

describe('a server in which the bot cannot write', { timeout: within(60_000) }, () => {
  it('costs hardly a refusal while the bot is timed out, whatever is changed there, and gets everything when that ends', async () => {
    const { fixture, channels, refused } = await openManyChannels();
    const { discord, guildId, member } = fixture;
    discord.timeoutBot(guildId, Date.now() + HOUR_MS);
    await heard(fixture);
    await fixture.trades(trade());
    await expect.poll(() => blocked(fixture), SOON).toBe(CHANNELS);
    for (let change = 0; change < CHANGES; change += 1) {
      const deny = change % 2 === 0 ? AddReactions : 0n;
      discord.setOverwrite(fixture.channelId, { id: member.userId, type: 1, allow: 0n, deny });
      await heard(fixture);
    }
    expect((await fixture.say('watch list')).embeds[0]?.description).toMatch(
      /timed me out.*Alerts are waiting/,
    );
    // Its end comes without an event.
    discord.timeoutBot(guildId, Date.now() + 1_500);
    await alertedAll(fixture, channels, 1);
    expect(refused()).toBeLessThanOrEqual(1);
  });

  it('costs hardly a refusal where a permission is taken and given back around trades', async () => {
    const { fixture, channels, refused } = await openManyChannels();
    const { discord, guildId } = fixture;
    for (let round = 1; round <= 2; round += 1) {
      discord.setBotPermissions(guildId, USUAL & ~SendMessages);
      await heard(fixture);
      await fixture.trades(trade(inMarket(round)));
      await expect.poll(() => blocked(fixture), SOON).toBe(round * CHANNELS);
      discord.setBotPermissions(guildId, USUAL);
      await alertedAll(fixture, channels, round);
    }
    expect(refused()).toBeLessThanOrEqual(1);
  });
});
