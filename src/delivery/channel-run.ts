import type { Machine } from '../lib/machine.ts';
import { type Blocked, classifyFailure, type Failure } from './failures.ts';
import type { MessageSource, SendStep } from './message-source.ts';
import type { Blocks } from './refused/blocks.ts';
import type { createClosedChannels } from './refused/closed-channels.ts';
import { retryDelayMs } from './refused/retries.ts';
import type { RetryBudget, Try } from './refused/retry-budget.ts';
import { type createSuspicions, SUSPECTED_PAUSE_MS } from './refused/suspicions.ts';
import type { SendGate, SendPermit } from './send-gate.ts';

/** Minimum time until the next step, in ms, because a timer may fire slightly early. */
const LEAST_PAUSE_MS = 50;
const FOR_EVER = Number.POSITIVE_INFINITY;
/** Longest rate limit that is respected, in ms. */
const PAUSE_LIMIT_MS = 60 * 60_000;

/** Parts that the runs of all channels share. */
export interface RunParts {
  /** Asked in this order. Messages of an earlier source go first. */
  readonly sources: readonly MessageSource[];
  readonly gate: SendGate;
  /**
   * Resolves when a turn of the event loop is free. After a start, hundreds of channels may each
   * have a thousand waiting alerts.
   */
  readonly turn: () => Promise<void>;
  readonly retryBudget: RetryBudget;
  readonly closedChannels: ReturnType<typeof createClosedChannels>;
  readonly suspicions: ReturnType<typeof createSuspicions>;
  readonly blocks: Blocks;
  readonly drop: (channelId: string, why: Parameters<MessageSource['drop']>[1]) => Promise<number>;
  /** Called when Discord rejects the bot altogether. */
  readonly onRefused: (channelId: string, reason: string) => void;
  /** Called when the run has nothing left to do. */
  readonly onEnd: (channelId: string) => void;
  /** Called on an error, most likely because the store is unavailable. */
  readonly onFailure: (channelId: string, error: unknown) => void;
}

export type ChannelRun = ReturnType<typeof createChannelRun>;

/**
 * Runs a channel's delivery: it sends the messages one after another, and otherwise waits until
 * something is due.
 */
export function createChannelRun(
  { sleep, random, log }: Machine,
  { sources, gate, turn, retryBudget, closedChannels, suspicions, blocks, ...parts }: RunParts,
  channelId: string,
) {
  /** Ends the run after the current attempt, and any waiting at once. */
  const cut = new AbortController();
  /** Ends the pause, because something has arrived since the last step. */
  let called = new AbortController();
  /** Aborted when someone may have fixed the channel since the last step. */
  let repaired = new AbortController();
  /** Current try of a channel that Discord last rejected; null if it was not rejected. */
  let tried: Try | null = null;
  /** Number of failures in a row. */
  let failures = 0;
  let done = Promise.resolve();

  const isRepaired = () => repaired.signal.aborted;

  const work = async (): Promise<void> => {
    const { signal } = cut;
    while (!signal.aborted) {
      tried = await blocks.takeTry(channelId, signal);
      called = new AbortController();
      repaired = new AbortController();
      // Before anything is decided, so that alerts arriving during a ban are included and the first
      // attempt is not dated too early.
      const permit = closedChannels.isOpen(channelId) ? await gate.enter(signal) : null;
      if (signal.aborted) {
        permit?.release();
        tried?.release();
        break;
      }
      const pauseMs = await takeStep(permit)
        .finally(() => {
          permit?.release();
          tried?.release();
        })
        .catch(async (error: unknown) => {
          parts.onFailure(channelId, error);
          failures += 1;
          await sleep(retryDelayMs(failures, random), signal);
          return 0;
        });
      if (pauseMs === FOR_EVER && !called.signal.aborted) break;
      if (pauseMs > 0) await sleep(pauseMs, called.signal);
    }
    parts.onEnd(channelId);
    closedChannels.leave(channelId);
  };

  /**
   * @param permit null if messages cannot be posted to the channel
   * @returns ms during which there is nothing to do
   */
  const takeStep = async (permit: SendPermit | null): Promise<number> => {
    await turn();
    if (permit === null) {
      await parts.drop(channelId, 'blocked');
      return FOR_EVER;
    }
    const step = await nextStep();
    if (cut.signal.aborted) return FOR_EVER;
    if (typeof step === 'number') {
      failures = 0;
      return step;
    }
    const { failure, isSuspected } = await attempt(permit, step);
    if (failure?.kind === 'retry') {
      await waitAfter(step, failure);
      return 0;
    }
    failures = 0;
    return failure === null ? 0 : end(step, failure, isSuspected);
  };

  /**
   * Asks the sources in turn.
   * @returns the first step found, or the shortest of their delays in ms
   */
  const nextStep = async () => {
    let delayMs = FOR_EVER;
    for (const { name, next } of sources) {
      const step = await next(channelId);
      if (typeof step !== 'number') return { ...step, source: name };
      delayMs = Math.min(delayMs, step);
    }
    return Math.max(LEAST_PAUSE_MS, delayMs);
  };

  /**
   * Makes one attempt, and gives back the permit with its outcome.
   * @returns `isSuspected`: whether a rejection may not be because of the channel
   */
  const attempt = async (permit: SendPermit, { send }: SendStep) => {
    const result = await send().catch(classifyFailure);
    const failure = typeof result === 'string' ? null : result;
    const suspicion = suspicions.judge(channelId, result, isRepaired());
    const isUnasked = result === 'unasked' || failure?.kind === 'closed';
    if (!isUnasked) tried?.spend();
    if (result === 'taken') retryBudget.forget(channelId);
    if (failure?.kind === 'blocked') retryBudget.refused(channelId);
    if (failure?.kind === 'blocked' && suspicion !== null) {
      permit.end({ kind: 'suspected', reason: failure.reason, isOutage: suspicion.isOutage });
    } else if (isUnasked) permit.release();
    else permit.end(failure);
    return { failure, isSuspected: suspicion?.isConfirmed === false };
  };

  /**
   * Handles a failure for which repeating the same attempt is no use.
   * @returns ms until the next step
   */
  const end = async (step: SendStep, failure: Failure, isSuspected: boolean): Promise<number> => {
    if (failure.kind === 'messageGone') await step.onMessageGone();
    if (failure.kind === 'rejected') await step.reject(failure.reason);
    if (failure.kind === 'blocked') {
      if (isSuspected) return waitSuspected(failure);
      return (await blocks.block(channelId, failure, isRepaired)) ? FOR_EVER : 0;
    }
    if (failure.kind !== 'refused') return 0;
    parts.onRefused(channelId, failure.reason);
    return FOR_EVER;
  };

  /**
   * Waits after a rejection that is only suspected; nothing is stored.
   * @returns ms until the next step
   */
  const waitSuspected = async ({ reason }: Blocked): Promise<number> => {
    log.warn({ event: 'channel.doubted', channel: channelId, reason, delayMs: SUSPECTED_PAUSE_MS });
    await sleep(SUSPECTED_PAUSE_MS, AbortSignal.any([cut.signal, repaired.signal]));
    return 0;
  };

  /**
   * Waits before the next attempt, unless the channel's other messages continue in the meantime.
   */
  const waitAfter = async (
    { source, postpone }: SendStep & { readonly source: MessageSource['name'] },
    { pauseMs, reason }: Extract<Failure, { kind: 'retry' }>,
  ) => {
    const { delayMs, attempt: failuresInRow } = postpone?.(pauseMs) ?? countFailure(pauseMs);
    const what = {
      attempt: failuresInRow,
      reason,
      channel: channelId,
      delayMs: Math.round(delayMs),
    };
    log.warn({ event: `${source}.retry`, ...what });
    if (postpone === undefined) await sleep(delayMs, cut.signal);
  };

  /**
   * Counts another failure.
   * @returns delay before the channel's next attempt, in ms
   */
  const countFailure = (pauseMs: number | null) => {
    failures += 1;
    const backOffMs = retryDelayMs(failures, random);
    return { delayMs: Math.min(PAUSE_LIMIT_MS, pauseMs ?? backOffMs), attempt: failures };
  };

  return {
    start(): void {
      done = work();
    },
    /** Ends the pause, because something has arrived. */
    call: () => called.abort(),
    /** Reports that someone may have fixed the channel. */
    repair: () => repaired.abort(),
    /** Ends the run after the current attempt. */
    cut(): void {
      cut.abort();
      called.abort();
    },
    /** Resolves when the run has ended. */
    done: () => done,
  };
}
