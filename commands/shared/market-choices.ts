import type { WalletAddress } from '../../src/domain/address.ts';
import { SEPARATOR } from '../../src/embeds/embed-parts.ts';
import { abbreviated, plainText } from '../../src/embeds/text/escape.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { isMarketId, type Market, marketOf } from '../../src/portfolio/market.ts';
import {
  CHOICE_LENGTH,
  CHOICES_MOST,
  type Choice,
} from '../../src/slash-commands/slash-command.ts';
import type { CommandContext } from './context.ts';
import { spelledNames } from './market-names.ts';
import { spelled } from './wallet-names.ts';

/** Maximum number of records checked in one turn of the event loop, which takes about 4 ms. */
const RECORDS_LIMIT = 5_000;
/** Number of code points shown of an id that distinguishes equal titles. */
const ID_MAX = 13;

/**
 * Returns markets in lists that the owner's people recently opened, newest first, up to the limit.
 * @param wallet null for all wallets
 */
export function seenMarkets(
  { scans, place }: CommandContext,
  wallet: WalletAddress | null,
): readonly Market[] {
  const own = [...scans.activity.values()].filter(
    (scan) => scan.ownerId === place.ownerId && (wallet === null || scan.wallet === wallet),
  );
  const byId = new Map<string, Market>();
  let left = RECORDS_LIMIT;
  for (const { items } of own.reverse()) {
    const looked = items.slice(0, left);
    left -= looked.length;
    for (const item of looked) {
      const isNew = item.marketId !== '' && !byId.has(item.marketId);
      if (isNew) byId.set(item.marketId, marketOf(item));
    }
  }
  return [...byId.values()];
}

/**
 * Returns the id of a market by its slug in lower case, if one of these lists contains it;
 * otherwise undefined.
 */
export function marketIdOf(context: CommandContext, slug: string): string | undefined {
  if (slug === '') return undefined;
  for (const { marketSlug, marketId } of seenMarkets(context, null)) {
    if (marketSlug.toLowerCase() === slug && isMarketId(marketId)) return marketId;
  }
  return undefined;
}

/** A market that can be chosen. `key`: its id, or the text that selects a market without id. */
interface Choosable {
  readonly key: string;
  readonly market: Market;
  /** As returned by `spelledNames`. */
  readonly names: readonly string[];
}

/** Returns a market in the form that can be chosen. */
export function choosable(market: Market): Choosable {
  return { key: market.marketId, market, names: spelledNames(market) };
}

/**
 * Returns choices of markets by part of title, slug or id. If two titles look the same, the id is
 * added.
 */
export function marketChoices(typed: string, markets: readonly Choosable[]): Choice[] {
  const wanted = spelled(typed);
  const found: Choosable[] = [];
  for (const one of markets) {
    if (found.length === CHOICES_MOST) break;
    if (one.key.length > CHOICE_LENGTH) continue;
    if (one.names.some((name) => name.includes(wanted))) found.push(one);
  }
  const titled = groupBy(found, (one) => titleWithin(one, CHOICE_LENGTH));
  return found.map((one) => {
    const { key, market } = one;
    const value = isMarketId(market.marketId) ? market.marketId : key;
    const title = titleWithin(one, CHOICE_LENGTH);
    if (titled.get(title)?.length === 1) return { name: title, value };
    const end = `${SEPARATOR}${plainText(abbreviated(value), ID_MAX, '?')}`;
    return { name: `${titleWithin(one, CHOICE_LENGTH - end.length)}${end}`, value };
  });
}

function titleWithin({ key, market }: Choosable, codePoints: number): string {
  return plainText(market.marketTitle || market.marketSlug, codePoints, market.marketId || key);
}
