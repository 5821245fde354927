import { CREATE_FLAGS, EDIT_FLAGS, type MessageForm } from '../forms/message.ts';
import { type Composed, compose } from '../messages/compose.ts';
import type { Channel, Message } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import { invalidForm, refusals } from '../refusal.ts';
import { compareIds } from '../snowflake.ts';
import type { RestContext } from './context.ts';
import { reachChannel, writableChannel } from './reach.ts';
import {
  noContent,
  ok,
  type RestAnswer,
  type RestRequest,
  type Route,
  requireSnowflake,
} from './routes.ts';

/** Returns the routes for messages of channels (resources/message.mdx). */
export function messageRoutes(context: RestContext): Route[] {
  const { world, messages, nonces, newId } = context;

  function messageIn(channel: Channel, messageId: string): Message {
    const message = messages.get(messageId);
    if (!message || message.channelId !== channel.id || message.ephemeralFor !== null) {
      throw refusals.unknownMessage();
    }
    return message;
  }

  function replyTarget(form: MessageForm, channel: Channel, permissions: bigint): string | null {
    const messageId = form.message_reference?.message_id ?? null;
    if (messageId === null) return null;
    if (!has(permissions, PERMISSIONS.READ_MESSAGE_HISTORY)) throw refusals.replyWithoutHistory();
    if (messages.get(messageId)?.channelId === channel.id) return messageId;
    if (form.message_reference?.fail_if_not_exists === false) return null;
    throw invalidForm({
      path: ['message_reference'],
      code: 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE',
      message: 'Unknown message',
    });
  }

  /** Returns the earlier message with an enforced nonce, or undefined if this one is new. */
  function earlier(form: MessageForm, channel: Channel): Message | undefined {
    if (!form.enforce_nonce || form.nonce === undefined || form.nonce === null) return undefined;
    const messageId = nonces.find(world.bot.id, form.nonce);
    if (messageId === undefined) return undefined;
    const message = messages.get(messageId);
    if (!message) throw refusals.unknownMessage();
    if (message.channelId !== channel.id) {
      context.warn(
        `nonce ${form.nonce}`,
        `Used in channel ${message.channelId} before: nothing reached ${channel.id}.`,
      );
    }
    return message;
  }

  const withNonce = (message: Message) => ({
    ...messages.wire(message),
    ...(message.nonce === null ? {} : { nonce: message.nonce }),
  });

  /** Returns the message's contents as far as this channel's permissions allow. */
  function composeFor(request: RestRequest, channel: Channel, permissions: bigint): Composed {
    const mayEmbed = has(permissions, PERMISSIONS.EMBED_LINKS);
    const losesEmbeds = !mayEmbed && hasEmbeds(request.json);
    if (losesEmbeds && context.missingEmbedLinks === 'forbidden') {
      throw refusals.missingPermissions();
    }
    const composed = compose(request, { allowedFlags: CREATE_FLAGS, newId, dropEmbeds: !mayEmbed });
    if (losesEmbeds) {
      context.warn(
        `POST /channels/${channel.id}/messages`,
        'Without EMBED_LINKS the embeds were dropped.',
      );
    }
    if (composed.files.length > 0 && !has(permissions, PERMISSIONS.ATTACH_FILES)) {
      throw refusals.missingPermissions();
    }
    return composed;
  }

  function create(request: RestRequest): RestAnswer {
    const { channel, permissions } = writableChannel(context, request.id('channel'));
    const composed = composeFor(request, channel, permissions);
    const { form } = composed;
    const replyToId = replyTarget(form, channel, permissions);
    const before = earlier(form, channel);
    if (before) return ok(withNonce(before));
    // A message reopens an archived thread (topics/threads.mdx).
    if (channel.archived) world.setThread(channel.id, { archived: false });
    const message = messages.create({
      ...composed,
      channel,
      authorId: world.bot.id,
      type: replyToId === null ? 0 : 19,
      tts: form.tts ?? false,
      nonce: form.nonce ?? null,
      replyToId,
      interactionId: null,
      ephemeralFor: null,
    });
    if (form.enforce_nonce && message.nonce !== null) {
      nonces.remember(world.bot.id, message.nonce, message.id);
    }
    return ok(withNonce(message));
  }

  function edit(request: RestRequest): RestAnswer {
    const { channel, permissions } = reachChannel(context, request.id('channel'));
    const message = messageIn(channel, request.id('message'));
    if (message.authorId !== world.bot.id) throw refusals.cannotEditOthers();
    if (channel.archived) throw refusals.threadArchived();
    const composed = compose(request, {
      allowedFlags: EDIT_FLAGS,
      newId,
      present: message,
      dropEmbeds: !has(permissions, PERMISSIONS.EMBED_LINKS) && message.interactionId === null,
    });
    messages.edit(message, { ...composed, flags: editedFlags(message, composed.form) });
    return ok(messages.wire(message));
  }

  function remove(request: RestRequest): RestAnswer {
    const { channel, permissions } = reachChannel(context, request.id('channel'));
    const message = messageIn(channel, request.id('message'));
    if (message.authorId !== world.bot.id && !has(permissions, PERMISSIONS.MANAGE_MESSAGES)) {
      throw refusals.missingPermissions();
    }
    messages.delete(message);
    return noContent;
  }

  function listMessages(request: RestRequest): RestAnswer {
    const { channel, permissions } = reachChannel(context, request.id('channel'));
    const limit = readLimit(request.query.get('limit'));
    const all = messages.inChannel(channel.id).reverse();
    // Without the history permission Discord returns an empty list, not an error
    // (resources/message.mdx, "Get Channel Messages").
    if (!has(permissions, PERMISSIONS.READ_MESSAGE_HISTORY)) return ok([]);
    return ok(slice(all, request.query, limit).map((message) => messages.wire(message)));
  }

  function getOne(request: RestRequest): RestAnswer {
    const { channel, permissions } = reachChannel(context, request.id('channel'));
    if (!has(permissions, PERMISSIONS.READ_MESSAGE_HISTORY)) throw refusals.missingPermissions();
    return ok(messages.wire(messageIn(channel, request.id('message'))));
  }

  const base = '/channels/:channel/messages';
  return [
    { method: 'GET', pattern: base, auth: 'bot', bucket: 'message.read', handle: listMessages },
    { method: 'POST', pattern: base, auth: 'bot', bucket: 'message.create', handle: create },
    {
      method: 'GET',
      pattern: `${base}/:message`,
      auth: 'bot',
      bucket: 'message.read',
      handle: getOne,
    },
    {
      method: 'PATCH',
      pattern: `${base}/:message`,
      auth: 'bot',
      bucket: 'message.edit',
      handle: edit,
    },
    {
      method: 'DELETE',
      pattern: `${base}/:message`,
      auth: 'bot',
      bucket: 'message.delete',
      handle: remove,
    },
  ];
}

/** Returns the flags after an edit; flags that an application cannot set are unchanged. */
export function editedFlags(message: Message, form: MessageForm): number {
  if (form.flags === undefined || form.flags === null) return message.flags;
  return (message.flags & ~EDIT_FLAGS) | form.flags;
}

function hasEmbeds(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('embeds' in json)) return false;
  return Array.isArray(json.embeds) && json.embeds.length > 0;
}

function readLimit(given: string | null): number {
  if (given === null) return 50;
  const limit = Number(given);
  const complaint = {
    path: ['limit'],
    code: 'NUMBER_TYPE_COERCE',
    message: `Value "${given}" is not int.`,
  };
  if (!Number.isInteger(limit)) throw invalidForm(complaint);
  if (limit < 1) {
    throw invalidForm({
      ...complaint,
      code: 'NUMBER_TYPE_MIN',
      message: 'int value should be 1 or more.',
    });
  }
  if (limit > 100) {
    throw invalidForm({
      ...complaint,
      code: 'NUMBER_TYPE_MAX',
      message: 'int value should be 100 or less.',
    });
  }
  return limit;
}

/** Returns a range of the messages, newest first; only one of the three positions is used. */
function slice(
  newestFirst: readonly Message[],
  query: URLSearchParams,
  limit: number,
): readonly Message[] {
  const position = (name: string) => {
    const id = query.get(name);
    return id === null ? null : requireSnowflake(name, id);
  };
  const around = position('around');
  if (around !== null) {
    const newer = newestFirst
      .filter((message) => compareIds(message.id, around) > 0)
      .slice(-Math.floor(limit / 2));
    const rest = newestFirst.filter((message) => compareIds(message.id, around) <= 0);
    return [...newer, ...rest.slice(0, limit - newer.length)];
  }
  const before = position('before');
  if (before !== null) {
    return newestFirst.filter(({ id }) => compareIds(id, before) < 0).slice(0, limit);
  }
  const after = position('after');
  if (after !== null) {
    return newestFirst.filter(({ id }) => compareIds(id, after) > 0).slice(-limit);
  }
  return newestFirst.slice(0, limit);
}
