import * as z from 'zod';
import {
  type ActivityItem,
  ENDPOINT_NAMES,
  readActivityItemSchema,
  type TransferItem,
  transferItemSchema,
} from '../domain/records.ts';
import type { Committed } from '../feed/interface.ts';
import type { TradeContext } from '../portfolio/trade-context.ts';
import { knowledgeSchema, type WalletKnowledge } from '../portfolio/wallet-knowledge.ts';
import { type DetectionState, detectionStateSchema } from './detect.ts';
import { eventSchema } from './kinds/kinds.ts';

export const WALLET_PREFIX = 'wallet:';

export const storedAlertSchema = z.object({
  id: z.string(),
  event: eventSchema,
  seenAtMs: z.number(),
  channels: z.array(z.string()).readonly(),
});

/** An event and the channels that want it and have not got it yet. */
export type NewAlert = Readonly<z.infer<typeof storedAlertSchema>>;

/** What is kept of an endpoint: what pages have shown, and the pollId of the last one. */
export interface StoredEndpoint<Item> {
  readonly state: DetectionState<Item>;
  readonly pollId: number;
}

const endpointSchema = <Item>(itemSchema: z.ZodType<Item>): z.ZodType<StoredEndpoint<Item>> =>
  z.object({ state: detectionStateSchema(itemSchema), pollId: z.number() });

/** A part of a document that cannot be read, as it was stored, until it is put aside. */
export class Unreadable {
  readonly stored: unknown;
  constructor(stored: unknown) {
    this.stored = stored;
  }
  toJSON(): unknown {
    return this.stored;
  }
}

/** How far a wallet has been read, and what is known of it. */
export interface WalletState {
  readonly activity?: StoredEndpoint<ActivityItem> | Unreadable;
  readonly 'deposits-withdrawals'?: StoredEndpoint<TransferItem> | Unreadable;
  readonly knowledge?: WalletKnowledge;
}

/** The parts of a state, by their names. */
export const stateSchemas = {
  activity: endpointSchema(readActivityItemSchema),
  'deposits-withdrawals': endpointSchema(transferItemSchema),
  knowledge: knowledgeSchema,
} satisfies Record<keyof WalletState, z.ZodType>;

/** All that is kept of a wallet, in one document: so it changes in one write. */
export interface WalletDocument {
  readonly version: 1;
  readonly poll: WalletState;
  readonly outbox: readonly NewAlert[];
}

export const EMPTY_WALLET: WalletDocument = { version: 1, poll: {}, outbox: [] };

/** What changes in a wallet's document with a page, an answer or a delivery. */
export interface Change {
  /** The parts that change. */
  readonly state: WalletState;
  readonly alerts: readonly NewAlert[];
  /** Those of which the venue is to be asked what they mean. */
  readonly asked?: readonly NewAlert[];
  /** What trades and redemptions mean that wait in the outbox, by the ids of their alerts. */
  readonly contexts?: ReadonlyMap<string, TradeContext> | undefined;
}

/** A document of which parts and single alerts may be unreadable. */
export const looseDocumentSchema = z.object({
  version: z.literal(1),
  poll: z.record(z.string(), z.unknown()),
  outbox: z.array(z.unknown()),
});

/**
 * Reads a stored document.
 *
 * @returns null if it is no wallet's document; else it without alerts and knowledge that cannot be read (an endpoint that cannot
 *   be is {@link Unreadable}), those alerts, and why parts of the state cannot be read, by their names
 */
export function readWalletDocument(stored: unknown) {
  const parsed = looseDocumentSchema.safeParse(stored);
  if (!parsed.success) return null;
  const faults = new Map<string, string>();
  const poll: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parsed.data.poll)) {
    const schema = Object.hasOwn(stateSchemas, name) ? stateSchemas[name as keyof WalletState] : z.never();
    const read = schema.safeParse(part);
    if (read.success) {
      poll[name] = read.data;
      continue;
    }
    faults.set(name, z.prettifyError(read.error).slice(0, 300));
    // Without it, everything would be announced again.
    if (ENDPOINT_NAMES.some((endpoint) => endpoint === name)) poll[name] = new Unreadable(part);
  }
  const outbox: NewAlert[] = [];
  const unreadableAlerts: unknown[] = [];
  for (const alert of parsed.data.outbox) {
    const read = storedAlertSchema.safeParse(alert);
    if (read.success) outbox.push(read.data);
    else unreadableAlerts.push(alert);
  }
  const document: WalletDocument = { version: 1, poll, outbox };
  return { document, unreadableAlerts, faults };
}

/** The pollIds of the last pages that were taken, by endpoint. */
export function committedOf(state: WalletState): Committed {
  return Object.fromEntries(
    ENDPOINT_NAMES.flatMap((name) => {
      const stored = state[name];
      return stored === undefined || stored instanceof Unreadable ? [] : [[name, stored.pollId]];
    }),
  );
}
