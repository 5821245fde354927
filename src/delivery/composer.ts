import type { Alert } from '../alerts/alert.ts';
import type { AlertGroup } from '../alerts/alert-group.ts';
import type { Outbox } from '../alerts/outbox.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { ChannelQueueStore } from './channel-queue.ts';
import type { Announced } from './plan/announced.ts';
import type { Cooldowns, CooldownUpdate } from './plan/cooldowns.ts';
import type { Noise } from './plan/mentions.ts';
import type { Plan } from './plan/plan.ts';
import type { Post } from './post.ts';
import type { Outgoing } from './sender.ts';

/** What is decided about alerts, and how they look. */
export interface Composer<Body> {
  /** What of all that waits is announced now, by messages or in those that are there, and what waits on or is dropped. */
  plan(channelId: string, waiting: readonly Alert[], memory: Announced & { readonly cooldowns: Cooldowns }): Plan;
  /**
   * The first of the groups as one message: as many as it holds, at least one. Decides nothing else.
   *
   * @param sentAtMs when the message that is changed was sent, by the venue's clock; left out for a new one
   */
  render(
    channelId: string,
    groups: readonly AlertGroup[],
    sentAtMs?: number,
  ): { readonly body: Body; readonly included: number };
  /** How much noise a message makes, and which cooldowns begin once it has been sent. */
  decideMentions(
    channelId: string,
    included: readonly AlertGroup[],
    ready: readonly AlertGroup[],
    cooldowns: Cooldowns,
  ): { readonly noise: Noise; readonly cooldownUpdate: CooldownUpdate };
  /** Whether the channel wants alerts of the wallet at this moment. */
  isWanted(channelId: string, wallet: WalletAddress): boolean;
  /** Keeps what is known at this moment of alerts that are about to be sent, for their details. Never rejects. */
  keepDetails?(channelId: string, groups: readonly AlertGroup[]): Promise<void>;
}

export interface AlertMessagesDeps<Body> extends Composer<Body> {
  /** @returns the message's id; rejects with discord.js's error */
  readonly send: (channelId: string, message: Outgoing<Body>) => Promise<string>;
  /** Replaces all that a message shows; rejects with discord.js's error */
  readonly edit: (channelId: string, messageId: string, message: Omit<Outgoing<Body>, 'nonce'>) => Promise<void>;
  readonly post: Post;
  readonly outbox: Outbox;
  /** How long an alert waits for what it means for a position, ms; 0 if it does not. */
  readonly holdMs?: (alertId: string) => number;
  readonly channelQueues: ChannelQueueStore;
  /** The venue's clock, epoch milliseconds. */
  readonly venueNowMs: () => number;
  /** Discord has the message with these alerts. */
  readonly onArrived?: (channelId: string, alerts: readonly Alert[]) => void;
}
