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

/** Records that are looked through at the most, in one turn of the event loop: some 4 ms. */
const RECORDS_LIMIT = 5_000;
/** Code points of an id that tells titles apart. */
const ID_MAX = 13;

/**
 * Markets of lists that the owner's people lately asked for, newest first, to the limit.
 *
 * @param wallet null: all
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

/** The id of a market by its slug in lower case, if such a list holds it; else undefined. */
export function marketIdOf(context: CommandContext, slug: string): string | undefined {
  if (slug === '') return undefined;
  for (const { marketSlug, marketId } of seenMarkets(context, null)) {
    if (marketSlug.toLowerCase() === slug && isMarketId(marketId)) return marketId;
  }
  return undefined;
}

/** A market to be chosen. `key`: its id, else what chooses one without id. */
interface Choosable {
  readonly key: string;
  readonly market: Market;
  /** As `spelledNames` gives them. */
  readonly names: readonly string[];
}

/** Makes a market one that can be chosen. */
export function choosable(market: Market): Choosable {
  return { key: market.marketId, market, names: spelledNames(market) };
}

/** Choices of markets by part of title, slug or id; with the id where two titles read alike. */
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
