import { onTestFinished } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { createAlertMessages } from '../../src/delivery/alert-messages.ts';
import { keysInQueue } from '../../src/delivery/channel-queue.ts';
import { createComposer } from '../../src/delivery/messages/compose.ts';
import { createPost } from '../../src/delivery/post.ts';
import type { MessageBody, Outgoing } from '../../src/delivery/sender.ts';
import { delayedAlertKind } from '../../src/later/delayed-alerts.ts';
import { createLater } from '../../src/later/later.ts';
import type { WaitingSize } from '../../src/later/waiting-items.ts';
import type { Step } from '../../src/lib/failpoints.ts';
import { type ChannelClock, createChannelClock } from '../../src/watches/channel-clock.ts';
import type { ChannelSettings } from '../../src/watches/channel-settings.ts';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { testMachine } from '../support/machine.ts';
import { PLAIN_LOOKS } from '../support/plain-looks.ts';
import { CHANNEL, TestBot } from '../support/test-bot.ts';

/** A message as a channel got it, or what an edit has made of it. */
export interface Shown {
  readonly kind: 'new' | 'edit';
  readonly id: string;
  readonly body: MessageBody;
  readonly alerts: readonly Alert[];
  readonly atSeconds: number;
}

/** Steps on the way of an alert for a channel that hears later. */
export const KILL_STEPS: readonly Step[] = [
  'poll.stored',
  'later.stored',
  'later.taken_out',
  'later.counted',
  'message.stored',
  'post.begun',
  'post.answered',
  'sent.stored',
  'outbox.cleared',
];

class Killed extends Error {}

interface DelayedBotOptions {
  readonly bounds?: WaitingSize;
  /** Time that an alert waits for what it means for a position, ms; left out: none. */
  readonly awaitingAnswerMs?: (alert: Alert) => number;
}

/** A bot from the poller to what one channel reads, with a disk that outlives it. */
export function openDelayedBot({ bounds, awaitingAnswerMs = () => 0 }: DelayedBotOptions = {}) {
  const bot = new TestBot();
  const shown: Shown[] = [];
  const byNonce = new Map<string, string>();
  let stopping = new AbortController();
  let run = start();
  // An alert that waits is looked at again and again, also by another file's fake clock.
  onTestFinished(() => stopping.abort());

  function start() {
    stopping = new AbortController();
    const { signal } = stopping;
    const { parts } = bot;
    const { store } = parts;
    const alive =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (signal.aborted) throw new Killed('The bot was killed.');
        return work(...args);
      };
    const living = { get: alive(store.get), set: alive(store.set), delete: alive(store.delete) };
    const nowMs = () => bot.nowSeconds * 1000;
    const onFailpoint = (step: Step) => bot.onFailpoint(step);
    const machine = testMachine({ nowMs, monotonicMs: nowMs, onFailpoint });
    const stored = [...bot.disk].map(([key, text]) => [key, JSON.parse(text)] as const);
    const delayedAlerts = delayedAlertKind.open(living);
    for (const [key, document] of stored)
      if (delayedAlerts.holds(key)) delayedAlerts.load(key, document);
    const channelQueues = channelQueuesIn(living, nowMs, stored);
    const clock: ChannelClock = createChannelClock({ ...parts, venueNowMs: nowMs });
    const later = createLater(machine, {
      delayedAlerts,
      outbox: parts.outbox,
      clock,
      registry: parts.registry,
      channelSettings: parts.channelSettings,
      builder: parts.alertBuilder,
      decisions: parts.decisions,
      venueNowMs: nowMs,
      awaitingAnswerMs,
      keysInQueue: (channelId) => keysInQueue(channelQueues.get(channelId)),
      signal,
      ...(bounds && { bounds }),
    });
    // What a start finds.
    for (const [key, document] of stored)
      if (key.startsWith('wallet:')) parts.outbox.load(key, document);
    const composer = createComposer({
      ...parts,
      ...PLAIN_LOOKS,
      clock,
      venueNowMs: nowMs,
    });
    let rendered: readonly Alert[] = [];
    const show = (kind: Shown['kind'], id: string, body: MessageBody) =>
      shown.push({ kind, id, body, alerts: rendered, atSeconds: bot.nowSeconds });
    const messages = createAlertMessages(machine, {
      ...parts,
      ...composer,
      outbox: later,
      clock,
      channelQueues,
      render(channelId, groups, sinceMs) {
        const result = composer.render(channelId, groups, sinceMs);
        rendered = groups.slice(0, result.included).flatMap(({ alerts }) => alerts);
        return result;
      },
      send: alive(async (_channelId: string, { body, nonce }: Outgoing) => {
        const known = byNonce.get(nonce);
        if (known !== undefined) return known;
        const id = `m${byNonce.size + 1}`;
        byNonce.set(nonce, id);
        show('new', id, body);
        return id;
      }),
      edit: alive(async (_channelId: string, id: string, { body }: Omit<Outgoing, 'nonce'>) => {
        show('edit', id, body);
        return nowMs();
      }),
      editedAtMs: alive(async (_channelId: string, id: string) => {
        const edit = shown.findLast((one) => one.id === id && one.kind === 'edit');
        return edit === undefined ? 0 : edit.atSeconds * 1000;
      }),
      post: createPost(machine, { findReferences: async () => new Map() }),
      awaitingAnswerMs,
      onArrived() {},
    });
    later.start();
    return { later, clock, messages, channelQueues };
  }

  return {
    bot,
    shown,
    get later() {
      return run.later;
    },
    get clock() {
      return run.clock;
    },
    get messages() {
      return run.messages;
    },
    isKilled: () => stopping.signal.aborted,
    kill(): never {
      stopping.abort();
      throw new Killed('The bot was killed.');
    },
    /** @param whileStopped changes what is stored, as an update does */
    async restart(whileStopped: () => void = () => {}): Promise<void> {
      stopping.abort();
      await run.later.idle().catch(() => {});
      await bot.idle();
      whileStopped();
      bot.onFailpoint = () => {};
      bot.restart();
      run = start();
    },
    /**
     * Sends what the channel is to get now.
     *
     * @returns ms until there may be more
     */
    async deliver(): Promise<number> {
      for (let idle = 0; ; ) {
        await run.later.idle();
        const step = await run.messages.next(CHANNEL);
        if (typeof step === 'number') {
          idle += 1;
          // A delivery may have moved something.
          if (idle > 1) return step;
          continue;
        }
        idle = 0;
        await step.send();
      }
    },
    /** Sets the channel's delay, as the command does. */
    async setDelay(ms: number | null, settings: Partial<ChannelSettings> = {}): Promise<void> {
      const fromMs = run.clock.nowMs(CHANNEL);
      const delay = ms === null ? null : { ms, fromMs };
      await bot.setChannel(CHANNEL, { ...settings, delay });
    },
  };
}
export type DelayedBot = ReturnType<typeof openDelayedBot>;
