import * as z from 'zod';
import {
  type ActionKind,
  type ActivityItem,
  actionKind,
  activityIdentity,
  activityVersion,
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
import { sum } from '../../lib/exact.ts';
import type { AlsoHere } from '../../portfolio/positions/held-markets.ts';
import {
  type TradeSize,
  tradeContextSchema,
  tradeSizesSchema,
} from '../../portfolio/trade-context.ts';
import { wants } from '../../watches/watch.ts';
import { type AlertKind, type AnyEvent, countText, spaced } from './kind.ts';
import {
  feesText,
  heldText,
  resultCost,
  resultGainText,
  resultNotes,
  resultsOf,
} from './result.ts';

const EMOJI = { buy: '🟢', sell: '🔴', redeem: '🏁', other: '⚪' } as const;
/**
 * Characters of a description (4,096) for the wallet's URL: the text beside it takes fewer than
 * 2,000 code points.
 */
const URL_ROOM = 2_000;
const WORD_MAX = 24;
const LEAST_ROUNDED_CENTS = 10;

const schema = z.object({
  kind: z.literal('activity'),
  item: readActivityItemSchema,
  context: tradeContextSchema.optional(),
  sizes: tradeSizesSchema.optional(),
});
export interface ActivityEvent extends Readonly<z.infer<typeof schema>> {
  /** Part of `sizes` that the room may know to which it is shown; not stored. */
  readonly size?: TradeSize | undefined;
}

/**
 * A trade or redemption, or fills that belong together (one wallet, market and action), with what
 * came of a position that they close.
 */
export const activityKind: AlertKind<ActivityEvent> = {
  schema,
  seconds: ({ item }) => [item.time, item.time],
  endpoint: () => 'activity',
  usdc: ({ item }) => item.transferNetAmount,
  isForNewcomer: (event, watch, fromSeconds, nowSeconds) =>
    event.item.time >= fromSeconds &&
    wants(watch, event, [activityIdentity(event.item), activityVersion(event.item)], nowSeconds),
  /** `🟢 Whale BUY **Yes $786** at 63.6¢ · **4.2× usual**`. */
  headline({ alerts, earlierUsdc }, language) {
    const { headline } = language.texts.alerts;
    const { format } = language;
    const items = fillsOf(alerts);
    const newest = newestOf(items);
    const paid = sum(items.map(({ transferNetAmount }) => Math.abs(transferNetAmount)));
    const part =
      earlierUsdc !== undefined &&
      headline.partOf(format.roundUsdc(paid.plus(earlierUsdc).toNumber()));
    return {
      emoji: EMOJI[actionKind(newest.action)],
      says(wallet, givenUp) {
        const said = tradeText(items, language, givenUp?.has('priceDigits') ? 'whole' : 'exact');
        return present(spaced(wallet, said), givenUp?.has('partOf') !== true && part);
      },
      size: leadingSize(fillEvents(alerts), language),
      market: newest,
    };
  },
  rest({ alerts }, { language, saysShares, isAbove, isSizeSaid }) {
    const items = fillsOf(alerts);
    const results = resultsOf(alerts);
    const lines: (string | undefined)[] = [];
    const sums = sumUp(items);
    const kind = actionKind(newestOf(items).action);
    if (saysShares) lines.push(shareText(kind, sums, language));
    if (saysShares || isAbove) lines.push(fillCount(kind, sums, language));
    if (isAbove && !isSizeSaid) lines.push(sizeText(fillEvents(alerts), language));
    if (results.length === 0) lines.push(...briefContext(fillEvents(alerts), language));
    const tradedUsdc = sums.netUsdc.neg();
    const isBrief = !isAbove && kind === 'sell';
    for (const result of results) {
      lines.push(
        isBrief ? resultGainText(result, language) : resultCost(result, tradedUsdc, language),
      );
    }
    return lines;
  },
  /**
   * Says what it does to the position, or what came of it; in small print wallet, shares, fills,
   * role, size, verdict.
   */
  embed({ alerts, alsoHere }, context) {
    const [first] = alerts;
    const { language, links, late, isBetterThanLuck, isSizeSaid, firstAlert } = context;
    const { texts } = language;
    const items = fillsOf(alerts);
    const sums = sumUp(items);
    const newest = newestOf(items);
    const kind = actionKind(newest.action);
    const results = resultsOf(alerts);
    const position = results.length > 0 ? undefined : positionLine(fillEvents(alerts), language);
    const lines: string[] = [];
    if (position !== undefined) lines.push(position.text);
    const isSale = kind === 'sell';
    for (const result of results) {
      const cost = resultCost(result, sums.netUsdc.neg(), language);
      lines.push(isSale ? present(cost, heldText(result, language)) : cost);
    }
    if (results.length > 0) lines.push(...presentParts(otherSide(fillEvents(alerts), language)));
    if (alsoHere !== undefined) lines.push(alsoHereLine(alsoHere, context));
    const small = smallPrint(
      walletLink(first.wallet, links, URL_ROOM),
      position?.saysShares !== true && shareText(kind, sums, language),
      fillCount(kind, sums, language),
      roles(items, texts.alerts.roles),
      isSizeSaid !== true && sizeText(fillEvents(alerts), language),
      isBetterThanLuck === true && texts.record.betterThanLuck,
      ...results.flatMap((result) =>
        isSale ? [feesText(result, language)] : resultNotes(result, language),
      ),
      firstAlert,
      late,
    );
    return {
      description: [...lines, ...small].join('\n'),
      color: EMBED_COLOURS[kind === 'other' ? 'unknown' : kind],
    };
  },
  looks: ({ item }) => [{ market: item }],
  sumWord: ({ item }) => item.action,
  sumText(events, usdc, language) {
    const { paid, received } = language.texts.alerts.catchUp;
    const [{ item }] = events;
    const what = countText(actionKind(item.action), item.action, events.length, language);
    const say = usdc < 0 ? received : paid;
    return say(what, language.format.usdc(Math.abs(usdc)));
  },
};

/** The fills among alerts, in their order, with what is known of each. */
export function fillEvents(alerts: readonly { readonly event: AnyEvent }[]): ActivityEvent[] {
  return alerts
    .map(({ event }) => event)
    .filter((event): event is ActivityEvent => event.kind === 'activity');
}

export function fillsOf(alerts: readonly { readonly event: AnyEvent }[]): ActivityItem[] {
  return fillEvents(alerts).map(({ item }) => item);
}

/**
 * Words for a trade: `BUY **Yes $786** at 63.6¢`.
 *
 * @param items of one market and action
 * @param price `whole`: rounded to cents, as `wholeCents` does
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
  // A redemption carries 100 cents, at which nobody traded.
  const priced =
    kind === 'redeem' || paidCents === undefined || price === 'none'
      ? undefined
      : language.format.cents(price === 'whole' ? wholeCents(paidCents) : paidCents);
  return headline.trade(action, outcome, flowText(kind, sums, language), priced);
}

/** Words for a trade among others: `BUY **Yes $153** at 51¢ (3 fills)`. */
export function tradeAmongOthers(
  items: readonly ActivityItem[],
  language: Language,
  price: 'whole' | 'none',
): string {
  const said = tradeText(items, language, price);
  const count = fillCount(actionKind(newestOf(items).action), sumUp(items), language);
  return count === undefined ? said : `${said} (${count})`;
}

/**
 * A price without its digits behind the point. A low one keeps them, because they are a large part
 * of it, and one that would be 100 cents.
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

/** Returns `1,234.5 shares`; undefined where the number of shares is not known. */
function shareText(kind: ActionKind, sums: FillSums, { format }: Language) {
  return areSharesKnown(kind, sums) ? format.shares(sums.shares.toNumber()) : undefined;
}

/** Number of shares and of fills: `1,234.5 shares`, `14 fills`. */
export function sharesTraded(items: readonly ActivityItem[], language: Language): string[] {
  const sums = sumUp(items);
  const kind = actionKind(newestOf(items).action);
  return presentParts(shareText(kind, sums, language), fillCount(kind, sums, language));
}

/** `14 fills`, or `3 redemptions`; undefined of a single one. */
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

/** Undefined where a role is not known. */
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
