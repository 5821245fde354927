import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { inlineCode } from '../../../src/embeds/text/escape.ts';
import type { Market } from '../../../src/portfolio/market.ts';
import type { Position } from '../../../src/portfolio/positions/position.ts';
import type { Completion } from '../../../src/slash-commands/slash-command.ts';
import { listedOf } from '../../../src/watches/settings/only-except.ts';
import { suggestWords, WORD_LIMIT, wordsNotIn } from '../../../src/watches/settings/words.ts';
import { joinedBy, knowsAll } from '../../../src/watches/watch.ts';
import { MARKET_NAME_LIMIT, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import type { CommandContext } from '../../shared/context.ts';
import { seenMarkets } from '../../shared/market-choices.ts';
import { channelOf } from '../../shared/wallet-option.ts';

/**
 * Maximum number of a channel's wallets that are searched for a name. With more wallets there is no
 * warning.
 */
const LOOKED = 200;
/** Maximum number of a channel's wallets whose markets are suggested from. */
const SUGGESTED = 10;
/**
 * Maximum number of unknown names that are listed, because a form accepts twenty names of 200
 * characters.
 */
const WARNED_SHOWN = 5;

type Filters = Partial<Pick<WatchSettings, 'markets' | 'words'>>;

/**
 * Checks new names in "only" filters of markets and words that no wallet of the channel is known to
 * have traded; in a delayed channel, as far as it has been shown. Most likely they are mistyped,
 * and nothing would pass the filter. Excluded names are not checked, because a mistake there does
 * no harm. Uses only stored data; the venue is not asked.
 * @param before the current settings; their names are not checked again
 * @returns one line for markets and one for words; none if all names are known
 */
export async function warningsOf(
  channelId: string,
  given: Filters,
  before: Filters,
  context: CommandContext,
): Promise<string[]> {
  const wallets = context.registry.ofChannel(channelId).map(({ wallet }) => wallet);
  const added = (name: keyof Filters) => {
    const wanted = given[name]?.mode === 'only' ? given[name].names : [];
    const known = before[name]?.names ?? [];
    return wanted.filter((one) => !known.includes(one));
  };
  let markets = added('markets');
  let words = added('words');
  const look = (seen: readonly Market[]) => {
    const namesOf = ({ marketId, marketSlug }: Market) => [marketId, marketSlug];
    const ids = new Set(seen.flatMap(namesOf).map((name) => name.toLowerCase()));
    markets = markets.filter((name) => !ids.has(name));
    words = wordsNotIn(words, seen);
    return markets.length + words.length === 0;
  };
  if (wallets.length > LOOKED || look(seenMarkets(context, null))) return [];
  for (const wallet of wallets) {
    if (look(await marketsOf(channelId, wallet, context))) return [];
    await nextTurn();
  }
  const { settings } = context.language.texts.watch;
  const listed = (names: readonly string[], limit: number) => {
    const shown = names.slice(0, WARNED_SHOWN).map((name) => inlineCode(name, limit));
    return listedOf(shown, names.length, context.language);
  };
  const warnings: string[] = [];
  if (markets.length > 0) {
    const names = listed(markets, MARKET_NAME_LIMIT);
    warnings.push(`⚠️ ${settings.unknownMarkets(names)}`);
  }
  if (words.length > 0) {
    const names = listed(words, WORD_LIMIT);
    warnings.push(`⚠️ ${settings.unknownWords(names)}`);
  }
  return warnings;
}

/**
 * Suggests values for the option `words` from the markets of the channel's watched wallets; in a
 * delayed channel, as far as it has been shown.
 */
export async function suggestSeenWords(
  typed: string,
  context: CommandContext,
  interaction: Completion,
) {
  const channelId = channelOf(interaction);
  const watches = context.registry
    .ofOwner(context.place.ownerId)
    .filter((watch) => watch.channelId === channelId);
  const ofWallets = watches
    .slice(0, SUGGESTED)
    .map(({ wallet }) => marketsOf(channelId, wallet, context));
  const seen = [...seenMarkets(context, null), ...(await Promise.all(ofWallets)).flat()];
  return suggestWords(typed, seen, context.language);
}

/**
 * Returns a function that checks whether a channel may be shown a wallet's trade, by its time in
 * Unix seconds. A delayed channel may not before its own alert of the trade. Without a delay each
 * channel may, because the venue may stamp a trade ahead of its clock.
 *
 * Call it after reading the trades, because new ones may be stored in the meantime.
 */
export async function shownIn(
  channelId: string,
  wallet: WalletAddress,
  { clock, later }: Pick<CommandContext, 'clock' | 'later'>,
): Promise<(atSeconds: number) => boolean> {
  if (!clock.isLater(channelId)) return () => true;
  const unreleased = await later.unreleasedRecords(channelId, wallet);
  const times = new Set(unreleased.values());
  const untilSeconds = clock.nowMs(channelId) / 1000;
  return (atSeconds) => atSeconds <= untilSeconds && !times.has(atSeconds);
}

/** Returns a wallet's markets that may be shown in a channel. */
async function marketsOf(
  channelId: string,
  wallet: WalletAddress,
  context: CommandContext,
): Promise<Market[]> {
  const { watchesForAll, knowledge } = context;
  const watches = watchesForAll(wallet);
  const portfolio = watches.length === 0 ? undefined : (await knowledge(wallet))?.portfolio;
  if (portfolio === undefined || !knowsAll(joinedBy(watches), portfolio)) return [];
  const isShown = await shownIn(channelId, wallet, context);
  return [
    ...portfolio.positions.filter((position) => fillTimes(position).some(isShown)),
    ...portfolio.largest.filter(({ timeSeconds }) => isShown(timeSeconds)),
  ];
}

/** Returns the known times of a position's fills, in Unix seconds; at least one. */
function fillTimes({ held, baseSeconds, recent, lastSeconds }: Position): number[] {
  const times = [
    held.sinceSeconds,
    baseSeconds,
    lastSeconds,
    ...recent.map(([atSeconds]) => atSeconds),
  ];
  return times.filter((atSeconds) => atSeconds > 0);
}
