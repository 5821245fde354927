import type { WalletAddress } from '../domain/address.ts';
import type { ActivityItem } from '../domain/records.ts';
import { plainText } from '../embeds/text/escape.ts';
import { CHOICE_LENGTH, CHOICES_MOST, type Choice } from '../slash-commands/slash-command.ts';
import type { PageScan } from './page-scan.ts';

/** Records that are looked through at the most, in one turn of the event loop: some 4 ms. */
const RECORDS_LIMIT = 5_000;

type Market = Pick<ActivityItem, 'marketId' | 'marketSlug' | 'marketTitle' | 'eventSlug'>;

/**
 * Markets of the lists that an owner's people have lately asked for, those of the last list first: as far as
 * {@link RECORDS_LIMIT} records reach.
 *
 * @param wallet of this wallet only; null: of any
 */
export function seenMarkets(
  scans: Iterable<PageScan<ActivityItem>>,
  ownerId: string,
  wallet: WalletAddress | null,
): readonly Market[] {
  const own = [...scans].filter((scan) => scan.ownerId === ownerId && (wallet === null || scan.wallet === wallet));
  const byId = new Map<string, Market>();
  let left = RECORDS_LIMIT;
  for (const { items } of own.reverse()) {
    const looked = items.slice(0, left);
    left -= looked.length;
    for (const item of looked) if (item.marketId !== '' && !byId.has(item.marketId)) byId.set(item.marketId, item);
  }
  return [...byId.values()];
}

/** The id of a market by its slug in lower case, if such a list holds it; else undefined. */
export function marketIdOf(scans: Iterable<PageScan<ActivityItem>>, ownerId: string, slug: string): string | undefined {
  return seenMarkets(scans, ownerId, null).find(
    ({ marketSlug, marketId }) => slug !== '' && marketSlug.toLowerCase() === slug && /^\d{1,78}$/.test(marketId),
  )?.marketId;
}

/** Autocomplete choices of the option `market`: markets of such lists whose title, slug or id contains the typed text. */
export function marketChoices(
  typed: string,
  scans: Iterable<PageScan<ActivityItem>>,
  ownerId: string,
  wallet: WalletAddress | null,
): Choice[] {
  const wanted = typed.trim().toLowerCase();
  return seenMarkets(scans, ownerId, wallet)
    .filter(({ marketId, marketSlug, marketTitle }) =>
      [marketId, marketSlug, marketTitle].some((text) => text.toLowerCase().includes(wanted)),
    )
    .filter(({ marketId }) => marketId.length <= CHOICE_LENGTH)
    .slice(0, CHOICES_MOST)
    .map(({ marketId, marketSlug, marketTitle }) => ({
      name: plainText(marketTitle || marketSlug, CHOICE_LENGTH, marketId),
      value: marketId,
    }));
}
