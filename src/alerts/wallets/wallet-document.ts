import * as z from 'zod';
import {
  ENDPOINT_NAMES,
  type EndpointName,
  readActivityItemSchema,
  transferItemSchema,
} from '../../domain/records.ts';
import type { TradeContext } from '../../portfolio/trade-context.ts';
import { knowledgeSchema, type WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { FilteredRecord } from '../decisions.ts';
import { detectionStateSchema } from '../detect.ts';
import { eventSchema } from '../kinds/kinds.ts';
import { forReceiversSchema } from './receiver-alerts.ts';
import { runsByChannelSchema } from './runs.ts';

export const WALLET_PREFIX = 'wallet:';
/**
 * Time during which committed alerts are kept for watches that are just beginning, in ms. Longer
 * than any command takes.
 */
export const RECENT_MS = 120_000;
/**
 * Maximum number of a wallet's alerts waiting for one channel. Beyond it, a notice replaces the
 * older half.
 */
export const OUTBOX_LIMIT = 1_000;

export const storedAlertSchema = z.object({
  id: z.string(),
  event: eventSchema,
  seenAtMs: z.number(),
  channels: z.array(z.string()).readonly(),
  /** The delayed channels among these; the alert is still to be moved to their documents. */
  delayed: z.array(z.string()).readonly().exactOptional(),
});

/** An event with the channels that want it and have not received it yet. */
export type NewAlert = Readonly<z.infer<typeof storedAlertSchema>>;

/** Returns the alert with only the channels that are to stay. */
export function onlyFor(alert: NewAlert, stays: (channelId: string) => boolean): NewAlert {
  const channels = alert.channels.filter(stays);
  const delayed = new Set(alert.delayed);
  return markedDelayed({ ...alert, channels }, (channelId) => delayed.has(channelId));
}

/** Returns the alert with its delayed channels marked. */
export function markedDelayed(
  { delayed: _, ...alert }: NewAlert,
  isLater: (channelId: string) => boolean,
): NewAlert {
  const delayed = alert.channels.filter(isLater);
  return delayed.length === 0 ? alert : { ...alert, delayed };
}

/** Channels of alerts, by alert id. */
export type ChannelsById = ReadonlyMap<string, ReadonlySet<string>>;

export function channelsById(alerts: readonly Pick<NewAlert, 'id' | 'channels'>[]): ChannelsById {
  const byId = new Map<string, Set<string>>();
  for (const { id, channels } of alerts) {
    const ofAlert = byId.get(id) ?? new Set();
    byId.set(id, ofAlert);
    for (const channelId of channels) ofAlert.add(channelId);
  }
  return byId;
}

/**
 * Returns waiting alerts without some of their channels, and without alerts that have no channel
 * left; an alert that loses none is the same object. Only the channels of these alerts are checked,
 * because a thousand may wait for each.
 */
export function withoutChannels(waiting: readonly NewAlert[], gone: ChannelsById): NewAlert[] {
  return waiting.flatMap((alert) => {
    const channels = gone.get(alert.id);
    if (channels === undefined || !alert.channels.some((id) => channels.has(id))) return [alert];
    const left = onlyFor(alert, (channelId) => !channels.has(channelId));
    return left.channels.length === 0 ? [] : [left];
  });
}

const endpointSchema = <Item>(itemSchema: z.ZodType<Item>) =>
  z.object({ detectionState: detectionStateSchema(itemSchema), pollId: z.number() });
export type StoredEndpoint<Item> = z.infer<ReturnType<typeof endpointSchema<Item>>>;

/**
 * Schemas of the stored parts of a state, by name. Null if the endpoint's stored data was
 * unreadable.
 */
export const stateSchemas = {
  activity: endpointSchema(readActivityItemSchema).nullable(),
  'deposits-withdrawals': endpointSchema(transferItemSchema).nullable(),
  knowledge: knowledgeSchema.extend({ alertedPositions: runsByChannelSchema }),
  forReceivers: forReceiversSchema,
} satisfies Readonly<Record<EndpointName | 'knowledge' | 'forReceivers', z.ZodType>>;

type StoredState = {
  readonly [Name in keyof typeof stateSchemas]?: z.infer<(typeof stateSchemas)[Name]>;
};

/** Position up to which a wallet has been read, and everything known about it. */
export interface WalletState extends Omit<StoredState, 'knowledge'> {
  readonly knowledge?: WalletKnowledge;
}

/** All stored data of a wallet, assembled from its own document and those of its channels. */
export interface WalletDocument {
  readonly state: WalletState;
  readonly outbox: readonly NewAlert[];
}

/** A wallet's own document in its stored form. A page's changes are one write of it. */
export interface StoredWallet {
  readonly state: StoredState;
  readonly outbox: readonly NewAlert[];
  /** Number of times it has been written. Channels' documents with the same number complete it. */
  readonly revision: number;
}

/** Change to a wallet's document that a page, an answer or a delivery brings. */
export interface Change {
  readonly state: WalletState;
  readonly alerts: readonly NewAlert[];
  /** Contexts of trades and redemptions waiting in the outbox, by alert id. */
  readonly contexts?: ReadonlyMap<string, TradeContext> | undefined;
  /** Records that channels get no alert for, used by `/watch why`; not stored. */
  readonly filtered?: readonly FilteredRecord[] | undefined;
}

/** A document in which parts and single alerts may be unreadable. */
export const looseDocumentSchema = z.object({
  state: z.record(z.string(), z.unknown()),
  outbox: z.array(z.unknown()),
  revision: z.int().min(0).default(0),
});

/**
 * Reads a stored document.
 * @returns null if it is not a wallet's document. Otherwise the document without its unreadable
 *   alerts and parts, the unreadable alerts, the reason for each unreadable part by name, and
 *   `toQuarantine`: the data to quarantine, each with the suffix of its key
 */
export function readWalletDocument(stored: unknown) {
  const parsed = looseDocumentSchema.safeParse(stored);
  if (!parsed.success) return null;
  const faults = new Map<string, string>();
  const toQuarantine: (readonly [ending: string, part: unknown])[] = [];
  const state: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parsed.data.state)) {
    const schema = Object.hasOwn(stateSchemas, name)
      ? stateSchemas[name as keyof WalletState]
      : z.never();
    const read = schema.safeParse(part);
    if (read.success) {
      state[name] = read.data;
      continue;
    }
    faults.set(name, z.prettifyError(read.error).slice(0, 300));
    const isEndpoint = ENDPOINT_NAMES.some((endpoint) => endpoint === name);
    // An endpoint that counted as never polled would announce everything again.
    if (isEndpoint) state[name] = null;
    if (isEndpoint || name === 'forReceivers') toQuarantine.push([`:${name}`, part]);
  }
  const alerts = parsed.data.outbox.map((alert) => storedAlertSchema.safeParse(alert).data);
  const unreadableAlerts = parsed.data.outbox.filter((_, index) => alerts[index] === undefined);
  if (unreadableAlerts.length > 0) toQuarantine.push([':outbox', unreadableAlerts]);
  const document: StoredWallet = {
    state,
    outbox: alerts.filter((alert) => alert !== undefined),
    revision: parsed.data.revision,
  };
  return { document, unreadableAlerts, faults, toQuarantine };
}
