import type { SendResult } from './failures.ts';

/** A stored message that may be sent, for the first time or again. */
export interface SendStep {
  /**
   * Makes one attempt. After it, the message is in the channel, or another message must be tried.
   * @throws discord.js's error
   */
  send(): Promise<SendResult>;
  /** Called when the message had been posted but was deleted. */
  onMessageGone(): Promise<void>;
  /**
   * Called when Discord will never accept the message as it is. It is given up, or tried in parts.
   */
  reject(reason: string): Promise<void>;
  /**
   * Notes that the attempt failed for now. The channel continues with its next message, and the
   * source makes another attempt later. Left out: the whole channel waits.
   * @param pauseMs delay requested by Discord's rate limit; null if none
   * @returns the delay before the next attempt, and the number of failures in a row
   */
  readonly postpone?: (pauseMs: number | null) => {
    readonly delayMs: number;
    readonly attempt: number;
  };
}

/**
 * Source of messages: alerts, digests, notices. A source decides what is sent; the worker decides
 * when and how often.
 */
export interface MessageSource {
  /** Name in log events, for example `alert.retry`. */
  readonly name: 'alert' | 'digest' | 'notice';
  /**
   * Returns the channel's next message. It is stored before it is returned, so that a restart sends
   * the same one. If there is none, returns the ms until there may be one; Infinity: until the
   * channel is asked about again.
   */
  next(channelId: string): Promise<SendStep | number>;
  /**
   * Drops what is waiting for a channel that is gone for good or no longer watches anything. In a
   * blocked channel, which is not asked for next steps, drops only unwanted alerts.
   * @returns number of dropped alerts
   */
  drop(channelId: string, why: 'gone' | 'unwatched' | 'blocked'): Promise<number>;
  /** Returns the channels that may have something to send. */
  channels(): readonly string[];
}
