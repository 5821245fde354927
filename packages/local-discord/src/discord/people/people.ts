import type { Command } from '../commands.ts';
import type { SeenMessage } from '../events.ts';
import { COMMAND_TYPES } from '../forms/command.ts';
import { INTERACTION_TYPES, type Suggestion } from '../interactions.ts';
import { compose } from '../messages/compose.ts';
import type { NewMessage } from '../messages/messages.ts';
import type { Wire } from '../model.ts';
import { has, PERMISSIONS } from '../permissions.ts';
import type { MemberRef } from '../world/world.ts';
import { type CommandAccess, typesOf } from './access.ts';
import { CannotDo, type OptionValues, parseLine } from './commandline.ts';
import { type ChosenValues, useComponent } from './components.ts';
import { type InteractionHandle, suggestionsOf } from './handle.ts';
import { createResolver } from './resolver.ts';
import { enterScene, ownersIn, type Scene } from './scene.ts';
import { createSendInteraction, type SendDeps } from './send.ts';

/** Actions of people in the fake Discord, each with the checks of Discord's own client. */
export interface People {
  /**
   * Sends a slash command, e.g. `'watch add'`.
   *
   * @throws CannotDo for anything that the client would not send
   */
  command(
    member: MemberRef,
    channelId: string,
    line: string,
    values?: OptionValues,
  ): Promise<InteractionHandle>;
  /** Types into an option with autocomplete and returns the suggestions. */
  autocomplete(
    member: MemberRef,
    channelId: string,
    line: string,
    values: OptionValues,
    focused: string,
  ): Promise<readonly Suggestion[]>;
  /** Presses a button. */
  press(member: MemberRef, messageId: string, customId: string): Promise<InteractionHandle>;
  /**
   * Selects values in a menu.
   *
   * @throws AlreadyChosen if the person's client shows these values as selected and thus sends
   *   nothing
   */
  select(
    member: MemberRef,
    messageId: string,
    customId: string,
    values: readonly string[],
  ): Promise<InteractionHandle>;
  /**
   * Uses a message command on a message; without a name, the only one.
   *
   * @throws CannotDo if none is offered
   */
  useOnMessage(member: MemberRef, messageId: string, name?: string): Promise<InteractionHandle>;
  /** Restarts the person's client: menus of messages show the bot's defaults again. */
  reload(member: MemberRef): void;
  /** Posts an ordinary message. */
  say(member: MemberRef, channelId: string, content: string): SeenMessage;
  /** Forwards a message to a channel. */
  forward(member: MemberRef, channelId: string, messageId: string): SeenMessage;
  /** Returns the commands that are offered to this person in this channel. */
  offered(member: MemberRef, channelId: string): Command[];
}

export interface PeopleDeps extends SendDeps {
  readonly access: CommandAccess;
}

export function createPeople(deps: PeopleDeps): People {
  const { world, messages, interactions, newId } = deps;
  const send = createSendInteraction(deps);
  const chosen: ChosenValues = new Map();
  const enter = (ref: MemberRef, channelId: string) => enterScene(world, ref, channelId);

  function sendCommand(
    scene: Scene,
    type: number,
    line: string,
    values: OptionValues,
    focused: string | null,
  ) {
    const resolver = createResolver({ ...deps, ...scene });
    const parsed = parseLine(deps.access.offered(scene), line, values, resolver, focused);
    const { command, options } = parsed;
    const data: Wire = {
      id: command.id,
      name: command.name,
      type: 1,
      options,
      ...(resolver.isEmpty() ? {} : { resolved: resolver.wire() }),
    };
    const owners = ownersIn(world, scene, typesOf(command));
    const facts = {
      type,
      name: line.trim(),
      owners,
      sourceMessageId: null,
      suggests: parsed.suggests,
    };
    return send(scene, facts, { data });
  }

  function use(
    ref: MemberRef,
    messageId: string,
    customId: string,
    values: readonly string[] | null,
  ) {
    const message = messages.get(messageId);
    if (!message) throw new CannotDo(`There is no message ${messageId}.`);
    return useComponent(
      { world, messages, interactions, send, chosen },
      enter(ref, message.channelId),
      message,
      customId,
      values,
    );
  }

  type Written = Pick<
    NewMessage,
    'content' | 'embeds' | 'components' | 'files' | 'flags' | 'allowedMentions' | 'forwarded'
  >;

  function write(ref: MemberRef, channelId: string, written: Written): SeenMessage {
    const { user, channel } = enter(ref, channelId);
    const permissions = world.permissionsIn(user.id, channel);
    if (!has(permissions, PERMISSIONS.SEND_MESSAGES)) {
      throw new CannotDo(`${user.name} may not write here.`);
    }
    const message = messages.create({
      ...written,
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
  }

  return {
    offered: (ref, channelId) => deps.access.offered(enter(ref, channelId)),

    async command(ref, channelId, line, values = {}) {
      return sendCommand(enter(ref, channelId), INTERACTION_TYPES.COMMAND, line, values, null)
        .handle;
    },

    async autocomplete(ref, channelId, line, values, focused) {
      const scene = enter(ref, channelId);
      const { interaction } = sendCommand(
        scene,
        INTERACTION_TYPES.AUTOCOMPLETE,
        line,
        values,
        focused,
      );
      return suggestionsOf(interaction, interactions);
    },

    async press(ref, messageId, customId) {
      return use(ref, messageId, customId, null);
    },

    async select(ref, messageId, customId, values) {
      return use(ref, messageId, customId, values);
    },

    reload({ userId }) {
      for (const key of [...chosen.keys()]) {
        if (key.startsWith(`${userId} `)) chosen.delete(key);
      }
    },

    async useOnMessage(ref, messageId, name) {
      const message = messages.get(messageId);
      const isHidden = message?.ephemeralFor !== null && message?.ephemeralFor !== ref.userId;
      if (!message || isHidden) throw new CannotDo(`There is no message ${messageId}.`);
      const scene = enter(ref, message.channelId);
      const command = deps.access
        .offered(scene, COMMAND_TYPES.MESSAGE)
        .find((one) => name === undefined || one.name === name);
      if (!command) {
        throw new CannotDo(`There is no command${name ? ` ${name}` : ''} on messages here.`);
      }
      const resolved = { messages: { [messageId]: messages.wire(message) } };
      const data: Wire = {
        id: command.id,
        name: command.name,
        type: COMMAND_TYPES.MESSAGE,
        target_id: messageId,
        resolved,
      };
      const owners = ownersIn(world, scene, typesOf(command));
      const facts = {
        type: INTERACTION_TYPES.COMMAND,
        name: command.name,
        owners,
        sourceMessageId: null,
      };
      return send(scene, { ...facts, suggests: 'string' }, { data }).handle;
    },

    say(ref, channelId, content) {
      return write(
        ref,
        channelId,
        compose({ json: { content }, files: new Map() }, { allowedFlags: 0, newId }),
      );
    },

    forward(ref, channelId, messageId) {
      const forwarded = messages.get(messageId);
      if (!forwarded) throw new CannotDo(`There is no message ${messageId}.`);
      const nothing = {
        content: '',
        embeds: [],
        components: [],
        files: [],
        flags: 0,
        allowedMentions: null,
      };
      return write(ref, channelId, { ...nothing, forwarded });
    },
  };
}
