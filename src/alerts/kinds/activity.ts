import * as z from 'zod';
import {
  type ActionKind,
  type ActivityItem,
  actionKind,
  readActivityItemSchema,
} from '../../domain/records.ts';
import {
  briefContext,
  holdingText,
  leadingSize,
  otherSide,
  positionLine,
  sizeText,
} from '../../embeds/context-lines.ts';
import {
  EMBED_COLOURS,
  present,
  presentParts,
  type RenderContext,
  sideName,
  smallPrint,
  walletLink,
  walletName,
} from '../../embeds/embed-parts.ts';
import {
  areSharesKnown,
  type FillSums,
  flowText,
  newestOf,
  outcomeNames,
  sumUp,
} from '../../embeds/item-lines.ts';
import { wordAmongFigures } from '../../embeds/text/escape.ts';
import type { Language } from '../../language/language.ts';
import { Exact, sum } from '../../lib/exact.ts';
import type { AlsoHere } from '../../portfolio/positions/held-markets.ts';
import type { ResultNews } from '../../portfolio/results/alerted-positions.ts';
import {
  type TradeContext,
  type TradeSize,
  tradeContextSchema,
  tradeSizesSchema,
} from '../../portfolio/trade-context.ts';
import { combineContexts } from '../../portfolio/trades/combined.ts';
import { type AlertKind, type AnyEvent, countText, spaced } from './kind.ts';
import {
  amountsOf,
  feesText,
  gainOf,
  heldText,
  LOSS_EMOJI,
  resultCost,
  resultGainText,
  resultNotes,
  resultsOf,
} from './result.ts';

const EMOJI = { buy: '🟢', sell: '🔴', redeem: '🏁', other: '⚪' } as const;
/**
 * Maximum length of the wallet's URL, in characters. A description has 4,096, and its other text
 * has fewer than 2,000 code points.
 */
const URL_MAX = 2_000;
const WORD_MAX = 24;
const LEAST_ROUNDED_CENTS = 10;
/** Smallest loss shown, in USDC, because a smaller one would be written as $0.00. */
const LEAST_LOSS_USDC = 0.01;

const schema = z.object({
  kind: z.literal('activity'),
  item: readActivityItemSchema,
  context: tradeContextSchema.optional(),
  sizes: tradeSizesSchema.optional(),
});
export interface ActivityEvent extends Readonly<z.infer<typeof schema>> {
  /** The one of `sizes` that the channel may see; not stored. */
  readonly size?: TradeSize | undefined;
}

/**
 * A trade or redemption, or fills that belong together (one wallet, market and action), with the
 * result of a position that they close.
 */
export const activityKind: AlertKind<ActivityEvent> = {
  schema,
  seconds: ({ item }) => [item.time, item.time],
  endpoint: () => 'activity',
  usdc: ({ item }) => item.transferNetAmount,
  isForNewcomer: ({ item }, _watch, fromSeconds) => item.time >= fromSeconds,
  /**
   * `🟢 Whale BUY **Yes $786** at 63.6¢ · **4.2× usual**`; for a redemption that paid nothing `📉
   * Whale lost **$786** on **Yes**`, if the loss is known.
   */
  headline({ alerts, earlierUsdc }, language) {
    const { headline } = language.texts.alerts;
    const { format } = language;
    const items = fillsOf(alerts);
    const newest = newestOf(items);
    const loss = lossOf(alerts);
    const paid = sum(items.map(({ transferNetAmount }) => Math.abs(transferNetAmount)));
    const part =
      earlierUsdc !== undefined &&
      headline.partOf(format.roundUsdc(paid.plus(earlierUsdc).toNumber()));
    return {
      emoji: loss === undefined ? EMOJI[actionKind(newest.action)] : LOSS_EMOJI,
      says(wallet, givenUp) {
        if (loss !== undefined) return spaced(wallet, lossText(items, loss, language));
        const tradeLine = tradeText(
          items,
          language,
          givenUp?.has('priceDigits') ? 'whole' : 'exact',
        );
        return present(spaced(wallet, tradeLine), givenUp?.has('partOf') !== true && part);
      },
      size: leadingSize(fillEvents(alerts), language),
      market: newest,
    };
  },
  rest({ alerts }, { language, showsShares, showsFills, isAbove, isSizeShown }) {
    const items = fillsOf(alerts);
    const results = resultsOf(alerts);
    const lines: (string | undefined)[] = [];
    const sums = sumUp(items);
    const kind = actionKind(newestOf(items).action);
    if (showsShares) lines.push(shareText(kind, sums, language));
    if (showsShares || showsFills || isAbove) lines.push(fillCount(kind, sums, language));
    if (isAbove && !isSizeShown) lines.push(sizeText(fillEvents(alerts), language));
    const tradedUsdc = sums.netUsdc.neg();
    const isBrief = !isAbove && kind === 'sell';
    const isLossShown = lossOf(alerts) !== undefined;
    if (results.length === 0 && !isLossShown) {
      lines.push(...briefContext(fillEvents(alerts), language));
    }
    for (const result of results) {
      if (isLossShown && isWhole(result, items)) continue;
      lines.push(
        isBrief ? resultGainText(result, language) : resultCost(result, tradedUsdc, language),
      );
    }
    return lines;
  },
  /**
   * Shows the effect on the position, or the position's result. Wallet, shares, fills, role, size
   * and verdict are in small print.
   */
  embed({ alerts, alsoHere }, context) {
    const [first] = alerts;
    const { language, links, late, isBetterThanLuck, isSizeShown, firstAlert } = context;
    const { texts } = language;
    const items = fillsOf(alerts);
    const sums = sumUp(items);
    const newest = newestOf(items);
    const kind = actionKind(newest.action);
    const results = resultsOf(alerts);
    const isLossShown = lossOf(alerts) !== undefined;
    const isPositionShown = results.length === 0 && !isLossShown;
    const position = isPositionShown ? positionLine(fillEvents(alerts), language) : undefined;
    const lines: string[] = [];
    if (position !== undefined) lines.push(position.text);
    const isSale = kind === 'sell';
    lines.push(
      ...results.flatMap((result) => resultText(result, items, isLossShown, language) ?? []),
    );
    if (!isPositionShown) lines.push(...presentParts(otherSide(fillEvents(alerts), language)));
    if (alsoHere !== undefined) lines.push(alsoHereLine(alsoHere, context));
    const small = smallPrint(
      walletLink(first.wallet, links, URL_MAX),
      position?.showsShares !== true && shareText(kind, sums, language),
      isLossShown && entryText(fillEvents(alerts), language),
      fillCount(kind, sums, language),
      roles(items, texts.alerts.roles),
      isSizeShown !== true && sizeText(fillEvents(alerts), language),
      isBetterThanLuck === true && texts.record.betterThanLuck,
      ...results.flatMap((result) =>
        isSale ? [feesText(result, language)] : resultNotes(result, language),
      ),
      firstAlert,
      late,
    );
    return {
      description: [...lines, ...small].join('\n'),
      color: isLossShown ? EMBED_COLOURS.loss : EMBED_COLOURS[kind === 'other' ? 'unknown' : kind],
    };
  },
  looks: ({ item }) => [{ market: item }],
  sumWord: ({ item }) => item.action,
  sumText(events, usdc, language) {
    const { paid, received } = language.texts.alerts.catchUp;
    const [{ item }] = events;
    const kind = actionKind(item.action);
    const what = countText(kind, item.action, events.length, language);
    const isReceived = usdc < 0 || (usdc === 0 && kind === 'redeem');
    const say = isReceived ? received : paid;
    return say(what, language.format.usdc(Math.abs(usdc)));
  },
};

/** Returns the fills among alerts, in order, with what is known about each. */
export function fillEvents(alerts: readonly { readonly event: AnyEvent }[]): ActivityEvent[] {
  return alerts
    .map(({ event }) => event)
    .filter((event): event is ActivityEvent => event.kind === 'activity');
}

export function fillsOf(alerts: readonly { readonly event: AnyEvent }[]): ActivityItem[] {
  return fillEvents(alerts).map(({ item }) => item);
}

/**
 * Returns the text for the result of a position that a sale or redemption has closed; undefined if
 * the first line says it all.
 * @param isLossShown whether the first line already says what a redemption that paid nothing has
 *   lost
 */
function resultText(
  result: ResultNews,
  items: readonly ActivityItem[],
  isLossShown: boolean,
  language: Language,
): string | undefined {
  if (isLossShown && isWhole(result, items)) {
    // Without an earlier sale, the loss equals the amount paid.
    return new Exact(result.received).isZero() ? undefined : amountsOf(result, language);
  }
  const { netUsdc } = sumUp(items);
  const cost = resultCost(result, netUsdc.neg(), language);
  const isSale = actionKind(newestOf(items).action) === 'sell';
  return isSale ? present(cost, heldText(result, language)) : cost;
}

/** Returns the USDC lost by a redemption that paid nothing, see {@link redeemedLoss}. */
export function lossOf(alerts: readonly { readonly event: AnyEvent }[]): Exact | undefined {
  const context = combineContexts(fillEvents(alerts))?.context;
  return redeemedLoss(fillsOf(alerts), context, resultsOf(alerts));
}

/**
 * Returns the USDC lost by a redemption that paid nothing: the loss on the position it closes, or
 * else on the redeemed shares. Undefined if it paid something, if the loss is unknown, if the
 * position made a profit anyway, or if channels may already have read of the loss.
 * @param items of one market and action
 * @param context of all items together; undefined if it is not exact
 * @param results shown together with the items
 */
export function redeemedLoss(
  items: readonly ActivityItem[],
  context: TradeContext | undefined,
  results: readonly ResultNews[],
): Exact | undefined {
  const isForNothing = items.every(({ transferNetAmount }) => transferNetAmount === 0);
  if (actionKind(newestOf(items).action) !== 'redeem' || !isForNothing) return undefined;
  if (results.length === 0 && context?.isEndKnown) return undefined;
  const whole = results.find((result) => isWhole(result, items));
  const gain = whole === undefined ? context?.realized : gainOf(whole);
  const loss = new Exact(gain ?? 0).neg();
  return loss.gte(LEAST_LOSS_USDC) ? loss : undefined;
}

/** Whether a result covers everything the wallet did with the outcome of these items. */
function isWhole({ isPart, sides = [] }: ResultNews, items: readonly ActivityItem[]): boolean {
  const [side, ...others] = sides;
  const isOfSide = items.every(({ positionSide }) => positionSide === side);
  return isPart !== true && others.length === 0 && isOfSide;
}

/**
 * `lost **$786** on **Yes**`.
 *
 * @param items of one outcome
 */
export function lossText(items: readonly ActivityItem[], loss: Exact, language: Language): string {
  const amount = `**${language.format.roundUsdc(loss.toNumber())}**`;
  const side = sideName(newestOf(items).positionSide, language);
  return language.texts.alerts.headline.lost(amount, side);
}

/** `entry 41.8¢`; undefined if the average is not exact. */
function entryText(fills: readonly ActivityEvent[], language: Language): string | undefined {
  const entryCents = combineContexts(fills)?.context.entryCents ?? null;
  if (entryCents === null) return undefined;
  return language.texts.news.position.entry(language.format.cents(entryCents));
}

/**
 * Returns the text for a trade: `BUY **Yes $786** at 63.6¢`.
 * @param items of one market and action
 * @param price `whole`: rounded to cents as by `wholeCents`
 */
export function tradeText(
  items: readonly ActivityItem[],
  language: Language,
  price: 'exact' | 'whole' | 'none' = 'exact',
): string {
  const { headline } = language.texts.alerts;
  const sums = sumUp(items);
  const { action: word } = newestOf(items);
  const kind = actionKind(word);
  const action =
    kind === 'other'
      ? wordAmongFigures(word, WORD_MAX, headline.unknownAction, language)
      : headline[kind];
  const outcome = outcomeNames(items, WORD_MAX, headline.unknownOutcome, language);
  const { lowestCents, highestCents, averageCents } = sums;
  const paidCents = lowestCents === highestCents ? lowestCents : averageCents?.toNumber();
  // A redemption has a price of 100 cents, at which no trade took place.
  const priced =
    kind === 'redeem' || paidCents === undefined || price === 'none'
      ? undefined
      : language.format.cents(price === 'whole' ? wholeCents(paidCents) : paidCents);
  return headline.trade(action, outcome, flowText(kind, sums, language), priced);
}

/**
 * Returns the text for a trade among others: `BUY **Yes $153** at 51¢ (3 fills)`; for a redemption
 * that paid nothing `lost **$786** on **Yes**`, as in its headline.
 */
export function tradeAmongOthers(
  alerts: readonly { readonly event: AnyEvent }[],
  language: Language,
  price: 'whole' | 'none',
): string {
  const items = fillsOf(alerts);
  const loss = lossOf(alerts);
  const tradeLine =
    loss === undefined ? tradeText(items, language, price) : lossText(items, loss, language);
  const count = fillCount(actionKind(newestOf(items).action), sumUp(items), language);
  return count === undefined ? tradeLine : `${tradeLine} (${count})`;
}

/**
 * Returns a price rounded to whole cents. Low prices keep their decimals, because these are a large
 * part of the price; so do prices that would round to 100 cents.
 */
function wholeCents(cents: number): number {
  const rounded = Math.round(cents);
  return rounded >= LEAST_ROUNDED_CENTS && rounded < 100 ? rounded : cents;
}

/** `also here: Shark **$1,705** Yes at 55¢ · Minnow out · +3`. */
function alsoHereLine({ wallets, more }: AlsoHere, { labelOf, language }: RenderContext): string {
  const { texts, format } = language;
  const { line, holds, out } = texts.news.alsoHere;
  const known = wallets.map(({ wallet, held, isCut }) => {
    const name = walletName(wallet, labelOf(wallet));
    const outcomes = held.map((outcome) => holdingText(outcome, language));
    if (isCut) outcomes.push('…');
    if (outcomes.length === 0) return out(name);
    return holds(name, outcomes.join(' + '));
  });
  return line(present(...known, more > 0 && `+${format.quantity(more)}`));
}

/** Returns `1,234.5 shares`; undefined if the number of shares is unknown. */
function shareText(kind: ActionKind, sums: FillSums, { format }: Language) {
  return areSharesKnown(kind, sums) ? format.shares(sums.shares.toNumber()) : undefined;
}

/** Number of shares and of fills: `1,234.5 shares`, `14 fills`. */
export function sharesTraded(items: readonly ActivityItem[], language: Language): string[] {
  const sums = sumUp(items);
  const kind = actionKind(newestOf(items).action);
  return presentParts(shareText(kind, sums, language), fillCount(kind, sums, language));
}

/** `14 fills` or `3 redemptions`; undefined if there is only one. */
function fillCount(
  kind: ActionKind,
  { fills }: FillSums,
  { texts, format }: Language,
): string | undefined {
  if (fills <= 1) return undefined;
  const { redemptions, fills: several } = texts.alerts;
  const say = kind === 'redeem' ? redemptions : several;
  return say(format.quantity(fills), fills);
}

/** Undefined if a role is unknown. */
function roles(
  items: readonly ActivityItem[],
  texts: Language['texts']['alerts']['roles'],
): string | undefined {
  const found = new Set(items.map(({ liquidityRole }) => liquidityRole));
  const isMaker = found.has('MAKER');
  const isTaker = found.has('TAKER');
  if (isMaker && isTaker) return found.size === 2 ? texts.both : undefined;
  if (found.size > 1) return undefined;
  if (isMaker) return texts.maker;
  if (isTaker) return texts.taker;
  return undefined;
}
