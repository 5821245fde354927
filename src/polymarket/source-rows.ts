import * as z from 'zod';
import { parseJson } from '../lib/text/json.ts';

/**
 * Schemas of the responses of Polymarket's public services: Data API v2 (`/v2/activity`,
 * `/v2/resolutions`, `/v2/status`) and Gamma (`/markets`, `/public-profile`), as documented in
 * November 2026. An odd value of a decorative field becomes a neutral one.
 */

const decorative = z.string().max(2_000).catch('');
const identifier = z.string().max(200).catch('');
/** Amounts are doubles; a negative or invalid one makes a row unreadable. */
const amount = z.number().min(0).max(1e15);

/** Outcome index of a row that the source could not label. */
const UNLABELED_OUTCOME_INDEX = 999;

/** Sides of a trade, as the source spells them. */
const SIDES = ['BUY', 'SELL'];

/**
 * One row of `/v2/activity`. Names, pictures and texts of people are dropped here. A trade without
 * a side or a price is rejected, because it would be shown as a purchase, or as a free one.
 */
export const activityRowSchema = z
  .object({
    proxy_wallet: z.string().max(100),
    /** Unix seconds of the block. */
    timestamp: z.int().min(0).max(99_999_999_999),
    type: z.string().min(1).max(40),
    condition_id: identifier,
    token_id: identifier,
    side: z.string().max(20).catch(''),
    outcome: identifier,
    outcome_index: z
      .int()
      .min(0)
      .max(UNLABELED_OUTCOME_INDEX - 1)
      .nullable()
      .catch(null),
    /** Shares; for a redemption, the amount paid. */
    size: amount,
    /** USDC, including the fee. */
    usdc_size: amount,
    /** USDC per share, up to ten digits; 0 if no price applies. */
    price: z.number().min(0).max(1.000001).catch(0),
    transaction_hash: identifier,
    title: decorative,
    slug: decorative,
    event_slug: decorative,
    icon: decorative,
    is_combo: z.boolean().catch(false).default(false),
  })
  .refine(({ type, side }) => type !== 'TRADE' || SIDES.includes(side), { path: ['side'] })
  .refine(({ type, price, usdc_size: usdc }) => type !== 'TRADE' || price > 0 || usdc === 0, {
    path: ['price'],
  });
export type ActivityRow = Readonly<z.infer<typeof activityRowSchema>>;

/** A page of `/v2/activity`. Its rows are read one by one. */
export const activityPageSchema = z.object({
  data: z.array(z.unknown()).max(1_000),
  pagination: z.object({
    has_more: z.boolean(),
    next_cursor: z.string().max(4_000).nullable(),
  }),
});

const distinctTexts = z
  .array(z.string().min(1))
  .max(100)
  .refine((texts) => new Set(texts).size === texts.length);
/**
 * A list that Gamma sends as JSON text or as a list. Empty if an entry is not a text or occurs
 * twice, because the outcome that it means would be a guess.
 */
const textList = z
  .union([z.string().max(20_000), z.array(z.unknown()).max(100)])
  .nullish()
  .transform((value): readonly string[] => {
    const list: unknown = typeof value === 'string' ? parseJson(value) : value;
    return distinctTexts.safeParse(list).data ?? [];
  });

/** A market as the gateway keeps it. Its outcomes and tokens do not change once they are known. */
export const marketSchema = z.object({
  id: z.string(),
  conditionId: z.string(),
  title: z.string(),
  slug: z.string(),
  eventSlug: z.string(),
  outcomes: z.array(z.string()).readonly(),
  /** Token of each outcome, for trades on any protocol. */
  tokens: z.array(z.string()).readonly(),
  /** Additional tokens of the outcomes, in their order, one list after another. */
  otherTokens: z.array(z.string()).readonly(),
});
export type Market = Readonly<z.infer<typeof marketSchema>>;

const gammaMarketSchema = z
  .object({
    id: z.union([z.string().max(40), z.int().transform(String)]),
    conditionId: z.string().max(200),
    question: decorative,
    slug: decorative,
    outcomes: textList,
    clobTokenIds: textList,
    positionIds: textList,
    events: z
      .array(z.object({ slug: decorative }))
      .max(100)
      .catch([]),
  })
  .transform(
    ({ id, conditionId, question, slug, outcomes, clobTokenIds, positionIds, events }): Market => {
      const lists = [clobTokenIds, positionIds].filter(({ length }) => length === outcomes.length);
      const [tokens = [], otherTokens = []] = lists;
      return {
        id: /^\d{1,40}$/.test(id) ? id : '',
        conditionId: conditionId.toLowerCase(),
        title: question,
        slug,
        eventSlug: events[0]?.slug ?? '',
        outcomes,
        tokens,
        otherTokens,
      };
    },
  );

const resolutionSchema = z.object({
  condition_id: z.string().max(200),
  status: z.string().max(40),
  payouts: z.array(z.number()).max(100).nullish(),
});

const statusSchema = z.object({
  data: z.object({ serving: z.object({ lag_seconds: z.number().min(0) }) }),
});

const profileSchema = z.object({ proxyWallet: z.string().regex(/^0x[0-9a-f]{40}$/i) });

/**
 * Returns the markets in a response of Gamma, without unreadable entries. Undefined if it is not a
 * list.
 */
export function readMarkets(body: unknown): readonly Market[] | undefined {
  if (!Array.isArray(body)) return undefined;
  return body.slice(0, 1_000).flatMap((entry) => {
    const read = gammaMarketSchema.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

/**
 * Returns the payouts of a share of each outcome, from 0 to 1, by condition, for markets that have
 * ended. Payouts are documented in millionths; if they do not add up to a million they are ignored.
 * Undefined if it is not a list.
 */
export function readPayouts(body: unknown): ReadonlyMap<string, readonly number[]> | undefined {
  const read = z.object({ data: z.array(z.unknown()).max(1_000) }).safeParse(body);
  if (!read.success) return undefined;
  const entries = read.data.data.flatMap((entry): [string, readonly number[]][] => {
    const resolution = resolutionSchema.safeParse(entry);
    if (!resolution.success || resolution.data.status.toLowerCase() !== 'resolved') return [];
    const payouts = resolution.data.payouts ?? [];
    const sum = payouts.reduce((total, payout) => total + payout, 0);
    if (sum !== 1_000_000 || payouts.some((payout) => payout < 0)) return [];
    return [
      [resolution.data.condition_id.toLowerCase(), payouts.map((payout) => payout / 1_000_000)],
    ];
  });
  return new Map(entries);
}

/**
 * Returns the seconds by which the source says that it lags behind the chain; null if it states
 * none.
 */
export function readLagSeconds(body: unknown): number | null {
  const read = statusSchema.safeParse(body);
  return read.success ? read.data.data.serving.lag_seconds : null;
}

/**
 * Returns the address under which the trades of a profile are listed, in lower case; null if there
 * is none.
 */
export function readProxyWallet(body: unknown): string | null {
  const read = profileSchema.safeParse(body);
  return read.success ? read.data.proxyWallet.toLowerCase() : null;
}
