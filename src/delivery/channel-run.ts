import type { Machine } from '../lib/machine.ts';
import { classifyFailure, type Failure } from './failures.ts';
import type { MessageSource, SendStep } from './message-source.ts';
import type { Blocks } from './refused/blocks.ts';
import type { createClosedChannels } from './refused/closed-channels.ts';
import { type createDoubts, DOUBT_PAUSE_MS } from './refused/doubts.ts';
import { retryDelayMs } from './refused/retries.ts';
import type { RetryBudget, Try } from './refused/retry-budget.ts';
import type { SendGate, SendPermit } from './send-gate.ts';

/** A timer may be early by a moment: not again at once. */
const REST_LEAST_MS = 50;
const FOR_EVER = Number.POSITIVE_INFINITY;
/** No rate limit is believed to last longer. */
const PAUSE_LIMIT_MS = 60 * 60_000;

type Blocked = Extract<Failure, { kind: 'blocked' }>;

/** Parts that the runs of all channels share. */
export interface RunParts {
  /** Asked in this order: what the first has goes before what the second has. */
  readonly sources: readonly MessageSource[];
  readonly gate: SendGate;
  /**
   * Resolves when a turn of the event loop is free: a thousand alerts may wait in each of hundreds
   * of channels, as after a start.
   */
  readonly turn: () => Promise<void>;
  readonly retryBudget: RetryBudget;
  readonly closedChannels: Pick<ReturnType<typeof createClosedChannels>, 'isOpen' | 'leave'>;
  readonly doubts: Pick<ReturnType<typeof createDoubts>, 'judge'>;
  readonly blocks: Pick<Blocks, 'takeTry' | 'block'>;
  readonly drop: (channelId: string, why: Parameters<MessageSource['drop']>[1]) => Promise<number>;
  /** Discord refuses the bot altogether. */
  readonly onRefused: (channelId: string, reason: string) => void;
  /** The run has nothing left to do. */
  readonly onEnd: (channelId: string) => void;
  /** Most likely the store is away. */
  readonly onFailure: (channelId: string, error: unknown) => void;
}

export type ChannelRun = ReturnType<typeof createChannelRun>;

/** A channel at work, or at rest until something is due: its messages one after the other. */
export function createChannelRun(
  { sleep, random, log }: Machine,
  { sources, gate, turn, retryBudget, closedChannels, doubts, blocks, ...parts }: RunParts,
  channelId: string,
) {
  /** Ends it after the attempt under way, and any waiting at once. */
  const cut = new AbortController();
  /** Ends its rest: something has come since it last looked. */
  let called = new AbortController();
  /** Aborted when somebody may have put the channel right since it last looked. */
  let repaired = new AbortController();
  /** The try under way of a channel that Discord last refused; null: it has not. */
  let tried: Try | null = null;
  /** Failures in a row. */
  let failures = 0;
  let done = Promise.resolve();

  const isRepaired = () => repaired.signal.aborted;

  const work = async (): Promise<void> => {
    const { signal } = cut;
    while (!signal.aborted) {
      tried = await blocks.takeTry(channelId, signal);
      called = new AbortController();
      repaired = new AbortController();
      // Before anything is decided: what comes during a ban goes along, and the first attempt is
      // not dated too early.
      const permit = closedChannels.isOpen(channelId) ? await gate.enter(signal) : null;
      if (signal.aborted) {
        permit?.release();
        tried?.release();
        break;
      }
      const restMs = await takeStep(permit)
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
      if (restMs === FOR_EVER && !called.signal.aborted) break;
      if (restMs > 0) await sleep(restMs, called.signal);
    }
    parts.onEnd(channelId);
    closedChannels.leave(channelId);
  };

  /**
   * @param permit null: the channel cannot be written
   * @returns ms without anything to do
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
    const { failure, isInDoubt } = await attempt(permit, step);
    if (failure?.kind === 'retry') {
      await waitAfter(step, failure);
      return 0;
    }
    failures = 0;
    return failure === null ? 0 : end(step, failure, isInDoubt);
  };

  /**
   * Asks the sources in turn.
   *
   * @returns the first step that one of them has, or the shortest rest of all, ms
   */
  const nextStep = async () => {
    let delayMs = FOR_EVER;
    for (const { name, next } of sources) {
      const step = await next(channelId);
      if (typeof step !== 'number') return { ...step, source: name };
      delayMs = Math.min(delayMs, step);
    }
    return Math.max(REST_LEAST_MS, delayMs);
  };

  /**
   * Makes one attempt, and gives the permit back with what it says of others.
   *
   * @returns `isInDoubt` of a refusal
   */
  const attempt = async (permit: SendPermit, { send }: SendStep) => {
    const result = await send().catch(classifyFailure);
    const failure = typeof result === 'string' ? null : result;
    const doubt = doubts.judge(channelId, result, isRepaired());
    const isUnasked = result === 'unasked' || failure?.kind === 'closed';
    if (!isUnasked) tried?.spend();
    if (result === 'taken') retryBudget.forget(channelId);
    if (failure?.kind === 'blocked') retryBudget.refused(channelId);
    if (failure?.kind === 'blocked' && doubt !== null) {
      permit.end({ kind: 'doubted', reason: failure.reason, isOutage: doubt.isOutage });
    } else if (isUnasked) permit.release();
    else permit.end(failure);
    return { failure, isInDoubt: doubt?.isBelieved === false };
  };

  /**
   * Acts on a failure that is no reason to try the same again.
   *
   * @returns ms until the next look
   */
  const end = async (step: SendStep, failure: Failure, isInDoubt: boolean): Promise<number> => {
    if (failure.kind === 'messageGone') await step.onMessageGone();
    if (failure.kind === 'rejected') await step.reject(failure.reason);
    if (failure.kind === 'blocked') return isInDoubt ? waitInDoubt(failure) : block(failure);
    if (failure.kind !== 'refused') return 0;
    parts.onRefused(channelId, failure.reason);
    return FOR_EVER;
  };

  /**
   * Stores what Discord has said of the channel.
   *
   * @returns ms until it is looked at again
   */
  const block = async (refusal: Blocked): Promise<number> =>
    (await blocks.block(channelId, refusal, isRepaired)) ? FOR_EVER : 0;

  /**
   * Nothing is stored of a refusal that is doubted.
   *
   * @returns ms until the next look
   */
  const waitInDoubt = async ({ reason }: Blocked): Promise<number> => {
    log.warn({ event: 'channel.doubted', channel: channelId, reason, delayMs: DOUBT_PAUSE_MS });
    await sleep(DOUBT_PAUSE_MS, AbortSignal.any([cut.signal, repaired.signal]));
    return 0;
  };

  /** Waits before the next attempt, unless others of the channel go on meanwhile. */
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
   * Counts a further failure.
   *
   * @returns how long the channel waits for its next attempt, ms
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
    /** Ends its rest: something has come. */
    call: () => called.abort(),
    /** Somebody may have put the channel right. */
    repair: () => repaired.abort(),
    /** Ends it after the attempt under way. */
    cut(): void {
      cut.abort();
      called.abort();
    },
    /** Resolves when it has ended. */
    done: () => done,
  };
}
