import type { Rejection } from './events.ts';
import { CALLBACKS } from './forms/callback.ts';
import type { Modal } from './forms/modal.ts';
import type { Wire } from './model.ts';
import { refusals } from './refusal.ts';

export const INTERACTION_TYPES = {
  COMMAND: 2,
  COMPONENT: 3,
  AUTOCOMPLETE: 4,
  MODAL_SUBMIT: 5,
} as const;

/** The data of an interaction when a person starts it. */
export interface InteractionFacts {
  readonly type: number;
  readonly userId: string;
  readonly guildId: string | null;
  readonly channelId: string;
  /** The command without its options, or the custom id of the component or modal. */
  readonly name: string;
  /** The message whose component was used, possibly to open the modal now submitted. */
  readonly sourceMessageId: string | null;
  /** For a modal submit: the interaction that the modal answered. */
  readonly openerId?: string;
  /**
   * The owner of each installation that allows it, by integration type: 0 the server, 1 the person.
   */
  readonly owners: Readonly<Partial<Record<0 | 1, string>>>;
  /** For autocomplete: the type of value that suggestions must have. */
  readonly suggests: 'string' | 'number';
}

export interface Interaction extends InteractionFacts {
  readonly id: string;
  readonly token: string;
  readonly createdAtMs: number;
  state: 'waiting' | 'acknowledged' | 'failed';
  /** Callback type of the acknowledgement. */
  acknowledgement: number | null;
  /** The message that `@original` refers to. */
  originalId: string | null;
  /** Number of follow-up messages so far. */
  followUps: number;
  /** Visible replies, in order. */
  readonly replyIds: string[];
}

export interface Suggestion {
  readonly name: string;
  readonly value: string | number;
}

export type InteractionUpdate =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'reply'; readonly messageId: string }
  | { readonly kind: 'suggestions'; readonly choices: readonly Suggestion[] }
  | { readonly kind: 'modal'; readonly modal: Modal }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Interactions {
  start(facts: InteractionFacts): Interaction;
  get(id: string): Interaction | undefined;
  byToken(token: string): Interaction | undefined;
  /**
   * Returns the interaction for a callback.
   *
   * @throws Refusal 10062, 40060
   */
  unanswered(id: string, token: string): Interaction;
  /**
   * Returns the interaction for `@original` and follow-ups.
   *
   * @throws Refusal 10015, 50027
   */
  answered(token: string): Interaction;
  acknowledge(interaction: Interaction, type: number): void;
  /** Records that a reply has appeared or changed. */
  replied(interaction: Interaction, messageId: string): void;
  update(interaction: Interaction, update: InteractionUpdate): void;
  subscribe(id: string, listener: (update: InteractionUpdate) => void): () => void;
  close(): void;
}

/** Lifetime of an interaction's token. */
const TOKEN_LIFE_MS = 15 * 60_000;

export interface InteractionsDeps {
  readonly now: () => number;
  readonly newId: () => string;
  readonly newToken: () => string;
  /** Time limit of the first response; Discord allows 3 s. */
  readonly ackMs: number;
  readonly reject: (rejection: Omit<Rejection, 'atMs'>) => void;
}

/**
 * Creates the store of interactions. Each must be acknowledged once and in time; its token expires
 * (interactions/receiving-and-responding.mdx).
 */
export function createInteractions(deps: InteractionsDeps): Interactions {
  const { now } = deps;
  const all = new Map<string, Interaction>();
  const tokens = new Map<string, Interaction>();
  const timers = new Map<string, NodeJS.Timeout>();
  const listeners = new Map<string, Set<(update: InteractionUpdate) => void>>();

  function update(interaction: Interaction, change: InteractionUpdate): void {
    for (const listener of [...(listeners.get(interaction.id) ?? [])]) listener(change);
  }

  function settle(interaction: Interaction): void {
    clearTimeout(timers.get(interaction.id));
    timers.delete(interaction.id);
  }

  function fail(interaction: Interaction): void {
    if (interaction.state !== 'waiting') return;
    settle(interaction);
    interaction.state = 'failed';
    const reason = `The application did not respond within ${deps.ackMs} ms.`;
    const route = `interaction ${interaction.name}`;
    deps.reject({
      source: 'interaction',
      route,
      status: 0,
      code: 0,
      reason,
      formErrors: [],
      injected: false,
    });
    update(interaction, { kind: 'failed', reason });
  }

  function isTooLate(interaction: Interaction): boolean {
    return interaction.state === 'waiting' && now() - interaction.createdAtMs >= deps.ackMs;
  }

  return {
    start(facts) {
      const interaction: Interaction = {
        ...facts,
        id: deps.newId(),
        token: deps.newToken(),
        createdAtMs: now(),
        state: 'waiting',
        acknowledgement: null,
        originalId: null,
        followUps: 0,
        replyIds: [],
      };
      all.set(interaction.id, interaction);
      tokens.set(interaction.token, interaction);
      timers.set(interaction.id, setTimeout(() => fail(interaction), deps.ackMs).unref());
      return interaction;
    },

    get: (id) => all.get(id),
    byToken: (token) => tokens.get(token),

    unanswered(id, token) {
      const interaction = all.get(id);
      if (!interaction || interaction.token !== token) throw refusals.unknownInteraction();
      if (isTooLate(interaction)) fail(interaction);
      if (interaction.state === 'failed') throw refusals.unknownInteraction();
      if (interaction.state === 'acknowledged') throw refusals.alreadyAcknowledged();
      return interaction;
    },

    answered(token) {
      const interaction = tokens.get(token);
      if (interaction && now() - interaction.createdAtMs >= TOKEN_LIFE_MS) {
        throw refusals.invalidWebhookToken();
      }
      if (
        interaction?.state !== 'acknowledged' ||
        interaction.type === INTERACTION_TYPES.AUTOCOMPLETE
      ) {
        throw refusals.unknownWebhook();
      }
      return interaction;
    },

    acknowledge(interaction, type) {
      settle(interaction);
      interaction.state = 'acknowledged';
      interaction.acknowledgement = type;
      if (type === CALLBACKS.DEFERRED_UPDATE || type === CALLBACKS.UPDATE) {
        interaction.originalId = interaction.sourceMessageId;
      }
      update(interaction, { kind: 'acknowledged' });
    },

    replied(interaction, messageId) {
      if (!interaction.replyIds.includes(messageId)) interaction.replyIds.push(messageId);
      update(interaction, { kind: 'reply', messageId });
    },

    update,

    subscribe(id, listener) {
      const present = listeners.get(id) ?? new Set();
      listeners.set(id, present.add(listener));
      return () => void present.delete(listener);
    },

    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      for (const id of [...listeners.keys()]) {
        const interaction = all.get(id);
        if (interaction) {
          update(interaction, { kind: 'failed', reason: 'The Discord double was closed.' });
        }
      }
    },
  };
}

/**
 * Returns the `interaction_metadata` of a message that answers an interaction.
 *
 * @param opener for a modal submit: the metadata of the interaction that opened the modal
 */
export function interactionMetadata(
  interaction: Interaction,
  user: Wire,
  opener: Wire | null,
): Wire {
  return {
    id: interaction.id,
    type: interaction.type,
    user,
    authorizing_integration_owners: interaction.owners,
    ...(interaction.type === INTERACTION_TYPES.COMMAND
      ? { name: interaction.name, command_type: 1 }
      : {}),
    ...(interaction.sourceMessageId === null || opener !== null
      ? {}
      : { interacted_message_id: interaction.sourceMessageId }),
    ...(opener === null ? {} : { triggering_interaction_metadata: opener }),
  };
}
