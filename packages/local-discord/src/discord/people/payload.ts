import type { Interaction } from '../interactions.ts';
import type { Wire } from '../model.ts';
import { GUEST_APP_PERMISSIONS } from '../permissions.ts';
import { channelWire, memberWire, userWire } from '../wire.ts';
import type { World } from '../world/world.ts';
import { contextOf, type Scene } from './scene.ts';

/**
 * Returns the fields of INTERACTION_CREATE that all interactions have
 * (interactions/receiving-and-responding.mdx).
 */
export function interactionPayload(
  { world, attachmentSizeLimitBytes }: { world: World; attachmentSizeLimitBytes: number },
  interaction: Interaction,
  scene: Scene,
): Wire {
  const { user, channel, guild, member } = scene;
  const permissions = world.permissionsIn(user.id, channel).toString();
  const place: Wire =
    guild && member
      ? {
          guild_id: guild.id,
          guild: { id: guild.id, locale: guild.locale, features: [] },
          guild_locale: guild.locale,
          member: { ...memberWire(member, user), permissions },
        }
      : { user: userWire(user) };
  const ofBot = world.permissionsIn(world.bot.id, channel);
  return {
    id: interaction.id,
    application_id: world.applicationId,
    type: interaction.type,
    token: interaction.token,
    version: 1,
    channel_id: channel.id,
    channel: { ...channelWire(channel, world.recipients(channel)), permissions },
    locale: user.locale,
    app_permissions: (interaction.owners[0] === undefined
      ? GUEST_APP_PERMISSIONS
      : ofBot
    ).toString(),
    authorizing_integration_owners: interaction.owners,
    context: contextOf(scene),
    entitlements: [],
    attachment_size_limit: attachmentSizeLimitBytes,
    ...place,
  };
}
