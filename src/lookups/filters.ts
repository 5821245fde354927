import { z } from 'zod';
import { escapeText } from '../embeds/escape.ts';
import type { Language, LocalizedText } from '../language/language.ts';
import type { ActivityFilters } from '../venue/client.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { QUOTED_LIMIT, readTime } from './time-option.ts';

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
  | { readonly ok: false; readonly reason: LocalizedText };

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
  if (action === undefined) return refused(typed.action, (told, { action: say }) => say(told, ACTIONS.join(', ')));
  const from = typed.from === null ? null : readTime(typed.from, 'from', nowSeconds);
  if (from?.ok === false) return from;
  const to = typed.to === null ? null : readTime(typed.to, 'to', nowSeconds);
  if (to?.ok === false) return to;
  if (from !== null && to !== null && from.seconds > to.seconds) {
    const [later, earlier] = [`<t:${from.seconds}:f>`, `<t:${to.seconds}:f>`];
    return { ok: false, reason: ({ texts }) => texts.lists.refused.fromAfterTo(later, earlier) };
  }
  const txHash = typed.transaction?.trim().toLowerCase() ?? null;
  if (txHash !== null && !/^0x[0-9a-f]{64}$/.test(txHash)) {
    return refused(typed.transaction, (told, { transaction }) => transaction(told));
  }
  const market = typed.market === null ? null : readMarket(typed.market, idOf);
  if (market === undefined) return refused(typed.market, (told, { market: say }) => say(told));
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

function refused(
  text: string | null,
  why: (told: string, texts: Language['texts']['lists']['refused']) => string,
): ReadFilters {
  return {
    ok: false,
    reason({ texts }) {
      const { refused: say } = texts.lists;
      return why(escapeText(text ?? '', QUOTED_LIMIT, say.emptyText), say);
    },
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
export function isPostFiltered({ action, market }: Filters): boolean {
  return action !== null || market?.by === 'slug';
}

/** Whether a list is narrowed to anything. */
export function isNarrowed({ action, market, fromSeconds, toSeconds, txHash }: Filters): boolean {
  return [action, market, fromSeconds, toSeconds, txHash].some((filter) => filter !== null);
}

/** The filters in words, markdown escaped; empty without any. */
export function describeFilters(
  { action, market, fromSeconds, toSeconds, txHash }: Filters,
  { texts }: Language,
): string {
  const say = texts.lists.filters;
  return [
    ...(action === null ? [] : [say[action]]),
    ...(market === null ? [] : [say.market(escapeText(market.name, 80, say.withoutName))]),
    ...(fromSeconds === null ? [] : [say.from(`<t:${fromSeconds}:f>`)]),
    ...(toSeconds === null ? [] : [say.to(`<t:${toSeconds}:f>`)]),
    ...(txHash === null ? [] : [say.transaction(`${txHash.slice(0, 6)}…${txHash.slice(-4)}`)]),
  ].join(' · ');
}
