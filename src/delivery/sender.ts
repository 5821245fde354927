import { type APIEmbed, DiscordAPIError, MessageFlags, type REST, Routes } from 'discord.js';
import * as z from 'zod';
import { type ComponentRow, referenceIn } from '../messages/buttons.ts';
import { classifyFailure } from './failures.ts';
import type { Noise } from './plan/mentions.ts';

/** Maximum number of pages, of a hundred messages each, searched for an alert. */
const HISTORY_PAGES = 10;
const HISTORY_PAGE = 100;
/**
 * Margin for differences between Discord's clock and ours, in ms. Messages older than the first
 * attempt by up to this much are still checked.
 */
const CLOCK_MARGIN_MS = 10 * 60_000;
/** Discord's code for a reply without the permission to read the history. */
const REPLY_WITHOUT_HISTORY = 160_002;
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

const createdSchema = z.object({ id: z.string() });
const editedSchema = z.object({ edited_timestamp: z.iso.datetime({ offset: true }).nullable() });
/** A button or a menu. */
const partSchema = z.object({
  custom_id: z.string().default(''),
  options: z.array(z.object({ value: z.string() })).default([]),
});
const historySchema = z.array(
  z.object({
    id: z.string().regex(/^\d+$/),
    author: z.object({ id: z.string() }),
    content: z.string(),
    embeds: z.array(z.object({ footer: z.object({ text: z.string() }).optional() })),
    components: z.array(z.object({ components: z.array(partSchema).default([]) })).default([]),
  }),
);

export interface MessageBody {
  /** Escaped, without mentions. */
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly ComponentRow[];
  /** The message in this channel that is replied to; null if none. */
  readonly replyTo?: string | null;
  readonly picture?: {
    readonly name: string;
    readonly description: string;
    readonly attachment: Buffer;
  } | null;
}

/** A message for a channel. Its nonce makes Discord answer a repeat with the existing message. */
export interface Outgoing {
  readonly body: MessageBody;
  readonly noise: Noise;
  readonly nonce: string;
}

/**
 * Sends messages to Discord, and finds messages that have been posted.
 * @param selfId the bot's own user id; null before the gateway is ready
 * @param canReadHistory whether the bot may read the channel's history; null if unknown
 */
export function createSender(parts: {
  readonly rest: REST;
  readonly selfId: () => string | null;
  readonly canReadHistory: (channelId: string) => boolean | null;
}) {
  const { rest, selfId, canReadHistory } = parts;
  return {
    /**
     * Opens the direct message with a person; where there is one, it is the same.
     *
     * @returns its id
     * @throws discord.js's error
     */
    async openDm(personId: string): Promise<string> {
      const answer = await rest.post(Routes.userChannels(), { body: { recipient_id: personId } });
      return createdSchema.parse(answer).id;
    },
    /**
     * @returns the message's id
     * @throws discord.js's error
     */
    async send(channelId: string, { nonce, ...message }: Outgoing): Promise<string> {
      const { replyTo = null, picture = null } = message.body;
      const { attachments, files } = filesOf(picture);
      const body = {
        ...shown(message),
        nonce,
        enforce_nonce: true,
        flags: message.noise.isSilent ? MessageFlags.SuppressNotifications : undefined,
        attachments,
      };
      const post = async (sent: object) => {
        const answer = await rest.post(Routes.channelMessages(channelId), { body: sent, files });
        return createdSchema.parse(answer).id;
      };
      if (replyTo === null || canReadHistory(channelId) === false) return post(body);
      try {
        // The alert may have been deleted in the meantime. Its result is sent anyway.
        return await post({
          ...body,
          message_reference: { message_id: replyTo, fail_if_not_exists: false },
        });
      } catch (error) {
        // Without Read Message History, replies are not allowed. The message is then sent as an
        // ordinary one.
        if (!(error instanceof DiscordAPIError) || error.code !== REPLY_WITHOUT_HISTORY) {
          throw error;
        }
        return post(body);
      }
    },
    /**
     * Replaces everything that a message shows.
     * @returns the time of the edit by Discord's clock, see `editedAtMs`
     * @throws discord.js's error
     */
    async edit(
      channelId: string,
      messageId: string,
      message: Omit<Outgoing, 'nonce'>,
    ): Promise<number | null> {
      const route = Routes.channelMessage(channelId, messageId);
      const answer = await rest.patch(route, { body: shown(message) });
      return editedIn(answer);
    },
    /**
     * Returns the time of a message's last edit by Discord's clock, in epoch milliseconds; 0 if it
     * was never edited, null if that cannot be determined.
     * @throws discord.js's error if it may be determined later, or the message is gone
     */
    async editedAtMs(channelId: string, messageId: string): Promise<number | null> {
      if (canReadHistory(channelId) === false) return null;
      try {
        return editedIn(await rest.get(Routes.channelMessage(channelId, messageId)));
      } catch (error) {
        // This concerns the history, not the message.
        if (['blocked', 'rejected'].includes(classifyFailure(error).kind)) return null;
        throw error;
      }
    },
    /**
     * Returns the ids of the bot's messages in the channel since a time (epoch ms); null if they
     * cannot be determined. Each id is keyed by the given reference that the message's buttons or
     * footer contain, or by the given text that the message consists of.
     */
    async findReferences(channelId: string, references: readonly string[], sinceMs: number) {
      // Without the permission, Discord answers with an empty list, which proves nothing.
      if (canReadHistory(channelId) === false) return null;
      const self = selfId();
      const wanted = new Set(references);
      const read = async (position: Readonly<Record<string, string>>) => {
        const query = new URLSearchParams({ limit: String(HISTORY_PAGE), ...position });
        const answer = await rest.get(Routes.channelMessages(channelId), { query });
        const messages = historySchema.parse(answer);
        const found = new Map<string, string>();
        for (const message of messages) {
          if (self !== null && message.author.id !== self) continue;
          for (const text of referencesOf(message)) {
            if (wanted.has(text)) found.set(text, message.id);
          }
        }
        const ids = messages.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1));
        return {
          found,
          oldest: ids[0],
          newest: ids.at(-1),
          isLast: messages.length < HISTORY_PAGE,
        };
      };
      // The newest messages are read in any case, because our clock may have been wrong at the
      // first attempt.
      const latest = await read({});
      const { oldest: endId } = latest;
      let after = snowflakeAt(sinceMs - CLOCK_MARGIN_MS);
      if (latest.found.size > 0 || latest.isLast || endId === undefined || endId <= after) {
        return latest.found;
      }
      // Reads from the first attempt, where the message most likely is, up to the messages already
      // checked.
      for (let page = 1; page < HISTORY_PAGES; page += 1) {
        const { found, newest, isLast } = await read({ after: String(after) });
        if (found.size > 0 || isLast || newest === undefined || newest >= endId) return found;
        after = newest;
      }
      return null;
    },
  };
}
export type Sender = ReturnType<typeof createSender>;

/** Returns a picture in the form sent with a message: the file's description, and the file. */
function filesOf(picture: NonNullable<MessageBody['picture']> | null) {
  if (picture === null) return { attachments: undefined, files: [] };
  const { name, description, attachment } = picture;
  return {
    attachments: [{ id: 0, filename: name, description }],
    files: [{ name, data: attachment, contentType: 'image/png' }],
  };
}

/** Returns the time of the last edit given in a message, see `editedAtMs`. */
function editedIn(message: unknown): number | null {
  const { data } = editedSchema.safeParse(message);
  if (data === undefined) return null;
  return data.edited_timestamp === null ? 0 : Date.parse(data.edited_timestamp);
}

/** Returns the texts that may identify a message: its content, and the references in it. */
function referencesOf({
  content,
  embeds,
  components,
}: z.infer<typeof historySchema>[number]): string[] {
  const ids: string[] = [];
  for (const { custom_id: id, options } of components.flatMap((row) => row.components)) {
    ids.push(id);
    for (const { value } of options) ids.push(value);
  }
  const references = [content];
  for (const id of ids) {
    const reference = referenceIn(id);
    if (reference !== undefined) references.push(reference);
  }
  for (const { footer } of embeds) {
    // In the form that `alertReference` appends to a footer.
    const reference = /(?:^| )#([!-~]+)$/.exec(footer?.text ?? '')?.[1];
    if (reference !== undefined) references.push(reference);
  }
  return references;
}

/**
 * Returns everything that a message shows. Discord makes a sound for a mention when a message is
 * sent, never when it is edited.
 */
function shown({
  body: { content = '', embeds = [], components = [] },
  noise: { roleIds },
}: Omit<Outgoing, 'nonce'>) {
  const mentions = roleIds.map((id) => `<@&${id}>`);
  return {
    content: [content, ...mentions].join(' ').trim(),
    embeds,
    components,
    allowed_mentions: { parse: [], roles: roleIds },
  };
}

/**
 * Returns the smallest id that Discord assigns at a given time. Snowflakes contain their time
 * (Discord's reference, "Snowflakes").
 */
function snowflakeAt(epochMs: number): bigint {
  const sinceMs = BigInt(Math.floor(epochMs)) - DISCORD_EPOCH_MS;
  return (sinceMs < 0n ? 0n : sinceMs) << 22n;
}
