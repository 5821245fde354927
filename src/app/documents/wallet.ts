import type * as z from 'zod';
import { KNOWLEDGE } from '../../alerts/build.ts';
import { endpointSchemas, resetWallet } from '../../alerts/intake.ts';
import {
  looseDocumentSchema,
  type NewAlert,
  storedAlertSchema,
  WALLET_PREFIX,
  type WalletDocument,
} from '../../alerts/outbox.ts';
import { keepChannels } from '../../portfolio/results/alerted-positions.ts';
import { knowledgeSchema, type WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import { walletSchema } from '../../venue/address.ts';
import type { Watch } from '../../watches/watch.ts';
import type { Description } from './description.ts';

type Channels = ReadonlySet<string>;

/** What of the knowledge some channels get. Each part needs a rule here, or it does not compile. */
const KNOWLEDGE_RULES: {
  readonly [Name in keyof WalletKnowledge]: (part: WalletKnowledge[Name], channels: Channels) => WalletKnowledge[Name];
} = {
  portfolio: (portfolio) => portfolio,
  entries: (entries) => entries,
  alertedPositions: keepChannels,
  record: (record) => record,
  unread: (unread) => unread,
  announced: (announced, channels) => announced.filter(({ channelId }) => channels.has(channelId)),
  questions: (questions) => questions,
  refusedMarkets: (markets) => markets,
};

/** What can be read of a wallet's document. */
interface Read {
  readonly document: z.infer<typeof looseDocumentSchema>;
  readonly outbox: readonly NewAlert[];
  /** Without what cannot be read or is of nobody. */
  readonly poll: Readonly<Record<string, unknown>>;
  readonly knowledge: WalletKnowledge | undefined;
  readonly faults: readonly string[];
}

/** A wallet's document goes with each server that watches the wallet, with what is of its channels. Null if it is none. */
export function readWallet(key: string, stored: unknown): Description | null {
  const wallet = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
  const parsed = looseDocumentSchema.safeParse(stored);
  if (!wallet.success || !parsed.success) return null;
  const read = readParts(parsed.data);
  const { document, outbox, poll, knowledge, faults } = read;
  return {
    owner: { of: 'wallet', wallet: wallet.data },
    parts: {
      sound: faults.length === 0 ? undefined : { ...document, poll, outbox },
      faults,
      channels: channelsOf(read),
      of: (channels) => ({
        ...document,
        poll: knowledge === undefined ? poll : { ...poll, [KNOWLEDGE]: knowledgeOf(knowledge, channels) },
        outbox: alertsOf(outbox, channels),
      }),
    },
  };
}

/**
 * What stands for the document of a watched wallet that cannot be read. Without one everything since the watches began would be
 * announced again; with this one it begins anew, and its channels are told of the gap.
 *
 * @param watches of the wallet, at least one
 */
export function walletAnew([first, ...others]: readonly [Watch, ...Watch[]], nowMs: number): WalletDocument {
  const { poll, alerts } = resetWallet(first.wallet, [first, ...others], nowMs);
  return { version: 1, poll, outbox: alerts.filter(({ channels }) => channels.length > 0) };
}

function readParts(document: z.infer<typeof looseDocumentSchema>): Read {
  const outbox = document.outbox.flatMap((alert) => storedAlertSchema.safeParse(alert).data ?? []);
  const unreadable = document.outbox.length - outbox.length;
  const faults = unreadable === 0 ? [] : [`alerts: ${unreadable}`];
  const poll: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(document.poll)) {
    const schema = partSchema(name);
    const isReadable = schema?.safeParse(part).success === true;
    if (!isReadable) faults.push(name);
    // The bot itself tells the channels of a state that cannot be read. Without one it would announce everything again.
    if (isReadable || isEndpoint(name)) poll[name] = part;
  }
  return { document, outbox, poll, knowledge: knowledgeSchema.safeParse(poll[KNOWLEDGE]).data, faults };
}

/** The schema of a part of the poll state; undefined for one of nobody. */
function partSchema(name: string): z.ZodType | undefined {
  if (name === KNOWLEDGE) return knowledgeSchema;
  return isEndpoint(name) ? endpointSchemas[name] : undefined;
}

function isEndpoint(name: string): name is keyof typeof endpointSchemas {
  return Object.hasOwn(endpointSchemas, name);
}

function channelsOf({ outbox, knowledge }: Read): Channels {
  const { alertedPositions, announced = [] } = knowledge ?? {};
  return new Set([
    ...outbox.flatMap(({ channels }) => channels),
    ...[...(alertedPositions ?? []), ...announced].map(({ channelId }) => channelId),
  ]);
}

function knowledgeOf(knowledge: WalletKnowledge, channels: Channels): WalletKnowledge {
  const rule = <Name extends keyof WalletKnowledge>(name: Name) => KNOWLEDGE_RULES[name](knowledge[name], channels);
  return {
    portfolio: rule('portfolio'),
    entries: rule('entries'),
    alertedPositions: rule('alertedPositions'),
    record: rule('record'),
    unread: rule('unread'),
    announced: rule('announced'),
    questions: rule('questions'),
    refusedMarkets: rule('refusedMarkets'),
  };
}

function alertsOf(outbox: readonly NewAlert[], channels: Channels): readonly NewAlert[] {
  return outbox
    .map((alert) => ({ ...alert, channels: alert.channels.filter((channelId) => channels.has(channelId)) }))
    .filter((alert) => alert.channels.length > 0);
}
