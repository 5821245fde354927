import { type REST, Routes } from 'discord.js';
import * as z from 'zod';
import { withNote } from '../discord/attachments.ts';
import type { SendDigest } from './runner.ts';

const createdSchema = z.object({ id: z.string() });

export interface DigestSenderDeps {
  readonly rest: REST;
  /** Whether the bot may attach files in the channel; null if that is not known. */
  readonly canAttach: (channelId: string) => boolean | null;
}

/** How digests reach Discord: with their picture where the bot may attach files. */
export function createDigestSender({ rest, canAttach }: DigestSenderDeps): SendDigest {
  return async (channelId, { message: { embed, plain, picture }, nonce }) => {
    const isAttached = picture !== null && canAttach(channelId) !== false;
    const bare = picture === null ? plain : withNote(plain, picture.leftOut(null));
    const body = {
      embeds: [isAttached ? embed : bare],
      nonce,
      enforce_nonce: true,
      allowed_mentions: { parse: [] },
      ...(isAttached ? { attachments: [{ id: 0, filename: picture.name, description: picture.description }] } : {}),
    };
    const files = isAttached ? [{ name: picture.name, data: picture.png, contentType: 'image/png' }] : [];
    return createdSchema.parse(await rest.post(Routes.channelMessages(channelId), { body, files })).id;
  };
}
