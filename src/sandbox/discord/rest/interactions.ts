import { compose } from '../compose.ts';
import { CALLBACKS, callbackSchema, choicesForm, deferSchema, modalSchema } from '../forms/callback.ts';
import { readForm } from '../forms/form.ts';
import { EDIT_FLAGS, REPLY_FLAGS } from '../forms/message.ts';
import { INTERACTION_TYPES, type Interaction } from '../interactions.ts';
import type { Channel, Message } from '../model.ts';
import { MESSAGE_FLAGS } from '../model.ts';
import { invalidForm, Refusal, refusals } from '../refusal.ts';
import { noContent, ok, type RestAnswer, type RestRequest, type Route } from '../routes.ts';
import type { RestContext } from './context.ts';
import { editedFlags } from './messages.ts';

const { COMMAND, COMPONENT, AUTOCOMPLETE, MODAL } = INTERACTION_TYPES;

/** Answers to interactions: callbacks, `@original` and follow-ups (interactions/receiving-and-responding.mdx). */
export function interactionRoutes(context: RestContext): Route[] {
  const { world, messages, interactions, newId } = context;
  const deadTokens = new Set<string>();

  function accepts(interaction: Interaction, type: number): boolean {
    const hasMessage = interaction.sourceMessageId !== null;
    switch (type) {
      case CALLBACKS.MESSAGE:
      case CALLBACKS.DEFERRED_MESSAGE:
        return interaction.type !== AUTOCOMPLETE;
      case CALLBACKS.DEFERRED_UPDATE:
      case CALLBACKS.UPDATE:
        return hasMessage && (interaction.type === COMPONENT || interaction.type === MODAL);
      case CALLBACKS.AUTOCOMPLETE:
        return interaction.type === AUTOCOMPLETE;
      case CALLBACKS.MODAL:
        return interaction.type === COMMAND || interaction.type === COMPONENT;
      default:
        return false;
    }
  }

  function channelOf(interaction: Interaction): Channel {
    const channel = world.channel(interaction.channelId);
    if (!channel) throw refusals.unknownChannel();
    return channel;
  }

  function post(
    interaction: Interaction,
    parts: Pick<Message, 'content' | 'embeds' | 'components' | 'files' | 'flags'>,
    extra: { tts: boolean; allowedMentions: Parameters<typeof messages.create>[0]['allowedMentions'] },
    replyToId: string | null,
  ): Message {
    const isEphemeral = (parts.flags & MESSAGE_FLAGS.EPHEMERAL) !== 0;
    return messages.create({
      ...parts,
      ...extra,
      channel: channelOf(interaction),
      authorId: world.bot.id,
      type: interaction.type === COMMAND && replyToId === null ? 20 : 19,
      nonce: null,
      replyToId,
      interactionId: interaction.id,
      ephemeralFor: isEphemeral ? interaction.userId : null,
    });
  }

  function tell(interaction: Interaction, message: Message): void {
    interactions.replied(interaction, message.id);
    context.events.emit('interactionReply', { interactionId: interaction.id, message: messages.seen(message) });
  }

  function source(interaction: Interaction): Message {
    const message = interaction.sourceMessageId === null ? undefined : messages.get(interaction.sourceMessageId);
    if (!message) throw refusals.unknownMessage();
    return message;
  }

  /** Carries an accepted callback out; the message that it made or changed, if any. */
  function answer(interaction: Interaction, type: number, data: unknown, request: RestRequest): Message | null {
    switch (type) {
      case CALLBACKS.MESSAGE: {
        const composed = compose({ json: data ?? {}, files: request.files }, { allowedFlags: REPLY_FLAGS, newId });
        interactions.acknowledge(interaction, type);
        const extra = { tts: composed.form.tts ?? false, allowedMentions: composed.allowedMentions };
        const message = post(interaction, composed, extra, interaction.sourceMessageId);
        interaction.originalId = message.id;
        tell(interaction, message);
        return message;
      }
      case CALLBACKS.DEFERRED_MESSAGE: {
        const flags = readForm(deferSchema, data)?.flags ?? 0;
        if ((flags & ~MESSAGE_FLAGS.EPHEMERAL) !== 0) {
          const message = 'A deferred message may carry only EPHEMERAL.';
          throw invalidForm({ path: ['data', 'flags'], code: 'MESSAGE_FLAGS_INVALID', message });
        }
        interactions.acknowledge(interaction, type);
        const parts = { content: '', embeds: [], components: [], files: [], flags: flags | MESSAGE_FLAGS.LOADING };
        const message = post(interaction, parts, { tts: false, allowedMentions: null }, interaction.sourceMessageId);
        interaction.originalId = message.id;
        tell(interaction, message);
        return message;
      }
      case CALLBACKS.UPDATE: {
        const message = source(interaction);
        editFrom(message, { json: data ?? {}, files: request.files });
        interactions.acknowledge(interaction, type);
        tell(interaction, message);
        return message;
      }
      case CALLBACKS.DEFERRED_UPDATE:
        interactions.acknowledge(interaction, type);
        return source(interaction);
      case CALLBACKS.AUTOCOMPLETE: {
        const { choices } = readForm(choicesForm(interaction.suggests), data);
        interactions.acknowledge(interaction, type);
        interactions.update(interaction, { kind: 'suggestions', choices });
        return null;
      }
      default: {
        const modal = readForm(modalSchema, data);
        interactions.acknowledge(interaction, type);
        interactions.update(interaction, { kind: 'modal', modal });
        return null;
      }
    }
  }

  /** Edits a reply, or gives the "thinking" placeholder its content. */
  function editFrom(message: Message, body: Pick<RestRequest, 'json' | 'files'>): void {
    const isFirstFill = (message.flags & MESSAGE_FLAGS.LOADING) !== 0;
    const composed = compose(body, { allowedFlags: EDIT_FLAGS, presentFlags: message.flags, newId, present: message });
    const flags = editedFlags(message, composed.form) & ~MESSAGE_FLAGS.LOADING;
    messages.edit(message, { ...composed, flags }, isFirstFill);
  }

  function callback(request: RestRequest): RestAnswer {
    const interaction = interactions.unanswered(request.id('interaction'), request.param('token'));
    const { type, data } = readForm(callbackSchema, request.json);
    if (!accepts(interaction, type)) {
      const message = `Callback type ${type} does not answer an interaction of type ${interaction.type}.`;
      throw invalidForm({ path: ['type'], code: 'INTERACTION_CALLBACK_TYPE_INVALID', message });
    }
    const message = answer(interaction, type, data, request);
    if (request.query.get('with_response') !== 'true') return noContent;
    const flags = message?.flags ?? 0;
    return ok({
      interaction: {
        id: interaction.id,
        type: interaction.type,
        ...(message === null
          ? {}
          : {
              response_message_id: message.id,
              response_message_loading: (flags & MESSAGE_FLAGS.LOADING) !== 0,
              response_message_ephemeral: (flags & MESSAGE_FLAGS.EPHEMERAL) !== 0,
            }),
      },
      resource: { type, ...(message === null ? {} : { message: messages.wire(message) }) },
    });
  }

  function answered(request: RestRequest): Interaction {
    if (request.id('application') !== world.applicationId) throw refusals.unknownWebhook();
    const token = request.param('token');
    try {
      return interactions.answered(token);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      if (deadTokens.has(token)) context.warn('webhook', 'A webhook that answered 404 was called again.');
      deadTokens.add(token);
      throw error;
    }
  }

  function replyMessage(request: RestRequest, interaction: Interaction): Message {
    const name = request.param('message');
    const messageId = name === '@original' || name === '' ? interaction.originalId : name;
    const isOwn = messageId === interaction.originalId || interaction.replyIds.includes(messageId ?? '');
    const message = messageId !== null && isOwn ? messages.get(messageId) : undefined;
    if (!message) throw refusals.unknownMessage();
    return message;
  }

  function editReply(request: RestRequest): RestAnswer {
    const interaction = answered(request);
    const message = replyMessage(request, interaction);
    editFrom(message, request);
    tell(interaction, message);
    return ok(messages.wire(message));
  }

  function followUp(request: RestRequest): RestAnswer {
    const interaction = answered(request);
    const original = interaction.originalId === null ? undefined : messages.get(interaction.originalId);
    if (original && (original.flags & MESSAGE_FLAGS.LOADING) !== 0) {
      // The first follow-up after a deferred reply takes the place of the placeholder, ephemeral or not as that was.
      const composed = compose(request, { allowedFlags: REPLY_FLAGS, newId });
      const kept = original.flags & MESSAGE_FLAGS.EPHEMERAL;
      messages.edit(original, { ...composed, flags: (composed.flags & ~MESSAGE_FLAGS.EPHEMERAL) | kept }, true);
      tell(interaction, original);
      return ok(messages.wire(original));
    }
    const composed = compose(request, { allowedFlags: REPLY_FLAGS, newId });
    const extra = { tts: composed.form.tts ?? false, allowedMentions: composed.allowedMentions };
    const message = post(interaction, composed, extra, interaction.originalId);
    tell(interaction, message);
    return ok(messages.wire(message));
  }

  const base = '/webhooks/:application/:token';
  const route = (method: Route['method'], pattern: string, handle: Route['handle']): Route => ({
    method,
    pattern,
    auth: 'interaction',
    bucket: 'webhook',
    handle,
  });
  const reading = (request: RestRequest) => ok(messages.wire(replyMessage(request, answered(request))));
  const removing = (request: RestRequest) => {
    messages.delete(replyMessage(request, answered(request)));
    return noContent;
  };
  return [
    {
      method: 'POST',
      pattern: '/interactions/:interaction/:token/callback',
      auth: 'interaction',
      bucket: 'other',
      handle: callback,
    },
    route('POST', base, followUp),
    ...['@original', ':message'].flatMap((name) => [
      route('GET', `${base}/messages/${name}`, reading),
      route('PATCH', `${base}/messages/${name}`, editReply),
      route('DELETE', `${base}/messages/${name}`, removing),
    ]),
  ];
}
