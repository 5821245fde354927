import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  activityItemSchema,
  type EndpointName,
  type RecordOf,
  rawIdentity,
  transferItemSchema,
} from '../domain/records.ts';
import { fieldOf } from '../lib/text/json.ts';

export interface SkippedItem {
  /** Position on the page, from 0. */
  readonly index: number;
  /** Names the field, the expected value and the start of the actual one. */
  readonly reason: string;
  /** The item's transaction hash, if at least that was readable. */
  readonly txHash?: string;
  /** Omitted for an item beyond the requested number. */
  readonly row?: UnreadableRow;
}

/** An unreadable item, as a placeholder among the others. */
export const unreadableRowSchema = z.object({
  /** Identity that stays the same whenever the item is shown. */
  identity: z.string(),
  /**
   * Range of its time in Unix seconds, by its own time or its neighbors'; 0 and the greatest number
   * without them.
   */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type UnreadableRow = Readonly<z.infer<typeof unreadableRowSchema>>;

/** One page, newest first. */
export interface VenuePage<Item> {
  readonly items: readonly Item[];
  /** Unreadable items; whoever requested the page has already logged and counted them. */
  readonly skipped: readonly SkippedItem[];
  readonly hasMore: boolean;
  /** Null on the last page, or if the venue gives no cursor to the next one. */
  readonly nextCursor: string | null;
}

/** The container is not a page: it has no `items` list, or far too many items. */
export class UnreadablePage extends Error {
  override readonly name = 'UnreadablePage';
}

/**
 * Longer than any figure, name or hash that an alert shows; keeps hostile pages out of the store.
 */
const ESSENTIAL_TEXT_MAX = 200;
const DECORATIVE_TEXT_MAX = 2_000;
/**
 * The interface calls cursors opaque and states no length; its own are below 100 characters.
 * Cursors are stored with a list.
 */
const CURSOR_MAX = 2_000;
/**
 * Maximum number of records on a page, whatever limit was requested (venue interface, "Limits").
 */
const PAGE_MAX_ITEMS = 100;
/** A longer list is not a page of this interface: reading it would block everything else. */
const REFUSED_ABOVE_ITEMS = 2 * PAGE_MAX_ITEMS;
const PRICE_NOISE_CENTS = 1e-6;

const essentialText = z.string().min(1).max(ESSENTIAL_TEXT_MAX);
const shortText = z.string().max(ESSENTIAL_TEXT_MAX);
const decorativeText = z.string().max(DECORATIVE_TEXT_MAX).catch('');

/**
 * Strict for fields that an alert's figures or identity depend on; neutral values for decorative
 * ones.
 */
const tolerantActivitySchema = activityItemSchema.extend({
  price: z.preprocess(withoutPriceNoise, activityItemSchema.shape.price),
  action: essentialText,
  tokenId: shortText,
  positionSide: shortText,
  recordType: decorativeText,
  actionType: activityItemSchema.shape.actionType.catch(-1),
  marketId: z.union([z.string().max(DECORATIVE_TEXT_MAX), z.int().transform(String)]).catch(''),
  marketSlug: decorativeText,
  eventSlug: decorativeText,
  conditionId: decorativeText,
  marketTitle: z
    .string()
    .max(DECORATIVE_TEXT_MAX)
    .catch(({ input }) =>
      typeof input === 'string' ? wellFormed(input.slice(0, DECORATIVE_TEXT_MAX)) : '',
    ),
  outcomeIndex: activityItemSchema.shape.outcomeIndex.catch(-1),
  logo: decorativeText,
  trader: shortText.catch(''),
  liquidityRole: shortText.nullable().catch(null),
});

const tolerantTransferSchema = transferItemSchema.extend({
  type: essentialText,
  address: shortText.catch(''),
});

/**
 * For each field of a record, whether {@link tolerantActivitySchema} would leave a value unchanged.
 */
const USUAL = Object.entries(tolerantActivitySchema.shape).map(
  ([name, field]) => [name, isUsualFor(field)] as const,
);

/**
 * Reads the bounds off a schema, because the schema itself checks a value several times more
 * slowly: each bound costs as much as the type.
 */
function isUsualFor(schema: unknown): (value: unknown) => boolean {
  if (schema instanceof z.ZodCatch) return isUsualFor(schema.unwrap());
  if (schema instanceof z.ZodPreprocess) return isUsualFor(schema.out);
  if (schema instanceof z.ZodUnion) return isUsualFor(schema.options[0]);
  if (schema instanceof z.ZodNullable) {
    const isUsual = isUsualFor(schema.unwrap());
    return (value) => value === null || isUsual(value);
  }
  if (schema instanceof z.ZodString) {
    const least = schema.minLength ?? 0;
    const most = schema.maxLength ?? Number.POSITIVE_INFINITY;
    return (value) => typeof value === 'string' && value.length >= least && value.length <= most;
  }
  if (schema instanceof z.ZodNumber) {
    const least = schema.minValue ?? Number.NEGATIVE_INFINITY;
    const most = schema.maxValue ?? Number.POSITIVE_INFINITY;
    const isOfKind = schema.isInt ? Number.isSafeInteger : Number.isFinite;
    return (value) =>
      typeof value === 'number' && isOfKind(value) && value >= least && value <= most;
  }
  return () => false;
}

/** Returns a record with exactly these fields, all usual, unchanged; null for any other. */
function readUsual(raw: unknown): ActivityItem | null {
  if (typeof raw !== 'object' || raw === null || Object.keys(raw).length !== USUAL.length) {
    return null;
  }
  const fields = raw as Readonly<Record<string, unknown>>;
  if (!USUAL.every(([name, isUsual]) => isUsual(fields[name]))) return null;
  return raw as ActivityItem;
}

/** Does not check each of far too many records, as a list schema would. */
const tolerantPageSchema = z.object({
  items: z
    .custom<readonly unknown[]>(
      (items) => Array.isArray(items) && items.length <= REFUSED_ABOVE_ITEMS,
    )
    .describe(`a list of at most ${PAGE_MAX_ITEMS} records`),
  nextCursor: z.unknown(),
});

/** Schemas of all fields; their descriptions appear in the log. */
const FIELDS: Readonly<Record<string, z.ZodType>> = {
  ...transferItemSchema.shape,
  ...activityItemSchema.shape,
  ...tolerantPageSchema.shape,
};

/**
 * Reads an item of activity, or returns the reason why it cannot be read. Items of another wallet
 * are refused, because they would mislead under this one.
 */
function readActivity(item: unknown, wallet: WalletAddress): ActivityItem | string {
  const usual = readUsual(item);
  if (usual?.trader === wallet) return usual;
  const read = readFields(tolerantActivitySchema, item);
  if (typeof read === 'string') return read;
  const { trader } = read;
  // If absent or garbled, it can only be the requested wallet.
  if (!/^0x[0-9a-f]{40}$/i.test(trader)) return { ...read, trader: wallet };
  if (trader.toLowerCase() === wallet) return read;
  return `trader: expected the wallet that was asked for, got ${describe(trader)}`;
}

/**
 * Readers of `data` by endpoint, item by item. They throw {@link UnreadablePage} if the container
 * is not a page. `limit`: requested number of records; any beyond count as skipped, and as more to
 * come.
 */
export const PAGE_READERS: {
  readonly [Name in EndpointName]: (
    raw: unknown,
    wallet: WalletAddress,
    limit?: number,
  ) => VenuePage<RecordOf<Name>>;
} = {
  activity: (raw, wallet, limit) => readPage(raw, limit, (item) => readActivity(item, wallet)),
  // These items name no wallet.
  'deposits-withdrawals': (raw, _wallet, limit) =>
    readPage(raw, limit, (item) => readFields(tolerantTransferSchema, item)),
};

/** @param read returns the item, or the reason why it cannot be read */
function readPage<Item extends { readonly time: number }>(
  raw: unknown,
  limit = PAGE_MAX_ITEMS,
  read: (item: unknown) => Item | string,
): VenuePage<Item> {
  const container = readFields(tolerantPageSchema, raw);
  if (typeof container === 'string') throw new UnreadablePage(container);
  const requested = Math.min(limit, PAGE_MAX_ITEMS);
  const tooMany = `item: expected no more than the ${requested} that were asked for`;
  const results = container.items.map((item, index) => (index < requested ? read(item) : tooMany));
  const items = results.filter((result) => typeof result !== 'string');
  let before = 0;
  const skipped = results.flatMap((reason, index): SkippedItem[] => {
    if (typeof reason !== 'string') {
      before += 1;
      return [];
    }
    const item = container.items[index];
    const txHash = transferItemSchema.shape.txHash.safeParse(fieldOf(item, 'txHash')).data;
    const time = transferItemSchema.shape.time.safeParse(fieldOf(item, 'time')).data;
    const row = {
      identity: rawIdentity(item),
      fromSeconds: time ?? items[before]?.time ?? 0,
      toSeconds: time ?? items[before - 1]?.time ?? Number.MAX_SAFE_INTEGER,
    };
    return [
      {
        index,
        reason,
        ...(txHash === undefined ? {} : { txHash }),
        ...(index < requested ? { row } : {}),
      },
    ];
  });
  return {
    items,
    skipped,
    ...wayOn(container.nextCursor, container.items.length, requested),
  };
}

/**
 * Reads whether more pages exist. A serializer may omit null or write false in its place; after a
 * full page it is then unknown whether there is more, and the list counts as cut. A cursor that is
 * too long or not a string means that there is more, without a way to reach it.
 */
function wayOn(
  raw: unknown,
  items: number,
  requested: number,
): Pick<VenuePage<unknown>, 'hasMore' | 'nextCursor'> {
  if (raw === null || raw === '') return { hasMore: items > requested, nextCursor: null };
  if (raw === undefined || raw === false) {
    return { hasMore: items >= requested, nextCursor: null };
  }
  const isCursor = typeof raw === 'string' && raw.length <= CURSOR_MAX;
  return { hasMore: true, nextCursor: isCursor ? raw : null };
}

/** Returns the object, or the reason why it cannot be read. */
function readFields<Fields>(schema: z.ZodType<Fields>, raw: unknown): Fields | string {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  if (field === undefined) return `expected an object, got ${describe(raw)}`;
  const name = String(field);
  return `${name}: expected ${FIELDS[name]?.description}, got ${describe(fieldOf(raw, name))}`;
}

function withoutPriceNoise(value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const nearest = Math.min(100, Math.max(0, value));
  return Math.abs(nearest - value) <= PRICE_NOISE_CENTS ? nearest : value;
}

/**
 * Formats a value for the log: at most about 80 characters, and nothing that could break the line.
 */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length.toLocaleString('en')}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > 60 ? `${wellFormed(value.slice(0, 40))}…` : value).slice(
    0,
    80,
  );
}

function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
