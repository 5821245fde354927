import { COMPONENT_TYPES, type InRowComponent } from '../forms/components.ts';
import { INTERACTION_TYPES, type Interactions } from '../interactions.ts';
import type { Messages } from '../messages/messages.ts';
import type { Message, Wire } from '../model.ts';
import type { World } from '../world/world.ts';
import { CannotDo } from './commandline.ts';
import type { SendInteraction } from './handle.ts';
import { ownersIn, type Scene } from './scene.ts';

/**
 * Values that each person's client shows as selected in menus of messages, by person, message and
 * custom id. They survive edits of the message (ISSUE discord-api-docs#4801).
 */
export type ChosenValues = Map<string, readonly string[]>;

export interface UseDeps {
  readonly world: World;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly send: SendInteraction;
  readonly chosen: ChosenValues;
}

/**
 * Presses a button, or selects values in a menu.
 *
 * @param values null for a press
 * @throws CannotDo for anything that this person cannot see, that the component does not offer, or
 *   that is already selected
 */
export function useComponent(
  { world, messages, interactions, send, chosen }: UseDeps,
  scene: Scene,
  message: Message,
  customId: string,
  values: readonly string[] | null,
) {
  const component = findComponent(scene, message, customId);
  if (values === null && component.type !== COMPONENT_TYPES.BUTTON) {
    throw new CannotDo(`${customId} is no button.`);
  }
  const key = `${scene.user.id} ${message.id} ${customId}`;
  if (values !== null) {
    checkValues(component, customId, values);
    const shown = chosen.get(key) ?? defaultsOf(component);
    if (isSameChoice(shown, values)) throw new AlreadyChosen(customId);
  }
  const data: Wire = { custom_id: customId, component_type: component.type, id: component.id ?? 1 };
  const facts = {
    type: INTERACTION_TYPES.COMPONENT,
    name: customId,
    // Components on a message work through any installation.
    owners: ownersIn(world, scene, [0, 1]),
    sourceMessageId: message.id,
    suggests: 'string' as const,
  };
  const body = {
    data: { ...data, ...(values === null ? {} : { values }) },
    message: messages.wire(message),
  };
  const { interaction, handle } = send(scene, facts, body);
  if (values !== null) {
    chosen.set(key, values);
    interactions.subscribe(interaction.id, ({ kind }) => {
      if (kind === 'failed') chosen.delete(key);
    });
  }
  return handle;
}

/**
 * Thrown if the menu already shows these values as selected, because Discord's client does not send
 * them again.
 */
export class AlreadyChosen extends CannotDo {
  constructor(menu: string) {
    super(`${menu}: these values are chosen already, and Discord's client sends nothing.`);
  }
}

function isSameChoice(shown: readonly string[], values: readonly string[]): boolean {
  return shown.length === values.length && values.every((value) => shown.includes(value));
}

function defaultsOf(component: InRowComponent): string[] {
  if (component.type !== COMPONENT_TYPES.STRING_SELECT) return [];
  return component.options.filter((option) => option.default).map(({ value }) => value);
}

function findComponent({ user }: Scene, message: Message, customId: string): InRowComponent {
  if (message.ephemeralFor !== null && message.ephemeralFor !== user.id) {
    throw new CannotDo(`${user.name} does not see message ${message.id}.`);
  }
  const all = message.components.flatMap((row) => row.components);
  const component = all.find((candidate) => candidate.custom_id === customId);
  if (!component) {
    const known = all.flatMap((candidate) => candidate.custom_id ?? []).join(', ') || 'none';
    throw new CannotDo(`Message ${message.id} has no component ${customId}. There are: ${known}.`);
  }
  if (component.disabled) throw new CannotDo(`The component ${customId} is disabled.`);
  return component;
}

function checkValues(component: InRowComponent, customId: string, values: readonly string[]): void {
  if (component.type !== COMPONENT_TYPES.STRING_SELECT) {
    throw new CannotDo(`${customId} is no select menu.`);
  }
  const min = component.min_values ?? 1;
  const max = component.max_values ?? 1;
  if (values.length < min || values.length > max) {
    throw new CannotDo(`${customId} takes ${min} to ${max} values, got ${values.length}.`);
  }
  const unknown = values.find(
    (value) => !component.options.some((option) => option.value === value),
  );
  if (unknown !== undefined) throw new CannotDo(`${customId} has no option ${unknown}.`);
}
