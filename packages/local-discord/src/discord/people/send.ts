import type { Events } from '../events.ts';
import type { Interaction, InteractionFacts, Interactions } from '../interactions.ts';
import type { Messages } from '../messages/messages.ts';
import type { Wire } from '../model.ts';
import { type Dispatch, INTENTS } from '../world/intents.ts';
import type { World } from '../world/world.ts';
import { createHandle, type InteractionHandle } from './handle.ts';
import { interactionPayload } from './payload.ts';
import type { Scene } from './scene.ts';

export interface SendDeps {
  readonly world: World;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly dispatch: Dispatch;
  readonly events: Events;
  readonly attachmentSizeLimitBytes: number;
}

/**
 * Starts an interaction and delivers its INTERACTION_CREATE; `body` is what its kind adds to the
 * payload.
 */
export type SendInteraction = (
  scene: Scene,
  facts: Omit<InteractionFacts, 'userId' | 'guildId' | 'channelId'>,
  body: Wire,
) => { readonly interaction: Interaction; readonly handle: InteractionHandle };

export function createSendInteraction(deps: SendDeps): SendInteraction {
  const { interactions, messages } = deps;
  return (scene, facts, body) => {
    const interaction = interactions.start({
      ...facts,
      userId: scene.user.id,
      guildId: scene.guild?.id ?? null,
      channelId: scene.channel.id,
    });
    const payload = { ...interactionPayload(deps, interaction, scene), ...body };
    const deliver = () => deps.dispatch('INTERACTION_CREATE', payload, INTENTS.ALWAYS);
    const handle = createHandle({ interaction, interactions, messages, redeliver: deliver });
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
}
