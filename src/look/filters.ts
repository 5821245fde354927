import { z } from 'zod';
import { escapeText } from '../alert/text.ts';
import type { ActivityFilters } from '../venue/client.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { readTime } from './when.ts';

/** The actions that can be asked for. */
export const ACTIONS = ['Buy', 'Sell', 'Redeem'] as const;
const MARKET_LIMIT = 200;

const seconds = z.int().min(0);

/** What a list is narrowed to; null: not narrowed. */
export const filtersSchema = z.object({
  /** The venue selects by id; a slug is compared here, while walking. */
  market: z.object({ by: z.enum(['id', 'slug']), name: z.string().max(MARKET_LIMIT) }).nullable(),
  action: z.enum(ACTIONS).nullable(),
  /** Unix seconds, inclusive. */
  fromSeconds: seconds.nullable(),
  /** Unix seconds, inclusive. */
  toSeconds: seconds.nullable(),
  txHash: z.string().max(MARKET_LIMIT).nullable(),
});
export type Filters = z.infer<typeof filtersSchema>;

export const NO_FILTERS: Filters = {
  market: null,
  action: null,
  fromSeconds: null,
  toSeconds: null,
  txHash: null,
};

/** The options as a person has typed them; null: left out. */
export interface TypedFilters {
  readonly market: string | null;
  readonly action: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly transaction: string | null;
}

export type ReadFilters =
  | { readonly ok: true; readonly filters: Filters }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the options of `/activity`. The reason of a refusal is markdown, names the option and says what is accepted.
 *
 * @param idOf the id of a market whose slug was seen lately, which the venue can select by
 */
export function readFilters(
  typed: TypedFilters,
  nowSeconds: number,
  idOf: (slug: string) => string | undefined,
): ReadFilters {
  const action = typed.action === null ? null : ACTIONS.find((name) => name === typed.action);
  if (action === undefined) return refused('action', typed.action, `Accepted: ${ACTIONS.join(', ')}`);
  const from = typed.from === null ? null : readTime(typed.from, 'from', nowSeconds);
  if (from?.ok === false) return from;
  const to = typed.to === null ? null : readTime(typed.to, 'to', nowSeconds);
  if (to?.ok === false) return to;
  if (from !== null && to !== null && from.seconds > to.seconds) {
    return {
      ok: false,
      reason: `\`from\` (<t:${from.seconds}:f>) is later than \`to\` (<t:${to.seconds}:f>). Swap them.`,
    };
  }
  const txHash = typed.transaction?.trim().toLowerCase() ?? null;
  if (txHash !== null && !/^0x[0-9a-f]{64}$/.test(txHash)) {
    return refused('transaction', typed.transaction, 'A transaction hash is 0x followed by 64 hex digits');
  }
  const market = typed.market === null ? null : readMarket(typed.market, idOf);
  if (market === undefined) {
    return refused('market', typed.market, 'Accepted: its number, or its slug, such as `will-it-rain-in-paris`');
  }
  return {
    ok: true,
    filters: { market, action, fromSeconds: from?.seconds ?? null, toSeconds: to?.seconds ?? null, txHash },
  };
}

function readMarket(text: string, idOf: (slug: string) => string | undefined): Filters['market'] | undefined {
  const name = text.trim();
  if (/^\d{1,78}$/.test(name)) return { by: 'id', name };
  const slug = name.toLowerCase();
  if (!/^[\p{L}\p{N}._~-]+$/u.test(slug) || slug.length > MARKET_LIMIT) return undefined;
  const id = idOf(slug);
  return id === undefined ? { by: 'slug', name: slug } : { by: 'id', name: id };
}

function refused(option: string, text: string | null, accepted: string): ReadFilters {
  return {
    ok: false,
    reason: `\`${option}\`: ${escapeText(text ?? '', 60, 'An empty text')} is not one. ${accepted}.`,
  };
}

/** What the venue can select by itself. */
export function venueFilters({ market, fromSeconds, toSeconds, txHash }: Filters): ActivityFilters {
  return {
    ...(market?.by === 'id' ? { marketIds: [market.name] } : {}),
    ...(fromSeconds === null ? {} : { fromTimestampSeconds: fromSeconds }),
    ...(toSeconds === null ? {} : { toTimestampSeconds: toSeconds }),
    ...(txHash === null ? {} : { txHash }),
  };
}

/** Whether an item passes what the venue cannot select by. */
export function passes(item: Pick<ActivityItem, 'action' | 'marketSlug'>, { action, market }: Filters): boolean {
  if (action !== null && item.action !== action) return false;
  return market?.by !== 'slug' || item.marketSlug.toLowerCase() === market.name;
}

/** Whether items are left out after the venue has answered. */
export function isSifted({ action, market }: Filters): boolean {
  return action !== null || market?.by === 'slug';
}

/** The filters in words, markdown escaped; empty without any. */
export function describeFilters({ action, market, fromSeconds, toSeconds, txHash }: Filters): string {
  return [
    ...(action === null ? [] : [{ Buy: 'buys', Sell: 'sells', Redeem: 'redemptions' }[action]]),
    ...(market === null ? [] : [`market ${escapeText(market.name, 80, 'without a name')}`]),
    ...(fromSeconds === null ? [] : [`from <t:${fromSeconds}:f>`]),
    ...(toSeconds === null ? [] : [`to <t:${toSeconds}:f>`]),
    ...(txHash === null ? [] : [`transaction ${txHash.slice(0, 6)}…${txHash.slice(-4)}`]),
  ].join(' · ');
}
