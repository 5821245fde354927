import { DiscordAPIError, MessageFlags, type REST, Routes } from 'discord.js';
import * as z from 'zod';
import { alertReference } from '../embeds/embed-parts.ts';
import type { AlertMessagesDeps } from './alert-messages.ts';
import type { FindReferences } from './arrival-check.ts';
import type { AlertMessage } from './compose.ts';
import type { EditedMessage } from './message-edits.ts';

/** Pages of a hundred messages that are looked through for an alert at the most. */
const HISTORY_PAGES = 10;
const HISTORY_PAGE = 100;
/** Discord's clock and ours may differ: messages this much older than the first attempt are still looked at. */
const CLOCK_MARGIN_MS = 10 * 60_000;
/** Discord's code for a reply by somebody who may not read the history. */
const REPLY_WITHOUT_HISTORY = 160_002;
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

const createdSchema = z.object({ id: z.string() });
const historySchema = z.array(
  z.object({
    id: z.string().regex(/^\d+$/),
    author: z.object({ id: z.string() }),
    embeds: z.array(z.object({ footer: z.object({ text: z.string() }).optional() })),
  }),
);

export interface SenderDeps {
  readonly rest: REST;
  /** The bot's own user id; null before the gateway is ready. */
  readonly selfId: () => string | null;
  /** Whether the bot may read the channel's history; null if that is not known. */
  readonly canReadHistory: (channelId: string) => boolean | null;
}

/** How messages of alerts reach Discord, and how those that did are found again. */
export interface Sender {
  readonly send: AlertMessagesDeps<AlertMessage>['send'];
  readonly edit: AlertMessagesDeps<AlertMessage>['edit'];
  readonly findReferences: FindReferences;
}

/** How messages reach Discord. */
export function createSender({ rest, selfId, canReadHistory }: SenderDeps): Sender {
  return {
    async send(channelId, { nonce, ...message }) {
      const { replyTo } = message.body;
      const answering =
        replyTo === null || canReadHistory(channelId) === false
          ? {}
          : // The alert may have been deleted meanwhile: what came of it is sent all the same.
            { message_reference: { message_id: replyTo, fail_if_not_exists: false } };
      const body = {
        ...shown(message),
        nonce,
        enforce_nonce: true,
        ...(message.noise.isSilent ? { flags: MessageFlags.SuppressNotifications } : {}),
      };
      const post = async (sent: object) =>
        createdSchema.parse(await rest.post(Routes.channelMessages(channelId), { body: sent })).id;
      try {
        return await post({ ...body, ...answering });
      } catch (error) {
        if (replyTo === null || !isReplyRefused(error)) throw error;
        return await post(body);
      }
    },
    async edit(channelId, messageId, message) {
      await rest.patch(Routes.channelMessage(channelId, messageId), { body: shown(message) });
    },
    async findReferences(channelId, references, sinceMs) {
      // Without the permission Discord answers with an empty list, which proves nothing.
      if (canReadHistory(channelId) === false) return null;
      const self = selfId();
      const wanted = new Map(references.map((id) => [alertReference(id), id]));
      const read = async (position: Readonly<Record<string, string>>) => {
        const query = new URLSearchParams({ limit: String(HISTORY_PAGE), ...position });
        const messages = historySchema.parse(await rest.get(Routes.channelMessages(channelId), { query }));
        const found = messages
          .filter(({ author }) => self === null || author.id === self)
          .flatMap(({ id, embeds }) =>
            embeds.flatMap(({ footer }): [string, string][] => {
              const reference = wanted.get(footer?.text.split(' ').at(-1) ?? '');
              return reference === undefined ? [] : [[reference, id]];
            }),
          );
        const ids = messages.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? -1 : 1));
        return { found: new Map(found), oldest: ids[0], newest: ids.at(-1), isLast: messages.length < HISTORY_PAGE };
      };
      // The newest in any case: our clock may have been wrong at the first attempt.
      const latest = await read({});
      const { oldest: endId } = latest;
      let after = snowflakeAt(sinceMs - CLOCK_MARGIN_MS);
      if (latest.found.size > 0 || latest.isLast || endId === undefined || endId <= after) return latest.found;
      // From the first attempt on, near which it most likely is, to what has been looked at.
      for (let page = 1; page < HISTORY_PAGES; page += 1) {
        const { found, newest, isLast } = await read({ after: String(after) });
        if (found.size > 0 || isLast || newest === undefined || newest >= endId) return found;
        after = newest;
      }
      return null;
    },
  };
}

/** All that a message shows. Discord sounds for a mention when a message is sent, never when it is edited. */
function shown({ body: { content, embeds, components }, noise: { roleIds } }: EditedMessage<AlertMessage>) {
  const mentions = roleIds.map((id) => `<@&${id}>`);
  return {
    content: [content, ...mentions].join(' ').trim(),
    embeds,
    components,
    allowed_mentions: { parse: [], roles: roleIds },
  };
}

/** Without Read Message History nothing can be answered: what there is to say is sent all the same. */
function isReplyRefused(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === REPLY_WITHOUT_HISTORY;
}

/** The smallest id that Discord gives at a time: a snowflake carries it (Discord's reference, "Snowflakes"). */
function snowflakeAt(epochMs: number): bigint {
  const sinceMs = BigInt(Math.floor(epochMs)) - DISCORD_EPOCH_MS;
  return (sinceMs < 0n ? 0n : sinceMs) << 22n;
}
