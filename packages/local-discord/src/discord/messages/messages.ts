import type { Events } from '../events.ts';
import type { Component } from '../forms/components.ts';
import { attachmentsOf, type Embed } from '../forms/embed.ts';
import type { AllowedMentions } from '../forms/message.ts';
import type { Channel, Message, StoredFile, Wire } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import { memberWire } from '../wire.ts';
import { type Dispatch, INTENTS } from '../world/intents.ts';
import type { World } from '../world/world.ts';
import type { Cdn } from './cdn.ts';
import { findPings, NO_PINGS } from './mentions.ts';
import type { MessageView } from './view.ts';

export interface NewMessage {
  readonly channel: Channel;
  readonly authorId: string;
  readonly type: number;
  readonly content: string;
  readonly embeds: readonly Embed[];
  readonly components: readonly Component[];
  readonly files: readonly StoredFile[];
  readonly flags: number;
  readonly tts: boolean;
  readonly nonce: string | number | null;
  readonly allowedMentions: AllowedMentions | null;
  readonly replyToId: string | null;
  readonly forwarded?: Message;
  readonly interactionId: string | null;
  readonly ephemeralFor: string | null;
}

export interface MessageChange {
  readonly content?: string;
  readonly embeds?: readonly Embed[];
  readonly components?: readonly Component[];
  readonly files?: readonly StoredFile[];
  readonly flags?: number;
  readonly allowedMentions?: AllowedMentions | null;
}

export interface Messages extends MessageView {
  create(message: NewMessage): Message;
  /**
   * Changes a message. `isFirstFill` means that the "thinking" placeholder gets its content, which
   * counts as a new message for pings.
   */
  edit(message: Message, change: MessageChange, isFirstFill?: boolean): void;
  delete(message: Message): void;
  /** Returns an existing message, including ephemeral ones. */
  get(messageId: string): Message | undefined;
  /** Returns the messages in a channel, oldest first, without ephemeral ones. */
  inChannel(channelId: string): Message[];
  /**
   * Returns the messages in a channel with the ephemeral ones that this person sees; with `null`,
   * everyone's.
   */
  visibleTo(channelId: string, userId: string | null): Message[];
}

export interface MessagesDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly world: World;
  readonly cdn: Cdn;
  readonly events: Events;
  readonly dispatch: Dispatch;
  readonly view: MessageView;
  readonly warn: (route: string, reason: string) => void;
}

/** Creates the store of all messages, which dispatches a gateway event for each change. */
export function createMessages(deps: MessagesDeps): Messages {
  const { now, newId, world, cdn, events } = deps;
  const { wire, seen } = deps.view;
  const byId = new Map<string, Message>();
  const byChannel = new Map<string, Map<string, Message>>();

  function pingsOf(
    message: Pick<Message, 'channelId' | 'guildId' | 'authorId' | 'content' | 'replyToId'>,
    allowed: AllowedMentions | null,
    isReply: boolean,
  ) {
    const channel = world.channel(message.channelId);
    const replied = message.replyToId === null || isReply ? undefined : byId.get(message.replyToId);
    return findPings({
      content: message.content,
      allowed,
      usersOnlyByDefault: isReply,
      guild: message.guildId === null ? undefined : world.guild(message.guildId),
      mayMentionEveryone:
        channel !== undefined &&
        has(world.permissionsIn(message.authorId, channel), PERMISSIONS.MENTION_EVERYONE),
      repliedUserId: replied?.authorId ?? null,
    });
  }

  function checkEmbeds(message: Message): void {
    const urls = message.embeds.flatMap((embed) => embed.url ?? []);
    if (new Set(urls).size < urls.length) {
      deps.warn(
        `message ${message.id}`,
        'Embeds have the same url: Discord shows only the first of them.',
      );
    }
    const names = new Set(message.files.map((file) => file.filename));
    for (const name of message.embeds.flatMap(attachmentsOf)) {
      if (!names.has(name)) {
        deps.warn(`message ${message.id}`, `An embed refers to ${name}, which is not attached.`);
      } else if (!/\.(jpe?g|png|webp|gif)$/i.test(name)) {
        deps.warn(`message ${message.id}`, `${name} is no image type that an embed can show.`);
      }
    }
  }

  function placeOf(message: Message) {
    return message.guildId === null
      ? { place: {}, intent: INTENTS.DIRECT_MESSAGES }
      : { place: { guild_id: message.guildId }, intent: INTENTS.GUILD_MESSAGES };
  }

  /** Sends the message to the bot if the bot may see it. */
  function dispatch(event: string, message: Message): void {
    const channel = world.channel(message.channelId);
    if (message.ephemeralFor !== null || channel === undefined) return;
    if (!has(world.permissionsIn(world.bot.id, channel), PERMISSIONS.VIEW_CHANNEL)) return;
    const member =
      message.guildId === null
        ? undefined
        : world.guild(message.guildId)?.members.get(message.authorId);
    const { place, intent } = placeOf(message);
    const data: Wire = {
      ...wire(message),
      ...place,
      channel_type: channel.type,
      ...(member === undefined ? {} : { member: memberWire(member, null) }),
      ...(message.nonce === null ? {} : { nonce: message.nonce }),
    };
    const hidden = {
      content: '',
      embeds: [],
      components: [],
      attachments: [],
      message_snapshots: undefined,
    };
    deps.dispatch(event, data, intent, botMayRead(message) ? data : { ...data, ...hidden });
  }

  /** Whether a bot may read the message even without the MESSAGE_CONTENT intent. */
  function botMayRead({ authorId, guildId, mentions }: Message): boolean {
    return authorId === world.bot.id || guildId === null || mentions.userIds.includes(world.bot.id);
  }

  // Ids are increasing, so the order of insertion is chronological.
  const ordered = (channelId: string) => [...(byChannel.get(channelId)?.values() ?? [])];

  return {
    wire,
    seen,
    get: (messageId) => byId.get(messageId),
    inChannel: (channelId) => ordered(channelId).filter((message) => message.ephemeralFor === null),
    visibleTo: (channelId, userId) =>
      ordered(channelId).filter(
        (message) =>
          message.ephemeralFor === null || userId === null || message.ephemeralFor === userId,
      ),

    create(input) {
      const { channel } = input;
      const draft = {
        channelId: channel.id,
        guildId: channel.guildId,
        authorId: input.authorId,
        content: input.content,
        replyToId: input.replyToId,
        forwarded: input.forwarded === undefined ? null : { ...input.forwarded },
      };
      const mentions = pingsOf(draft, input.allowedMentions, input.interactionId !== null);
      const message: Message = {
        ...draft,
        components: input.components,
        id: newId(),
        type: input.type,
        embeds: input.embeds,
        files: input.files,
        flags: input.flags,
        tts: input.tts,
        createdAtMs: now(),
        editedAtMs: null,
        nonce: input.nonce,
        mentions,
        pings: input.ephemeralFor === null ? mentions : NO_PINGS,
        interactionId: input.interactionId,
        ephemeralFor: input.ephemeralFor,
        deleted: false,
      };
      for (const file of input.files) cdn.keep(channel.id, file);
      byId.set(message.id, message);
      const inChannel = byChannel.get(channel.id) ?? new Map<string, Message>();
      byChannel.set(channel.id, inChannel.set(message.id, message));
      if (input.ephemeralFor === null) channel.lastMessageId = message.id;
      checkEmbeds(message);
      dispatch('MESSAGE_CREATE', message);
      events.emit('message', seen(message));
      return message;
    },

    edit(message, change, isFirstFill = false) {
      message.content = change.content ?? message.content;
      message.embeds = change.embeds ?? message.embeds;
      message.components = change.components ?? message.components;
      message.files = change.files ?? message.files;
      message.flags = change.flags ?? message.flags;
      for (const file of message.files) cdn.keep(message.channelId, file);
      const isReply = message.interactionId !== null;
      message.mentions = pingsOf(message, change.allowedMentions ?? null, isReply);
      if (isFirstFill && message.ephemeralFor === null) message.pings = message.mentions;
      if (!isFirstFill) message.editedAtMs = now();
      checkEmbeds(message);
      dispatch('MESSAGE_UPDATE', message);
      events.emit('edit', seen(message));
    },

    delete(message) {
      message.deleted = true;
      byId.delete(message.id);
      byChannel.get(message.channelId)?.delete(message.id);
      if (message.ephemeralFor === null) {
        const { place, intent } = placeOf(message);
        deps.dispatch(
          'MESSAGE_DELETE',
          { id: message.id, channel_id: message.channelId, ...place },
          intent,
        );
      }
      events.emit('delete', seen(message));
    },
  };
}
