import { CALLBACKS, callbackSchema, choicesForm, deferSchema } from '../forms/callback.ts';
import { readForm } from '../forms/form.ts';
import { EDIT_FLAGS, REPLY_FLAGS } from '../forms/message.ts';
import { doubtsAbout, readModal } from '../forms/modal.ts';
import { INTERACTION_TYPES, type Interaction } from '../interactions.ts';
import { type Composed, compose } from '../messages/compose.ts';
import type { Channel, Message } from '../model.ts';
import { MESSAGE_FLAGS } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import { invalidForm, Refusal, refusals } from '../refusal.ts';
import type { RestContext } from './context.ts';
import { editedFlags } from './messages.ts';
import { noContent, ok, type RestAnswer, type RestRequest, type Route } from './routes.ts';

/** Most follow-ups per interaction for an application that is only installed by the user. */
const GUEST_FOLLOW_UPS = 5;
const { COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT } = INTERACTION_TYPES;
type Body = Pick<RestRequest, 'json' | 'files'>;

/**
 * Returns the routes for responses to interactions: callbacks, `@original` and follow-ups
 * (interactions/receiving-and-responding.mdx).
 */
export function interactionRoutes(context: RestContext): Route[] {
  const base = '/webhooks/:application/:token';
  const deadTokens = new Set<string>();
  const route = (
    method: Route['method'],
    pattern: string,
    handle: (interaction: Interaction, request: RestRequest) => RestAnswer,
  ): Route => ({
    method,
    pattern,
    auth: 'interaction',
    bucket: 'webhook',
    handle: (request) => handle(answered(context, deadTokens, request), request),
  });
  return [
    {
      method: 'POST',
      pattern: '/interactions/:interaction/:token/callback',
      auth: 'interaction',
      bucket: 'other',
      handle: (request) => callback(context, request),
    },
    route('POST', base, (interaction, request) => followUp(context, interaction, request)),
    ...['@original', ':message'].flatMap((name) => [
      route('GET', `${base}/messages/${name}`, (interaction, request) =>
        ok(context.messages.wire(replyMessage(context, interaction, request))),
      ),
      route('PATCH', `${base}/messages/${name}`, (interaction, request) => {
        const message = replyMessage(context, interaction, request);
        editFrom(context, message, request);
        return shown(context, interaction, message);
      }),
      route('DELETE', `${base}/messages/${name}`, (interaction, request) => {
        context.messages.delete(replyMessage(context, interaction, request));
        return noContent;
      }),
    ]),
  ];
}

function callback(context: RestContext, request: RestRequest): RestAnswer {
  const interaction = context.interactions.unanswered(
    request.id('interaction'),
    request.param('token'),
  );
  const { type, data } = readForm(callbackSchema, request.json);
  if (!accepts(interaction, type)) {
    const message = `Callback type ${type} does not answer an interaction of type ${interaction.type}.`;
    throw invalidForm({ path: ['type'], code: 'INTERACTION_CALLBACK_TYPE_INVALID', message });
  }
  const message = answer(context, interaction, type, { json: data ?? {}, files: request.files });
  if (request.query.get('with_response') !== 'true') return noContent;
  const { id } = interaction;
  if (message === null) {
    return ok({ interaction: { id, type: interaction.type }, resource: { type } });
  }
  return ok({
    interaction: {
      id,
      type: interaction.type,
      response_message_id: message.id,
      response_message_loading: (message.flags & MESSAGE_FLAGS.LOADING) !== 0,
      response_message_ephemeral: (message.flags & MESSAGE_FLAGS.EPHEMERAL) !== 0,
    },
    resource: { type, message: context.messages.wire(message) },
  });
}

function accepts(interaction: Interaction, type: number): boolean {
  switch (type) {
    case CALLBACKS.MESSAGE:
    case CALLBACKS.DEFERRED_MESSAGE:
      return interaction.type !== AUTOCOMPLETE;
    case CALLBACKS.DEFERRED_UPDATE:
    case CALLBACKS.UPDATE:
      return isFromMessage(interaction);
    case CALLBACKS.MODAL:
      return interaction.type === COMMAND || interaction.type === COMPONENT;
    case CALLBACKS.AUTOCOMPLETE:
      return interaction.type === AUTOCOMPLETE;
    default:
      return false;
  }
}

/** Whether a component was used, or a modal submitted that was opened by a component. */
function isFromMessage({ type, sourceMessageId }: Interaction): boolean {
  return type === COMPONENT || (type === MODAL_SUBMIT && sourceMessageId !== null);
}

/** Executes an accepted callback, and returns the message that it created or changed, if any. */
function answer(
  context: RestContext,
  interaction: Interaction,
  type: number,
  body: Body,
): Message | null {
  const { interactions, newId } = context;
  switch (type) {
    case CALLBACKS.MESSAGE: {
      const composed = compose(body, { allowedFlags: REPLY_FLAGS, newId });
      interactions.acknowledge(interaction, type);
      return original(context, interaction, composed);
    }
    case CALLBACKS.DEFERRED_MESSAGE: {
      const flags = readDeferral(body);
      interactions.acknowledge(interaction, type);
      return original(context, interaction, { ...EMPTY, flags: flags | MESSAGE_FLAGS.LOADING });
    }
    case CALLBACKS.UPDATE: {
      const message = source(context, interaction);
      editFrom(context, message, body);
      interactions.acknowledge(interaction, type);
      shown(context, interaction, message);
      return message;
    }
    case CALLBACKS.DEFERRED_UPDATE:
      interactions.acknowledge(interaction, type);
      return source(context, interaction);
    case CALLBACKS.MODAL: {
      const modal = readModal(body.json);
      for (const doubt of doubtsAbout(modal)) context.warn(`modal ${modal.custom_id}`, doubt);
      interactions.acknowledge(interaction, type);
      interactions.update(interaction, { kind: 'modal', modal });
      return null;
    }
    default: {
      const { choices } = readForm(choicesForm(interaction.suggests), body.json);
      interactions.acknowledge(interaction, type);
      interactions.update(interaction, { kind: 'suggestions', choices });
      return null;
    }
  }
}

type Parts = Pick<
  Composed,
  'content' | 'embeds' | 'components' | 'files' | 'flags' | 'allowedMentions'
> & {
  readonly form?: Composed['form'];
};
const EMPTY: Parts = {
  content: '',
  embeds: [],
  components: [],
  files: [],
  flags: 0,
  allowedMentions: null,
};

function post(
  { world, messages }: RestContext,
  interaction: Interaction,
  parts: Parts,
  replyToId: string | null,
) {
  const channel = world.channel(interaction.channelId);
  if (!channel) throw refusals.unknownChannel();
  const { form, ...shownParts } = parts;
  const isEphemeral =
    (parts.flags & MESSAGE_FLAGS.EPHEMERAL) !== 0 || mustAnswerAlone(world, interaction, channel);
  return messages.create({
    ...shownParts,
    flags: isEphemeral ? parts.flags | MESSAGE_FLAGS.EPHEMERAL : parts.flags,
    tts: form?.tts ?? false,
    channel,
    authorId: world.bot.id,
    type: replyToId === null ? 20 : 19,
    nonce: null,
    replyToId,
    interactionId: interaction.id,
    ephemeralFor: isEphemeral ? interaction.userId : null,
  });
}

/**
 * Whether Discord shows all responses only to the person: in a server that disallows public
 * responses of user-installed applications.
 */
function mustAnswerAlone(
  world: RestContext['world'],
  { owners, userId, guildId }: Interaction,
  channel: Channel,
): boolean {
  if (guildId === null || owners[0] !== undefined) return false;
  return !has(world.permissionsIn(userId, channel), PERMISSIONS.USE_EXTERNAL_APPS);
}

/** Posts the first reply, which becomes `@original`. */
function original(context: RestContext, interaction: Interaction, parts: Parts): Message {
  const message = post(context, interaction, parts, interaction.sourceMessageId);
  interaction.originalId = message.id;
  shown(context, interaction, message);
  return message;
}

function shown(
  { interactions, messages }: RestContext,
  interaction: Interaction,
  message: Message,
) {
  interactions.replied(interaction, message.id);
  return ok(messages.wire(message));
}

function source({ messages }: RestContext, interaction: Interaction): Message {
  const message =
    interaction.sourceMessageId === null ? undefined : messages.get(interaction.sourceMessageId);
  if (!message) throw refusals.unknownMessage();
  return message;
}

function readDeferral({ json }: Body): number {
  const flags = readForm(deferSchema, json)?.flags ?? 0;
  if ((flags & ~MESSAGE_FLAGS.EPHEMERAL) !== 0) {
    const message = 'A deferred message may carry only EPHEMERAL.';
    throw invalidForm({ path: ['data', 'flags'], code: 'MESSAGE_FLAGS_INVALID', message });
  }
  return flags;
}

/** Edits a reply, or fills the "thinking" placeholder. */
function editFrom({ messages, newId }: RestContext, message: Message, body: Body): void {
  const isFirstFill = (message.flags & MESSAGE_FLAGS.LOADING) !== 0;
  const composed = compose(body, { allowedFlags: EDIT_FLAGS, newId, present: message });
  const flags = editedFlags(message, composed.form) & ~MESSAGE_FLAGS.LOADING;
  messages.edit(message, { ...composed, flags }, isFirstFill);
}

/**
 * Returns the interaction of a request. A token that is used again after a 404 causes a warning.
 *
 * @throws Refusal like Interactions.answered
 */
function answered(
  context: RestContext,
  deadTokens: Set<string>,
  request: RestRequest,
): Interaction {
  if (request.id('application') !== context.world.applicationId) throw refusals.unknownWebhook();
  const token = request.param('token');
  try {
    return context.interactions.answered(token);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    if (deadTokens.has(token)) {
      context.warn('webhook', 'A webhook that answered 404 was called again.');
    }
    deadTokens.add(token);
    throw error;
  }
}

function replyMessage(
  { messages }: RestContext,
  interaction: Interaction,
  request: RestRequest,
): Message {
  const name = request.param('message');
  const messageId = name === '@original' || name === '' ? interaction.originalId : name;
  const isOwn =
    messageId === interaction.originalId || interaction.replyIds.includes(messageId ?? '');
  const message = messageId !== null && isOwn ? messages.get(messageId) : undefined;
  if (!message) throw refusals.unknownMessage();
  return message;
}

function followUp(
  context: RestContext,
  interaction: Interaction,
  request: RestRequest,
): RestAnswer {
  const { messages, newId } = context;
  interaction.followUps += 1;
  if (interaction.owners[0] === undefined && interaction.followUps > GUEST_FOLLOW_UPS) {
    throw refusals.tooManyFollowUps();
  }
  const first = interaction.originalId === null ? undefined : messages.get(interaction.originalId);
  const composed = compose(request, { allowedFlags: REPLY_FLAGS, newId });
  if (!first || (first.flags & MESSAGE_FLAGS.LOADING) === 0) {
    return shown(
      context,
      interaction,
      post(context, interaction, composed, interaction.originalId),
    );
  }
  // The first follow-up after a deferred reply replaces the placeholder, and is ephemeral if the
  // placeholder was.
  const kept = first.flags & MESSAGE_FLAGS.EPHEMERAL;
  messages.edit(
    first,
    { ...composed, flags: (composed.flags & ~MESSAGE_FLAGS.EPHEMERAL) | kept },
    true,
  );
  return shown(context, interaction, first);
}
