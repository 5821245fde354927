import { createKeyedMutex } from '../lib/async/keyed-mutex.ts';
import type { Machine } from '../lib/machine.ts';
import { type Block, type ChannelQueueStore, EMPTY_CHANNEL_QUEUE } from './channel-queue.ts';
import { createClosures } from './closures.ts';
import { createDoubts, DOUBT_PAUSE_MS } from './doubts.ts';
import { classifyFailure, type Failure, type SendResult } from './failures.ts';
import type { Patience, Try } from './patience.ts';
import type { Reach } from './reach.ts';
import { createRetries, retryDelayMs } from './retries.ts';
import type { SendGate, SendPermit } from './send-gate.ts';

/** A blocked channel is tried again this often even if no event says that it has been put right. */
const BLOCK_RECHECK_MS = 15 * 60_000;
/** A timer may be early by a moment: not again at once. */
const REST_LEAST_MS = 50;
const FOR_EVER = Number.POSITIVE_INFINITY;
/** No rate limit is believed to last longer. */
const PAUSE_LIMIT_MS = 60 * 60_000;

/** A message that is stored and may be sent, now or again. */
export interface SendStep {
  /**
   * Makes one attempt: then the message is in the channel, or another one must be tried. @throws
   * discord.js's error
   */
  send(): Promise<SendResult>;
  /** The message was there, and somebody has deleted it. */
  onDeleted(): Promise<void>;
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

/** A channel at work, or at rest until something is due. */
const newRun = () => ({
  /** Ends it after the attempt under way, and any waiting at once. */
  cut: new AbortController(),
  /** Ends its rest: something has come since it last looked. */
  called: new AbortController(),
  /** Aborted when somebody may have put the channel right since it last looked. */
  repaired: new AbortController(),
  /** The try under way of a channel that Discord last refused; null: it has not. */
  tried: null as Try | null,
  /** Failures in a row. */
  failures: 0,
  done: Promise.resolve(),
});
type Run = ReturnType<typeof newRun>;

/**
 * Sends the messages of all sources to their channels: in each channel one after the other, each
 * once.
 */
export function createDeliveryWorker(
  { nowMs, monotonicMs, sleep, random, log }: Machine,
  parts: {
    /** Asked in this order: what the first has goes before what the second has. */
    readonly sources: readonly MessageSource[];
    readonly channelQueues: ChannelQueueStore;
    readonly gate: SendGate;
    readonly patience: Patience;
    /** State of a channel by the gateway's cache; left out: unknown for all. */
    readonly reachOf?: (channelId: string) => Reach;
    /**
     * Tells whether a blocked channel is retried without a sign that it has been put right; left
     * out: all are.
     */
    readonly isRechecked?: (channelId: string) => boolean;
    /** Discord refuses the bot altogether. */
    readonly onRefused: (reason: string) => void;
  },
) {
  const { sources, channelQueues, gate, patience, isRechecked = () => true, onRefused } = parts;
  const { reachOf = () => ({ kind: 'unknown', lacks: null }) } = parts;
  const closures = createClosures({ log, nowMs }, { channelQueues, reachOf });
  const doubts = createDoubts({ monotonicMs }, reachOf);
  const runs = new Map<string, Run>();
  /** Channels whose work may not begin before what is stored of them has been deleted. */
  const forgetting = new Set<string>();
  const forgettingOne = createKeyedMutex();
  /** Blocked channels that wait for a try, and what ends that. */
  const reopening = new Map<string, AbortController>();
  /** Tries of blocked channels that are being opened again. */
  const granted = new Map<string, Try>();
  let isStarted = false;
  let isStopping = false;
  let recheckTimer: NodeJS.Timeout | undefined;

  const failed = (channelId: string, error: unknown) =>
    log.error({ event: 'delivery.channel_failed', channel: channelId, err: error });

  const wake = (channelId: string) => {
    if (!isStarted || isStopping || forgetting.has(channelId)) return;
    const known = runs.get(channelId);
    if (known !== undefined) return known.called.abort();
    const run = newRun();
    runs.set(channelId, run);
    run.done = work(channelId, run);
  };

  const work = async (channelId: string, run: Run) => {
    const { signal } = run.cut;
    while (!signal.aborted) {
      run.tried = await tryFor(channelId, signal);
      run.called = new AbortController();
      run.repaired = new AbortController();
      // Before anything is decided: what comes during a ban goes along, and the first attempt is
      // not dated too early.
      const permit = closures.isOpen(channelId) ? await gate.enter(signal) : null;
      const restMs = await takeStep(channelId, run, permit)
        .finally(() => {
          permit?.release();
          run.tried?.release();
        })
        .catch(async (error: unknown) => {
          // Most likely the store is away.
          failed(channelId, error);
          await sleep(backOffOf(run), signal);
          return 0;
        });
      if (restMs === FOR_EVER && !run.called.signal.aborted) break;
      if (restMs > 0) await sleep(restMs, run.called.signal);
    }
    runs.delete(channelId);
    closures.leave(channelId);
  };

  /** Waits for a try where Discord last refused the channel; null: it needs none. */
  const tryFor = async (channelId: string, signal: AbortSignal): Promise<Try | null> => {
    const known = granted.get(channelId);
    granted.delete(channelId);
    if (known !== undefined) return known;
    if (!patience.isRefused(channelId) || !closures.isOpen(channelId)) return null;
    return patience.tryNow() ?? patience.waitForTry(channelId, signal);
  };

  /** Counts a further failure. @returns how long the channel waits after it, ms */
  const backOffOf = (run: Run) => {
    run.failures += 1;
    return retryDelayMs(run.failures, random);
  };

  /**
   * Counts a further failure. @returns how long the channel waits before its message is tried
   * again, ms
   */
  const waitOf = (run: Run, pauseMs: number | null) => {
    const chosenMs = backOffOf(run);
    return { delayMs: Math.min(PAUSE_LIMIT_MS, pauseMs ?? chosenMs), attempt: run.failures };
  };

  /** Waits before the next attempt, unless others of the channel go on meanwhile. */
  const waitAfter = async (
    channelId: string,
    run: Run,
    { source, postpone }: SendStep & { readonly source: MessageSource['name'] },
    { pauseMs, reason }: Extract<Failure, { kind: 'retry' }>,
  ) => {
    const { delayMs, attempt } = postpone?.(pauseMs) ?? waitOf(run, pauseMs);
    log.warn({
      event: `${source}.retry`,
      attempt,
      reason,
      channel: channelId,
      delayMs: Math.round(delayMs),
    });
    if (postpone === undefined) await sleep(delayMs, run.cut.signal);
  };

  /**
   * Asks the sources in turn. @returns the first step that one of them has, or the shortest rest of
   * all, ms
   */
  const nextStep = async (channelId: string) => {
    let delayMs = FOR_EVER;
    for (const { name, next } of sources) {
      const step = await next(channelId);
      if (typeof step !== 'number') return { ...step, source: name };
      delayMs = Math.min(delayMs, step);
    }
    return Math.max(REST_LEAST_MS, delayMs);
  };

  /**
   * @param permit null: the channel cannot be written @returns ms without anything to do; for ever:
   * until something comes
   */
  const takeStep = async (
    channelId: string,
    run: Run,
    permit: SendPermit | null,
  ): Promise<number> => {
    if (permit === null) {
      await drop(channelId, 'blocked');
      return FOR_EVER;
    }
    const step = await nextStep(channelId);
    if (run.cut.signal.aborted) return FOR_EVER;
    if (typeof step === 'number') {
      run.failures = 0;
      return step;
    }
    const { failure, isInDoubt } = await attempt(channelId, run, permit, step);
    if (failure?.kind === 'retry') {
      await waitAfter(channelId, run, step, failure);
      return 0;
    }
    run.failures = 0;
    if (failure?.kind === 'delivered') await step.onDeleted();
    if (failure?.kind === 'rejected') await step.reject(failure.reason);
    if (failure?.kind === 'blocked' && isInDoubt)
      return waitInDoubt(channelId, run, failure.reason);
    if (failure?.kind === 'blocked') return block(channelId, run, failure);
    if (failure?.kind !== 'refused') return 0;
    endAll();
    log.error({ event: 'delivery.token_refused', channel: channelId, reason: failure.reason });
    onRefused(failure.reason);
    return FOR_EVER;
  };

  /**
   * Makes one attempt, and gives the permit back with what it says of others. @returns `isInDoubt`
   * of a refusal
   */
  const attempt = async (channelId: string, run: Run, permit: SendPermit, { send }: SendStep) => {
    const result = await send().catch(classifyFailure);
    const failure = typeof result === 'string' ? null : result;
    const doubt = doubts.judge(channelId, result, run.repaired.signal.aborted);
    if (result !== 'unasked' && failure?.kind !== 'closed') run.tried?.spend();
    if (result === 'taken') patience.forget(channelId);
    if (failure?.kind === 'blocked') patience.refused(channelId);
    if (failure?.kind === 'blocked' && doubt !== null) {
      permit.end({ kind: 'doubted', reason: failure.reason, isOutage: doubt.isOutage });
    } else if (result === 'unasked' || failure?.kind === 'closed') permit.release();
    else permit.end(failure);
    return { failure, isInDoubt: doubt?.isBelieved === false };
  };

  /**
   * Nothing is stored of a refusal that is doubted. @returns ms until the channel is looked at
   * again
   */
  const waitInDoubt = async (channelId: string, run: Run, reason: string): Promise<number> => {
    log.warn({ event: 'channel.doubted', channel: channelId, reason, delayMs: DOUBT_PAUSE_MS });
    await sleep(DOUBT_PAUSE_MS, AbortSignal.any([run.cut.signal, run.repaired.signal]));
    return 0;
  };

  const end = ({ cut, called }: Run) => {
    cut.abort();
    called.abort();
  };

  const endAll = () => {
    isStopping = true;
    retries.stop();
    for (const run of runs.values()) end(run);
    for (const waiting of reopening.values()) waiting.abort();
  };

  /** Stores what Discord has said of the channel. @returns ms until it is looked at again */
  const block = async (
    channelId: string,
    run: Run,
    refusal: Extract<Failure, { kind: 'blocked' }>,
  ): Promise<number> => {
    const { kind } = reachOf(channelId);
    // Discord's word may be out of date: it is asked once more. A refusal that the cache confirms
    // is not stored.
    if (run.repaired.signal.aborted || kind === 'closed') return 0;
    const { reason, cause } = refusal;
    // Only where the gateway says so too: one wrong answer must not cost a channel what waits for
    // it.
    const isGone = refusal.isGone && kind === 'missing';
    // Nobody will ever read there, so that nothing is kept for it.
    const dropped = isGone ? await drop(channelId, 'gone') : 0;
    const block = { reason, cause, isGone, sinceMs: nowMs() };
    await channelQueues.update(channelId, { ...(isGone ? EMPTY_CHANNEL_QUEUE : {}), block });
    log.warn({
      event: 'channel.blocked',
      channel: channelId,
      reason,
      cause,
      gone: isGone,
      dropped,
    });
    // It was put right while the block was being stored.
    if (!isGone && run.repaired.signal.aborted) await unblock(channelId);
    return FOR_EVER;
  };

  const drop = async (channelId: string, why: Parameters<MessageSource['drop']>[1]) => {
    let dropped = 0;
    for (const source of sources) dropped += await source.drop(channelId, why);
    return dropped;
  };

  /**
   * Has a channel tried again that is blocked, or is about to be found so. All tries of channels
   * that Discord has refused begin here: the changes of servers, those of every quarter of an hour,
   * and what people do. Where there is no try left, the channel stays blocked until there is one.
   */
  const unblock = async (channelId: string): Promise<void> => {
    const run = runs.get(channelId);
    run?.repaired.abort();
    if (channelQueues.get(channelId).block === null) {
      if (run !== undefined || closures.sinceMs(channelId) !== null) wake(channelId);
      return;
    }
    if (reopening.has(channelId)) return;
    const now = patience.tryNow();
    if (now !== null) return reopen(channelId, now);
    void reopenInTurn(channelId).catch((error: unknown) => failed(channelId, error));
  };

  const reopenInTurn = async (channelId: string): Promise<void> => {
    const waiting = new AbortController();
    reopening.set(channelId, waiting);
    const later = await patience.waitForTry(channelId, waiting.signal);
    reopening.delete(channelId);
    if (later === null) return;
    if (channelQueues.get(channelId).block === null) return later.release();
    await reopen(channelId, later);
  };

  /** Opens a blocked channel for one try. */
  const reopen = async (channelId: string, one: Try): Promise<void> => {
    patience.refused(channelId);
    granted.get(channelId)?.release();
    granted.set(channelId, one);
    await channelQueues.update(channelId, { block: null });
    wake(channelId);
  };

  const retries = createRetries(
    { sleep },
    {
      // A channel that the gateway calls closed is not tried, and opens with a change.
      isWanted: (channelId) =>
        !isStopping &&
        channelQueues.get(channelId).block !== null &&
        reachOf(channelId).kind !== 'closed',
      retry: (channelId) => unblock(channelId).catch((error: unknown) => failed(channelId, error)),
    },
  );

  /** Channels that Discord has refused. */
  const refusedChannels = (): readonly string[] =>
    channelQueues.channels().filter((channelId) => channelQueues.get(channelId).block !== null);

  return {
    /** Takes up what an earlier run left, and delivers from now on. */
    start(): void {
      isStarted = true;
      for (const channelId of new Set(sources.flatMap((source) => source.channels())))
        wake(channelId);
      recheckTimer = setInterval(() => {
        const isDue = (channelId: string) =>
          channelQueues.get(channelId).block?.isGone === false && isRechecked(channelId);
        retries.add(refusedChannels().filter(isDue));
      }, BLOCK_RECHECK_MS).unref();
    },
    /** Lets the sends in flight end and begins no other. @throws what the store does */
    async stop(): Promise<void> {
      endAll();
      clearInterval(recheckTimer);
      await Promise.all([...runs.values()].map(({ done }) => done));
      await channelQueues.storeDone();
    },
    /** Looks at once whether there is something to send to the channel. */
    reconsider: wake,
    unblock,
    /** Discord has taken a message in the channel that came by another way. */
    async onTaken(channelId: string): Promise<void> {
      reopening.get(channelId)?.abort();
      patience.forget(channelId);
      if (channelQueues.get(channelId).block !== null)
        await channelQueues.update(channelId, { block: null });
      wake(channelId);
    },
    /** Channels that wait to be tried again. */
    triesWaiting: (): number => patience.waiting,
    /**
     * Something has changed in the server of these channels: tries those again whose own trouble is
     * over by that.
     */
    async lookAgain(channelIds: Iterable<string>): Promise<void> {
      for (const channelId of channelIds) {
        if (closures.isOver(channelId)) await unblock(channelId);
        doubts.review(channelId);
      }
    },
    /**
     * The gateway has said all about the server of these channels, at the start or after an outage:
     * tries those again, in turn, that Discord has refused for a permission which the bot now has.
     */
    onAvailable(channelIds: Iterable<string>): void {
      const isOpen = (channelId: string) =>
        channelQueues.get(channelId).block?.cause === 'permission' &&
        reachOf(channelId).kind === 'open';
      retries.add([...channelIds].filter(isOpen));
    },
    /**
     * Forgets what waits for a channel that watches nothing any more, once the send in flight has
     * been answered.
     */
    forget: (channelId: string): Promise<void> =>
      forgettingOne.run(channelId, async () => {
        forgetting.add(channelId);
        try {
          const run = runs.get(channelId);
          if (run !== undefined) end(run);
          // Anything that it still has to store of a message would outlive the channel's documents.
          await run?.done;
          await drop(channelId, 'unwatched');
          await channelQueues.delete(channelId);
          closures.forget(channelId);
          doubts.forget(channelId);
          reopening.get(channelId)?.abort();
          granted.get(channelId)?.release();
          granted.delete(channelId);
          patience.forget(channelId);
        } finally {
          forgetting.delete(channelId);
          wake(channelId);
        }
      }),
    /** Why Discord has refused the channel; null if it has not, or has taken a message since. */
    block: (channelId: string): Block | null => channelQueues.get(channelId).block,
    /** True if the channel gets nothing at present, by Discord's word or the gateway's. */
    isBlocked: (channelId: string): boolean =>
      channelQueues.get(channelId).block !== null || reachOf(channelId).kind === 'closed',
    /**
     * Time since which something waits for a channel that gets nothing at present, epoch ms; null
     * if nothing does.
     */
    blockedSinceMs: (channelId: string): number | null =>
      channelQueues.get(channelId).block?.sinceMs ?? closures.sinceMs(channelId),
    /** Channels that have been found to get nothing at present. */
    blockedChannels: (): readonly string[] => [
      ...new Set([...refusedChannels(), ...closures.channels()]),
    ],
    deadLetters: channelQueues.deadLetters,
  };
}
export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;
