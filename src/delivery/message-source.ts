import type { SendResult } from './failures.ts';

/** A message that is stored and may be sent, now or again. */
export interface SendStep {
  /**
   * Makes one attempt: then the message is in the channel, or another one must be tried.
   *
   * @throws discord.js's error
   */
  send(): Promise<SendResult>;
  /** The message was there, and somebody has deleted it. */
  onMessageGone(): Promise<void>;
  /** Discord will never take the message as it is: it is given up, or tried in parts. */
  reject(reason: string): Promise<void>;
  /**
   * Takes note that the attempt failed for now: the channel goes on with what is next, and the
   * source makes another one later. Left out: all of the channel waits for that.
   *
   * @param pauseMs as Discord's rate limit asks; null if it does not
   * @returns when that is, and how many have failed in a row
   */
  readonly postpone?: (pauseMs: number | null) => {
    readonly delayMs: number;
    readonly attempt: number;
  };
}

/**
 * Source of messages: alerts, digests, notices. A source decides what is sent, the worker when and
 * how often.
 */
export interface MessageSource {
  /** Name in log events: `alert.retry`. */
  readonly name: 'alert' | 'digest' | 'notice';
  /**
   * Gives the channel's next message: stored before it is returned, so that a restart sends the
   * same. Or the time for which there is nothing to send, ms; Infinity: until somebody asks again.
   */
  next(channelId: string): Promise<SendStep | number>;
  /**
   * Drops what waits for a channel that is gone for good, or in which nothing is watched any more;
   * of a blocked one, where no next step is asked for, only what it does not want any more.
   *
   * @returns how many alerts were dropped
   */
  drop(channelId: string, why: 'gone' | 'unwatched' | 'blocked'): Promise<number>;
  /** Channels that may have something to send. */
  channels(): readonly string[];
}
