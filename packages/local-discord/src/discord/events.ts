import { EventEmitter } from 'node:events';
import type { Component } from './forms/components.ts';
import type { Pings, Wire } from './model.ts';
import type { FormError } from './refusal.ts';

export interface SeenAttachment {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly description: string | null;
  /** Signed address on the fake's CDN; expires like Discord's own. */
  readonly url: string;
  readonly data: Uint8Array;
}

/** An embed as displayed: `attachment://` is already replaced by an address that can be loaded. */
export interface SeenEmbed {
  readonly title: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly timestamp: string | null;
  readonly color: number | null;
  readonly footer: { readonly text: string; readonly iconUrl: string | null } | null;
  readonly imageUrl: string | null;
  readonly thumbnailUrl: string | null;
  readonly author: {
    readonly name: string;
    readonly url: string | null;
    readonly iconUrl: string | null;
  } | null;
  readonly fields: readonly {
    readonly name: string;
    readonly value: string;
    readonly inline: boolean;
  }[];
}

/** A message as a person in the channel sees it at one moment. */
export interface SeenMessage {
  readonly id: string;
  readonly channelId: string;
  readonly guildId: string | null;
  readonly author: { readonly id: string; readonly name: string; readonly bot: boolean };
  readonly content: string;
  readonly embeds: readonly SeenEmbed[];
  readonly components: readonly Component[];
  readonly attachments: readonly SeenAttachment[];
  readonly flags: number;
  /** "The bot is thinking…" */
  readonly thinking: boolean;
  /** The only person who sees it; null if everyone does. */
  readonly ephemeralFor: string | null;
  /** Sent without a sound (SUPPRESS_NOTIFICATIONS). */
  readonly silent: boolean;
  readonly pings: Pings;
  readonly createdAtMs: number;
  /** Null if never edited. */
  readonly editedAtMs: number | null;
  readonly nonce: string | number | null;
  readonly replyToId: string | null;
  readonly interactionId: string | null;
  readonly deleted: boolean;
  /** The message object of the API. */
  readonly raw: Wire;
}

/** A request or packet that Discord would have rejected. */
export interface Rejection {
  readonly atMs: number;
  readonly source: 'rest' | 'gateway' | 'interaction';
  /** `POST /channels/123/messages`, `IDENTIFY`, or the interaction's name. */
  readonly route: string;
  /** HTTP status, or the gateway's close code. */
  readonly status: number;
  /** Discord's JSON error code; 0 if there is none. */
  readonly code: number;
  readonly reason: string;
  readonly formErrors: readonly FormError[];
  /** Whether the test injected this fault, as opposed to a mistake of the client. */
  readonly injected: boolean;
}

/** A request that Discord accepts but that probably doesn't do what was meant. */
export interface Warning {
  readonly atMs: number;
  readonly route: string;
  readonly reason: string;
}

export interface RequestSeen {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  /** The path with ids replaced by names, e.g. `/channels/:channel/messages`. */
  readonly pattern: string;
  /** 0 if the connection was cut before a response. */
  readonly status: number;
}

export interface InteractionSeen {
  readonly id: string;
  /** 2 command, 3 component, 4 autocomplete, 5 modal submit. */
  readonly type: number;
  readonly userId: string;
  readonly channelId: string;
  /** The typed command without its options, or the custom id of the component or modal. */
  readonly name: string;
  readonly state: 'waiting' | 'acknowledged' | 'failed';
}

export interface GatewaySeen {
  readonly kind: 'connected' | 'identified' | 'resumed' | 'closed';
  readonly sessionId: string | null;
  /** The close code if `kind` is `closed`. */
  readonly closeCode: number | null;
}

export interface CommandsSeen {
  readonly names: readonly string[];
  readonly unchanged: boolean;
}

/** All events that the fake Discord emits, for tests and for the page. */
export interface FakeDiscordEvents {
  message: [SeenMessage];
  edit: [SeenMessage];
  delete: [SeenMessage];
  interaction: [InteractionSeen];
  rejected: [Rejection];
  warning: [Warning];
  request: [RequestSeen];
  gateway: [GatewaySeen];
  commands: [CommandsSeen];
  /** Servers, channels, roles, members or permissions have changed. */
  world: [{ readonly guildId: string | null }];
}

export type Events = EventEmitter<FakeDiscordEvents>;

export function createEvents(): Events {
  const events: Events = new EventEmitter<FakeDiscordEvents>();
  events.setMaxListeners(0);
  return events;
}
