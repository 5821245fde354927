import type { Failure } from './failures.ts';

/** Why a message is not in its channel. */
export type Undelivered = Exclude<Failure, { kind: 'delivered' }>;

/** A message that is stored and may be sent, now or again. */
export interface SendStep {
  readonly kind: 'send';
  /** Makes one attempt. @returns null if the message is in the channel, or another one must be tried */
  deliver(): Promise<Undelivered | null>;
  /** Discord will never take the message as it is: it is given up, or tried in parts. */
  reject(reason: string): Promise<void>;
}

/** Nothing to send before so many ms have passed; Infinity: before somebody asks again. */
export interface RestStep {
  readonly kind: 'rest';
  readonly delayMs: number;
}

/** Where the messages of channels come from: alerts, digests, notices. Each decides what is sent; the delivery worker when and how often. */
export interface MessageSource {
  /** In log events: `alert.retry`. */
  readonly name: 'alert' | 'digest' | 'notice';
  /** What a channel sends next: stored before it is returned, so that a restart sends the same. */
  next(channelId: string): Promise<SendStep | RestStep>;
  /**
   * Drops what waits for a channel that is gone for good, or in which nothing is watched any more.
   *
   * @returns how many alerts were dropped
   */
  drop(channelId: string, why: 'gone' | 'unwatched'): Promise<number>;
  /** Drops what waits for a channel that cannot be written and does not want it any more: the next step is not asked for there. */
  dropUnwanted?(channelId: string): Promise<void>;
  /** Channels that may have something to send. */
  channels(): readonly string[];
}
