import type { ActivityItem } from '../../../src/domain/records.ts';
import { inlineCode } from '../../../src/embeds/text/escape.ts';
import { VenueError } from '../../../src/feed/interface.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { seenMarkets } from '../../../src/lookups/market-choices.ts';
import { joinedBy, knowsAll } from '../../../src/watches/known-since.ts';
import { MARKET_NAME_LIMIT } from '../../../src/watches/settings/markets.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { WatchSettings } from '../../../src/watches/watch-settings.ts';
import type { CommandContext } from '../../shared/context.ts';

/** Newest trades in which a market is looked for. */
const NEWEST = 100;

/**
 * Warns of markets in a watch's settings in which no trade is known: most likely their names are mistyped, and the watch
 * would be silent for ever.
 *
 * @param before the settings until now: what they name is not looked at again
 */
export async function marketWarnings(
  { wallet, settings: { markets } }: Pick<Watch, 'wallet' | 'settings'>,
  before: Pick<WatchSettings, 'markets'>,
  context: CommandContext,
): Promise<string[]> {
  const given = markets?.names.filter((name) => before.markets?.names.includes(name) !== true) ?? [];
  if (given.length === 0) return [];
  const known = new Set<string>();
  const note = (seen: Iterable<Pick<ActivityItem, 'marketId' | 'marketSlug'>>) => {
    for (const { marketId, marketSlug } of seen) known.add(marketId.toLowerCase()).add(marketSlug.toLowerCase());
  };
  note(seenMarkets(context.scans.activity.values(), context.place.ownerId, null));
  note(await positionsKnown(wallet, context));
  if (given.every((name) => known.has(name))) return [];
  const trades = await newestTrades(wallet, context);
  if (trades === null) return [];
  note(trades);
  const unknown = given.filter((name) => !known.has(name)).map((name) => inlineCode(name, MARKET_NAME_LIMIT));
  const { watch } = context.language.texts;
  return unknown.length === 0 ? [] : [`⚠️ ${watch.settings.unknownMarkets(unknown.join(watch.comma))}`];
}

/** The positions of a wallet of which the server, or the person, may know. */
async function positionsKnown(wallet: Watch['wallet'], { watchesForAll, knowledge }: CommandContext) {
  const watches = watchesForAll(wallet);
  const kept = watches.length === 0 ? undefined : await knowledge(wallet);
  return kept !== undefined && knowsAll(joinedBy(watches), kept.portfolio) ? kept.portfolio.positions : [];
}

/** Null where the venue does not answer: the warning is worth no error. */
async function newestTrades(
  wallet: Watch['wallet'],
  { venue }: CommandContext,
): Promise<readonly ActivityItem[] | null> {
  try {
    return (await venue.activity(wallet, { limit: NEWEST }, { priority: 'person' })).items;
  } catch (error) {
    if (error instanceof VenueError || error instanceof UserError) return null;
    throw error;
  }
}
