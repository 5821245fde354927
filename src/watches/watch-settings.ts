import * as z from 'zod';

/** Kinds of records that a watch can be narrowed to. */
export const KINDS = ['buy', 'sell', 'redeem', 'deposit', 'withdrawal'] as const;
export type Kind = (typeof KINDS)[number];

/** Markets that one watch can name. */
export const MARKETS_LIMIT = 20;
/** The longest market id or slug, in characters. */
export const MARKET_NAME_LIMIT = 200;
/** The longest cooldown, of alerts and of mentions: a day. */
export const COOLDOWN_LIMIT_SECONDS = 86_400;

const cooldownSeconds = z.number().int().min(0).max(COOLDOWN_LIMIT_SECONDS);
const cents = z.number().min(0).max(100);
const usdc = z.number().min(0);

/** What is announced of a wallet, and how. Every setting has a default, for documents that were stored before it existed. */
export const settingsSchema = z.object({
  /** Kinds that are announced; null: all, unknown ones included. */
  kinds: z.array(z.enum(KINDS)).min(1).nullable().default(null),
  /** Least USDC of an alert: of the total where fills are grouped. */
  minUsdc: usdc.default(0),
  /** Market ids or slugs, lower case: the only ones that are announced, or the ones that are not; null: all are. */
  markets: z
    .object({
      mode: z.enum(['only', 'except']),
      names: z.array(z.string().min(1).max(MARKET_NAME_LIMIT)).min(1).max(MARKETS_LIMIT),
    })
    .nullable()
    .default(null),
  /** Trades outside this price band (inclusive) are not announced. Redemptions and transfers have no price. */
  priceCents: z
    .object({ min: cents, max: cents })
    .refine(({ min, max }) => min <= max)
    .nullable()
    .default(null),
  /** Trades in the other liquidity role are not announced; what has no known role is. */
  liquidityRole: z.enum(['maker', 'taker']).nullable().default(null),
  /** Seconds after an alert of a market in which further items of it wait, to come as one alert. 0: none wait. */
  cooldownSeconds: cooldownSeconds.default(0),
  /** Whether fills that belong together are one alert. */
  style: z.enum(['grouped', 'each']).default('grouped'),
  /** A role that is mentioned when an alert has at least that much USDC, not again before the cooldown is over. */
  mention: z
    .object({ roleId: z.string().regex(/^\d{17,20}$/), minUsdc: usdc, cooldownSeconds })
    .nullable()
    .default(null),
  /** Trades up to the 95th percentile of the wallet's sizes are not announced, once enough sizes are known. */
  unusualOnly: z.boolean().default(false),
  /** Alerts of less USDC are sent without a notification; gap alerts never are. 0: none are. */
  silentBelowUsdc: usdc.default(0),
});

export type WatchSettings = z.infer<typeof settingsSchema>;

/** The settings of a new watch. */
export const DEFAULT_SETTINGS: WatchSettings = settingsSchema.parse({});
