import type { Events } from '../events.ts';
import type { Interactions } from '../interactions.ts';
import type { Cdn } from '../messages/cdn.ts';
import type { Messages } from '../messages/messages.ts';
import { type Dispatch, INTENTS } from '../world/intents.ts';
import type { World } from '../world/world.ts';
import { createHandle, type SendInteraction } from './handle.ts';
import { createOpenModal } from './modal.ts';
import { interactionPayload } from './payload.ts';

export interface SendDeps {
  readonly world: World;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly dispatch: Dispatch;
  readonly events: Events;
  readonly cdn: Cdn;
  readonly newId: () => string;
  readonly attachmentSizeLimitBytes: number;
}

export function createSendInteraction(deps: SendDeps): SendInteraction {
  const { interactions, messages } = deps;
  const send: SendInteraction = (scene, facts, body) => {
    const interaction = interactions.start({
      ...facts,
      userId: scene.user.id,
      guildId: scene.guild?.id ?? null,
      channelId: scene.channel.id,
    });
    const payload = { ...interactionPayload(deps, interaction, scene), ...body };
    const deliver = () => deps.dispatch('INTERACTION_CREATE', payload, INTENTS.ALWAYS);
    const handle = createHandle({
      interaction,
      interactions,
      messages,
      redeliver: deliver,
      openModal: (modal) =>
        createOpenModal({ ...deps, send }, { scene, opener: interaction, modal }),
    });
    const emit = () => {
      const { id, type, userId, channelId, name, state } = interaction;
      deps.events.emit('interaction', { id, type, userId, channelId, name, state });
    };
    interactions.subscribe(interaction.id, (update) => {
      if (update.kind === 'acknowledged' || update.kind === 'failed') emit();
    });
    emit();
    deliver();
    return { interaction, handle };
  };
  return send;
}
