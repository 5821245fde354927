/** The values of the labels that metrics have. What reports an event names it by one of these. */
export const ENDPOINTS = ['activity', 'deposits-withdrawals'] as const;
export const POLL_OUTCOMES = [
  'ok',
  'unauthorized',
  'notInPlan',
  'rateLimited',
  'unreachable',
  'badResponse',
  'budgetExhausted',
  'error',
] as const;
export const SEND_OUTCOMES = ['sent', 'retry', 'delivered', 'rejected', 'blocked', 'banned', 'refused'] as const;
export const GAP_CAUSES = ['overflow', 'unclear', 'damage', 'backlog', 'watch'] as const;
export const STORE_OPERATIONS = ['get', 'set', 'delete'] as const;
export const COMMAND_OUTCOMES = ['ok', 'refused', 'failed'] as const;

type Endpoint = (typeof ENDPOINTS)[number];
export type StoreOperation = (typeof STORE_OPERATIONS)[number];
export type CommandOutcome = (typeof COMMAND_OUTCOMES)[number];

/** A record that a message announced. */
export interface ArrivedRecord {
  /** From its time to Discord's answer to the message, by the venue's clock. */
  readonly delaySeconds: number;
  /** Whether the message says what it means for the wallet's position; null for a deposit or withdrawal. */
  readonly saysPosition: boolean | null;
}

/** What a delivered message announced. */
export interface Arrival {
  /** Null if the watch was removed meanwhile. */
  readonly ownerId: string | null;
  readonly records: readonly ArrivedRecord[];
  /** Causes of the gaps that it announced. */
  readonly gaps: readonly (typeof GAP_CAUSES)[number][];
}

/** Takes reports of what happens in the bot, for metrics, readiness and `/watch status`. Changes nothing in the bot. */
export interface Telemetry {
  /** The poll loop plans so many requests until a time, epoch ms. */
  ticked(requests: number, untilMs: number): void;
  polled(endpoint: Endpoint, outcome: (typeof POLL_OUTCOMES)[number]): void;
  /** A poll found more new records than a first page shows. */
  gapFound(endpoint: Endpoint): void;
  /** Discord answered a message for a channel, or the attempt failed. */
  sent(outcome: (typeof SEND_OUTCOMES)[number], durationSeconds: number): void;
  arrived(arrival: Arrival): void;
  stored(operation: StoreOperation, isDone: boolean, durationSeconds: number): void;
  /** @param command as it is typed, without its options: `watch add` */
  commanded(command: string, outcome: CommandOutcome, durationSeconds: number): void;
}
