import type { Alert } from '../../../src/alerts/alert.ts';
import type { Reach } from '../../../src/delivery/reach.ts';
import type { MessageBody, Outgoing } from '../../../src/delivery/sender.ts';

/** The current outcome of sending a message to a channel. */
export type ChannelMood = 'open' | 'forbidden' | 'gone';

export type SoakDiscord = ReturnType<typeof createSoakDiscord>;

/** The "past few minutes" during which Discord recognizes a nonce. */
const NONCE_MS = 3 * 60_000;
const HISTORY_LIMIT = 500;
/** Share of messages that arrive although the bot gets an error. */
const LOST_ANSWERS = 0.01;

interface Channel {
  mood: ChannelMood;
  nonces: { readonly nonce: string; readonly atMs: number }[];
  /** Newest last. */
  shown: { readonly messageId: string; readonly alertId: string }[];
  /** Last edits of messages, newest last. */
  edited: { readonly messageId: string; readonly atMs: number }[];
}

/**
 * Creates the part of Discord that delivery uses, with a small memory: faults, nonces and a
 * history.
 */
export function createSoakDiscord(deps: {
  readonly clock: { readonly nowMs: number };
  readonly random: () => number;
  /** Returns the alerts in a message. */
  readonly alertsOf: (body: MessageBody) => readonly Alert[];
  readonly isPoisoned: (alert: Alert) => boolean;
  /** Called when a channel shows a message. */
  readonly onShown: (channelId: string, alerts: readonly Alert[]) => void;
}) {
  const channels = new Map<string, Channel>();
  let messages = 0;
  const channelOf = (channelId: string): Channel => {
    const channel = channels.get(channelId) ?? { mood: 'open', nonces: [], shown: [], edited: [] };
    channels.set(channelId, channel);
    return channel;
  };

  const open = (channelId: string): Channel => {
    const channel = channelOf(channelId);
    if (discord.isDown) throw new TypeError('fetch failed');
    if (channel.mood === 'forbidden') throw apiError('Missing Permissions', 403, 50013);
    if (channel.mood === 'gone') throw apiError('Unknown Channel', 404, 10003);
    return channel;
  };
  const alertsOf = (body: MessageBody) => {
    const alerts = deps.alertsOf(body);
    if (alerts.some(deps.isPoisoned)) throw apiError('Invalid Form Body', 400, 50035);
    return alerts;
  };

  const show = (channelId: string, messageId: string, alerts: readonly Alert[]) => {
    const channel = channelOf(channelId);
    channel.shown = [
      ...channel.shown,
      ...alerts.map(({ id }) => ({ messageId, alertId: id })),
    ].slice(-HISTORY_LIMIT);
    deps.onShown(channelId, alerts);
  };

  const discord = {
    isDown: false,
    /** Returns the gateway's information on whether the channel exists. */
    reachOf: (channelId: string): Reach => ({
      kind: channelOf(channelId).mood === 'gone' ? 'missing' : 'unknown',
      lacks: null,
    }),
    set: (channelId: string, mood: ChannelMood) =>
      void Object.assign(channelOf(channelId), { mood }),
    forget: (channelId: string) => void channels.delete(channelId),
    async send(channelId: string, { body, nonce }: Outgoing): Promise<string> {
      const channel = open(channelId);
      const { nowMs } = deps.clock;
      channel.nonces = channel.nonces.filter(({ atMs }) => nowMs - atMs < NONCE_MS);
      if (channel.nonces.some((known) => known.nonce === nonce)) return 'the same message';
      const alerts = alertsOf(body);
      messages += 1;
      channel.nonces.push({ nonce, atMs: nowMs });
      show(channelId, String(messages), alerts);
      if (deps.random() < LOST_ANSWERS) throw new TypeError('other side closed');
      return String(messages);
    },
    async edit(
      channelId: string,
      messageId: string,
      { body }: Omit<Outgoing, 'nonce'>,
    ): Promise<number> {
      const channel = open(channelId);
      const known = channel.shown
        .filter((shown) => shown.messageId === messageId)
        .map(({ alertId }) => alertId);
      if (known.length === 0) throw apiError('Unknown Message', 404, 10008);
      const alerts = alertsOf(body).filter(({ id }) => !known.includes(id));
      show(channelId, messageId, alerts);
      const { nowMs } = deps.clock;
      const others = channel.edited.filter((edited) => edited.messageId !== messageId);
      channel.edited = [...others, { messageId, atMs: nowMs }].slice(-HISTORY_LIMIT);
      if (deps.random() < LOST_ANSWERS) throw new TypeError('other side closed');
      return nowMs;
    },
    async editedAtMs(channelId: string, messageId: string): Promise<number> {
      return open(channelId).edited.find((edited) => edited.messageId === messageId)?.atMs ?? 0;
    },
    async findReferences(channelId: string, references: readonly string[]) {
      const channel = open(channelId);
      const found = channel.shown.filter(({ alertId }) => references.includes(alertId));
      return new Map(found.map(({ messageId, alertId }) => [alertId, messageId]));
    },
  };
  return discord;
}

function apiError(message: string, status: number, code: number): Error {
  return Object.assign(new Error(message), { status, code });
}
