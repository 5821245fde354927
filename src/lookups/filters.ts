import * as z from 'zod';
import { ACTIONS } from '../domain/kinds.ts';
import type { ActivityItem } from '../domain/records.ts';
import { escapeText, inlineCode } from '../embeds/text/escape.ts';
import type { ActivityFilters } from '../feed/interface.ts';
import type { ListWords } from '../language/en/lists.ts';
import type { Language } from '../language/language.ts';
import { UserError } from '../language/user-error.ts';
import { QUOTED_LIMIT, readTime } from './time-option.ts';

const MARKET_LIMIT = 200;

const seconds = z.int().min(0);

/** What a list is narrowed to; null: not by this. */
export const filtersSchema = z.object({
  /** The venue selects by id; a slug is compared with each record of a scan. */
  market: z.object({ by: z.enum(['id', 'slug']), name: z.string().max(MARKET_LIMIT) }).nullable(),
  action: z.enum(ACTIONS).nullable(),
  /** Unix seconds, inclusive. */
  fromSeconds: seconds.nullable(),
  /** Unix seconds, inclusive. */
  toSeconds: seconds.nullable(),
  txHash: z.string().max(MARKET_LIMIT).nullable(),
});
export type Filters = z.infer<typeof filtersSchema>;

export const NO_FILTERS: Filters = { market: null, action: null, fromSeconds: null, toSeconds: null, txHash: null };

/** The options of `/activity` as they were typed; null: left out. */
type TypedFilters = Readonly<Record<'market' | 'action' | 'from' | 'to' | 'transaction', string | null>>;

/**
 * Reads the options of `/activity`.
 *
 * @param nowSeconds the venue's clock, Unix seconds
 * @param idOf the id of a market by its slug in lower case, if a list has shown it lately: the venue selects by id only
 * @throws UserError that quotes the value and says what is accepted
 */
export function readFilters(
  typed: TypedFilters,
  nowSeconds: number,
  idOf: (slug: string) => string | undefined,
): Filters {
  const action = typed.action === null ? null : ACTIONS.find((name) => name === typed.action);
  if (action === undefined) throw refused(typed.action, (quoted, texts) => texts.action(quoted, ACTIONS.join(', ')));
  const fromSeconds = typed.from === null ? null : readTime(typed.from, 'from', nowSeconds);
  const toSeconds = typed.to === null ? null : readTime(typed.to, 'to', nowSeconds);
  if (fromSeconds !== null && toSeconds !== null && fromSeconds > toSeconds) {
    throw new UserError(({ texts }) => texts.lists.refused.fromAfterTo(`<t:${fromSeconds}:f>`, `<t:${toSeconds}:f>`));
  }
  const txHash = typed.transaction?.trim().toLowerCase() ?? null;
  if (txHash !== null && !/^0x[0-9a-f]{64}$/.test(txHash)) {
    throw refused(typed.transaction, (quoted, texts) => texts.transaction(quoted));
  }
  const market = typed.market === null ? null : readMarket(typed.market, idOf);
  if (market === undefined) throw refused(typed.market, (quoted, texts) => texts.market(quoted));
  return { market, action, fromSeconds, toSeconds, txHash };
}

/** A market id, or a slug; undefined if the text can be neither. */
function readMarket(text: string, idOf: (slug: string) => string | undefined): Filters['market'] | undefined {
  const name = text.trim();
  if (/^\d{1,78}$/.test(name)) return { by: 'id', name };
  const slug = name.toLowerCase();
  if (!/^[\p{L}\p{N}._~-]+$/u.test(slug) || slug.length > MARKET_LIMIT) return undefined;
  const id = idOf(slug);
  return id === undefined ? { by: 'slug', name: slug } : { by: 'id', name: id };
}

function refused(typed: string | null, why: (quoted: string, texts: ListWords['refused']) => string): UserError {
  return new UserError(({ texts }) => why(inlineCode(typed ?? '', QUOTED_LIMIT), texts.lists.refused));
}

/** The filters that the venue applies, as its query parameters. */
export function venueFilters({ market, fromSeconds, toSeconds, txHash }: Filters): ActivityFilters {
  return {
    ...(market?.by === 'id' ? { marketIds: [market.name] } : {}),
    ...(fromSeconds === null ? {} : { fromTimestampSeconds: fromSeconds }),
    ...(toSeconds === null ? {} : { toTimestampSeconds: toSeconds }),
    ...(txHash === null ? {} : { txHash }),
  };
}

/** Whether a record passes the other filters: action, and market by slug. */
export function passes(item: Pick<ActivityItem, 'action' | 'marketSlug'>, { action, market }: Filters): boolean {
  if (action !== null && item.action !== action) return false;
  return market?.by !== 'slug' || item.marketSlug.toLowerCase() === market.name;
}

/** Whether such a filter is set, so that fewer records are shown than the venue answers with. */
export function isPostFiltered({ action, market }: Filters): boolean {
  return action !== null || market?.by === 'slug';
}

/** Whether a list is narrowed to anything. */
export function isNarrowed(filters: Filters): boolean {
  return Object.values(filters).some((filter) => filter !== null);
}

/** The filters as text, escaped for markdown; empty without any. */
export function describeFilters(
  { action, market, fromSeconds, toSeconds, txHash }: Filters,
  { texts }: Language,
): string {
  const { filters } = texts.lists;
  return [
    ...(action === null ? [] : [filters[action]]),
    ...(market === null ? [] : [filters.market(escapeText(market.name, 80, filters.withoutName))]),
    ...(fromSeconds === null ? [] : [filters.from(`<t:${fromSeconds}:f>`)]),
    ...(toSeconds === null ? [] : [filters.to(`<t:${toSeconds}:f>`)]),
    ...(txHash === null ? [] : [filters.transaction(`${txHash.slice(0, 6)}…${txHash.slice(-4)}`)]),
  ].join(' · ');
}
