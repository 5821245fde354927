import * as z from 'zod';
import { kindOf, type ReceiverEvent } from '../alerts/kinds/kinds.ts';
import {
  actionKind,
  ENDPOINT_NAMES,
  readActivityItemSchema,
  transferDirection,
  transferItemSchema,
} from '../domain/records.ts';
import { decimalText } from '../lib/exact.ts';
import { type TradeContext, tradeContextSchema } from '../portfolio/trade-context.ts';
import { snowflake } from '../watches/owner.ts';
import type { QueuedAlert } from './receiver-queue.ts';

const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .describe('in lower case');

/** A watch of the wallet in one channel of the owner. */
const watchSchema = z.object({
  channel: snowflake.describe('id of the Discord channel'),
  label: z.string().nullable().describe('what the channel calls the wallet'),
  wanted: z
    .boolean()
    .describe('whether its settings let the alert pass alone; a cooldown is not looked at'),
});

const common = {
  wallet: address,
  sequence: z
    .int()
    .min(0)
    .describe(
      'counts the messages of one server about this wallet: sort by it, messages may overtake',
    ),
  seenAt: z.iso.datetime().describe('when the bot saw it'),
  late: z.boolean().describe('seen long after it happened, as after an outage: never act on it'),
  watches: z.array(watchSchema).min(1),
};

const market = z.object({
  id: z.string(),
  slug: z.string(),
  eventSlug: z.string(),
  title: z.string(),
});
const stake = z.object({
  wallet: address,
  side: z.string(),
  shares: decimalText,
  usdc: decimalText.describe('gross'),
  netUsdc: decimalText.describe('paid, fees included'),
  sold: decimalText.nullable().describe('shares sold again since; null: not known'),
});

const activityData = z.object({
  ...common,
  record: readActivityItemSchema.describe('as the venue lists it'),
  position: tradeContextSchema
    .omit({ isEndKnown: true })
    .nullable()
    .describe('the position before and after it; null where it is not known exactly'),
  betterThanLuck: z.boolean().describe('whether a channel of this server has found the wallet so'),
});
const transferData = z.object({ ...common, record: transferItemSchema });
const gapData = z.object({
  ...common,
  endpoint: z.enum(ENDPOINT_NAMES),
  cause: z.string(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
});
const resultData = z.object({
  ...common,
  paid: decimalText.describe('USDC paid for the alerted purchases, fees included'),
  received: decimalText.describe('USDC received for them, after fees'),
  fees: decimalText,
  settled: z.array(z.object({ side: z.string(), payout: z.number() })),
});
const consensusData = z.object({
  ...common,
  market,
  side: z.string(),
  stakes: z.array(stake).min(1),
  opposing: z.array(stake),
  hedged: z.int().min(0),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
});

const timestamp = z.iso.datetime().describe('when it happened, by the venue’s clock');

/** A message to a receiver of signed alerts. Fields are only ever added. */
export const bodySchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(['trade', 'redemption', 'other']), timestamp, data: activityData }),
    z.object({
      type: z.enum(['deposit', 'withdrawal', 'otherTransfer']),
      timestamp,
      data: transferData,
    }),
    z.object({ type: z.literal('gap'), timestamp, data: gapData }),
    z.object({ type: z.literal('result'), timestamp, data: resultData }),
    z.object({ type: z.literal('consensus'), timestamp, data: consensusData }),
  ])
  .meta({ title: 'A signed alert of walletbell' });
export type Body = z.infer<typeof bodySchema>;
type Shared = z.infer<z.ZodObject<typeof common>>;

/** Creates the body's JSON schema for the docs, which allows additional fields. */
export function bodyJsonSchema(): unknown {
  return z.toJSONSchema(bodySchema, { target: 'draft-2020-12', io: 'input' });
}

/** Writes an alert as the body of a message. */
export function bodyOf(alert: QueuedAlert): Body {
  const shared: Shared = {
    wallet: alert.wallet,
    sequence: alert.sequence,
    seenAt: new Date(alert.seenAtMs).toISOString(),
    late: alert.isLate,
    watches: [...alert.watches],
  };
  return withEvent(alert.event, shared, alert.isBetterThanLuck);
}

function withEvent(event: ReceiverEvent, shared: Shared, betterThanLuck: boolean): Body {
  const timestamp = isoOf(kindOf(event).seconds(event)[1]);
  switch (event.kind) {
    case 'activity': {
      const { item, context } = event;
      const position = context === undefined ? null : positionOf(context);
      const data = { ...shared, record: item, position, betterThanLuck };
      return { type: TRADE_TYPES[actionKind(item.action)], timestamp, data };
    }
    case 'transfer': {
      const { item } = event;
      const type = TRANSFER_TYPES[transferDirection(item.type)];
      return { type, timestamp, data: { ...shared, record: item } };
    }
    case 'gap': {
      const { endpoint, cause, fromSeconds, toSeconds } = event.gap;
      const span = { from: isoOf(fromSeconds), to: isoOf(toSeconds) };
      return { type: 'gap', timestamp, data: { ...shared, endpoint, cause, ...span } };
    }
    case 'result': {
      const { paid, received, fees, settled } = event.result;
      return { type: 'result', timestamp, data: { ...shared, paid, received, fees, settled } };
    }
    case 'consensus': {
      const { market, side, stakes, opposing, hedged, fromSeconds, toSeconds } = event.consensus;
      const { marketId: id, marketSlug: slug, eventSlug, marketTitle: title } = market;
      const span = { from: isoOf(fromSeconds), to: isoOf(toSeconds) };
      const agreed = { market: { id, slug, eventSlug, title }, side, stakes, opposing, hedged };
      return { type: 'consensus', timestamp, data: { ...shared, ...agreed, ...span } };
    }
  }
}

/** Returns the effect of a trade, without the parts that only concern channels. */
function positionOf({ isEndKnown: _, ...position }: TradeContext) {
  return position;
}

const TRADE_TYPES = { buy: 'trade', sell: 'trade', redeem: 'redemption', other: 'other' } as const;
const TRANSFER_TYPES = {
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  other: 'otherTransfer',
} as const;

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
