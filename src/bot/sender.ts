import { DiscordAPIError, MessageFlags, type REST, Routes } from 'discord.js';
import { z } from 'zod';
import type { AlertMessage } from '../alert/compose.ts';
import type { CourierDeps } from '../alert/courier.ts';
import { alertReference } from '../alert/embed-parts.ts';

/** Pages of a hundred messages that are looked through for an alert at the most. */
const HISTORY_PAGES = 5;
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
  /** The bot's own user id; null before the gateway has told it. */
  readonly selfId: () => string | null;
  /** Whether the bot may read the channel's history; null if that is not known. */
  readonly canReadHistory: (channelId: string) => boolean | null;
}

type Sender = Pick<CourierDeps<AlertMessage>, 'send' | 'findReferences'>;

/** How the courier reaches Discord. */
export function createSender({ rest, selfId, canReadHistory }: SenderDeps): Sender {
  return {
    async send(channelId, { body: { embeds, components, replyTo }, attention: { roleIds, isSilent }, nonce }) {
      const mentions = roleIds.map((id) => `<@&${id}>`).join(' ');
      const answering =
        replyTo === null || canReadHistory(channelId) === false
          ? {}
          : // The alert may have been deleted meanwhile: what came of it is told all the same.
            { message_reference: { message_id: replyTo, fail_if_not_exists: false } };
      const body = {
        ...(mentions === '' ? {} : { content: mentions }),
        embeds,
        components,
        nonce,
        enforce_nonce: true,
        allowed_mentions: { parse: [], roles: roleIds },
        ...(isSilent ? { flags: MessageFlags.SuppressNotifications } : {}),
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
    async findReferences(channelId, references, sinceMs) {
      // Without the permission Discord answers with an empty list, which proves nothing.
      if (canReadHistory(channelId) === false) return null;
      const self = selfId();
      const wanted = new Map(references.map((id) => [alertReference(id), id]));
      const found = new Set<string>();
      let before: string | undefined;
      for (let page = 0; page < HISTORY_PAGES; page += 1) {
        const query = new URLSearchParams({ limit: String(HISTORY_PAGE), ...(before === undefined ? {} : { before }) });
        const messages = historySchema.parse(await rest.get(Routes.channelMessages(channelId), { query }));
        for (const { author, embeds } of messages) {
          if (self !== null && author.id !== self) continue;
          for (const { footer } of embeds) {
            const reference = wanted.get(footer?.text.split(' ').at(-1) ?? '');
            if (reference !== undefined) found.add(reference);
          }
        }
        const oldest = messages.at(-1);
        if (oldest === undefined || messages.length < HISTORY_PAGE) break;
        if (createdAtMs(oldest.id) < sinceMs - CLOCK_MARGIN_MS) break;
        before = oldest.id;
      }
      return found;
    },
  };
}

/** Without Read Message History nothing can be answered: what there is to tell is told all the same. */
function isReplyRefused(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === REPLY_WITHOUT_HISTORY;
}

/** A snowflake carries the time of its making (Discord's reference, "Snowflakes"). */
function createdAtMs(id: string): number {
  return Number((BigInt(id) >> 22n) + DISCORD_EPOCH_MS);
}
