import type { Cdn } from '../messages/cdn.ts';
import type { Channel, Guild, StoredFile, User, Wire } from '../model.ts';
import { isThread } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import { contentTypeOf } from '../rest/body.ts';
import { memberWire, roleWire, userWire } from '../wire.ts';
import type { World } from '../world/world.ts';
import { CannotDo, type Resolver } from './commandline.ts';

export interface ResolverDeps {
  readonly world: World;
  readonly cdn: Cdn;
  readonly newId: () => string;
  readonly attachmentSizeLimitBytes: number;
  /** The person who picks entities. */
  readonly user: User;
  readonly guild: Guild | null;
  readonly channel: Channel;
}

/**
 * Collects the `resolved` part of an interaction. Only entities visible to this person may be
 * picked.
 */
export function createResolver(
  deps: ResolverDeps,
): Resolver & { isEmpty(): boolean; wire(): Wire } {
  const { world, cdn, newId, user, guild, channel: place } = deps;
  const resolved: Record<string, Wire> = {};
  const put = (kind: string, id: string, value: Wire) => {
    resolved[kind] = { ...resolved[kind], [id]: value };
  };

  return {
    isEmpty: () => Object.keys(resolved).length === 0,
    wire: () => resolved,

    channel(id, types) {
      const channel = guild?.channels.get(id);
      const permissions = channel ? world.permissionsIn(user.id, channel) : 0n;
      if (!channel || !has(permissions, PERMISSIONS.VIEW_CHANNEL)) {
        throw new CannotDo(`${user.name} sees no channel ${id} in this server.`);
      }
      if (types.length > 0 && !types.includes(channel.type)) {
        throw new CannotDo(
          `Channel ${channel.name} is of type ${channel.type}; accepted are ${types.join(', ')}.`,
        );
      }
      put('channels', id, {
        id,
        type: channel.type,
        name: channel.name,
        guild_id: channel.guildId,
        parent_id: channel.parentId,
        position: channel.position,
        flags: 0,
        nsfw: false,
        topic: null,
        rate_limit_per_user: 0,
        last_message_id: channel.lastMessageId,
        permissions: permissions.toString(),
        app_permissions: world.permissionsIn(world.bot.id, channel).toString(),
        ...(isThread(channel)
          ? {
              thread_metadata: {
                archived: channel.archived,
                locked: channel.locked,
                auto_archive_duration: 1440,
                archive_timestamp: new Date(0).toISOString(),
              },
            }
          : {}),
      });
    },

    user(id) {
      const picked = world.user(id);
      const member = guild?.members.get(id);
      const isInDm = guild === null && (id === world.bot.id || place.recipientIds.includes(id));
      if (!picked || (!member && !isInDm)) throw new CannotDo(`There is no person ${id} here.`);
      put('users', id, userWire(picked));
      if (!member) return;
      const { deaf, mute, ...partial } = memberWire(member, null);
      const permissions = world.permissionsIn(id, place).toString();
      put('members', id, { ...partial, permissions });
    },

    role(id) {
      const role = guild?.roles.get(id);
      if (!role) throw new CannotDo(`This server has no role ${id}.`);
      put('roles', id, roleWire(role));
    },

    mentionable(id) {
      if (guild?.roles.has(id)) this.role(id);
      else this.user(id);
    },

    attachment(file) {
      if (file.data.byteLength > deps.attachmentSizeLimitBytes) {
        throw new CannotDo(
          `${file.filename} has more than ${deps.attachmentSizeLimitBytes} bytes.`,
        );
      }
      const stored: StoredFile = {
        id: newId(),
        filename: file.filename,
        contentType: contentTypeOf(file.filename, file.contentType),
        description: null,
        data: file.data,
      };
      cdn.keep(deps.channel.id, stored);
      const url = cdn.url(deps.channel.id, stored);
      put('attachments', stored.id, {
        id: stored.id,
        filename: stored.filename,
        size: stored.data.byteLength,
        url,
        proxy_url: url,
        content_type: stored.contentType,
        ephemeral: true,
      });
      return stored.id;
    },
  };
}
