import * as z from 'zod';
import { readForm, snowflake } from '../forms/form.ts';
import type { Guild } from '../model.ts';
import { isThread } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import { refusals } from '../refusal.ts';
import { channelWire, guildWire, memberWire, roleWire, userWire } from '../wire.ts';
import type { RestContext } from './context.ts';
import { reachChannel } from './reach.ts';
import { noContent, ok, type Route } from './routes.ts';

/** Returns the routes that read servers, members, roles and channels. */
export function guildRoutes(context: RestContext): Route[] {
  const { world } = context;

  function joined(guildId: string): Guild {
    const guild = world.guild(guildId);
    if (!guild?.members.has(world.bot.id)) throw refusals.unknownGuild();
    return guild;
  }

  return [
    {
      method: 'GET',
      pattern: '/users/@me/guilds',
      auth: 'bot',
      bucket: 'other',
      handle: () =>
        ok(
          world
            .botGuilds()
            .map(({ id, name }) => ({ id, name, icon: null, owner: false, features: [] })),
        ),
    },
    {
      method: 'DELETE',
      pattern: '/users/@me/guilds/:guild',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        world.kickBot(joined(request.id('guild')).id);
        return noContent;
      },
    },
    {
      method: 'POST',
      pattern: '/users/@me/channels',
      auth: 'bot',
      bucket: 'other',
      handle: ({ json }) => {
        const { recipient_id: userId } = readForm(z.object({ recipient_id: snowflake }), json);
        const user = world.user(userId);
        if (!user) throw refusals.unknownUser();
        if (user.bot) throw refusals.cannotMessageUser();
        return ok(channelWire(world.openDm(userId), [user]));
      },
    },
    {
      method: 'GET',
      pattern: '/guilds/:guild',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => ok(guildWire(joined(request.id('guild')))),
    },
    {
      method: 'GET',
      pattern: '/guilds/:guild/channels',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const channels = [...joined(request.id('guild')).channels.values()];
        return ok(
          channels
            .filter((channel) => !isThread(channel))
            .map((channel) => channelWire(channel, [])),
        );
      },
    },
    {
      method: 'GET',
      pattern: '/guilds/:guild/roles',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => ok([...joined(request.id('guild')).roles.values()].map(roleWire)),
    },
    {
      method: 'GET',
      pattern: '/guilds/:guild/members/:user',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const userId = request.param('user');
        const member = joined(request.id('guild')).members.get(userId);
        if (!member) throw refusals.unknownMember();
        return ok(memberWire(member, world.user(userId) ?? null));
      },
    },
    {
      method: 'GET',
      pattern: '/channels/:channel',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const { channel } = reachChannel(context, request.id('channel'));
        return ok(channelWire(channel, world.recipients(channel)));
      },
    },
    {
      method: 'POST',
      pattern: '/channels/:channel/typing',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const { permissions } = reachChannel(context, request.id('channel'));
        if (!has(permissions, PERMISSIONS.SEND_MESSAGES)) throw refusals.missingPermissions();
        return noContent;
      },
    },
    {
      method: 'GET',
      pattern: '/guilds/:guild/members',
      auth: 'bot',
      bucket: 'other',
      handle: () => {
        throw refusals.missingAccess();
      },
    },
    {
      method: 'GET',
      pattern: '/users/@me/guilds/:guild/member',
      auth: 'bot',
      bucket: 'other',
      handle: (request) => {
        const member = joined(request.id('guild')).members.get(world.bot.id);
        if (!member) throw refusals.unknownMember();
        return ok({ ...memberWire(member, world.bot), user: userWire(world.bot) });
      },
    },
  ];
}
