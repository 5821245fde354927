import type { APIEmbed } from 'discord.js';
import type { Alert } from '../alerts/alert.ts';
import { fillsOf, type GroupFigures, sumUp } from '../alerts/group.ts';
import type { Language } from '../language/language.ts';
import { shortAddress } from '../venue/address.ts';
import type { ActivityItem } from '../venue/schema.ts';
import { contextLines } from './context-lines.ts';
import {
  activityTitle,
  COLOURS,
  delay,
  fitUrls,
  footer,
  holding,
  lines,
  marketName,
  present,
  type RenderContext,
  walletName,
} from './embed-parts.ts';
import { maskedLink } from './escape.ts';
import { readFlow } from './flow.ts';
import { type ActionKind, actionKind } from './kinds.ts';
import { imageUrl } from './links.ts';

/** Fills that are listed, the largest first. */
const LISTED = 5;
const ADDRESS_MAX = 40;
/** Room for URLs in a description of 4,096: the words beside them take less than 1,300 in every language. */
const URL_ROOM = 2_700;

/**
 * The embed of fills that belong together: one wallet, market, outcome and action. Their sums, the volume-weighted
 * price and the largest few of them. Texts and limits as in `renderAlert`; the reference is that of the first alert.
 */
export function renderFills(
  alerts: readonly [Alert, ...Alert[]],
  { language, links, label, sentAtMs }: RenderContext,
): APIEmbed {
  const [first] = alerts;
  const { words } = language;
  const items = fillsOf(alerts);
  const figures = sumUp(items);
  // The newest tells best what the market is called.
  const newest = items.reduce((a, b) => (b.time >= a.time ? b : a));
  const kind = actionKind(newest.action);
  const largest = items.toSorted((a, b) => b.quantity - a.quantity).slice(0, LISTED);
  const left = items.length - LISTED;
  const isOneTransaction = figures.transactions === 1;
  const [walletUrl, marketUrl, ...txUrls] = fitUrls(
    URL_ROOM,
    links.wallet(first.wallet),
    links.market(newest),
    ...largest.map(({ txHash }) => links.transaction(txHash)),
  );
  const image = imageUrl(newest.logo);
  const name = walletName(first.wallet, label);
  const address = shortAddress(first.wallet);
  const what = holding(figures.shares.toNumber(), newest.positionSide, language);
  const netUsdc = figures.netUsdc.toNumber();
  return {
    title: activityTitle(
      name,
      { action: newest.action, kind },
      what,
      averagePrice(figures, language),
      netUsdc,
      language,
    ),
    description: lines(
      `**${marketName(newest, marketUrl, language)}**`,
      money(figures, language),
      ...prices(kind, items, figures, language),
      ...contextLines(alerts, language),
      heading(kind, figures, language),
      ...largest.map((item, index) => fill(item, isOneTransaction ? undefined : txUrls[index], language)),
      ...(left > 0 ? [words.alerts.fills.smaller(language.figures.quantity(left), left)] : []),
      present(
        `<t:${figures.lastSeconds}:R>`,
        span(figures, language),
        walletUrl === undefined && name === address ? undefined : maskedLink(address, walletUrl, ADDRESS_MAX, address),
        isOneTransaction && txUrls[0] !== undefined ? `[${words.alerts.links.transaction}](${txUrls[0]})` : undefined,
      ),
    ),
    color: kind === 'other' ? COLOURS.unknown : COLOURS[kind],
    ...(image === undefined ? {} : { thumbnail: { url: image } }),
    footer: footer(first, delays(kind, figures, sentAtMs, language)),
  };
}

/** `63.5¢ avg`, or without the last word if all was at one price; undefined if there is no price. */
export function averagePrice(
  { averageCents, lowestCents, highestCents }: GroupFigures,
  { words, figures }: Language,
): string | undefined {
  if (lowestCents === highestCents) return figures.cents(lowestCents);
  return averageCents === null ? undefined : words.alerts.prices.average(figures.cents(averageCents.toNumber()));
}

/** `**14 fills**`. */
export function fillCount(kind: ActionKind, { fills }: GroupFigures, { words, figures }: Language): string {
  return words.alerts.fills.counts[isRedeemed(kind) ? 'redemption' : 'fill'](figures.quantity(fills));
}

function isRedeemed(kind: ActionKind): boolean {
  return kind === 'redeem';
}

function heading(kind: ActionKind, figures: GroupFigures, language: Language): string {
  const { inOneTransaction, inTransactions } = language.words.alerts.fills;
  const fills = fillCount(kind, figures, language);
  return figures.transactions === 1
    ? inOneTransaction(fills)
    : inTransactions(fills, language.figures.quantity(figures.transactions));
}

function money({ netUsdc, grossUsdc, feeUsdc }: GroupFigures, { words, figures }: Language): string {
  const { direction, usdc } = readFlow(netUsdc.toNumber());
  const texts = words.alerts.money;
  return present(
    texts[direction](figures.usdc(usdc)),
    texts.gross(figures.usdc(grossUsdc.toNumber())),
    feeUsdc.isZero() ? texts.noFee : texts.fees(figures.usdc(feeUsdc.toNumber())),
  );
}

function prices(
  kind: ActionKind,
  items: readonly ActivityItem[],
  { averageCents, lowestCents, highestCents }: GroupFigures,
  { words, figures }: Language,
): string[] {
  // The 100 cents that a redemption carries are no price that anybody traded at.
  if (isRedeemed(kind)) return [];
  const texts = words.alerts.fills;
  const role = roles(items, words.alerts.roles);
  // A word first: a line that begins with the sign of `>99.99¢` would be a quotation.
  if (lowestCents === highestCents) return [present(texts.allAt(figures.priceCents(lowestCents)), role)];
  const [low, high] = [figures.cents(lowestCents), figures.cents(highestCents)];
  const range =
    kind === 'buy'
      ? [texts.best(low), texts.worst(high)]
      : kind === 'sell'
        ? [texts.best(high), texts.worst(low)]
        : [texts.range(low, high)];
  const average = averageCents === null ? undefined : texts.average(figures.priceCents(averageCents.toNumber()));
  return [present(average, ...range, role)];
}

function roles(items: readonly ActivityItem[], words: Language['words']['alerts']['roles']): string | undefined {
  const found = new Set(items.map(({ liquidityRole }) => liquidityRole));
  const [isMaker, isTaker] = [found.has('MAKER'), found.has('TAKER')];
  if (isMaker && isTaker) return words.both;
  if (found.size > 1) return undefined;
  return isMaker ? words.maker : isTaker ? words.taker : undefined;
}

function fill(
  { action, quantity, price, transferNetAmount }: ActivityItem,
  txUrl: string | undefined,
  { words, figures }: Language,
): string {
  const shares = figures.quantity(quantity);
  return present(
    `• ${action === 'Redeem' ? shares : words.alerts.fills.row(shares, figures.cents(price))}`,
    figures.usdc(Math.abs(transferNetAmount)),
    txUrl === undefined ? undefined : `[${words.alerts.links.short}](${txUrl})`,
  );
}

function span({ firstSeconds, lastSeconds }: GroupFigures, { words }: Language): string {
  if (firstSeconds === lastSeconds) return `<t:${lastSeconds}:f>`;
  return words.alerts.span(`<t:${firstSeconds}:f>`, `<t:${lastSeconds}:f>`);
}

function delays(
  kind: ActionKind,
  { firstSeconds, lastSeconds }: GroupFigures,
  sentAtMs: number,
  language: Language,
): string {
  const [several, last, first] = isRedeemed(kind)
    ? (['redemptions', 'lastRedemption', 'redemption'] as const)
    : (['fills', 'lastFill', 'fill'] as const);
  const rang = delay(lastSeconds, sentAtMs, firstSeconds === lastSeconds ? several : last, language);
  const sinceFirst = Math.floor(sentAtMs / 1000) - firstSeconds;
  if (firstSeconds === lastSeconds || sinceFirst <= 0) return rang;
  return language.words.alerts.rang.sinceFirst[first](rang, language.figures.duration(sinceFirst));
}
