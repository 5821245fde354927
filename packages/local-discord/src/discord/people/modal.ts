import { COMPONENT_TYPES } from '../forms/components.ts';
import { labelledFields, type Modal, type ModalField } from '../forms/modal.ts';
import { INTERACTION_TYPES, type Interaction, type Interactions } from '../interactions.ts';
import type { Messages } from '../messages/messages.ts';
import type { Wire } from '../model.ts';
import { CannotDo } from './commandline.ts';
import { answerOf, filledIn } from './fields.ts';
import type { FieldValues, OpenModal, SendInteraction } from './handle.ts';
import { createResolver, type ResolverDeps } from './resolver.ts';
import { enterScene, type Scene } from './scene.ts';

const T = COMPONENT_TYPES;

/** Fields with values that Discord's client does not send. */
export class InvalidFields extends CannotDo {
  /** The problem of each field, by custom id. */
  readonly faults: ReadonlyMap<string, string>;

  constructor(faults: ReadonlyMap<string, string>) {
    super([...faults].map(([customId, fault]) => `${customId}: ${fault}`).join(' '));
    this.faults = faults;
  }
}

export interface OpenModalDeps extends Omit<ResolverDeps, 'user' | 'guild' | 'channel'> {
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly send: SendInteraction;
}

/** Creates the modal that answers a person's interaction. */
export function createOpenModal(
  deps: OpenModalDeps,
  given: { readonly scene: Scene; readonly opener: Interaction; readonly modal: Modal },
): OpenModal {
  const { opener, modal } = given;
  const labelled = labelledFields(modal);
  let state: OpenModal['state'] = 'open';

  const fields = labelled.map(({ label, description, field }) => ({
    customId: field.custom_id,
    label,
    description,
    component: field,
    value: filledIn(field, createResolver({ ...deps, ...given.scene })),
  }));

  function checkKnown(values: FieldValues): void {
    const unknown = Object.keys(values).find((key) => !fields.some((one) => one.customId === key));
    if (unknown === undefined) return;
    const known = fields.map(({ customId }) => customId).join(', ') || 'none';
    throw new CannotDo(`The modal ${modal.title} has no field ${unknown}. Fields: ${known}.`);
  }

  /**
   * Returns the `data` of the submit.
   *
   * @throws InvalidFields
   */
  function dataOf(values: FieldValues, scene: Scene): Wire {
    const resolver = createResolver({ ...deps, ...scene });
    const faults = new Map<string, string>();
    const answers = new Map<string, Wire>();
    for (const { customId, component, value } of fields) {
      try {
        const entered = values[customId] ?? (customId in values ? null : value);
        answers.set(customId, answerOf(component, entered, resolver));
      } catch (error) {
        if (!(error instanceof CannotDo)) throw error;
        faults.set(customId, error.message);
      }
    }
    if (faults.size > 0) throw new InvalidFields(faults);
    const wired = (field: ModalField) => ({
      type: field.type,
      id: field.id,
      custom_id: field.custom_id,
      ...answers.get(field.custom_id),
    });
    const components = modal.components.map((one) => {
      const { type, id } = one;
      if (one.type === T.LABEL) return { type, id, component: wired(one.component) };
      return one.type === T.ACTION_ROW
        ? { type, id, components: one.components.map(wired) }
        : { type, id };
    });
    const resolved = resolver.isEmpty() ? {} : { resolved: resolver.wire() };
    return { custom_id: modal.custom_id, components, ...resolved };
  }

  /** Returns the message whose component opened the modal, if it still exists. */
  function sourceOf(): Wire {
    if (opener.sourceMessageId === null) return {};
    const message = deps.messages.get(opener.sourceMessageId);
    return message ? { message: deps.messages.wire(message) } : {};
  }

  return {
    customId: modal.custom_id,
    title: modal.title,
    components: modal.components,
    fields,
    get state() {
      return state;
    },

    async submit(values = {}) {
      if (state !== 'open') throw new CannotDo(`The modal ${modal.title} is ${state}.`);
      checkKnown(values);
      const { user, channel, guild } = given.scene;
      const member = { userId: user.id, guildId: guild?.id ?? null };
      const scene = enterScene(deps.world, member, channel.id);
      const data = dataOf(values, scene);
      const facts = {
        type: INTERACTION_TYPES.MODAL_SUBMIT,
        name: modal.custom_id,
        owners: opener.owners,
        sourceMessageId: opener.sourceMessageId,
        openerId: opener.id,
        suggests: 'string' as const,
      };
      state = 'sending';
      const { interaction, handle } = deps.send(scene, facts, { data, ...sourceOf() });
      deps.interactions.subscribe(interaction.id, ({ kind }) => {
        if (kind === 'acknowledged') state = 'closed';
        if (kind === 'failed') state = 'open';
      });
      return handle;
    },

    close() {
      state = 'closed';
    },
  };
}
