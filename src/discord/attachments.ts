import { type APIEmbed, type AttachmentPayload, MessageFlags } from 'discord.js';
import type { Logger } from 'pino';
import { classifyFailure, type Failure, shapeOf } from '../delivery/failures.ts';
import { textLength } from '../embeds/text/escape.ts';
import { EMBED_LIMITS } from '../embeds/text/limits.ts';
import type { Language, LocalizedText } from '../language/language.ts';
import type { ButtonUse } from '../slash-commands/slash-command.ts';

/** Kind of files in a message; if they are missing, the message's note names this kind. */
export type FilesKind = 'picture' | 'file';

/** The part of a command's context that an answer with files needs. */
interface Answering {
  readonly language: Language;
  readonly log: Logger;
}

const MISSING_PERMISSIONS = 50_013;
/** "Request entity too large", and "File uploaded exceeds the maximum size". */
const TOO_LARGE: readonly number[] = [40_005, 50_045];
/** Failures that say nothing about the message, or for which no request was sent. */
const NOT_REFUSED: readonly Failure['kind'][] = ['messageGone', 'closed', 'banned', 'refused'];
/** Statuses for a wrong token, or for Discord's request to wait. */
const NOT_ABOUT_FILES: readonly number[] = [401, 408, 429];

/**
 * Whether a message might be accepted without its files: the permission is missing, they are too
 * large, or Discord or a proxy on the way cannot process them.
 */
export function mayBeFiles(error: unknown): boolean {
  const failure = classifyFailure(error);
  if (NOT_REFUSED.includes(failure.kind)) return false;
  if (failure.kind === 'blocked' && failure.isGone) return false;
  const { status, code } = shapeOf(error);
  // With a code, the channel or the interaction is gone; without one, the response may come from a
  // proxy.
  return status >= 400 && !NOT_ABOUT_FILES.includes(status) && (status !== 404 || code === 0);
}

/**
 * Returns the note that says why a message has no files.
 *
 * @param error the refusal; null if the permission is known to be missing
 */
export function filesLeftOut(kind: FilesKind, error: unknown): LocalizedText {
  const { code, status } =
    error === null ? { code: MISSING_PERMISSIONS, status: 403 } : shapeOf(error);
  return ({ texts: { answers, errors } }) => {
    const { why } = answers.leftOut;
    const isTooLarge = status === 413 || TOO_LARGE.includes(code);
    let reason = isTooLarge ? why.size : why.other;
    if (code === MISSING_PERMISSIONS) reason = why.permission(errors.permissions.attachFiles);
    return answers.leftOut[kind](reason);
  };
}

/**
 * Sends a message with its files, or without them if Discord does not accept them.
 *
 * @param files if empty, nothing is left out
 * @param deliver sends the message: with the files, or with a note in the person's language that
 *   says why there are none
 * @throws whatever `deliver` threw, if the files are not the reason
 */
export async function sendWithFiles(
  { language, log }: Answering,
  kind: FilesKind,
  files: readonly AttachmentPayload[],
  deliver: (files: readonly AttachmentPayload[], note: string | null) => Promise<unknown>,
) {
  try {
    await deliver(files, null);
  } catch (error) {
    if (files.length === 0 || !mayBeFiles(error)) throw error;
    log.warn({ event: 'files.refused', files: files.map(({ name }) => name), err: error });
    await deliver([], filesLeftOut(kind, error)(language));
  }
}

/**
 * Sends a file privately to the person who pressed a button; if Discord does not accept it, sends
 * the reason instead.
 */
export function sendFile(
  interaction: ButtonUse,
  file: AttachmentPayload,
  content: string,
  context: Answering,
) {
  return sendWithFiles(context, 'file', [file], (files, note) =>
    interaction.followUp({
      content: note ?? content,
      files,
      flags: MessageFlags.Ephemeral,
    }),
  );
}

/** Adds a note at the end of an embed; null for none. */
export function withNote(embed: APIEmbed, note: string | null): APIEmbed {
  if (note === null) return embed;
  const { description = '', fields = [] } = embed;
  const longer = `${description}\n\n-# ⚠️ ${note}`.trim();
  if (textLength(longer) <= EMBED_LIMITS.description) return { ...embed, description: longer };
  return { ...embed, fields: [...fields, { name: '⚠️', value: note }] };
}
