import * as z from 'zod';
import {
  ENDPOINT_NAMES,
  type EndpointName,
  readActivityItemSchema,
  transferItemSchema,
} from '../../domain/records.ts';
import type { TradeContext } from '../../portfolio/trade-context.ts';
import { knowledgeSchema, type WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { HeldRecord } from '../decisions.ts';
import { detectionStateSchema } from '../detect.ts';
import { eventSchema } from '../kinds/kinds.ts';
import { handedOnSchema } from './handed-on.ts';
import { runsByChannelSchema } from './runs.ts';

export const WALLET_PREFIX = 'wallet:';
/**
 * Time for which committed alerts are kept for watches that begin meanwhile: longer than any
 * command takes.
 */
export const RECENT_MS = 120_000;
/** Alerts of a wallet that wait for one channel. Beyond it the older half becomes a notice. */
export const OUTBOX_LIMIT = 1_000;

export const storedAlertSchema = z.object({
  id: z.string(),
  event: eventSchema,
  seenAtMs: z.number(),
  channels: z.array(z.string()).readonly(),
  /** The delayed ones of the channels: it is on its way to their documents. */
  delayed: z.array(z.string()).readonly().exactOptional(),
});

/** An event and the channels that want it and have not got it yet. */
export type NewAlert = Readonly<z.infer<typeof storedAlertSchema>>;

/** The alert for those of its channels that are to stay. */
export function onlyFor(alert: NewAlert, stays: (channelId: string) => boolean): NewAlert {
  const channels = alert.channels.filter(stays);
  const delayed = new Set(alert.delayed);
  return markedDelayed({ ...alert, channels }, (channelId) => delayed.has(channelId));
}

/** The alert with its delayed channels marked. */
export function markedDelayed(
  { delayed: _, ...alert }: NewAlert,
  isLater: (channelId: string) => boolean,
): NewAlert {
  const delayed = alert.channels.filter(isLater);
  return delayed.length === 0 ? alert : { ...alert, delayed };
}

/** Channels of alerts, by the alerts' ids. */
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
 * Returns alerts that wait without some of their channels; what has no channel left goes. Looks at
 * the channels of those alerts alone, because a thousand may wait for each.
 */
export function withoutChannels(waiting: readonly NewAlert[], gone: ChannelsById): NewAlert[] {
  return waiting.flatMap((alert) => {
    const channels = gone.get(alert.id);
    if (channels === undefined) return [alert];
    const left = onlyFor(alert, (channelId) => !channels.has(channelId));
    return left.channels.length === 0 ? [] : [left];
  });
}

const endpointSchema = <Item>(itemSchema: z.ZodType<Item>) =>
  z.object({ detectionState: detectionStateSchema(itemSchema), pollId: z.number() });
export type StoredEndpoint<Item> = z.infer<ReturnType<typeof endpointSchema<Item>>>;

/**
 * The parts of a state, by their names, as they are stored. Null: what was kept of the endpoint
 * could not be read.
 */
export const stateSchemas = {
  activity: endpointSchema(readActivityItemSchema).nullable(),
  'deposits-withdrawals': endpointSchema(transferItemSchema).nullable(),
  knowledge: knowledgeSchema.extend({ alertedPositions: runsByChannelSchema }),
  forReceivers: handedOnSchema,
} satisfies Readonly<Record<EndpointName | 'knowledge' | 'forReceivers', z.ZodType>>;

type StoredState = {
  readonly [Name in keyof typeof stateSchemas]?: z.infer<(typeof stateSchemas)[Name]>;
};

/** Position up to which a wallet has been read, and all that is known of it. */
export interface WalletState extends Omit<StoredState, 'knowledge'> {
  readonly knowledge?: WalletKnowledge;
}

/** All that is kept of a wallet, put together of its own document and those of its channels. */
export interface WalletDocument {
  readonly state: WalletState;
  readonly outbox: readonly NewAlert[];
}

/** A wallet's document as it is stored. What a page changes is one write of it. */
export interface StoredWallet {
  readonly state: StoredState;
  readonly outbox: readonly NewAlert[];
  /** Count of its writes: documents of channels that name it complete it. */
  readonly revision: number;
}

/** Change of a wallet's document that comes with a page, an answer or a delivery. */
export interface Change {
  readonly state: WalletState;
  readonly alerts: readonly NewAlert[];
  /** Meanings of trades and redemptions that wait in the outbox, by the ids of their alerts. */
  readonly contexts?: ReadonlyMap<string, TradeContext> | undefined;
  /** Records of which channels get no alert, for `/watch why`; not stored. */
  readonly held?: readonly HeldRecord[] | undefined;
}

/** A document of which parts and single alerts may be unreadable. */
export const looseDocumentSchema = z.object({
  state: z.record(z.string(), z.unknown()),
  outbox: z.array(z.unknown()),
  revision: z.int().min(0).default(0),
});

/**
 * Reads a stored document.
 *
 * @returns null if it is no wallet's document; else it without alerts and parts of the state that
 *   cannot be read, those alerts, why parts cannot be read, by their names, and `aside`: what is to
 *   be put aside, with what its key has beyond the document's
 */
export function readWalletDocument(stored: unknown) {
  const parsed = looseDocumentSchema.safeParse(stored);
  if (!parsed.success) return null;
  const faults = new Map<string, string>();
  const aside: (readonly [ending: string, part: unknown])[] = [];
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
    // As one that has not been polled it would announce everything again.
    if (isEndpoint) state[name] = null;
    if (isEndpoint || name === 'forReceivers') aside.push([`:${name}`, part]);
  }
  const alerts = parsed.data.outbox.map((alert) => storedAlertSchema.safeParse(alert).data);
  const unreadableAlerts = parsed.data.outbox.filter((_, index) => alerts[index] === undefined);
  if (unreadableAlerts.length > 0) aside.push([':outbox', unreadableAlerts]);
  const document: StoredWallet = {
    state,
    outbox: alerts.filter((alert) => alert !== undefined),
    revision: parsed.data.revision,
  };
  return { document, unreadableAlerts, faults, aside };
}
