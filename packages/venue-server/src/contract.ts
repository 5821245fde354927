import * as z from 'zod';
import { activityItemSchema, transferItemSchema } from './records.ts';

/**
 * Records per page without `limit`, and the most per page. A higher `limit` is reduced to the
 * maximum, not rejected (contract, Limits).
 */
export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** Our choice: the contract sets no maximum number of market ids. */
const MAX_MARKET_IDS = 100;

/**
 * Our choice: eleven digits reach the year 5138. A larger number is most likely in milliseconds by
 * mistake.
 */
const MAX_TIME_SECONDS = 99_999_999_999;

const shown = activityItemSchema.shape;
const hashPattern = /^0x[0-9a-fA-F]{64}$/;

/** Returns the narrower schema with the description of the wide one. */
function like<Narrow extends z.ZodType>(wide: z.ZodType, narrow: Narrow): Narrow {
  return narrow.describe(wide.description ?? '');
}

/**
 * An ActivityItem exactly as the contract defines it. The shared schema is wider because a client
 * must accept more than a venue may send. `recordType` and `actionType` stay open because the
 * contract doesn't list all of their values.
 */
export const servedActivitySchema = activityItemSchema.extend({
  action: like(shown.action, z.enum(['Buy', 'Sell', 'Redeem'])),
  txHash: like(shown.txHash, z.string().regex(hashPattern, 'must be 0x and 64 hex digits')),
  tokenId: like(shown.tokenId, z.string().regex(/^\d{1,78}$/, 'must be decimal digits')),
  marketId: like(shown.marketId, z.string().regex(/^\d{1,78}$/, 'must be decimal digits')),
  conditionId: like(
    shown.conditionId,
    z.string().regex(/^0x[0-9a-fA-F]+$/, 'must be 0x and hex digits'),
  ),
  positionSide: like(shown.positionSide, z.enum(['Yes', 'No'])),
  outcomeIndex: like(shown.outcomeIndex, z.int().min(0).max(1)),
  liquidityRole: like(shown.liquidityRole, z.enum(['MAKER', 'TAKER']).nullable()),
});

/** A TransferItem exactly as the contract defines it. */
export const servedTransferSchema = transferItemSchema.extend({
  txHash: like(
    transferItemSchema.shape.txHash,
    z.string().regex(hashPattern, 'must be 0x and 64 hex digits'),
  ),
  type: like(transferItemSchema.shape.type, z.enum(['deposit', 'withdrawal'])),
  address: like(
    transferItemSchema.shape.address,
    z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits'),
  ),
});

const recordedActivitySchema = servedActivitySchema.superRefine((item, context) => {
  const fault = (field: keyof typeof item, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  const isRedeem = item.action === 'Redeem';
  // Contract, activity rule 4, and the codes of the field table.
  if (isRedeem !== (item.recordType === 'REDEEMS')) {
    fault('recordType', 'must be REDEEMS for a Redeem, and only then');
  }
  if (isRedeem !== (item.liquidityRole === null)) {
    fault('liquidityRole', 'must be null for a Redeem, and only then');
  }
  if ((item.action === 'Buy') !== (item.actionType === 0)) {
    fault('actionType', 'must be 0 for a Buy, and only then');
  }
  if (isRedeem !== (item.actionType === 1)) {
    fault('actionType', 'must be 1 for a Redeem, and only then');
  }
  if (item.outcomeIndex !== (item.positionSide === 'Yes' ? 0 : 1)) {
    fault('outcomeIndex', 'must be 0 for Yes, 1 for No');
  }
});

const block = z.int().min(0).describe('block height');

/** One line of an import file. */
export const importLineSchema = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('activity'), block, item: recordedActivitySchema }),
    z.object({ kind: z.literal('transfer'), wallet: z.string(), item: servedTransferSchema }),
  ],
  { error: 'must be "activity" or "transfer"' },
);

// Each parameter arrives as a list of its values. Each message continues "<name> must be …".

/** Returns the schema of a parameter that may be given once. */
function once<Schema extends z.ZodType<unknown, string>>(schema: Schema) {
  return z
    .array(z.string())
    .max(1, 'given once')
    .transform((values) => values[0] ?? '')
    .pipe(schema);
}

function wholeNumber(
  min: number,
  max: number,
  accepts: string,
  above: 'refused' | 'capped' = 'refused',
) {
  return once(
    z
      .string()
      .regex(/^\d+$/, accepts)
      .transform((text) => (above === 'capped' ? Math.min(Number(text), max) : Number(text)))
      .pipe(z.int(accepts).min(min, accepts).max(max, accepts)),
  );
}

const timeBound = () =>
  wholeNumber(
    0,
    MAX_TIME_SECONDS,
    `a Unix time in whole seconds, not milliseconds, 0 to ${MAX_TIME_SECONDS}`,
  );
const blockBound = () =>
  wholeNumber(0, Number.MAX_SAFE_INTEGER, 'a block height, a whole number of 0 or more');

const cursor = once(
  z
    .string()
    .min(1, 'a nextCursor, or left out for the first page')
    .max(200, 'a nextCursor of this endpoint'),
)
  .optional()
  .describe(
    'the nextCursor of the previous response, URL-encoded; omit for the first, most recent page',
  );

const accepts = `a whole number of 1 or more (above ${MAX_LIMIT} counts as ${MAX_LIMIT})`;
const limit = wholeNumber(1, MAX_LIMIT, accepts, 'capped')
  .optional()
  .describe(
    `records per page; default ${DEFAULT_LIMIT}; larger values than ${MAX_LIMIT} are capped to ${MAX_LIMIT}`,
  );

/** Query parameters of the activity endpoint. */
export const activityParametersSchema = z
  .strictObject({
    marketIds: z
      .array(
        z
          .string()
          .regex(/^\d{1,78}$/, 'market identifiers in decimal digits, one value per parameter'),
      )
      .max(MAX_MARKET_IDS, `at most ${MAX_MARKET_IDS} market identifiers`)
      .optional()
      .describe('restrict to these market identifiers; repeat the parameter once per value'),
    txHash: once(z.string().regex(hashPattern, 'a transaction hash, 0x and 64 hex digits'))
      .optional()
      .describe('restrict to one transaction hash, in any case'),
    fromBlock: blockBound().optional().describe('only activity at or after this block height'),
    toBlock: blockBound().optional().describe('only activity at or before this block height'),
    fromTimestamp: timeBound()
      .optional()
      .describe('only activity at or after this Unix timestamp, seconds'),
    toTimestamp: timeBound()
      .optional()
      .describe('only activity at or before this Unix timestamp, seconds'),
    cursor,
    limit,
  })
  .superRefine((asked, context) => {
    for (const [from, to] of [
      ['fromBlock', 'toBlock'],
      ['fromTimestamp', 'toTimestamp'],
    ] as const) {
      if ((asked[from] ?? 0) > (asked[to] ?? Number.POSITIVE_INFINITY)) {
        context.addIssue({ code: 'custom', path: [from], message: `at most ${to}` });
      }
    }
  });

/** Query parameters of the deposits and withdrawals endpoint, which has no filters. */
export const transfersParametersSchema = z.strictObject({ cursor, limit });

/**
 * Parses a query string with one of the schemas above. Where the contract is silent, our choice is
 * to reject unreadable values, unknown parameters, and single-valued parameters given twice. The
 * reason names the parameter and what it accepts.
 */
export function readParameters(
  schema: typeof activityParametersSchema | typeof transfersParametersSchema,
  query: URLSearchParams,
):
  | { readonly ok: true; readonly value: z.infer<typeof activityParametersSchema> }
  | { readonly ok: false; readonly reason: string } {
  const given = Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name)]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  if (issue === undefined || issue.code === 'unrecognized_keys') {
    const known = Object.keys(schema.shape).join(', ');
    return {
      ok: false,
      reason: `${quoted(issue?.keys[0] ?? '')} is not a parameter here; this endpoint takes ${known}.`,
    };
  }
  const name = String(issue.path[0]);
  return {
    ok: false,
    reason: `${name} must be ${issue.message}; got ${query.getAll(name).map(quoted).join(', ')}.`,
  };
}

/** Returns the value in quotes, truncated so that a message stays short. */
export function quoted(value: string): string {
  return `"${value.length > 80 ? `${value.slice(0, 80)}…` : value}"`;
}
