import type { SeenMessage } from '../events.ts';
import type { Modal, ModalField } from '../forms/modal.ts';
import type {
  Interaction,
  InteractionFacts,
  Interactions,
  InteractionUpdate,
  Suggestion,
} from '../interactions.ts';
import type { Messages } from '../messages/messages.ts';
import type { Wire } from '../model.ts';
import type { FieldValue } from './fields.ts';
import type { Scene } from './scene.ts';

/** Enough for a bot on a busy machine that writes each of a thousand watches to disk. */
const DEFAULT_WAIT_MS = 30_000;

/**
 * A person's command, button press, selection or submitted modal, and the bot's responses to it.
 */
export interface InteractionHandle {
  readonly id: string;
  /** Token for responses that are sent without a client, to `/interactions/ID/TOKEN/callback`. */
  readonly token: string;
  readonly state: 'waiting' | 'acknowledged' | 'failed';
  /**
   * Callback type of the first response: 4 message, 5 deferred, 6 deferred update, 7 update, 9
   * modal.
   */
  readonly acknowledgement: number | null;
  /**
   * The current replies, oldest first; for an update of a component's message, the message itself.
   */
  readonly replies: readonly SeenMessage[];
  /**
   * Resolves with the first reply that is more than "thinking…", as it was when it arrived.
   *
   * @throws Error if the bot does not acknowledge in time, or nothing arrived within `timeoutMs`
   */
  reply(timeoutMs?: number): Promise<SeenMessage>;
  /** Resolves with the first reply, present or future, that satisfies the predicate. */
  waitFor(predicate: (message: SeenMessage) => boolean, timeoutMs?: number): Promise<SeenMessage>;
  /**
   * Resolves with the modal that the bot responds with, as the person sees it.
   *
   * @throws Error if the bot does not acknowledge in time, or no modal arrived within `timeoutMs`
   */
  modal(timeoutMs?: number): Promise<OpenModal>;
  /** Resolves with the callback type as soon as the bot acknowledges. */
  acknowledged(timeoutMs?: number): Promise<number>;
  /**
   * Sends the INTERACTION_CREATE again (reference.mdx, "Consistency": events may be delivered
   * twice).
   */
  redeliver(): void;
}

export type FieldValues = Readonly<Record<string, FieldValue>>;

/** A field of an open modal as a person first sees it. */
export interface SeenField {
  readonly customId: string;
  readonly label: string;
  readonly description: string | null;
  /** The component as sent by the bot: its kind, options and limits. */
  readonly component: ModalField;
  /** The value that the bot has prefilled. */
  readonly value: FieldValue;
}

/** A modal that a person has open. */
export interface OpenModal {
  readonly customId: string;
  readonly title: string;
  /** Everything shown, including texts, as sent by the bot. */
  readonly components: Modal['components'];
  readonly fields: readonly SeenField[];
  /** `sending` means submitted but not yet acknowledged by the bot. */
  readonly state: 'open' | 'sending' | 'closed';
  /**
   * Submits the modal. It closes when the bot acknowledges, and otherwise stays open.
   *
   * @param values by custom id; an omitted field keeps the prefilled value
   * @throws InvalidFields for values that Discord's client does not send; CannotDo if the modal is
   *   not open, has no such field, or the person no longer sees the channel
   */
  submit(values?: FieldValues): Promise<InteractionHandle>;
  /** Closes the modal; the bot is not notified. */
  close(): void;
}

/** The bot did not acknowledge in time, so Discord shows an error instead. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
  readonly interactionId: string;

  constructor(interactionId: string, reason: string) {
    super(reason);
    this.interactionId = interactionId;
  }
}

/**
 * Starts an interaction and delivers its INTERACTION_CREATE; `body` has the fields specific to its
 * kind.
 */
export type SendInteraction = (
  scene: Scene,
  facts: Omit<InteractionFacts, 'userId' | 'guildId' | 'channelId'>,
  body: Wire,
) => { readonly interaction: Interaction; readonly handle: InteractionHandle };

export interface HandleDeps {
  readonly interaction: Interaction;
  readonly interactions: Interactions;
  readonly messages: Messages;
  readonly redeliver: () => void;
  readonly openModal: (modal: Modal) => OpenModal;
}

export function createHandle({
  interaction,
  interactions,
  messages,
  redeliver,
  openModal,
}: HandleDeps): InteractionHandle {
  const firstSeen: SeenMessage[] = [];
  let opened: OpenModal | null = null;

  const look = (messageId: string): SeenMessage[] => {
    const message = messages.get(messageId);
    return message ? [messages.seen(message)] : [];
  };

  interactions.subscribe(interaction.id, (update) => {
    if (update.kind === 'reply') {
      firstSeen.push(...look(update.messageId).filter((message) => !message.thinking));
    }
    if (update.kind === 'modal') opened = openModal(update.modal);
  });

  function waitFor(
    predicate: (message: SeenMessage) => boolean,
    timeoutMs = DEFAULT_WAIT_MS,
  ): Promise<SeenMessage> {
    const present = interaction.replyIds.flatMap(look).find(predicate);
    if (present) return Promise.resolve(present);
    return settle(interaction, interactions, timeoutMs, 'reply', (update) =>
      update.kind === 'reply' ? look(update.messageId).find(predicate) : undefined,
    );
  }

  return {
    id: interaction.id,
    token: interaction.token,
    get state() {
      return interaction.state;
    },
    get acknowledgement() {
      return interaction.acknowledgement;
    },
    get replies() {
      return interaction.replyIds.flatMap(look);
    },
    redeliver,
    waitFor,

    reply(timeoutMs) {
      const [first] = firstSeen;
      return first ? Promise.resolve(first) : waitFor((message) => !message.thinking, timeoutMs);
    },

    modal(timeoutMs = DEFAULT_WAIT_MS) {
      if (opened !== null) return Promise.resolve(opened);
      return settle(interaction, interactions, timeoutMs, 'modal', () => opened ?? undefined);
    },

    acknowledged(timeoutMs = DEFAULT_WAIT_MS) {
      if (interaction.acknowledgement !== null) return Promise.resolve(interaction.acknowledgement);
      return settle(
        interaction,
        interactions,
        timeoutMs,
        'acknowledgement',
        () => interaction.acknowledgement ?? undefined,
      );
    },
  };
}

/** Resolves with the bot's suggestions for an option being typed. */
export function suggestionsOf(
  interaction: Interaction,
  interactions: Interactions,
): Promise<readonly Suggestion[]> {
  return settle(interaction, interactions, DEFAULT_WAIT_MS, 'suggestion', (update) =>
    update.kind === 'suggestions' ? update.choices : undefined,
  );
}

/**
 * Waits for the first update for which `pick` returns a value. Rejects if the interaction fails, or
 * after the timeout.
 */
function settle<Value>(
  interaction: Interaction,
  interactions: Interactions,
  timeoutMs: number,
  wanted: string,
  pick: (update: InteractionUpdate) => Value | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    const notAnswered = (reason: string) =>
      new NotAnswered(interaction.id, `${interaction.name}: ${reason}`);
    const timer = setTimeout(
      () => fail(new Error(`${interaction.name}: no ${wanted} within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const unsubscribe = interactions.subscribe(interaction.id, (update) => {
      if (update.kind === 'failed') return fail(notAnswered(update.reason));
      const value = pick(update);
      if (value === undefined) return;
      stop();
      resolve(value);
    });
    const stop = () => {
      clearTimeout(timer);
      unsubscribe();
    };
    if (interaction.state === 'failed') fail(notAnswered('The application did not respond.'));
  });
}
