import { Events } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PERMISSIONS as P } from '../src/discord/permissions.ts';
import { compareIds, createSnowflakes, snowflakeTimeMs } from '../src/discord/snowflake.ts';
import { logIn } from './client.ts';
import { eventually, openFixture } from './fixture.ts';

const BITS = [
  P.VIEW_CHANNEL,
  P.SEND_MESSAGES,
  P.EMBED_LINKS,
  P.ATTACH_FILES,
  P.MENTION_EVERYONE,
  P.MANAGE_MESSAGES,
];
const union = (bits: readonly bigint[]) => bits.reduce((all, bit) => all | bit, 0n);

describe('permissions', () => {
  it('come out as discord.js computes them, whatever the roles and overwrites', async () => {
    const { discord, guildId } = await openFixture();
    const client = await logIn(discord);
    const guild = discord.guild(guildId);
    const ownRole =
      [...(guild?.roles.values() ?? [])].find(({ botId }) => botId === discord.bot.id)?.id ?? '';
    const bits = fc.subarray(BITS).map(union);
    const overwrite = fc.record({ allow: bits, deny: bits });
    const cases = fc.sample(
      fc.record({ everyone: overwrite, role: overwrite, member: overwrite }),
      {
        numRuns: 60,
        seed: 1,
      },
    );

    discord.setBotPermissions(guildId, union(BITS.slice(0, 3)));
    const channelIds = cases.map(({ everyone, role, member }, index) => {
      const { id } = discord.createChannel(guildId, { name: `c${index}` });
      discord.setOverwrite(id, { id: guildId, type: 0, ...everyone });
      discord.setOverwrite(id, { id: ownRole, type: 0, ...role });
      discord.setOverwrite(id, { id: discord.bot.id, type: 1, ...member });
      return id;
    });
    const told = eventually(
      (listener) => client.on(Events.ChannelCreate, listener),
      ({ name }: { name: string }) => name === 'last',
    );
    discord.createChannel(guildId, { name: 'last' });
    await told;

    const me = client.guilds.cache.get(guildId)?.members.me;
    for (const channelId of channelIds) {
      const channel = discord.channel(channelId);
      const ours = channel ? discord.permissionsIn(discord.bot.id, channel) : -1n;
      const theirs = me?.permissionsIn(channelId).bitfield ?? -2n;
      const sees = (theirs & P.VIEW_CHANNEL) !== 0n;
      const sends = (theirs & P.SEND_MESSAGES) !== 0n;
      const withoutSending = P.EMBED_LINKS | P.ATTACH_FILES | P.MENTION_EVERYONE;
      // discord.js does not remove the permissions that also go with a missing VIEW_CHANNEL or
      // SEND_MESSAGES.
      expect(ours).toBe(sees ? (sends ? theirs : theirs & ~withoutSending) : 0n);
    }
  });
});

describe('ids', () => {
  it('grow, have 17 to 19 digits and carry their time', () => {
    const times = fc.array(fc.integer({ min: Date.UTC(2016, 0), max: Date.UTC(2060, 0) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(times, (timesMs) => {
        let nowMs = 0;
        const newId = createSnowflakes(() => nowMs);
        let latestMs = 0;
        let last = '0';
        for (const timeMs of timesMs) {
          nowMs = timeMs;
          latestMs = Math.max(latestMs, timeMs);
          const id = newId();
          expect(id).toMatch(/^\d{17,19}$/);
          expect(compareIds(last, id)).toBeLessThan(0);
          expect(snowflakeTimeMs(id)).toBe(latestMs);
          last = id;
        }
      }),
    );
  });
});
