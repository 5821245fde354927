import type { SeenMessage } from '../events.ts';
import type { Interaction, Interactions, InteractionUpdate, Suggestion } from '../interactions.ts';
import type { Messages } from '../messages/messages.ts';

const DEFAULT_WAIT_MS = 10_000;

/** A person's command, press or choice, and what the bot answers to it. */
export interface InteractionHandle {
  readonly id: string;
  /** For answers without a client: `/interactions/ID/TOKEN/callback`. */
  readonly token: string;
  readonly state: 'waiting' | 'acknowledged' | 'failed';
  /** Callback type of the first answer: 4 message, 5 deferred, 6 deferred update, 7 update. */
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
  /** Callback type, as soon as there is one. */
  acknowledged(timeoutMs?: number): Promise<number>;
  /**
   * Sends the same INTERACTION_CREATE once more (reference.mdx, "Consistency": events may come
   * twice).
   */
  redeliver(): void;
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

export interface HandleDeps {
  readonly interaction: Interaction;
  readonly interactions: Interactions;
  readonly messages: Messages;
  readonly redeliver: () => void;
}

export function createHandle({
  interaction,
  interactions,
  messages,
  redeliver,
}: HandleDeps): InteractionHandle {
  const firstSeen: SeenMessage[] = [];

  const look = (messageId: string): SeenMessage[] => {
    const message = messages.get(messageId);
    return message ? [messages.seen(message)] : [];
  };

  interactions.subscribe(interaction.id, (update) => {
    if (update.kind === 'reply') {
      firstSeen.push(...look(update.messageId).filter((message) => !message.thinking));
    }
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
