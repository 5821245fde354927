import * as z from 'zod';

const DEFAULT_LIMIT = 50;
const LIMIT_MAX = 100;
/** Maximum market ids in one request to the source. */
const MARKETS_MOST = 20;
const TIME_MAX = 99_999_999_999;

/** A parameter that may be given once. Each message continues "NAME must be …". */
const once = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z
    .array(z.string())
    .max(1, 'given once')
    .transform((values) => values[0] ?? '')
    .pipe(schema);

const TIME = `a Unix time in whole seconds, not milliseconds, 0 to ${TIME_MAX}`;
const time = () =>
  once(
    z
      .string()
      .regex(/^\d{1,15}$/, TIME)
      .transform(Number)
      .pipe(z.int(TIME).max(TIME_MAX, TIME)),
  ).optional();

const cursor = once(
  z.string().min(1, 'a nextCursor, or left out for the first page').max(6_000, 'a nextCursor'),
).optional();
const LIMIT = `a whole number of 1 or more (above ${LIMIT_MAX} counts as ${LIMIT_MAX})`;
const limit = once(
  z
    .string()
    .regex(/^\d{1,30}$/, LIMIT)
    .transform((text) => Math.min(LIMIT_MAX, Number(text)))
    .pipe(z.int(LIMIT).min(1, LIMIT)),
).default(DEFAULT_LIMIT);

const NO_BLOCKS = 'left out: Polymarket lists no block heights. Use fromTimestamp and toTimestamp';
const activitySchema = z.strictObject({
  marketIds: z
    .array(z.string().regex(/^\d{1,78}$/, 'market identifiers in decimal digits, one a parameter'))
    .max(MARKETS_MOST, `at most ${MARKETS_MOST} market identifiers`)
    .optional(),
  txHash: once(
    z.string().regex(/^0x[0-9a-f]{64}$/i, 'a transaction hash, 0x and 64 hex digits'),
  ).optional(),
  fromBlock: z.never(NO_BLOCKS).optional(),
  toBlock: z.never(NO_BLOCKS).optional(),
  fromTimestamp: time(),
  toTimestamp: time(),
  cursor,
  limit,
});

const SCHEMAS = {
  activity: activitySchema,
  'deposits-withdrawals': z.strictObject({ cursor, limit }),
};

export type Asked = z.infer<typeof activitySchema>;

/** Reads the query of a list. A fault names the parameter and what is accepted. */
export function readQuery(
  list: keyof typeof SCHEMAS,
  query: URLSearchParams,
): { readonly asked: Asked } | { readonly fault: string } {
  const schema: z.ZodType<Asked> = SCHEMAS[list];
  const given = Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name)]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) {
    const { fromTimestamp = 0, toTimestamp = TIME_MAX } = parsed.data;
    if (fromTimestamp > toTimestamp) return { fault: 'fromTimestamp must be at most toTimestamp.' };
    return { asked: parsed.data };
  }
  const issue = parsed.error.issues[0];
  if (issue === undefined || issue.code === 'unrecognized_keys') {
    const name = String(issue?.keys[0] ?? '').slice(0, 80);
    const known = Object.keys(SCHEMAS[list].shape).join(', ');
    return { fault: `"${name}" is not a parameter here; this endpoint takes ${known}.` };
  }
  return { fault: `${String(issue.path[0])} must be ${issue.message}.` };
}
