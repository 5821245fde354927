import type { WalletAddress } from '../../src/domain/address.ts';
import { plainText } from '../../src/embeds/text/escape.ts';
import { isMarketId, type Market, marketOf } from '../../src/portfolio/market.ts';
import { CHOICE_LENGTH, CHOICES_MOST, type Choice } from '../../src/slash-commands/slash-command.ts';
import type { CommandContext } from './context.ts';
import { spelled } from './wallet-names.ts';

/** Records that are looked through at the most, in one turn of the event loop: some 4 ms. */
const RECORDS_LIMIT = 5_000;

/**
 * Markets of the lists that the owner's people have lately asked for, those of the last list first: as far as
 * {@link RECORDS_LIMIT} records reach.
 *
 * @param wallet of this wallet only; null: of any
 */
export function seenMarkets({ scans, place }: CommandContext, wallet: WalletAddress | null): readonly Market[] {
  const own = [...scans.activity.values()].filter(
    (scan) => scan.ownerId === place.ownerId && (wallet === null || scan.wallet === wallet),
  );
  const byId = new Map<string, Market>();
  let left = RECORDS_LIMIT;
  for (const { items } of own.reverse()) {
    const looked = items.slice(0, left);
    left -= looked.length;
    for (const item of looked)
      if (item.marketId !== '' && !byId.has(item.marketId)) byId.set(item.marketId, marketOf(item));
  }
  return [...byId.values()];
}

/** The id of a market by its slug in lower case, if such a list holds it; else undefined. */
export function marketIdOf(context: CommandContext, slug: string): string | undefined {
  return seenMarkets(context, null).find(
    ({ marketSlug, marketId }) => slug !== '' && marketSlug.toLowerCase() === slug && isMarketId(marketId),
  )?.marketId;
}

/** Autocomplete choices: markets whose title, slug or id contains the typed text. @param markets with the key by which those are chosen that have no id */
export function marketChoices(typed: string, markets: readonly (Market & { readonly key?: string })[]): Choice[] {
  const wanted = spelled(typed);
  return markets
    .filter(({ title, marketSlug, marketId, key = marketId }) => {
      const isNamed = [title, marketSlug, marketId].some((text) => spelled(text).includes(wanted));
      return isNamed && key.length <= CHOICE_LENGTH;
    })
    .slice(0, CHOICES_MOST)
    .map(({ title, marketSlug, marketId, key = marketId }) => ({
      name: plainText(title || marketSlug, CHOICE_LENGTH, marketId || key),
      value: isMarketId(marketId) ? marketId : key,
    }));
}
