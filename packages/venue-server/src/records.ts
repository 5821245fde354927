import * as z from 'zod';

/** The two lists that the venue serves, named by the last segment of their path. */
export const ENDPOINT_NAMES = ['activity', 'deposits-withdrawals'] as const;
export type EndpointName = (typeof ENDPOINT_NAMES)[number];

const time = z.int().min(0).max(99_999_999_999);
const txHash = z.string().min(1).max(200);

/** The envelope of every response. */
export const envelopeSchema = z.object({
  success: z.boolean().describe('true when the request succeeded, false otherwise'),
  code: z.string().describe('"0" means success; an error carries its HTTP status as text'),
  message: z.string().describe('status text for people; "success" on success'),
  data: z.unknown().describe('the result; null on an authentication error'),
});

/** The `data` of both lists. */
export const pageSchema = z.object({
  items: z.array(z.unknown()).describe('records, newest first'),
  nextCursor: z
    .string()
    .nullable()
    .describe('opaque cursor of the next page; null: this is the last one'),
});

/**
 * One Buy, Sell or Redeem as stored in the ledger: the contract's fields, in its order and with its
 * types. `servedActivitySchema` has the values that the contract allows; the ledger also accepts
 * everything else that a client must accept.
 */
export const activityItemSchema = z.object({
  time: time.describe('when it happened, Unix seconds'),
  action: z.string().min(1).describe('Buy, Sell or Redeem'),
  recordType: z
    .string()
    .describe('category of the record: SUMMARY is a trade, REDEEMS is a redemption'),
  actionType: z.int().describe('0 = Buy, 1 = Redeem'),
  price: z.number().min(0).max(100).describe('price of a share in cents, 0 to 100'),
  quantity: z.number().min(0).describe('outcome shares'),
  fee: z.number().describe('fee charged, USDC'),
  grossValue: z.number().describe('value before fees, USDC'),
  transferNetAmount: z
    .number()
    .describe('net flow, USDC: positive left the wallet, negative came back to it'),
  txHash: txHash.describe('hash of the transaction on the chain'),
  tokenId: z.string().describe('the outcome’s token, a long decimal string'),
  marketId: z.string().describe('number of the market, as a string'),
  marketSlug: z.string().describe('slug of the market, for URLs'),
  eventSlug: z.string().describe('slug of the event that the market belongs to, for URLs'),
  conditionId: z.string().describe('condition of the market on the chain, 0x and hex digits'),
  marketTitle: z.string().describe('title of the market'),
  positionSide: z.string().describe('Yes or No'),
  outcomeIndex: z.int().min(0).describe('index of the outcome: 0 = Yes, 1 = No'),
  logo: z.string().describe('URL of the market’s logo'),
  trader: z.string().describe('the wallet that was asked for'),
  liquidityRole: z
    .string()
    .nullable()
    .describe('MAKER or TAKER for a trade; null for a redemption'),
});
export type ActivityItem = z.infer<typeof activityItemSchema>;

/** One deposit or withdrawal as stored in the ledger. */
export const transferItemSchema = z.object({
  txHash: txHash.describe('hash of the transaction on the chain'),
  type: z.string().min(1).describe('deposit or withdrawal'),
  amount: z.number().min(0).describe('USDC, never negative: `type` has the direction'),
  time: time.describe('when it happened, Unix seconds'),
  address: z
    .string()
    .describe('the other side; the zero address for a deposit that came over a bridge'),
});
export type TransferItem = z.infer<typeof transferItemSchema>;
