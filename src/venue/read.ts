import * as z from 'zod';
import type { WalletAddress } from '../domain/address.ts';
import {
  type ActivityItem,
  activityItemSchema,
  type EndpointName,
  type RecordOf,
  rawIdentity,
  type TransferItem,
  transferItemSchema,
} from '../domain/records.ts';

export interface SkippedItem {
  /** Its place on the page, from 0. */
  readonly index: number;
  /** Names the field, what was expected and the start of what came. */
  readonly reason: string;
  /** The item's transaction hash, where at least that was readable. */
  readonly txHash?: string;
  /** Left out of one beyond what was asked for. */
  readonly row?: UnreadableRow;
}

/** An item that could not be read, as a place among the others. */
export const unreadableRowSchema = z.object({
  /** Identity that stays the same whenever it is shown. */
  identity: z.string(),
  /**
   * Unix seconds between which it lies by its own time or its neighbours'; 0 and the greatest
   * number without them.
   */
  fromSeconds: z.number(),
  toSeconds: z.number(),
});
export type UnreadableRow = Readonly<z.infer<typeof unreadableRowSchema>>;

/** One page, newest first. */
export interface VenuePage<Item> {
  readonly items: readonly Item[];
  /** Items that could not be read; logged and counted already by who has asked for the page. */
  readonly skipped: readonly SkippedItem[];
  readonly hasMore: boolean;
  /** Null where nothing follows, or where the venue gives no way on to what does. */
  readonly nextCursor: string | null;
}

/**
 * The container is no page: no `items` list, or far too many of them.
 */
export class UnreadablePage extends Error {
  override readonly name = 'UnreadablePage';
}

/**
 * Longer than any figure, name or hash that an alert shows; keeps a hostile page out of the store.
 */
const ESSENTIAL_TEXT_MAX = 200;
const DECORATIVE_TEXT_MAX = 2_000;
/**
 * The interface calls cursors opaque, without a length; its own are below 100 characters. Stored
 * with a list.
 */
const CURSOR_MAX = 2_000;
/** Records that a page holds at most, whatever limit was asked for (venue interface, "Limits"). */
const PAGE_MAX_ITEMS = 100;
/**
 * More than that is no page of this interface: reading such a list would hold up everything else.
 */
const REFUSED_ABOVE_ITEMS = 2 * PAGE_MAX_ITEMS;
const PRICE_NOISE_CENTS = 1e-6;

const essentialText = z.string().min(1).max(ESSENTIAL_TEXT_MAX);
const shortText = z.string().max(ESSENTIAL_TEXT_MAX);
const decorativeText = z.string().max(DECORATIVE_TEXT_MAX).catch('');

/**
 * Strict where an alert's figures or identity hang on a field; neutral values where it only
 * decorates.
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
 * By field of a record, whether a value is what {@link tolerantActivitySchema} would leave as it
 * is.
 */
const USUAL = Object.entries(tolerantActivitySchema.shape).map(
  ([name, field]) => [name, isUsualFor(field)] as const,
);

/**
 * Reads the bounds off a schema, which checks a value several times slower: each bound costs as
 * much as the type.
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

/** A record with these fields alone, all of them usual, as it is; null for any other. */
function readUsual(raw: unknown): ActivityItem | null {
  if (typeof raw !== 'object' || raw === null || Object.keys(raw).length !== USUAL.length) {
    return null;
  }
  const fields = raw as Readonly<Record<string, unknown>>;
  if (!USUAL.every(([name, isUsual]) => isUsual(fields[name]))) return null;
  return raw as ActivityItem;
}

/** Does not look at each of far too many records, as a list of the schema would. */
const tolerantPageSchema = z.object({
  items: z
    .custom<readonly unknown[]>(
      (items) => Array.isArray(items) && items.length <= REFUSED_ABOVE_ITEMS,
    )
    .describe(`a list of at most ${PAGE_MAX_ITEMS} records`),
  nextCursor: z.unknown(),
});

const RECORDS = {
  'deposits-withdrawals': transferItemSchema,
  activity: activityItemSchema,
} satisfies Readonly<Record<EndpointName, z.ZodObject>>;

/** Schemas of all fields: their descriptions are in the log. */
const FIELDS: Readonly<Record<string, z.ZodType>> = Object.assign(
  {},
  ...Object.values(RECORDS).map(({ shape }) => shape),
  tolerantPageSchema.shape,
);

/**
 * Reads an activity response's `data` item by item. Another wallet's item is skipped: under this
 * one it would mislead.
 *
 * @param limit records that were asked for; what is beyond counts as skipped, and as more to come
 * @throws UnreadablePage the container is not a page
 */
function readActivityPage(
  raw: unknown,
  wallet: WalletAddress,
  limit = PAGE_MAX_ITEMS,
): VenuePage<ActivityItem> {
  return readPage(raw, limit, (item) => {
    const usual = readUsual(item);
    if (usual?.trader === wallet) return usual;
    const read = readFields(tolerantActivitySchema, item);
    if (typeof read === 'string') return read;
    const { trader } = read;
    // Absent or garbled, it can only be the wallet that was asked for.
    if (!/^0x[0-9a-f]{40}$/i.test(trader)) return { ...read, trader: wallet };
    if (trader.toLowerCase() === wallet) return read;
    return `trader: expected the wallet that was asked for, got ${describe(trader)}`;
  });
}

/**
 * As {@link readActivityPage}; but these items do not say whose they are, so that the wallet is not
 * compared.
 */
function readTransferPage(
  raw: unknown,
  _: WalletAddress,
  limit = PAGE_MAX_ITEMS,
): VenuePage<TransferItem> {
  return readPage(raw, limit, (item) => readFields(tolerantTransferSchema, item));
}

/** Readers of `data`, by the endpoint whose page it is. */
export const PAGE_READERS: {
  readonly [Name in EndpointName]: (
    raw: unknown,
    wallet: WalletAddress,
    limit?: number,
  ) => VenuePage<RecordOf<Name>>;
} = { activity: readActivityPage, 'deposits-withdrawals': readTransferPage };

/** @param read returns the item, or why it cannot be read */
function readPage<Item extends { readonly time: number }>(
  raw: unknown,
  limit: number,
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
 * Reads what follows a page. A serializer may leave out null, or write false in its place: after a
 * full page nobody knows whether more follows then, and it counts as cut. A cursor that is no text,
 * or too long, says that more follows, and no way on to it.
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

/** The object, or why it cannot be read. */
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

function fieldOf(raw: unknown, name: string): unknown {
  if (typeof raw !== 'object' || raw === null || !Object.hasOwn(raw, name)) return undefined;
  return Reflect.get(raw, name);
}

/**
 * A value for the log: never more than about 80 characters of it, nothing that could break the
 * line.
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
