import type { Component } from '../forms/components.ts';
import { type Embed, isEmptyEmbed } from '../forms/embed.ts';
import { readForm } from '../forms/form.ts';
import {
  type AllowedMentions,
  type MessageForm,
  type MessageFormRules,
  messageForm,
} from '../forms/message.ts';
import type { Message, StoredFile } from '../model.ts';
import { invalidForm, refusals } from '../refusal.ts';
import type { RequestBody } from '../rest/body.ts';

/** The contents of a message according to an accepted form. */
export interface Composed {
  readonly form: MessageForm;
  readonly content: string;
  readonly embeds: readonly Embed[];
  readonly components: readonly Component[];
  readonly files: readonly StoredFile[];
  readonly flags: number;
  readonly allowedMentions: AllowedMentions | null;
}

export interface ComposeOptions extends MessageFormRules {
  readonly newId: () => string;
  /** The message being edited; fields missing from the form keep their values. */
  readonly present?: Message;
  /** Set without EMBED_LINKS: embeds are removed before the message is checked. */
  readonly dropEmbeds?: boolean;
}

/**
 * Parses a message body.
 *
 * @throws Refusal 50035 for a form that breaks a limit, 50006 for a message that shows nothing,
 *   30015 for too many files
 */
export function compose(body: RequestBody, options: ComposeOptions): Composed {
  const { present } = options;
  const form = readForm(messageForm(options), body.json);
  const embeds = form.embeds ?? present?.embeds ?? [];
  const composed: Composed = {
    form,
    content: form.content === undefined ? (present?.content ?? '') : (form.content ?? ''),
    embeds: options.dropEmbeds ? [] : embeds.filter((embed) => !isEmptyEmbed(embed)),
    components: form.components ?? present?.components ?? [],
    files: readFiles(body, form, present?.files ?? [], options.newId),
    flags: form.flags ?? present?.flags ?? 0,
    allowedMentions: form.allowed_mentions ?? null,
  };
  const { content, components, files } = composed;
  if (content === '' && composed.embeds.length + components.length + files.length === 0) {
    throw refusals.emptyMessage();
  }
  return composed;
}

function readFiles(
  body: RequestBody,
  form: MessageForm,
  present: readonly StoredFile[],
  newId: () => string,
): StoredFile[] {
  const listed = form.attachments ?? null;
  listed?.forEach(({ id }, index) => {
    if (!body.files.has(id) && !present.some((file) => file.id === id)) {
      const message = `Attachment ${id} is neither an uploaded file nor one of the message.`;
      throw invalidForm({
        path: ['attachments', index, 'id'],
        code: 'ATTACHMENT_NOT_FOUND',
        message,
      });
    }
  });
  const kept =
    listed === null ? present : present.filter((file) => listed.some(({ id }) => id === file.id));
  const uploaded = [...body.files].map(([number, file]): StoredFile => {
    const entry = listed?.find(({ id }) => id === number);
    return {
      id: newId(),
      filename: (entry?.filename ?? file.filename).replace(/[^\p{L}\p{N}._-]/gu, '_'),
      contentType: file.contentType,
      description: entry?.description ?? null,
      data: file.data,
    };
  });
  if (kept.length + uploaded.length > 10) throw refusals.tooManyAttachments();
  return [...kept, ...uploaded];
}
