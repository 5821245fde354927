import type { Component } from './forms/components.ts';
import type { Embed } from './forms/embed.ts';

/** A JSON object to be sent to the client. */
export type Wire = Record<string, unknown>;

export interface User {
  readonly id: string;
  readonly name: string;
  readonly bot: boolean;
  /** Language of the person's client, e.g. `en-US`. */
  locale: string;
  /** Whether bots of shared servers may send direct messages. */
  takesDms: boolean;
  /** Whether the person has installed the application for themselves. */
  hasInstalled: boolean;
}

export interface Role {
  readonly id: string;
  name: string;
  permissions: bigint;
  position: number;
  mentionable: boolean;
  color: number;
  /** The bot that owns this role; null for an ordinary role. */
  readonly botId: string | null;
}

export interface Overwrite {
  readonly id: string;
  /** 0 role, 1 member. */
  readonly type: 0 | 1;
  readonly allow: bigint;
  readonly deny: bigint;
}

/** Channel types whose rules the fake knows. */
export const CHANNEL_TYPES = {
  TEXT: 0,
  DM: 1,
  VOICE: 2,
  GROUP_DM: 3,
  CATEGORY: 4,
  ANNOUNCEMENT: 5,
  PUBLIC_THREAD: 11,
  PRIVATE_THREAD: 12,
  FORUM: 15,
} as const;

export interface Channel {
  readonly id: string;
  /** Null for a direct message. */
  readonly guildId: string | null;
  readonly type: number;
  name: string;
  position: number;
  readonly parentId: string | null;
  readonly overwrites: Map<string, Overwrite>;
  lastMessageId: string | null;
  /**
   * The people of a direct message: one if it is with the bot, two or more if the bot is not in it.
   */
  readonly recipientIds: readonly string[];
  archived: boolean;
  locked: boolean;
}

export interface Member {
  readonly userId: string;
  readonly guildId: string;
  nick: string | null;
  readonly roleIds: Set<string>;
  readonly joinedAtMs: number;
  timedOutUntilMs: number | null;
}

export interface Guild {
  readonly id: string;
  name: string;
  readonly ownerId: string;
  readonly locale: string;
  readonly roles: Map<string, Role>;
  readonly channels: Map<string, Channel>;
  readonly members: Map<string, Member>;
  /** The channels for welcome messages and for the rules; null if not chosen. */
  systemChannelId: string | null;
  rulesChannelId: string | null;
  /** Whether Discord has an outage in this server. */
  unavailable: boolean;
}

/** Whom a message notifies. */
export interface Pings {
  readonly everyone: boolean;
  readonly userIds: readonly string[];
  readonly roleIds: readonly string[];
}

export interface StoredFile {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly description: string | null;
  readonly data: Uint8Array;
}

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly guildId: string | null;
  readonly authorId: string;
  /** 0 default, 19 reply, 20 response to a slash command. */
  readonly type: number;
  content: string;
  embeds: readonly Embed[];
  components: readonly Component[];
  files: readonly StoredFile[];
  flags: number;
  readonly tts: boolean;
  readonly createdAtMs: number;
  editedAtMs: number | null;
  readonly nonce: string | number | null;
  mentions: Pings;
  pings: Pings;
  readonly replyToId: string | null;
  /** The forwarded message, as it was at the time. */
  readonly forwarded: Message | null;
  readonly interactionId: string | null;
  /** The only person who sees it; null if everyone does. */
  readonly ephemeralFor: string | null;
  deleted: boolean;
}

export const MESSAGE_FLAGS = {
  SUPPRESS_EMBEDS: 1 << 2,
  EPHEMERAL: 1 << 6,
  LOADING: 1 << 7,
  SUPPRESS_NOTIFICATIONS: 1 << 12,
} as const;

/** Whether it is a person's direct message with the bot. */
export function isBotDm({ type, recipientIds }: Channel): boolean {
  return type === CHANNEL_TYPES.DM && recipientIds.length === 1;
}

export function isThread(channel: Channel): boolean {
  return channel.type >= 10 && channel.type <= 12;
}
