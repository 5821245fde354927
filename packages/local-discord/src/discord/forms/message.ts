import * as z from 'zod';
import { MESSAGE_FLAGS } from '../model.ts';
import { checkComponents, componentSchema } from './components.ts';
import { embedSchema, embedSize } from './embed.ts';
import { codePoints, complain, list, snowflake, text } from './form.ts';

const allowedMentions = z
  .object({
    parse: z.array(z.enum(['roles', 'users', 'everyone'])).nullish(),
    roles: list(snowflake, 0, 100).nullish(),
    users: list(snowflake, 0, 100).nullish(),
    replied_user: z.boolean().nullish(),
  })
  .superRefine((value, ctx) => {
    for (const kind of ['users', 'roles'] as const) {
      if (value.parse?.includes(kind) && (value[kind]?.length ?? 0) > 0) {
        const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
        complain(ctx, 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', message, ['parse']);
      }
    }
  });
export type AllowedMentions = z.output<typeof allowedMentions>;

const nonce = z.union([z.int(), z.string()]).superRefine((value, ctx) => {
  if (typeof value === 'string' && codePoints(value) > 25) {
    complain(ctx, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  }
});

const attachment = z.object({
  id: z.union([z.int(), z.string()]).transform(String),
  filename: z.string().nullish(),
  title: z.string().nullish(),
  description: text(0, 1024).nullish(),
});

const reference = z.object({
  type: z.int().min(0).max(1).nullish(),
  message_id: snowflake.nullish(),
  channel_id: snowflake.nullish(),
  guild_id: snowflake.nullish(),
  fail_if_not_exists: z.boolean().nullish(),
});

const body = z.object({
  content: text(0, 2000).nullish(),
  nonce: nonce.nullish(),
  enforce_nonce: z.boolean().nullish(),
  tts: z.boolean().nullish(),
  embeds: list(embedSchema, 0, 10).nullish(),
  allowed_mentions: allowedMentions.nullish(),
  message_reference: reference.nullish(),
  components: z.array(componentSchema).nullish(),
  attachments: z.array(attachment).nullish(),
  flags: z.int().min(0).nullish(),
  sticker_ids: z.array(z.unknown()).nullish(),
  poll: z.unknown().optional(),
});
export type MessageForm = z.output<typeof body>;

export interface MessageFormRules {
  /** Flags that an application may set at this endpoint. */
  readonly allowedFlags: number;
}

/** Flags of Create Message (resources/message.mdx). */
export const CREATE_FLAGS = MESSAGE_FLAGS.SUPPRESS_EMBEDS | MESSAGE_FLAGS.SUPPRESS_NOTIFICATIONS;
/** Flags of a reply or follow-up to an interaction. */
export const REPLY_FLAGS = CREATE_FLAGS | MESSAGE_FLAGS.EPHEMERAL;
/** Flags of an edit. */
export const EDIT_FLAGS = MESSAGE_FLAGS.SUPPRESS_EMBEDS;

/**
 * Returns the schema of a message body, with every limit of resources/message.mdx and
 * components/reference.mdx.
 */
export function messageForm({ allowedFlags }: MessageFormRules) {
  return body.superRefine((form, ctx) => {
    const total = (form.embeds ?? []).reduce((sum, embed) => sum + embedSize(embed), 0);
    if (total > 6000) {
      complain(ctx, 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000', [
        'embeds',
      ]);
    }
    const foreignFlags = (form.flags ?? 0) & ~allowedFlags;
    if (foreignFlags !== 0) {
      complain(ctx, 'MESSAGE_FLAGS_INVALID', `Flags ${foreignFlags} cannot be set here.`, [
        'flags',
      ]);
    }
    if ((form.sticker_ids?.length ?? 0) > 0) {
      complain(ctx, 'DOUBLE_UNSUPPORTED', 'The fake Discord has no stickers.', ['sticker_ids']);
    }
    if (form.poll !== undefined && form.poll !== null) {
      complain(ctx, 'DOUBLE_UNSUPPORTED', 'The fake Discord has no polls.', ['poll']);
    }
    checkComponents(form.components ?? [], ctx);
  });
}
