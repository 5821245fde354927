import type { SeenAttachment, SeenEmbed, SeenMessage } from '../events.ts';
import { attachmentsOf, type Embed } from '../forms/embed.ts';
import { imageSize } from '../image.ts';
import type { Message, StoredFile, Wire } from '../model.ts';
import { MESSAGE_FLAGS } from '../model.ts';
import { userWire } from '../wire.ts';
import type { World } from '../world/world.ts';
import type { Cdn } from './cdn.ts';

export interface MessageView {
  /**
   * Returns the message object of the API without the nonce, which only the author's create
   * response and event contain.
   */
  wire(message: Message): Wire;
  /** Returns the message as a person sees it now. */
  seen(message: Message): SeenMessage;
}

export interface MessageViewDeps {
  readonly world: World;
  readonly cdn: Cdn;
  /** Returns the data for `interaction_metadata` of a message that answers an interaction. */
  readonly interactionWire: (interactionId: string) => Wire | null;
}

/** Creates the outside views of messages; signs the addresses of their files. */
export function createMessageView({ world, cdn, interactionWire }: MessageViewDeps): MessageView {
  function mediaWire(message: Message, address: string): Wire {
    const file = address.startsWith('attachment://')
      ? message.files.find((candidate) => candidate.filename === address.slice(13))
      : undefined;
    if (!file) return { url: address, proxy_url: address, width: 0, height: 0 };
    const url = cdn.url(message.channelId, file);
    return { url, proxy_url: url, content_type: file.contentType, ...imageSize(file.data) };
  }

  function iconWire(message: Message, address: string | null | undefined): Wire {
    if (!address) return {};
    const { url } = mediaWire(message, address);
    return { icon_url: url, proxy_icon_url: url };
  }

  function embedWire(message: Message, embed: Embed): Wire {
    const { title, description, url, timestamp, color, footer, image, thumbnail, author } = embed;
    return without({
      type: 'rich',
      title,
      description,
      url,
      timestamp: timestamp ? isoTime(Date.parse(timestamp)) : null,
      color,
      footer: footer && { text: footer.text, ...iconWire(message, footer.icon_url) },
      image: image && mediaWire(message, image.url),
      thumbnail: thumbnail && mediaWire(message, thumbnail.url),
      author:
        author &&
        without({ name: author.name, url: author.url, ...iconWire(message, author.icon_url) }),
      fields: (embed.fields ?? []).map(({ name, value, inline }) => ({
        name,
        value,
        inline: inline ?? false,
      })),
    });
  }

  const embedsWire = (message: Message) => message.embeds.map((embed) => embedWire(message, embed));

  function loose(message: Message): readonly StoredFile[] {
    const inEmbeds = new Set(message.embeds.flatMap(attachmentsOf));
    return message.files.filter((file) => !inEmbeds.has(file.filename));
  }

  function wire(message: Message): Wire {
    const author = world.user(message.authorId);
    const metadata = message.interactionId === null ? null : interactionWire(message.interactionId);
    return {
      id: message.id,
      channel_id: message.channelId,
      type: message.type,
      author: author === undefined ? null : userWire(author),
      content: message.content,
      embeds: embedsWire(message),
      components: message.components,
      attachments: loose(message).map((file) => ({
        id: file.id,
        filename: file.filename,
        size: file.data.byteLength,
        url: cdn.url(message.channelId, file),
        proxy_url: cdn.url(message.channelId, file),
        content_type: file.contentType,
        ...(file.description === null ? {} : { description: file.description }),
        ...imageSize(file.data),
      })),
      timestamp: isoTime(message.createdAtMs),
      edited_timestamp: message.editedAtMs === null ? null : isoTime(message.editedAtMs),
      tts: message.tts,
      mention_everyone: message.mentions.everyone,
      mentions: message.mentions.userIds.flatMap((id) => {
        const user = world.user(id);
        return user === undefined ? [] : [userWire(user)];
      }),
      mention_roles: message.mentions.roleIds,
      pinned: false,
      flags: message.flags,
      ...(metadata === null
        ? {}
        : {
            webhook_id: world.applicationId,
            application_id: world.applicationId,
            interaction_metadata: metadata,
          }),
      ...(message.replyToId === null
        ? {}
        : {
            message_reference: {
              type: 0,
              message_id: message.replyToId,
              channel_id: message.channelId,
              ...(message.guildId === null ? {} : { guild_id: message.guildId }),
            },
          }),
      ...(message.forwarded === null ? {} : forwardWire(message.forwarded)),
    };
  }

  /** Returns the displayed part of a forwarded message, without its author. */
  function forwardWire(forwarded: Message): Wire {
    const { id, channel_id, author, pinned, tts, mention_everyone, ...shown } = wire(forwarded);
    const place = forwarded.guildId === null ? {} : { guild_id: forwarded.guildId };
    return {
      message_reference: { type: 1, message_id: id, channel_id, ...place },
      message_snapshots: [{ message: shown }],
    };
  }

  function seen(message: Message): SeenMessage {
    const author = world.user(message.authorId);
    const raw = wire(message);
    const embeds = message.embeds.map((embed, index) =>
      seenEmbed(embed, embedsWire(message)[index] ?? {}),
    );
    const attachments = loose(message).map(
      (file): SeenAttachment => ({
        id: file.id,
        filename: file.filename,
        contentType: file.contentType,
        sizeBytes: file.data.byteLength,
        description: file.description,
        url: cdn.url(message.channelId, file),
        data: file.data,
      }),
    );
    return {
      id: message.id,
      channelId: message.channelId,
      guildId: message.guildId,
      author: { id: message.authorId, name: author?.name ?? 'unknown', bot: author?.bot ?? false },
      content: message.content,
      embeds,
      components: message.components,
      attachments,
      flags: message.flags,
      thinking: (message.flags & MESSAGE_FLAGS.LOADING) !== 0,
      ephemeralFor: message.ephemeralFor,
      silent: (message.flags & MESSAGE_FLAGS.SUPPRESS_NOTIFICATIONS) !== 0,
      pings: message.pings,
      createdAtMs: message.createdAtMs,
      editedAtMs: message.editedAtMs,
      nonce: message.nonce,
      replyToId: message.replyToId,
      interactionId: message.interactionId,
      deleted: message.deleted,
      raw,
    };
  }

  return { wire, seen };
}

/** Returns a time in Discord's format, with microseconds. */
function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}

/** Returns the object without fields that are null, undefined or an empty text. */
function without(wire: Wire): Wire {
  return Object.fromEntries(
    Object.entries(wire).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  );
}

function seenEmbed(embed: Embed, wired: Wire): SeenEmbed {
  const urlOf = (part: unknown, key: string): string | null => {
    if (typeof part !== 'object' || part === null) return null;
    const value = Object.entries(part).find(([name]) => name === key)?.[1];
    return typeof value === 'string' ? value : null;
  };
  return {
    title: embed.title ?? null,
    description: embed.description ?? null,
    url: embed.url ?? null,
    timestamp: embed.timestamp ?? null,
    color: embed.color ?? null,
    footer: embed.footer
      ? { text: embed.footer.text, iconUrl: urlOf(wired['footer'], 'icon_url') }
      : null,
    imageUrl: urlOf(wired['image'], 'url'),
    thumbnailUrl: urlOf(wired['thumbnail'], 'url'),
    author: embed.author
      ? {
          name: embed.author.name,
          url: embed.author.url ?? null,
          iconUrl: urlOf(wired['author'], 'icon_url'),
        }
      : null,
    fields: (embed.fields ?? []).map(({ name, value, inline }) => ({
      name,
      value,
      inline: inline ?? false,
    })),
  };
}
