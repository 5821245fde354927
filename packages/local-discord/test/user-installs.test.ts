import { Events, type Interaction, MessageFlags, SlashCommandBuilder } from 'discord.js';
import { describe, expect, it } from 'vitest';
import type { MemberRef } from '../src/discord/fake-discord.ts';
import { EVERYDAY_PERMISSIONS, PERMISSIONS } from '../src/discord/permissions.ts';
import { logIn } from './client.ts';
import { openUnlimitedFixture, post, refusal, SOON } from './fixture.ts';

const look = new SlashCommandBuilder()
  .setName('look')
  .setDescription('Look something up')
  .setContexts(0, 1, 2)
  .setIntegrationTypes(0, 1);
const manage = new SlashCommandBuilder()
  .setName('manage')
  .setDescription('Manage')
  .setContexts(0)
  .setIntegrationTypes(0)
  .setDefaultMemberPermissions(PERMISSIONS.MANAGE_GUILD);

/**
 * Starts a fake Discord with a bot that responds to each command in public, and with people in
 * servers with and without it.
 */
async function openPlaces(answer: (interaction: Interaction) => unknown = reply) {
  const fixture = await openUnlimitedFixture();
  const { discord, member } = fixture;
  const client = await logIn(discord);
  if (!client.isReady()) throw new Error('not ready');
  await client.application.commands.set([look, manage]);
  const seen: Interaction[] = [];
  client.on(Events.InteractionCreate, async (interaction) => {
    seen.push(interaction);
    await answer(interaction);
  });
  const foreign = discord.createGuild({ name: 'Elsewhere', withBot: false });
  const foreignChannelId = discord.createChannel(foreign.id, { name: 'lobby' }).id;
  const eve = discord.createMember(foreign.id, { name: 'eve' });
  discord.createMember(foreign.id, { name: 'max', userId: member.userId });
  const group = discord.createPrivateChannel([eve.userId, member.userId, fixture.admin.userId]);
  const pair = discord.createPrivateChannel([eve.userId, member.userId]);
  const outside = ({ userId }: MemberRef): MemberRef => ({ userId, guildId: null });
  const offered = (who: MemberRef, channelId: string) =>
    discord.offered(outside(who), channelId).map(({ name }) => name);
  return { ...fixture, foreign, foreignChannelId, eve, group, pair, outside, offered, seen };
}

async function reply(interaction: Interaction): Promise<void> {
  if (interaction.isChatInputCommand()) await interaction.reply('Here');
}

describe('an application that people install for themselves', () => {
  it('is offered where its commands may be used: by whom, and in which contexts', async () => {
    const { discord, member, eve, foreignChannelId, channelId, group, pair, offered } =
      await openPlaces();
    const dmOf = ({ userId }: MemberRef) => discord.openDm(userId).id;
    expect(offered(eve, foreignChannelId)).toEqual([]);
    expect(offered(eve, dmOf(eve))).toEqual([]);
    // A person who shares a server with the bot has its direct message, and nothing else outside of
    // that server.
    expect(offered(member, dmOf(member))).toEqual(['look']);
    expect(offered(member, foreignChannelId)).toEqual([]);
    expect(offered(member, pair.id)).toEqual([]);

    for (const { userId } of [eve, member]) discord.setInstalled(userId, true);
    for (const place of [foreignChannelId, dmOf(eve), group.id, pair.id])
      expect(offered(eve, place)).toEqual(['look']);
    expect(offered(member, channelId)).toEqual(['look']);
    expect(() => discord.offered({ userId: eve.userId, guildId: null }, dmOf(member))).toThrow(
      'somebody else',
    );

    discord.setInstalled(eve.userId, false);
    expect(offered(eve, foreignChannelId)).toEqual([]);
  });

  it('is told where it is and through whose installation', async () => {
    const {
      discord,
      member,
      eve,
      outside,
      foreign,
      foreignChannelId,
      channelId,
      guildId,
      group,
      seen,
    } = await openPlaces();
    for (const { userId } of [eve, member]) discord.setInstalled(userId, true);
    const use = async (who: MemberRef, where: string) => {
      await (await discord.command(outside(who), where, 'look')).reply();
      const {
        context,
        authorizingIntegrationOwners,
        guildId: guild,
        channelId: channel,
      } = seen.at(-1) ?? {};
      const owners = JSON.parse(JSON.stringify(authorizingIntegrationOwners ?? {}));
      return { context, guild, isThere: channel === where, owners };
    };
    const isThere = true;
    const max = member.userId;
    const owners = { 0: guildId, 1: max };
    expect(await use(member, channelId)).toEqual({ context: 0, guild: guildId, isThere, owners });
    const alone = { isThere, owners: { 1: eve.userId } };
    expect(await use(eve, foreignChannelId)).toEqual({ context: 0, guild: foreign.id, ...alone });
    expect(await use(eve, group.id)).toEqual({ context: 2, guild: null, ...alone });
    expect(await use(eve, discord.openDm(eve.userId).id)).toEqual({
      context: 1,
      guild: null,
      ...alone,
    });
    const dm = discord.openDm(max).id;
    expect(await use(member, dm)).toEqual({
      context: 1,
      guild: null,
      isThere,
      owners: { 0: '0', 1: max },
    });
  });

  it('answers there by the interaction alone, in private where the server wants it, five times at most', async () => {
    const { discord, eve, member, foreign, foreignChannelId, group, outside, ...fixture } =
      await openPlaces(async (interaction) => {
        if (!interaction.isChatInputCommand()) return;
        await interaction.reply('Here');
        for (let count = 0; count < 6; count += 1)
          await interaction.followUp(`${count}`).catch(refused);
      });
    const refusals: unknown[] = [];
    function refused({ code }: { readonly code?: unknown }) {
      refusals.push(code);
    }
    discord.setInstalled(eve.userId, true);
    const handle = await discord.command(outside(eve), foreignChannelId, 'look');
    expect(await handle.reply()).toMatchObject({ content: 'Here', ephemeralFor: null });
    await expect.poll(() => refusals, SOON).toEqual([40_094]);
    expect(handle.replies).toHaveLength(6);

    const roles = discord.guild(foreign.id)?.roles ?? new Map();
    for (const { id, name } of roles.values()) {
      const permissions = EVERYDAY_PERMISSIONS & ~PERMISSIONS.USE_EXTERNAL_APPS;
      if (name === 'Member') discord.setRole(foreign.id, id, { permissions });
    }
    const quiet = await (await discord.command(outside(eve), foreignChannelId, 'look')).reply();
    expect(quiet).toMatchObject({ ephemeralFor: eve.userId });
    expect(quiet.flags & MessageFlags.Ephemeral).not.toBe(0);

    const inGroup = await (await discord.command(outside(eve), group.id, 'look')).reply();
    expect(inGroup).toMatchObject({ guildId: null, ephemeralFor: null });
    for (const place of [group.id, foreignChannelId]) {
      const answer = await post({ discord, member, ...fixture }, { content: 'x' }, place);
      expect(answer).toMatchObject(refusal(403, 50_001));
    }
  });

  it('may write to people who share no server with it where Discord is set to let it', async () => {
    for (const installsOpenDms of [false, true]) {
      const fixture = await openUnlimitedFixture({ installsOpenDms });
      const { id } = fixture.discord.createUser({ name: 'eve' });
      fixture.discord.setInstalled(id, true);
      const answer = await post(fixture, { content: 'x' }, fixture.discord.openDm(id).id);
      expect(answer).toMatchObject(
        installsOpenDms ? { status: 200 } : { status: 403, body: { code: 50_278 } },
      );
      fixture.discord.setInstalled(id, false);
      expect(await post(fixture, { content: 'y' }, fixture.discord.openDm(id).id)).toMatchObject({
        status: 403,
      });
    }
  });
});
