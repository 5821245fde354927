import type { APIEmbed } from 'discord.js';
import { explainToPerson } from '../src/discord/explain.ts';
import { threadParent } from '../src/discord/place.ts';
import type { Settlement } from '../src/domain/settlement.ts';
import { inlineCode } from '../src/embeds/text/escape.ts';
import { SETTLEMENTS_LIMIT } from '../src/feed/interface.ts';
import { UserError } from '../src/language/user-error.ts';
import { QUOTED_LIMIT } from '../src/lookups/filters.ts';
import { heldEmbed, type MarketBook, marketEmbed } from '../src/lookups/market-message.ts';
import { askMarket } from '../src/lookups/read-pages.ts';
import { isMarketId } from '../src/portfolio/market.ts';
import { positionsIn } from '../src/portfolio/portfolio.ts';
import { lookUp, textOption } from '../src/slash-commands/options.ts';
import type { SlashCommand } from '../src/slash-commands/slash-command.ts';
import { isPaused, type Watch } from '../src/watches/watch.ts';
import type { CommandContext } from './shared/context.ts';
import type { HeldHere } from './shared/held-together.ts';
import { marketChoices, marketIdOf } from './shared/market-choices.ts';
import { spelled } from './shared/wallet-names.ts';
import { nothingWatched } from './watch/shared/command.ts';
import { venueTroubles } from './watch/shared/words.ts';

/** Maximum number of wallets queried at the venue for one command. */
const ASKED_LIMIT = 10;

/**
 * A market as it was named. `key`: short hash of its `marketKey`, null if no wallet here is known
 * to have held it.
 */
type Named = ReturnType<typeof readMarket>;

/** `typed` is null for the markets that most of the wallets hold. */
type Asked = ReturnType<typeof watchedHere> & { readonly typed: string | null };

/**
 * `/market [market]`: what the channel's wallets hold in a market, or the markets that most of them
 * hold.
 */
export const market: SlashCommand<CommandContext, Asked> = {
  ...lookUp('market', ({ market }) => market.description, [
    textOption('market', ({ market }) => market.market, 200, suggestMarkets),
  ]),

  /** @throws {UserError} if nothing is watched in the channel, or everything is paused */
  check(interaction, context) {
    const { watches, paused } = watchedHere(context);
    if (context.isLaterHere) throw new UserError(({ texts }) => texts.lists.market.delayedChannel);
    if (watches.length === 0 && paused > 0) {
      throw new UserError(({ texts }) => texts.lists.market.allPaused);
    }
    if (watches.length === 0) throw nothingWatched(interaction.channelId, context.place);
    return { watches, paused, typed: interaction.options.getString('market') };
  },

  /** @throws {UserError} if the text names no market */
  async execute(interaction, context, { watches, paused, typed }) {
    const { links, language } = context;
    const held = await heldHere(watches, context);
    let embed: APIEmbed;
    if (typed === null) {
      embed = await mostHeld(held, paused, context);
    } else {
      const named = readMarket(typed, held, context);
      embed = marketEmbed(await readBook(named, watches, paused, context), links, language);
    }
    const lines = [...venueTroubles(context, ['activity']), embed.description];
    await interaction.editReply({ embeds: [{ ...embed, description: lines.join('\n') }] });
  },
};

async function suggestMarkets(typed: string, context: CommandContext) {
  if (context.isLaterHere) return [];
  const { watches } = watchedHere(context);
  return marketChoices(typed, await heldHere(watches, context));
}

/**
 * Returns the watches that count here: the channel's; in a thread without any, its channel's;
 * elsewhere the person's. Paused ones are left out.
 */
function watchedHere({ interaction, place, registry, venueNowSeconds }: CommandContext) {
  const here =
    place.kind === 'elsewhere'
      ? registry.ofOwner(place.ownerId)
      : registry.ofChannel(interaction.channelId);
  const parentId = threadParent(interaction);
  const all = here.length > 0 || parentId === null ? here : registry.ofChannel(parentId);
  const watches = all.filter((watch) => !isPaused(watch, venueNowSeconds()));
  return { watches, paused: all.length - watches.length };
}

/**
 * Returns the markets that the wallets of a channel or a person are known to hold or to have left
 * recently. Queued as a work turn, because it may keep the processor busy.
 */
function heldHere(
  watches: readonly Watch[],
  { inTurn, heldTogether }: CommandContext,
): Promise<readonly HeldHere[]> {
  const channelId = watches[0]?.channelId ?? '';
  const wallets = watches.map(({ wallet }) => wallet);
  return inTurn(() => heldTogether.in(channelId, wallets));
}

/** @throws {UserError} if the text is not an id and does not name exactly one market */
function readMarket(typed: string, known: readonly HeldHere[], context: CommandContext) {
  const wanted = spelled(typed);
  const isNamed = ({ key, names }: HeldHere) =>
    names.includes(wanted) || key.toLowerCase() === wanted;
  const exact = known.filter((held) => wanted !== '' && isNamed(held));
  const alike = known.filter(
    ({ market }) => wanted !== '' && spelled(market.marketTitle).includes(wanted),
  );
  // Several markets may have the same title, so it is unclear which one is meant.
  const [found, other] = exact.length > 0 ? exact : alike;
  if (found !== undefined && other === undefined) {
    return { marketId: found.market.marketId, key: found.key, market: found.market };
  }
  const marketId = isMarketId(wanted) ? wanted : marketIdOf(context, wanted);
  if (marketId !== undefined) return { marketId, key: null, market: null };
  throw new UserError(({ texts }) => texts.lists.refused.market(inlineCode(typed, QUOTED_LIMIT)));
}

async function mostHeld(known: readonly HeldHere[], paused: number, context: CommandContext) {
  const held = known.filter(({ holders }) => holders > 0);
  const ended = new Set<string>();
  for (let from = 0; from < held.length; from += SETTLEMENTS_LIMIT) {
    const keys = held.slice(from, from + SETTLEMENTS_LIMIT).map(({ key }) => key);
    for (const { market, payouts } of await settlementsOf(keys, context)) {
      if (payouts.size > 0) ended.add(market);
    }
  }
  const open = held.filter(({ key }) => !ended.has(key));
  return heldEmbed(
    open,
    { ended: held.length - open.length, paused },
    context.links,
    context.language,
  );
}

/**
 * Returns nothing if a feed in another process does not answer. The answer then does not say how
 * markets ended.
 */
function settlementsOf(
  keys: readonly string[],
  { feed, log }: CommandContext,
): Promise<readonly Settlement[]> {
  return feed.settlements(keys).catch((error: unknown) => {
    log.warn({ event: 'markets.not_settled', err: error });
    return [];
  });
}

type Known = MarketBook['known'][number] & { readonly watch: Watch };

/**
 * Reads the stored data of each wallet, one after another. `open`: wallets whose stored data does
 * not answer the question.
 */
async function readStored(named: Named, watches: readonly Watch[], { knowledge }: CommandContext) {
  const stored: Known[] = [];
  const open: { readonly watch: Watch; readonly hasTraded: boolean }[] = [];
  for (const watch of watches) {
    const kept = await knowledge(watch.wallet);
    const positions = kept === undefined ? null : positionsIn(kept.portfolio, named);
    const hasTraded = kept?.record.markets.some(({ market }) => market === named.key) === true;
    // Trades of long ago may be kept only in daily totals.
    const isForgotten =
      positions?.length === 0 && (hasTraded || kept?.portfolio.accounts.days.length !== 0);
    if (positions === null || isForgotten) open.push({ watch, hasTraded });
    else stored.push({ watch, positions });
  }
  return { stored, open };
}

/**
 * Reads the stored data of each wallet, and asks the venue about those whose stored data does not
 * answer the question.
 */
async function readBook(
  named: Named,
  watches: readonly Watch[],
  paused: number,
  context: CommandContext,
) {
  const { stored, open } = await context.inTurn(() => readStored(named, watches, context));
  // Wallets known to have traded in the market come first.
  const asked = open
    .sort((a, b) => Number(b.hasTraded) - Number(a.hasTraded))
    .map(({ watch }) => watch);
  const { answered, unknown } = await askWallets(named, asked, context);
  const known = [...stored, ...answered];
  const all = known.flatMap(({ positions }) => positions);
  // A folded position has no title.
  const first = all.find(({ marketTitle }) => marketTitle !== '') ?? all[0];
  const [settlement] = first === undefined ? [] : await settlementsOf([first.market], context);
  const ended = settlement?.payouts.size === 0 ? undefined : settlement;
  const { market, marketId } = named;
  return { market: market ?? first ?? null, marketId, known, unknown, settlement: ended, paused };
}

/** Asks the venue about one wallet after another, until a request fails. */
async function askWallets(named: Named, watches: readonly Watch[], context: CommandContext) {
  const { marketId, key } = named;
  const { knowledge, language, venue, venueNowSeconds } = context;
  const words = language.texts.lists.market;
  const answered: Known[] = [];
  const unknown = new Map<string, Watch[]>();
  let trouble = isMarketId(marketId) ? null : words.notInRecords;
  for (const [index, watch] of watches.entries()) {
    if (index === ASKED_LIMIT) trouble ??= words.limit;
    let positions: Known['positions'] | null = null;
    try {
      if (trouble === null) {
        // Read again now, because the answer must include what was detected in the meantime.
        const kept = await knowledge(watch.wallet);
        const nowSeconds = Math.floor(venueNowSeconds());
        positions = await askMarket(venue, watch.wallet, named, kept, nowSeconds);
      }
    } catch (error) {
      trouble = explainToPerson(error, language);
      if (trouble === null) throw error;
    }
    if (positions?.every((position) => key === null || position.market === key) === true) {
      answered.push({ watch, positions });
    } else {
      const why: string = trouble ?? words.notInRecords;
      unknown.set(why, [...(unknown.get(why) ?? []), watch]);
    }
  }
  return { answered, unknown };
}
