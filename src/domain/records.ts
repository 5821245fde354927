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
 * Page container of both list endpoints; its items are read one by one, so that a bad one cannot
 * spoil the page.
 */
export const pageSchema = z.object({
  items: z.array(z.unknown()).describe('records, newest first'),
  nextCursor: z
    .string()
    .nullable()
    .describe('opaque cursor of the next page; null on the last page'),
});

/** Eleven digits would be the year 5138: a larger Unix time is milliseconds by mistake. */
const timeSeconds = z.int().min(0).max(99_999_999_999);
const figure = z.number();
const txHash = z.string().min(1).max(200).describe('on-chain transaction hash');

/** One Buy, Sell or Redeem of a wallet, as the activity endpoint carries it. */
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
 * Record of the activity endpoint once read, as it goes from the feed to bots and store: -1 where
 * the venue sent no readable outcome index.
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
 * Kinds of a record. `other`: an action or type that the contract does not describe; it is shown as
 * it came.
 */
export type ActionKind = 'buy' | 'sell' | 'redeem' | 'other';
export type TransferKind = 'deposit' | 'withdrawal' | 'other';

/** The actions of the contract, as it spells them. */
export const ACTIONS = ['Buy', 'Sell', 'Redeem'] as const;

/** The kind of an action; spelled as the contract does, any other spelling is another action. */
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
 * Whether a text is a transaction hash. A venue may list another name where it has no hash, such as
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
 * Identity of a record: a hash of what the wallet did, 12 characters. Fee, net sum and role may be
 * filled in later, titles, slugs and pictures may be re-worded, and a reorganised chain may move a
 * transaction to another second, without making it another record. The order of the fields is
 * fixed: stored detection states depend on it.
 */
export function activityIdentity(item: ActivityItem): string {
  const { price, quantity, grossValue } = item;
  const figures = [price, quantity, grossValue];
  return identityHash(
    `record${activityWords(item).map(behindLength).join('')}${figures.join(',')}`,
  );
}

/**
 * Hash of a record as it is listed, 12 characters: another one as soon as any figure or the role
 * changes. Up to format 10 it was the identity in what is stored: the order of the fields is fixed.
 */
export function activityVersion(item: ActivityItem): string {
  const words = [...activityWords(item), item.liquidityRole ?? '-'];
  return identityHash(words.map(behindLength).join('') + activityFigures(item).join(','));
}

/**
 * Hash of what a changed record has in common with itself before, 8 characters: transaction,
 * action, token and side. Several fills of one transaction share it.
 */
export function activityKey(item: ActivityItem): string {
  return identityHash(`key${activityWords(item).map(behindLength).join('')}`).slice(0, 8);
}

function activityWords({ txHash, action, tokenId, positionSide }: ActivityItem): string[] {
  return [txHash.toLowerCase(), action, tokenId, positionSide];
}

/** Figures of a record that the venue may change: cents a share, shares, then USDC. */
const FIGURES = ['price', 'quantity', 'fee', 'grossValue', 'transferNetAmount'] as const;

export function activityFigures(item: ActivityItem): number[] {
  return FIGURES.map((name) => item[name]);
}

/** The record with other figures, from {@link activityFigures}. */
export function withFigures(item: ActivityItem, figures: readonly number[]): ActivityItem {
  const changed = FIGURES.map((name, index) => [name, figures[index] ?? item[name]]);
  return { ...item, ...Object.fromEntries(changed) };
}

/** Recognises a changed record, for endpoints whose records may change. */
export interface Amendable<Item> {
  /** Another text as soon as anything that counts has changed; the identity up to format 10. */
  readonly version: (item: Item) => string;
  /** Shared by a record and what it is changed into, and by fills of one transaction. */
  readonly key: (item: Item) => string;
  readonly figures: (item: Item) => readonly number[];
}

export const AMENDABLE_ACTIVITY: Amendable<ActivityItem> = {
  version: activityVersion,
  key: activityKey,
  figures: activityFigures,
};

/** Identity of a deposit or withdrawal; see {@link activityIdentity}. */
export function transferIdentity({ txHash, type, amount, address }: TransferItem): string {
  const words = [txHash.toLowerCase(), type, address.toLowerCase()];
  return identityHash(`${words.map(behindLength).join('')}${amount}`);
}

/** Fields of {@link rawIdentity}: what figures hang on, of any endpoint. */
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
 * Identity of a record that cannot be read: the same whenever it is shown, if its transaction and
 * its figures are.
 */
export function rawIdentity(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null) return identityHash(JSON.stringify([raw]));
  return identityHash(JSON.stringify(RAW_FIELDS.map((name) => Reflect.get(raw, name))));
}

/** Marks where a text ends, so that no two records come to the same. Half the time of JSON. */
function behindLength(text: string): string {
  return `${text.length}:${text}`;
}

function identityHash(figures: string): string {
  return hash('sha256', figures, 'base64url').slice(0, 12);
}

/** Types of {@link ENDPOINTS}: by the last part of an endpoint's path. */
interface EndpointTypes {
  activity: { record: ActivityItem; call: 'activity' };
  'deposits-withdrawals': { record: TransferItem; call: 'transfers' };
}
export type EndpointName = keyof EndpointTypes;
export type RecordOf<Name extends EndpointName> = EndpointTypes[Name]['record'];
export type CallOf<Name extends EndpointName> = EndpointTypes[Name]['call'];

/**
 * Endpoints of the venue, a row each. Beside it stand by endpoint: what reads its pages
 * (`PAGE_READERS` in `venue/read.ts`), what detects in them (`alerts/intake.ts`), and its words in
 * each language. One that is missing there does not compile.
 */
export const ENDPOINTS: {
  readonly [Name in EndpointName]: {
    /** A record once read, as it goes from the feed to bots and store. */
    readonly schema: z.ZodType<RecordOf<Name>>;
    readonly identity: (record: RecordOf<Name>) => string;
    /** Another one as soon as the venue changes something of the record that counts. */
    readonly version: (record: RecordOf<Name>) => string;
    /** Shared by a record and what it is changed into. */
    readonly key: (record: RecordOf<Name>) => string;
    /** Name of the look-up that shows its records to people. */
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
 * Names of records of one endpoint, in their order.
 *
 * @param by what is named: the records, the records as they are listed now, or what they share with
 *   what they may be changed into
 */
export function hashesOf<Name extends EndpointName>(
  name: Name,
  records: readonly RecordOf<Name>[],
  by: 'identity' | 'version' | 'key',
): string[] {
  return records.map(ENDPOINTS[name][by]);
}
