import { setImmediate as turn } from 'node:timers/promises';
import { RateLimitError } from 'discord.js';
import { type AlertGroup, type WalletEvent, walletOf } from '../../src/alerts/alert.ts';
import { createDecisions } from '../../src/alerts/decisions.ts';
import type { Outbox } from '../../src/alerts/outbox.ts';
import { createAlertMessages } from '../../src/delivery/alert-messages.ts';
import type { Composer } from '../../src/delivery/messages/compose.ts';
import { marketCooldowns } from '../../src/delivery/plan/cooldowns.ts';
import { decideMentions } from '../../src/delivery/plan/mentions.ts';
import { plan } from '../../src/delivery/plan/plan.ts';
import { createPost } from '../../src/delivery/post.ts';
import { ChannelClosed, type Reach } from '../../src/delivery/reach.ts';
import { createSendGate, type SendGate } from '../../src/delivery/send-gate.ts';
import type { MessageBody, Outgoing } from '../../src/delivery/sender.ts';
import type { DeliveryWorker } from '../../src/delivery/worker.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { DEFAULT_SETTINGS, type WatchSettings } from '../../src/watches/watch-settings.ts';
import { channelQueuesIn } from '../support/channel-queues.ts';
import { deliveryWorkerOf } from '../support/delivery-worker.ts';
import { testMachine } from '../support/machine.ts';
import { testOutbox } from '../support/outbox.ts';
import { undelayed } from '../support/undelayed.ts';

export const NONCE_WINDOW_MS = 3 * 60_000;
const PER_MESSAGE = 3;

/** How the next attempts to send end. */
export type Fate =
  | 'ok'
  | 'lostBefore'
  | 'lostAfter'
  | 'serverError'
  | 'forbidden'
  | 'gone'
  | 'banned'
  | 'proxyPage'
  | 'held'
  | 'limited'
  | 'archived';

/** How long Discord holds an edit back, as once in discord-api-docs #6109. */
export const HELD_MS = 1_163_000;

interface Posted {
  readonly id: string;
  readonly channelId: string;
  readonly nonce: string;
  readonly atMs: number;
  /** What it shows now, and what it showed at first. */
  alerts: readonly string[];
  readonly sentWith: readonly string[];
  /** Times of its changes. */
  readonly editedAtMs: number[];
  isDeleted: boolean;
  readonly roleIds: readonly string[];
  readonly isSilent: boolean;
  /** Of each of its alert groups as it was sent: what earlier messages showed of the purchase. */
  readonly earlierUsdc: readonly (string | undefined)[];
}

/** What a message shows: the ids of its alerts. */
const bodyOf = (groups: readonly AlertGroup[]) => {
  const shown = groups.map(({ alerts, earlierUsdc }) => ({
    ids: alerts.map(({ id }) => id),
    earlierUsdc,
  }));
  return { content: JSON.stringify(shown), embeds: [], components: [], replyTo: null };
};
const shownBy = ({ content = '' }: MessageBody) => {
  const shown: { ids: string[]; earlierUsdc?: string }[] = JSON.parse(content);
  return {
    ids: shown.flatMap(({ ids }) => ids),
    earlierUsdc: shown.map(({ earlierUsdc }) => earlierUsdc),
  };
};

/** Discord as far as delivery can see it, and a disk: both outlive the process. */
export class World {
  nowMs = 1_800_000_000_000;
  readonly disk = new Map<string, string>();
  /** Keys of what was written or deleted on the disk, in order. */
  readonly writes: string[] = [];
  /**
   * Alerts that have been on the disk: a poll whose write did not happen is repeated by the next
   * one.
   */
  readonly written = new Map<string, WalletEvent>();
  readonly posted: Posted[] = [];
  readonly poisoned = new Set<string>();
  readonly settings = new Map<string, WatchSettings>();
  readonly polledAtMs = new Map<WalletAddress, number>();
  /** Channels that want nothing at present. */
  readonly unwanted = new Set<string>();
  /** Hours in which channels hear nothing. */
  isQuietAt: (atMs: number) => boolean = () => false;
  /** Whether messages are edited: not in announcement channels. */
  takesEdits = true;
  /** The venue is read all the time. */
  isPolled = false;
  fates: Fate[] = [];
  /** Messages that Details know of, by `CHANNEL:ALERT`. */
  readonly details = new Map<string, string>();
  /** Discord answers nothing before. */
  answering: Promise<void> = Promise.resolve();
  canReadHistory = true;
  /** What the gateway's cache says of channels; nothing of those that are not in it. */
  readonly reach = new Map<string, Reach>();
  /** Called with what is being stored, before whoever stores it knows that it has been. */
  onWrite: (document: {
    readonly block?: unknown;
    readonly carriedOver?: readonly unknown[];
  }) => void = () => {};
  /** How often somebody has looked into a channel's history. */
  historyReads = 0;
  /** How often somebody has looked at a single message. */
  messageReads = 0;
  sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];

  reachOf(channelId: string): Reach {
    return this.reach.get(channelId) ?? { kind: 'unknown', lacks: null };
  }

  write(key: string, document: unknown): void {
    this.writes.push(key);
    this.disk.set(key, JSON.stringify(document));
    const outbox = (document as { outbox?: { id: string; event: WalletEvent }[] }).outbox ?? [];
    for (const { id, event } of outbox) this.written.set(id, event);
    this.onWrite(document as object);
  }

  delete(key: string): void {
    this.writes.push(key);
    this.disk.delete(key);
  }

  post(channelId: string, { body, nonce, noise }: Outgoing): string {
    const known = this.posted.find(
      (message) => message.nonce === nonce && this.nowMs - message.atMs < NONCE_WINDOW_MS,
    );
    if (known?.isDeleted === true) throw unknownMessage();
    if (known !== undefined) return known.id;
    const id = `m${this.posted.length + 1}`;
    const { ids, earlierUsdc } = shownBy(body);
    const message = {
      id,
      channelId,
      nonce,
      atMs: this.nowMs,
      alerts: ids,
      sentWith: ids,
      ...noise,
    };
    this.posted.push({ ...message, earlierUsdc, editedAtMs: [], isDeleted: false });
    return id;
  }

  edit(channelId: string, messageId: string, { body }: Omit<Outgoing, 'nonce'>): number {
    const message = this.posted.find(({ id }) => id === messageId);
    if (message?.channelId !== channelId || message.isDeleted) throw unknownMessage();
    message.alerts = shownBy(body).ids;
    message.editedAtMs.push(this.nowMs);
    return this.nowMs;
  }

  /** When the message was changed last; 0: never. */
  editedAtMs(messageId: string): number | null {
    this.messageReads += 1;
    const message = this.posted.find(({ id }) => id === messageId);
    if (!this.canReadHistory) return null;
    if (message === undefined || message.isDeleted) throw unknownMessage();
    return message.editedAtMs.at(-1) ?? 0;
  }

  settingsIn(channelId: string): (wallet: WalletAddress) => WatchSettings {
    return (wallet) => this.settings.get(`${channelId}:${wallet}`) ?? DEFAULT_SETTINGS;
  }
}

function unknownMessage(): Error {
  return Object.assign(new Error('Unknown Message'), { status: 404, code: 10008 });
}

function limited(method: string, retryAfter: number): RateLimitError {
  const limit = {
    limit: 5,
    majorParameter: '',
    hash: '',
    url: '',
    route: '',
    scope: 'shared',
  } as const;
  const times = { retryAfter, timeToReset: 0, sublimitTimeout: retryAfter };
  return new RateLimitError({ ...limit, ...times, method, global: false });
}

/** Plans as the bot does; a message is the ids of what it shows. */
function composerOf(world: World): Omit<Composer, 'filteredAlone'> {
  return {
    isWanted: (channelId) => !world.unwanted.has(channelId),
    shownIn: async (_channelId, _wallet, records) => records.map(() => false),
    keepDetails: (channelId, groups) => async (messageId) => {
      if (messageId === null) return;
      for (const { id } of groups.flatMap(({ alerts }) => alerts))
        world.details.set(`${channelId}:${id}`, messageId);
    },
    takesEdits: () => world.takesEdits,
    plan: (channelId, waiting, { cooldowns, announced, growing }) =>
      plan(waiting, {
        nowMs: world.nowMs,
        settingsOf: (wallet) =>
          world.unwanted.has(channelId) ? undefined : world.settingsIn(channelId)(wallet),
        polledAtMs: (wallet) =>
          world.isPolled ? world.nowMs : (world.polledAtMs.get(wallet) ?? null),
        cooldowns,
        announced,
        growing,
        takesEdits: world.takesEdits,
        isUnannounced: () => false,
        catchUpAfterMs: Number.POSITIVE_INFINITY,
        leftOut: [],
        isCompact: false,
        isQuietAt: world.isQuietAt,
      }),
    decideMentions(channelId, included, ready, { cooldowns, announced }) {
      const settingsOf = world.settingsIn(channelId);
      const { noise, mentioned } = decideMentions(included, {
        nowMs: world.nowMs,
        settingsOf,
        cooldowns,
        announced,
        isQuietAt: world.isQuietAt,
      });
      const markets = marketCooldowns(included, ready, (group: AlertGroup) =>
        settingsOf(walletOf(group)),
      );
      return { noise, cooldownUpdate: { markets, mentions: mentioned } };
    },
    isQuiet: () => world.isQuietAt(world.nowMs),
    render(_channelId, groups) {
      const taken = groups.slice(0, PER_MESSAGE);
      return { body: bodyOf(taken), included: taken.length };
    },
  };
}

/** One run of the program, until it is killed: after that nothing of it has an effect any more. */
export class Run {
  isAlive = true;
  stepsToLive: number;
  readonly outbox: Outbox;
  readonly deliveryWorker: DeliveryWorker;
  readonly gate: SendGate;
  readonly #world: World;

  constructor(world: World, stepsToLive = Number.POSITIVE_INFINITY) {
    this.#world = world;
    this.stepsToLive = stepsToLive;
    const store = {
      get: (key: string) => this.step(() => JSON.parse(world.disk.get(key) ?? 'null') ?? undefined),
      set: (key: string, document: unknown) => this.step(() => world.write(key, document)),
      delete: (key: string) => this.step(() => world.delete(key)),
    };
    this.outbox = testOutbox(store);
    const channelQueues = channelQueuesIn(
      store,
      () => world.nowMs,
      [...world.disk].map(([key, document]) => [key, JSON.parse(document)] as const),
    );
    for (const [key, document] of world.disk) {
      if (key.startsWith('wallet:')) this.outbox.load(key, JSON.parse(document));
    }
    const sleep = (delayMs: number, signal: AbortSignal) =>
      delayMs <= 0 ? Promise.resolve() : this.sleep(delayMs, signal);
    const nowMs = () => world.nowMs;
    const machine = testMachine({ nowMs, monotonicMs: nowMs, sleep, random: () => 0.5 });
    this.gate = createSendGate(machine);
    const findReferences = (channelId: string, references: readonly string[]) =>
      this.step(() => {
        world.historyReads += 1;
        if (!world.canReadHistory) return null;
        // As in the compact view: a message shows the reference of its very first alert alone.
        const shown = world.posted.filter(
          (message) => message.channelId === channelId && !message.isDeleted,
        );
        const ids = new Map(shown.map(({ id, alerts: [first = ''] }) => [first, id]));
        return new Map(
          references.flatMap((reference) => [...ids].filter(([first]) => first === reference)),
        );
      });
    const alertMessages = createAlertMessages(machine, {
      ...composerOf(world),
      send: (channelId, message) =>
        this.request(channelId, shownBy(message.body).ids, () => world.post(channelId, message)),
      edit: (channelId, messageId, message) =>
        this.request(channelId, shownBy(message.body).ids, () =>
          world.edit(channelId, messageId, message),
        ),
      editedAtMs: (_channelId, messageId) => this.step(() => world.editedAtMs(messageId)),
      post: createPost(machine, { findReferences }),
      ...undelayed(this.outbox, nowMs),
      decisions: createDecisions(() => ''),
      channelQueues,
      awaitingAnswerMs: () => 0,
      onArrived() {},
    });
    this.deliveryWorker = deliveryWorkerOf(machine, {
      sources: [alertMessages],
      channelQueues,
      gate: this.gate,
      reachOf: (channelId) => world.reachOf(channelId),
    });
    this.outbox.listen((channelIds) => channelIds.forEach(this.deliveryWorker.reconsider));
    this.deliveryWorker.start();
  }

  /**
   * Every effect on the world is a step; the last one that a run may take is the last that happens.
   */
  async step<Result>(effect: () => Result): Promise<Result> {
    await turn();
    if (!this.isAlive) return new Promise(() => {});
    this.stepsToLive -= 1;
    const result = effect();
    if (this.stepsToLive <= 0) this.isAlive = false;
    return this.isAlive ? result : new Promise(() => {});
  }

  async request<Result>(
    channelId: string,
    alerts: readonly string[],
    effect: () => Result,
  ): Promise<Result> {
    // As the bot's REST does right before a request.
    const { kind, lacks } = this.#world.reachOf(channelId);
    if (kind === 'closed') throw new ChannelClosed(channelId, lacks);
    const fate = this.#world.fates.shift() ?? 'ok';
    const isPoisoned = alerts.some((id) => this.#world.poisoned.has(id));
    await this.#world.answering;
    return this.step(() => {
      if (fate === 'lostBefore') throw new TypeError('fetch failed');
      if (fate === 'serverError')
        throw Object.assign(new Error('Internal Server Error'), { status: 500 });
      if (fate === 'forbidden')
        throw Object.assign(new Error('Missing Permissions'), { status: 403, code: 50013 });
      if (fate === 'gone')
        throw Object.assign(new Error('Unknown Channel'), { status: 404, code: 10003 });
      // Cloudflare's and a proxy's pages carry no code of Discord's.
      if (fate === 'banned')
        throw Object.assign(new Error('No Description'), { status: 403, code: undefined });
      if (fate === 'proxyPage')
        throw Object.assign(new Error('No Description'), { status: 405, code: undefined });
      if (fate === 'held') throw limited('PATCH', HELD_MS);
      if (fate === 'limited') throw limited('POST', 20_000);
      if (fate === 'archived') {
        throw Object.assign(new Error('Thread is archived'), {
          status: 400,
          code: 50083,
          method: 'PATCH',
        });
      }
      if (isPoisoned)
        throw Object.assign(new Error('Invalid Form Body'), { status: 400, code: 50035 });
      const result = effect();
      if (fate === 'lostAfter') throw new TypeError('other side closed');
      return result;
    });
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    const world = this.#world;
    // One that probes for others and never hears of it would have them wait again and again.
    if (!this.isAlive) return new Promise(() => {});
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        world.sleepers = world.sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      const sleeper = { atMs: world.nowMs + delayMs, wake };
      world.sleepers.push(sleeper);
      signal.addEventListener('abort', wake);
    });
  }
}

/**
 * Lets the time pass that everybody waits for, up to a limit; without one until nobody waits any
 * more.
 */
export async function settle(world: World, limitMs = Number.POSITIVE_INFINITY): Promise<void> {
  const endMs = world.nowMs + limitMs;
  for (let quiet = 0; quiet < 60; quiet += 1) {
    await turn();
    const [next] = world.sleepers.sort((a, b) => a.atMs - b.atMs);
    if (next === undefined || next.atMs > endMs || quiet < 20) continue;
    world.sleepers = world.sleepers.filter((sleeper) => sleeper !== next);
    world.nowMs = Math.max(world.nowMs, next.atMs);
    next.wake();
    quiet = 0;
  }
  if (Number.isFinite(endMs)) world.nowMs = endMs;
}
