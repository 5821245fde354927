import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WalletAddress } from '../../../src/domain/address.ts';
import { inlineCode } from '../../../src/embeds/text/escape.ts';
import { VenueError } from '../../../src/feed/interface.ts';
import { UserError } from '../../../src/language/user-error.ts';
import { type Market, marketOf } from '../../../src/portfolio/market.ts';
import type { Completion } from '../../../src/slash-commands/slash-command.ts';
import { suggestWords, WORD_LIMIT, wordsNotIn } from '../../../src/watches/settings/words.ts';
import { joinedBy, knowsAll } from '../../../src/watches/watch.ts';
import { MARKET_NAME_LIMIT, type WatchSettings } from '../../../src/watches/watch-settings.ts';
import type { CommandContext } from '../../shared/context.ts';
import { seenMarkets } from '../../shared/market-choices.ts';
import { channelOf } from '../../shared/wallet-option.ts';

/**
 * Newest trades in which a market is looked for, and wallets whose newest trades the venue is asked
 * for.
 */
const NEWEST = 100;
const ASKED = 5;
/**
 * Wallets of a channel that are looked through for a warning (with more there is none), and for a
 * suggestion.
 */
const LOOKED = 200;
const SUGGESTED = 10;

type Filters = Partial<Pick<WatchSettings, 'markets' | 'words'>>;

/**
 * Warns of markets and words in settings of which no trade is known: most likely they are mistyped,
 * and nothing, or everything, would be alerted to.
 *
 * @param wallets that the settings are for
 * @param before the settings until now: what they name is not looked at again
 */
export async function seenWarnings(
  wallets: readonly WalletAddress[],
  given: Filters,
  before: Filters,
  context: CommandContext,
): Promise<string[]> {
  const added = (name: keyof Filters) =>
    given[name]?.names.filter((one) => before[name]?.names.includes(one) !== true) ?? [];
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
    if (look(await marketsOf(wallet, context))) return [];
    await nextTurn();
  }
  for (const wallet of wallets.slice(0, ASKED)) {
    const trades = await newestTrades(wallet, context);
    if (trades === null || look(trades)) return [];
  }
  const { settings, comma } = context.language.texts.watch;
  const listed = (names: readonly string[], limit: number) =>
    names.map((name) => inlineCode(name, limit)).join(comma);
  const warnings: string[] = [];
  if (markets.length > 0) {
    warnings.push(`⚠️ ${settings.unknownMarkets(listed(markets, MARKET_NAME_LIMIT))}`);
  }
  if (words.length > 0) {
    warnings.push(`⚠️ ${settings.unknownWords(listed(words, WORD_LIMIT))}`);
  }
  return warnings;
}

/** Suggestions for the option `words`: what was seen of the wallets that the channel watches. */
export async function suggestSeenWords(
  typed: string,
  context: CommandContext,
  interaction: Completion,
) {
  const channelId = channelOf(interaction);
  const watches = context.registry
    .ofOwner(context.place.ownerId)
    .filter((watch) => watch.channelId === channelId);
  const ofWallets = watches.slice(0, SUGGESTED).map(({ wallet }) => marketsOf(wallet, context));
  const seen = [...seenMarkets(context, null), ...(await Promise.all(ofWallets)).flat()];
  return suggestWords(typed, seen, context.language);
}

/** The markets of a wallet of which the server, or the person, may know. */
async function marketsOf(
  wallet: WalletAddress,
  { watchesForAll, knowledge }: CommandContext,
): Promise<Market[]> {
  const watches = watchesForAll(wallet);
  const portfolio = watches.length === 0 ? undefined : (await knowledge(wallet))?.portfolio;
  if (portfolio === undefined || !knowsAll(joinedBy(watches), portfolio)) return [];
  return [...portfolio.positions, ...portfolio.largest];
}

/** Null where the venue does not answer: the warning is worth no error. */
async function newestTrades(
  wallet: WalletAddress,
  { venue }: CommandContext,
): Promise<Market[] | null> {
  try {
    return (await venue.activity(wallet, { limit: NEWEST })).items.map(marketOf);
  } catch (error) {
    if (error instanceof VenueError || error instanceof UserError) return null;
    throw error;
  }
}
