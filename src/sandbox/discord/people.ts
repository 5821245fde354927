import type { CommandAccess } from './access.ts';
import type { Cdn } from './cdn.ts';
import { choose } from './choose.ts';
import { CannotDo, type OptionValues, parseLine, type Resolver } from './commandline.ts';
import type { Command } from './commands.ts';
import { compose } from './compose.ts';
import type { Events, SeenMessage } from './events.ts';
import { inputOf } from './forms/callback.ts';
import { COMPONENT_TYPES, type InRowComponent, interactive } from './forms/components.ts';
import { createHandle, type InteractionHandle, suggestionsOf } from './handle.ts';
import { INTERACTION_TYPES, type InteractionFacts, type Interactions, type Suggestion } from './interactions.ts';
import type { Messages } from './messages.ts';
import type { Message, Wire } from './model.ts';
import { interactionPayload, type Scene } from './payload.ts';
import { has, PERMISSIONS } from './permissions.ts';
import { createResolver } from './resolver.ts';
import { type Dispatch, INTENTS, type MemberRef, type World } from './world.ts';

/** What people do in the double, each with the checks of Discord's own client. */
export interface People {
  /** Types a slash command, e.g. `'watch add'`. @throws CannotDo for what the client would not send */
  command(member: MemberRef, channelId: string, line: string, values?: OptionValues): Promise<InteractionHandle>;
  /** Types into an option with autocomplete and gets the suggestions. */
  autocomplete(
    member: MemberRef,
    channelId: string,
    line: string,
    values: OptionValues,
    focused: string,
  ): Promise<readonly Suggestion[]>;
  /** Presses a button. */
  press(member: MemberRef, messageId: string, customId: string): Promise<InteractionHandle>;
  /** Chooses in a select menu. */
  select(member: MemberRef, messageId: string, customId: string, values: readonly string[]): Promise<InteractionHandle>;
  /** Sends the form that an interaction has opened. */
  submitModal(handle: InteractionHandle, values: Readonly<Record<string, string>>): Promise<InteractionHandle>;
  /** Writes an ordinary message. */
  say(member: MemberRef, channelId: string, content: string): SeenMessage;
  /** Commands that this person is offered in this channel. */
  offered(member: MemberRef, channelId: string): Command[];
}

export interface PeopleDeps {
  readonly world: World;
  readonly messages: Messages;
  readonly access: CommandAccess;
  readonly interactions: Interactions;
  readonly dispatch: Dispatch;
  readonly events: Events;
  readonly cdn: Cdn;
  readonly newId: () => string;
  readonly attachmentSizeLimitBytes: number;
}

export function createPeople(deps: PeopleDeps): People {
  const { world, messages, interactions, newId } = deps;

  function enter({ userId, guildId }: MemberRef, channelId: string): Scene {
    const user = world.user(userId);
    const channel = world.channel(channelId);
    if (!user) throw new CannotDo(`There is no person ${userId}.`);
    if (!channel) throw new CannotDo(`There is no channel ${channelId}.`);
    if (channel.guildId === null) {
      if (channel.recipientId !== userId) throw new CannotDo('That direct message belongs to somebody else.');
      return { user, channel, guild: null, member: null };
    }
    const guild = world.guild(channel.guildId) ?? null;
    const member = guild?.members.get(userId) ?? null;
    if (!guild || !member || channel.guildId !== (guildId ?? channel.guildId)) {
      throw new CannotDo(`${user.name} is not in the server of channel ${channelId}.`);
    }
    if (!has(world.permissionsIn(userId, channel), PERMISSIONS.VIEW_CHANNEL)) {
      throw new CannotDo(`${user.name} cannot see channel ${channel.name}.`);
    }
    return { user, channel, guild, member };
  }

  function send(scene: Scene, facts: Omit<InteractionFacts, 'userId' | 'guildId' | 'channelId'>, body: Wire) {
    const interaction = interactions.start({
      ...facts,
      userId: scene.user.id,
      guildId: scene.guild?.id ?? null,
      channelId: scene.channel.id,
    });
    const payload = { ...interactionPayload(deps, interaction, scene), ...body };
    const deliver = () => deps.dispatch('INTERACTION_CREATE', payload, INTENTS.ALWAYS);
    const handle = createHandle({ interaction, interactions, messages, redeliver: deliver });
    const tell = () => {
      const { id, type, userId, channelId, name, state } = interaction;
      deps.events.emit('interaction', { id, type, userId, channelId, name, state });
    };
    interactions.subscribe(interaction.id, (update) => {
      if (update.kind === 'acknowledged' || update.kind === 'failed') tell();
    });
    tell();
    deliver();
    return { interaction, handle };
  }

  function sendCommand(scene: Scene, type: number, line: string, values: OptionValues, focused: string | null) {
    const resolver = createResolver({ ...deps, ...scene });
    const parsed = parseLine(deps.access.offered(scene), line, values, resolver, focused);
    const { command, options } = parsed;
    const data: Wire = {
      id: command.id,
      name: command.name,
      type: command.type,
      ...(command.guildId === null ? {} : { guild_id: command.guildId }),
      options,
      ...(resolver.isEmpty() ? {} : { resolved: resolver.wire() }),
    };
    const facts = { type, name: line.trim(), sourceMessageId: null, suggests: parsed.suggests };
    return send(scene, facts, { data });
  }

  function useComponent(
    ref: MemberRef,
    messageId: string,
    customId: string,
    read: (component: InRowComponent, resolver: Resolver) => Wire,
  ): InteractionHandle {
    const message = messages.get(messageId);
    if (!message) throw new CannotDo(`There is no message ${messageId}.`);
    const scene = enter(ref, message.channelId);
    if (message.ephemeralFor !== null && message.ephemeralFor !== scene.user.id) {
      throw new CannotDo(`${scene.user.name} does not see message ${messageId}.`);
    }
    const all = interactive(message.components);
    const component = all.find((candidate) => candidate.custom_id === customId);
    if (!component) {
      const known = all.flatMap((candidate) => candidate.custom_id ?? []).join(', ') || 'none';
      throw new CannotDo(`Message ${messageId} has no component ${customId}. There are: ${known}.`);
    }
    if (component.disabled) throw new CannotDo(`The component ${customId} is disabled.`);
    const resolver = createResolver({ ...deps, ...scene });
    const extra = read(component, resolver);
    const data = { custom_id: customId, component_type: component.type, id: component.id ?? 1, ...extra };
    const facts = {
      type: INTERACTION_TYPES.COMPONENT,
      name: customId,
      sourceMessageId: messageId,
      suggests: 'string' as const,
    };
    return send(scene, facts, {
      data: { ...data, ...(resolver.isEmpty() ? {} : { resolved: resolver.wire() }) },
      message: messages.wire(message),
    }).handle;
  }

  return {
    offered: (ref, channelId) => deps.access.offered(enter(ref, channelId)),

    async command(ref, channelId, line, values = {}) {
      return sendCommand(enter(ref, channelId), INTERACTION_TYPES.COMMAND, line, values, null).handle;
    },

    async autocomplete(ref, channelId, line, values, focused) {
      const scene = enter(ref, channelId);
      const { interaction } = sendCommand(scene, INTERACTION_TYPES.AUTOCOMPLETE, line, values, focused);
      return suggestionsOf(interaction, interactions);
    },

    async press(ref, messageId, customId) {
      return useComponent(ref, messageId, customId, (component) => {
        if (component.type !== COMPONENT_TYPES.BUTTON) throw new CannotDo(`${customId} is no button.`);
        return {};
      });
    },

    async select(ref, messageId, customId, values) {
      return useComponent(ref, messageId, customId, (component, resolver) => {
        if (component.type === COMPONENT_TYPES.BUTTON) throw new CannotDo(`${customId} is no select menu.`);
        const min = component.min_values ?? 1;
        const max = component.max_values ?? 1;
        if (values.length < min || values.length > max) {
          throw new CannotDo(`${customId} takes ${min} to ${max} values, got ${values.length}.`);
        }
        for (const value of values) choose(component, value, resolver);
        return { values };
      });
    },

    async submitModal(opened, values) {
      const { modal } = opened;
      const from = interactions.get(opened.id);
      if (!modal || !from) throw new CannotDo('No form has been opened.');
      const scene = enter({ userId: from.userId, guildId: from.guildId }, from.channelId);
      const rows = modal.components.map((row): Wire => {
        const input = inputOf(row);
        const value = values[input?.custom_id ?? ''] ?? input?.value ?? '';
        const min = input?.min_length ?? 0;
        const max = input?.max_length ?? 4000;
        if (((input?.required ?? true) && value === '') || value.length > max || (value !== '' && value.length < min)) {
          throw new CannotDo(`${input?.custom_id} takes ${min} to ${max} characters, got ${value.length}.`);
        }
        const filled = { type: 4, id: 1, custom_id: input?.custom_id, value };
        return row.type === 1 ? { type: 1, id: 1, components: [filled] } : { type: 18, id: 1, component: filled };
      });
      const source = from.sourceMessageId === null ? undefined : messages.get(from.sourceMessageId);
      const facts = {
        type: INTERACTION_TYPES.MODAL,
        name: modal.custom_id,
        sourceMessageId: from.sourceMessageId,
        suggests: 'string' as const,
      };
      return send(scene, facts, {
        data: { custom_id: modal.custom_id, components: rows },
        ...(source ? { message: messages.wire(source) } : {}),
      }).handle;
    },

    say(ref, channelId, content) {
      const { user, channel } = enter(ref, channelId);
      const permissions = world.permissionsIn(user.id, channel);
      if (!has(permissions, PERMISSIONS.SEND_MESSAGES)) throw new CannotDo(`${user.name} may not write here.`);
      const composed = compose({ json: { content }, files: new Map() }, { allowedFlags: 0, newId });
      const message: Message = messages.create({
        ...composed,
        channel,
        authorId: user.id,
        type: 0,
        tts: false,
        nonce: null,
        replyToId: null,
        interactionId: null,
        ephemeralFor: null,
      });
      return messages.seen(message);
    },
  };
}
