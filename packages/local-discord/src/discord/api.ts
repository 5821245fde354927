import type { Logger } from 'pino';
import type { Command, CommandCounts } from './commands.ts';
import type { Events, Rejection, SeenMessage, Warning } from './events.ts';
import type { RestFaults } from './faults.ts';
import type { GatewayFaults } from './gateway/gateway.ts';
import type { GatewayOptions } from './gateway/state.ts';
import type { CommandException } from './people/access.ts';
import type { People } from './people/people.ts';
import type { BucketName, RateRule } from './rest/ratelimit.ts';
import type { World } from './world/world.ts';

export interface DiscordOptions {
  /** 0 picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** The only bot token that is accepted. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Makes session ids and interaction tokens, each once; random hex by default. */
  readonly newSecret?: () => string;
  readonly log?: Logger;
  /** Time for the first answer to an interaction; the default is Discord's 3 s. */
  readonly ackMs?: number;
  /** Over all routes but the interaction ones; the default is Discord's 50 a second. */
  readonly globalLimit?: RateRule;
  readonly rateLimits?: Partial<Record<BucketName, RateRule>>;
  /** Replies and follow-ups per minute and channel, which no header shows; the default is 30. */
  readonly webhookMinuteLimit?: number;
  /**
   * 401, 403 and 429 within ten minutes before the address is shut out; the default is Discord's
   * 10,000.
   */
  readonly invalidRequestLimit?: number;
  readonly missingEmbedLinks?: 'empty' | 'forbidden';
  /**
   * Whether the bot may write to people who have installed it and are in none of its servers:
   * Discord does not say; no if left out.
   */
  readonly installsOpenDms?: boolean;
  readonly gateway?: Partial<GatewayOptions>;
}

export interface Faults extends RestFaults, GatewayFaults {
  /** Discord is gone: connections are cut and new ones too, until it is switched off again. */
  outage(on: boolean): void;
}

/**
 * A Discord of one's own: REST and gateway on loopback, people who act, and everything that
 * happened.
 */
export interface FakeDiscord extends Omit<World, 'bot'>, People {
  /** REST root for the bot, e.g. `http://127.0.0.1:4000/api`. */
  readonly apiUrl: string;
  readonly gatewayUrl: string;
  readonly bot: { readonly id: string; readonly applicationId: string; readonly name: string };
  readonly events: Events;
  readonly faults: Faults;
  /** All that was refused, injected faults included (`injected`). */
  readonly rejections: readonly Rejection[];
  /** What was accepted, but hardly does what was meant. */
  readonly warnings: readonly Warning[];
  readonly commandCounts: CommandCounts;
  /** 401, 403 and 429 answers that count towards a ban. */
  readonly invalidRequests: number;
  /** Gateway connections that have identified or resumed. */
  readonly connections: number;
  /** Shards of these connections, as `[number, count]`. */
  readonly shards: readonly (readonly [number, number])[];
  /** Registered commands. */
  commands(): Command[];
  /** An administrator's exceptions for a command: people who may use it, or may not. */
  setCommandExceptions(
    guildId: string,
    commandId: string,
    exceptions: readonly CommandException[],
  ): void;
  /**
   * What everybody sees in a channel, oldest first; with `as` also that person's ephemeral
   * messages, `all`: everybody's.
   */
  messages(channelId: string, view?: { as: string } | 'all'): SeenMessage[];
  message(messageId: string): SeenMessage | undefined;
  deleteMessage(messageId: string): void;
  /** The first message, present, to come or edited, that satisfies the predicate. */
  waitForMessage(
    channelId: string,
    predicate?: (message: SeenMessage) => boolean,
    timeoutMs?: number,
  ): Promise<SeenMessage>;
  /** The token stops working: 401, and the gateway closes with 4004. */
  revokeToken(): void;
  /** Accepts a token again, the old one by default. */
  restoreToken(token?: string): void;
  close(): Promise<void>;
}
