import { z } from 'zod';

/** What a watch can be narrowed to. */
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

/** How a room wants a watch to ring. Every part has a default, so that documents of before it existed are read alike. */
export const settingsSchema = z.object({
  /** The kinds that ring; null: all, also those that the venue may bring one day. */
  kinds: z.array(z.enum(KINDS)).min(1).nullable().default(null),
  /** Least USDC of an alert: of the total where fills are grouped. */
  minUsdc: usdc.default(0),
  /** Market ids or slugs, lower case: the only ones that ring, or the ones that do not. */
  markets: z
    .object({
      mode: z.enum(['only', 'except']),
      names: z.array(z.string().min(1).max(MARKET_NAME_LIMIT)).min(1).max(MARKETS_LIMIT),
    })
    .nullable()
    .default(null),
  /** Trades outside of this price band do not ring, inclusive. Redemptions and transfers have no such price. */
  priceCents: z
    .object({ min: cents, max: cents })
    .refine(({ min, max }) => min <= max)
    .nullable()
    .default(null),
  /** Only trades in this liquidity role ring; redemptions, transfers and trades without a role ring all the same. */
  liquidityRole: z.enum(['maker', 'taker']).nullable().default(null),
  /** After an alert of a market, what else the wallet does there waits this long and comes as one alert. 0: no waiting. */
  cooldownSeconds: cooldownSeconds.default(0),
  /** Whether fills that belong together are one alert. */
  style: z.enum(['grouped', 'each']).default('grouped'),
  /** A role that is mentioned when an alert has at least that much USDC, not again before the cooldown is over. */
  mention: z
    .object({ roleId: z.string().regex(/^\d{17,20}$/), minUsdc: usdc, cooldownSeconds })
    .nullable()
    .default(null),
  /** Only trades far beyond the wallet's own usual size ring, once enough of them are known to tell. */
  unusualOnly: z.boolean().default(false),
  /** Alerts below this much USDC make no sound (a gap notice always may). 0: all may. */
  silentBelowUsdc: usdc.default(0),
});

export type WatchSettings = z.infer<typeof settingsSchema>;

/** A watch that nobody has edited. */
export const DEFAULT_SETTINGS: WatchSettings = settingsSchema.parse({});
