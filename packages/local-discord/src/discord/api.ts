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
  /** The only accepted bot token. */
  readonly token: string;
  /** Returns epoch milliseconds. */
  readonly now?: () => number;
  /** Returns a new unique string for session ids and interaction tokens; random hex by default. */
  readonly newSecret?: () => string;
  readonly log?: Logger;
  /** Time limit of the first response to an interaction; default: Discord's 3 s. */
  readonly ackMs?: number;
  /** Limit across all routes except the interaction routes; default: Discord's 50 per second. */
  readonly globalLimit?: RateRule;
  readonly rateLimits?: Partial<Record<BucketName, RateRule>>;
  /** Replies and follow-ups per minute and channel, a limit that no header shows; default: 30. */
  readonly webhookMinuteLimit?: number;
  /**
   * Number of 401, 403 and 429 responses within ten minutes before the address is banned; default:
   * Discord's 10,000.
   */
  readonly invalidRequestLimit?: number;
  readonly missingEmbedLinks?: 'empty' | 'forbidden';
  /**
   * Whether the bot may send direct messages to people who have installed it but share no server
   * with it. Discord doesn't document this; default: false.
   */
  readonly installsOpenDms?: boolean;
  readonly gateway?: Partial<GatewayOptions>;
}

export interface Faults extends RestFaults, GatewayFaults {
  /** Simulates an outage: cuts all connections, and new ones too, until it is switched off. */
  outage(on: boolean): void;
}

/**
 * A local Discord: REST and gateway on loopback, simulated people, and a record of everything that
 * happened.
 */
export interface FakeDiscord extends Omit<World, 'bot'>, People {
  /** REST root URL for the bot, e.g. `http://127.0.0.1:4000/api`. */
  readonly apiUrl: string;
  readonly gatewayUrl: string;
  readonly bot: { readonly id: string; readonly applicationId: string; readonly name: string };
  readonly events: Events;
  readonly faults: Faults;
  /** Everything that was rejected, including injected faults (`injected`). */
  readonly rejections: readonly Rejection[];
  /** Requests that were accepted but probably don't do what was meant. */
  readonly warnings: readonly Warning[];
  readonly commandCounts: CommandCounts;
  /** Number of 401, 403 and 429 responses that count towards a ban. */
  readonly invalidRequests: number;
  /** Number of gateway connections that have identified or resumed. */
  readonly connections: number;
  /** Shards of these connections, as `[number, count]`. */
  readonly shards: readonly (readonly [number, number])[];
  /** Returns the registered commands. */
  commands(): Command[];
  /** Sets an administrator's exceptions for a command: people who may or may not use it. */
  setCommandExceptions(
    guildId: string,
    commandId: string,
    exceptions: readonly CommandException[],
  ): void;
  /**
   * Returns the messages that everyone sees in a channel, oldest first. With `as`, it includes that
   * person's ephemeral messages; with `all`, everyone's.
   */
  messages(channelId: string, view?: { as: string } | 'all'): SeenMessage[];
  message(messageId: string): SeenMessage | undefined;
  deleteMessage(messageId: string): void;
  /**
   * Resolves with the first message that satisfies the predicate, whether present, new or edited.
   */
  waitForMessage(
    channelId: string,
    predicate?: (message: SeenMessage) => boolean,
    timeoutMs?: number,
  ): Promise<SeenMessage>;
  /** Revokes the token: REST answers 401, and the gateway closes with 4004. */
  revokeToken(): void;
  /** Accepts a token again, the old one by default. */
  restoreToken(token?: string): void;
  close(): Promise<void>;
}
