import { hash } from 'node:crypto';
import * as z from 'zod';

/** The venue's envelope: every response, success or failure, has this shape. */
export const envelopeSchema = z.object({
  success: z.boolean().describe('true when the request succeeded, false otherwise'),
  code: z
    .string()
    .describe('application-level status; "0" means success, on errors the status as text'),
  message: z.string().describe('human-readable status text; "success" on success'),
  data: z.unknown().describe('the result container; null on an authentication error'),
});

/**
 * Page container of both list endpoints; its items are read one by one, so that a bad one does not
 * invalidate the page.
 */
export const pageSchema = z.object({
  items: z.array(z.unknown()).describe('records, newest first'),
  nextCursor: z
    .string()
    .nullable()
    .describe('opaque cursor of the next page; null on the last page'),
});

/** Eleven digits reach the year 5138; a larger Unix time is in milliseconds by mistake. */
const timeSeconds = z.int().min(0).max(99_999_999_999);
const figure = z.number();
const txHash = z.string().min(1).max(200).describe('on-chain transaction hash');

/** One Buy, Sell or Redeem of a wallet, as sent by the activity endpoint. */
export const activityItemSchema = z.object({
  time: timeSeconds.describe('Unix timestamp in seconds of the action'),
  action: z.string().min(1).describe('Buy, Sell or Redeem'),
  recordType: z.string().describe('record category; SUMMARY is a trade, REDEEMS is a redemption'),
  actionType: z.int().describe('numeric action code; 0 = Buy, 1 = Redeem'),
  price: figure.min(0).max(100).describe('price per share in cents, 0 to 100'),
  quantity: figure.min(0).describe('number of outcome shares'),
  fee: figure.describe('fee charged, in USDC'),
  grossValue: figure.describe('gross USDC value of the action before fees'),
  transferNetAmount: figure.describe(
    'net USDC flow; positive: USDC left the wallet, negative: it came back',
  ),
  txHash,
  tokenId: z.string().describe('outcome token identifier, a long decimal string'),
  marketId: z.string().describe('numeric market identifier carried as a string'),
  marketSlug: z.string().describe('URL-friendly market slug'),
  eventSlug: z.string().describe('URL-friendly slug of the parent event'),
  conditionId: z.string().describe('on-chain condition identifier of the market, 0x-prefixed hex'),
  marketTitle: z.string().describe('human-readable market title'),
  positionSide: z.string().describe('Yes or No'),
  outcomeIndex: z.int().min(0).describe('zero-based outcome index: 0 = Yes, 1 = No'),
  logo: z.string().describe("URL of the market's logo image"),
  trader: z.string().describe('the wallet address that was queried'),
  liquidityRole: z.string().nullable().describe('MAKER or TAKER for trades; null for redeems'),
});
export type ActivityItem = z.infer<typeof activityItemSchema>;

/**
 * Record of the activity endpoint after reading, as sent from the feed to bots and store; -1 if the
 * venue sent no readable outcome index.
 */
export const readActivityItemSchema = activityItemSchema.extend({ outcomeIndex: z.int().min(-1) });

/** One USDC deposit or withdrawal of a wallet. */
export const transferItemSchema = z.object({
  txHash,
  type: z.string().min(1).describe('deposit or withdrawal: the direction'),
  amount: figure.min(0).describe('USDC amount; never negative, the direction is in `type`'),
  time: timeSeconds.describe('Unix timestamp in seconds of the transfer'),
  address: z.string().describe('counterparty address; the zero address for a bridged deposit'),
});
export type TransferItem = z.infer<typeof transferItemSchema>;

/**
 * Kinds of a record. `other`: an action or type that the contract does not describe; it is shown
 * unchanged.
 */
export type ActionKind = 'buy' | 'sell' | 'redeem' | 'other';
export type TransferKind = 'deposit' | 'withdrawal' | 'other';

/** The actions of the contract, in its spelling. */
export const ACTIONS = ['Buy', 'Sell', 'Redeem'] as const;

/**
 * Returns the kind of an action, which must be spelled as in the contract; any other spelling is
 * `other`.
 */
export function actionKind(action: ActivityItem['action']): ActionKind {
  const known = ACTIONS.find((name) => name === action);
  if (known === undefined) return 'other';
  return known.toLowerCase() as Lowercase<typeof known>;
}

/**
 * Whether the fee of a record is known. A venue that names no liquidity roles may list a fee of 0
 * for a trade whose fee it does not know.
 */
export function isFeeKnown({
  action,
  fee,
  liquidityRole,
}: Pick<ActivityItem, 'action' | 'fee' | 'liquidityRole'>): boolean {
  return fee !== 0 || liquidityRole !== null || action === 'Redeem';
}

/**
 * Whether a text is a transaction hash. A venue may list a stand-in if it has no hash, such as
 * `none-1a2b`.
 */
export function isTxHash(text: string): boolean {
  return /^0x[0-9a-f]+$/i.test(text);
}

export function transferDirection(type: TransferItem['type']): TransferKind {
  if (type === 'deposit' || type === 'withdrawal') return type;
  return 'other';
}

/**
 * Returns the identity of a record: a hash of the wallet's action, 12 characters. It does not
 * change if fee, net sum and role are filled in later, titles, slugs and pictures are reworded, or
 * a chain reorganization moves a transaction to another second. The order of the fields is fixed,
 * because stored detection states depend on it.
 */
export function activityIdentity(item: ActivityItem): string {
  const { price, quantity, grossValue } = item;
  const figures = [price, quantity, grossValue];
  return identityHash(
    `record${activityWords(item).map(behindLength).join('')}${figures.join(',')}`,
  );
}

/**
 * Returns the hash of a record as listed, 12 characters; it changes with any figure or the role. Up
 * to format 10 it was the stored identity, so the order of the fields is fixed.
 */
export function activityVersion(item: ActivityItem): string {
  const words = [...activityWords(item), item.liquidityRole ?? '-'];
  return identityHash(words.map(behindLength).join('') + activityFigures(item).join(','));
}

/**
 * Returns the hash that a changed record shares with its earlier version, 8 characters:
 * transaction, action, token and side. Several fills of one transaction share it.
 */
export function activityKey(item: ActivityItem): string {
  return identityHash(`key${activityWords(item).map(behindLength).join('')}`).slice(0, 8);
}

function activityWords({ txHash, action, tokenId, positionSide }: ActivityItem): string[] {
  return [txHash.toLowerCase(), action, tokenId, positionSide];
}

/** Figures of a record that the venue may change: cents per share, shares, then USDC. */
const FIGURES = ['price', 'quantity', 'fee', 'grossValue', 'transferNetAmount'] as const;

export function activityFigures(item: ActivityItem): number[] {
  return FIGURES.map((name) => item[name]);
}

/** Returns the record with other figures, from {@link activityFigures}. */
export function withFigures(item: ActivityItem, figures: readonly number[]): ActivityItem {
  const changed = FIGURES.map((name, index) => [name, figures[index] ?? item[name]]);
  return { ...item, ...Object.fromEntries(changed) };
}

/** Recognition of changed records, for endpoints whose records may change. */
export interface Amendable<Item> {
  /** Changes with any relevant field; the identity up to format 10. */
  readonly version: (item: Item) => string;
  /** Shared by a record and its changed version, and by fills of one transaction. */
  readonly key: (item: Item) => string;
  readonly figures: (item: Item) => readonly number[];
}

export const AMENDABLE_ACTIVITY: Amendable<ActivityItem> = {
  version: activityVersion,
  key: activityKey,
  figures: activityFigures,
};

/** Returns the identity of a deposit or withdrawal; see {@link activityIdentity}. */
export function transferIdentity({ txHash, type, amount, address }: TransferItem): string {
  const words = [txHash.toLowerCase(), type, address.toLowerCase()];
  return identityHash(`${words.map(behindLength).join('')}${amount}`);
}

/** Fields of {@link rawIdentity}: those relevant to figures, of any endpoint. */
const RAW_FIELDS = [
  'txHash',
  'time',
  'action',
  'tokenId',
  'positionSide',
  'price',
  'quantity',
  'fee',
  'grossValue',
  'transferNetAmount',
  'type',
  'amount',
];

/**
 * Returns the identity of an unreadable record: the same whenever it is shown, as long as its
 * transaction and its figures are the same.
 */
export function rawIdentity(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null) return identityHash(JSON.stringify([raw]));
  return identityHash(JSON.stringify(RAW_FIELDS.map((name) => Reflect.get(raw, name))));
}

/**
 * Puts the length before a text, so that no two records give the same result. Takes half the time
 * of JSON.
 */
function behindLength(text: string): string {
  return `${text.length}:${text}`;
}

function identityHash(figures: string): string {
  return hash('sha256', figures, 'base64url').slice(0, 12);
}

/** Types of {@link ENDPOINTS}, by the last part of an endpoint's path. */
interface EndpointTypes {
  activity: { record: ActivityItem; call: 'activity' };
  'deposits-withdrawals': { record: TransferItem; call: 'transfers' };
}
export type EndpointName = keyof EndpointTypes;
export type RecordOf<Name extends EndpointName> = EndpointTypes[Name]['record'];
export type CallOf<Name extends EndpointName> = EndpointTypes[Name]['call'];

/**
 * The venue's endpoints, one entry each. Further tables by endpoint: the readers of its pages
 * (`PAGE_READERS` in `venue/read.ts`), its detection (`alerts/intake.ts`), and its words in each
 * language. An entry missing there does not compile.
 */
export const ENDPOINTS: {
  readonly [Name in EndpointName]: {
    /** A record after reading, as sent from the feed to bots and store. */
    readonly schema: z.ZodType<RecordOf<Name>>;
    readonly identity: (record: RecordOf<Name>) => string;
    /** Changes as soon as the venue changes a relevant part of the record. */
    readonly version: (record: RecordOf<Name>) => string;
    /** Shared by a record and its changed version. */
    readonly key: (record: RecordOf<Name>) => string;
    /** Name of the lookup that shows its records to people. */
    readonly call: CallOf<Name>;
  };
} = {
  activity: {
    schema: readActivityItemSchema,
    identity: activityIdentity,
    version: activityVersion,
    key: activityKey,
    call: 'activity',
  },
  'deposits-withdrawals': {
    schema: transferItemSchema,
    identity: transferIdentity,
    version: transferIdentity,
    key: transferIdentity,
    call: 'transfers',
  },
};
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];

/**
 * Returns hashes of records of one endpoint, in order.
 *
 * @param by `identity` of the records, `version` as currently listed, or `key` shared with changed
 *   versions
 */
export function hashesOf<Name extends EndpointName>(
  name: Name,
  records: readonly RecordOf<Name>[],
  by: 'identity' | 'version' | 'key',
): string[] {
  return records.map(ENDPOINTS[name][by]);
}
