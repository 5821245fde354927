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

const DEFAULT_WAIT_MS = 10_000;

/** A person's command, press, choice or submitted modal, and what the bot answers to it. */
export interface InteractionHandle {
  readonly id: string;
  /** For answers without a client: `/interactions/ID/TOKEN/callback`. */
  readonly token: string;
  readonly state: 'waiting' | 'acknowledged' | 'failed';
  /**
   * Callback type of the first answer: 4 message, 5 deferred, 6 deferred update, 7 update,
   * 9 modal.
   */
  readonly acknowledgement: number | null;
  /**
   * The replies as they stand now, oldest first; the message itself for an update of a component's
   * message.
   */
  readonly replies: readonly SeenMessage[];
  /**
   * The first reply that is more than "thinking…", as it stood when it came.
   *
   * @throws Error when the bot does not acknowledge in time, or nothing came within `timeoutMs`
   */
  reply(timeoutMs?: number): Promise<SeenMessage>;
  /** The first reply, present or to come, that satisfies the predicate. */
  waitFor(predicate: (message: SeenMessage) => boolean, timeoutMs?: number): Promise<SeenMessage>;
  /**
   * The modal that the bot answers with, as the person has it before them.
   *
   * @throws Error when the bot does not acknowledge in time, or no modal came within `timeoutMs`
   */
  modal(timeoutMs?: number): Promise<OpenModal>;
  /** Callback type, as soon as there is one. */
  acknowledged(timeoutMs?: number): Promise<number>;
  /**
   * Sends the same INTERACTION_CREATE once more (reference.mdx, "Consistency": events may come
   * twice).
   */
  redeliver(): void;
}

export type FieldValues = Readonly<Record<string, FieldValue>>;

/** A field of an open modal as a person sees it at first. */
export interface SeenField {
  readonly customId: string;
  readonly label: string;
  readonly description: string | null;
  /** The component as the bot sent it: its kind, options and limits. */
  readonly component: ModalField;
  /** What the bot has filled in. */
  readonly value: FieldValue;
}

/** A modal before a person. */
export interface OpenModal {
  readonly customId: string;
  readonly title: string;
  /** Everything shown, texts included, as the bot sent it. */
  readonly components: Modal['components'];
  readonly fields: readonly SeenField[];
  /** `sending`: submitted, and the bot has not acknowledged yet. */
  readonly state: 'open' | 'sending' | 'closed';
  /**
   * Submits the modal. It closes when the bot acknowledges, and stays open if the bot does not.
   *
   * @param values by custom id; a field that is left out keeps what the bot has filled in
   * @throws InvalidFields for what Discord's client does not send; CannotDo if the modal is not
   *   open, has no such field, or the person no longer sees the channel
   */
  submit(values?: FieldValues): Promise<InteractionHandle>;
  /** Closes the modal: the bot learns nothing. */
  close(): void;
}

/** The bot did not acknowledge in time; Discord then says so in its place. */
export class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
  readonly interactionId: string;

  constructor(interactionId: string, reason: string) {
    super(reason);
    this.interactionId = interactionId;
  }
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

/** The suggestions that the bot gives to an option while it is typed. */
export function suggestionsOf(
  interaction: Interaction,
  interactions: Interactions,
): Promise<readonly Suggestion[]> {
  return settle(interaction, interactions, DEFAULT_WAIT_MS, 'suggestion', (update) =>
    update.kind === 'suggestions' ? update.choices : undefined,
  );
}

/**
 * Waits for the update that `pick` makes something of; fails with the interaction, or after the
 * time.
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
