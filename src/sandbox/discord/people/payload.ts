import type { Interaction } from '../interactions.ts';
import type { Wire } from '../model.ts';
import { channelWire, memberWire, userWire } from '../wire.ts';
import type { World } from '../world/world.ts';
import type { Scene } from './scene.ts';

/** The part of INTERACTION_CREATE that all interactions have in common (interactions/receiving-and-responding.mdx). */
export function interactionPayload(
  { world, attachmentSizeLimitBytes }: { world: World; attachmentSizeLimitBytes: number },
  interaction: Interaction,
  { user, channel, guild, member }: Scene,
): Wire {
  const permissions = world.permissionsIn(user.id, channel).toString();
  const place: Wire =
    guild && member
      ? {
          guild_id: guild.id,
          guild: { id: guild.id, locale: guild.locale, features: [] },
          guild_locale: guild.locale,
          member: { ...memberWire(member, user), permissions },
          authorizing_integration_owners: { 0: guild.id },
          context: 0,
        }
      : { user: userWire(user), authorizing_integration_owners: { 0: '0' }, context: 1 };
  return {
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    channel_id: channel.id,
    channel: { ...channelWire(channel, user), permissions },
    locale: user.locale,
    app_permissions: world.permissionsIn(world.bot.id, channel).toString(),
    entitlements: [],
    attachment_size_limit: attachmentSizeLimitBytes,
    ...place,
  };
}
