import type { APIEmbed } from 'discord.js';
import type { Alert } from '../alerts/alert.ts';
import { fillsOf, type GroupSums, sumUp } from '../alerts/group.ts';
import { type ActionKind, type ActivityItem, actionKind, shortAddress } from '../feed/interface.ts';
import type { Language } from '../language/language.ts';
import { contextLines } from './context-lines.ts';
import {
  activityTitle,
  delay,
  EMBED_COLOURS,
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
import { imageUrl } from './links.ts';

/** Fills that are listed, the largest first. */
const LISTED = 5;
const ADDRESS_MAX = 40;
/** Characters of a description (4,096) for URLs: the text beside them takes fewer than 1,300 code points in every language. */
const URL_ROOM = 2_700;

/**
 * The embed of grouped fills (one wallet, market, outcome and action): their sums, the volume-weighted price and the
 * largest five of them. Texts and limits as in `renderAlert`; the reference is that of the first alert.
 */
export function renderFills(
  alerts: readonly [Alert, ...Alert[]],
  { language, links, label, sentAtMs }: RenderContext,
): APIEmbed {
  const [first] = alerts;
  const { texts } = language;
  const items = fillsOf(alerts);
  const sums = sumUp(items);
  // Titles may change: the newest one counts.
  const newest = items.reduce((a, b) => (b.time >= a.time ? b : a));
  const kind = actionKind(newest.action);
  const largest = items.toSorted((a, b) => b.quantity - a.quantity).slice(0, LISTED);
  const left = items.length - LISTED;
  const isOneTransaction = sums.transactions === 1;
  const [walletUrl, marketUrl, ...txUrls] = fitUrls(
    URL_ROOM,
    links.wallet(first.wallet),
    links.market(newest),
    ...largest.map(({ txHash }) => links.transaction(txHash)),
  );
  const image = imageUrl(newest.logo);
  const name = walletName(first.wallet, label);
  const address = shortAddress(first.wallet);
  const what = holding(sums.shares.toNumber(), newest.positionSide, language);
  const netUsdc = sums.netUsdc.toNumber();
  return {
    title: activityTitle(name, { action: newest.action, kind }, what, averagePrice(sums, language), netUsdc, language),
    description: lines(
      `**${marketName(newest, marketUrl, language)}**`,
      money(sums, language),
      ...prices(kind, items, sums, language),
      ...contextLines(alerts, language),
      heading(kind, sums, language),
      ...largest.map((item, index) => fill(item, isOneTransaction ? undefined : txUrls[index], language)),
      ...(left > 0 ? [texts.alerts.fills.smaller(language.format.quantity(left), left)] : []),
      present(
        `<t:${sums.lastSeconds}:R>`,
        span(sums, language),
        walletUrl === undefined && name === address ? undefined : maskedLink(address, walletUrl, ADDRESS_MAX, address),
        isOneTransaction && txUrls[0] !== undefined ? `[${texts.alerts.links.transaction}](${txUrls[0]})` : undefined,
      ),
    ),
    color: kind === 'other' ? EMBED_COLOURS.unknown : EMBED_COLOURS[kind],
    ...(image === undefined ? {} : { thumbnail: { url: image } }),
    footer: footer(first, delays(kind, sums, sentAtMs, language)),
  };
}

/** `63.5¢ avg`, or without the last word if all was at one price; undefined if there is no price. */
export function averagePrice(
  { averageCents, lowestCents, highestCents }: GroupSums,
  { texts, format }: Language,
): string | undefined {
  if (lowestCents === highestCents) return format.cents(lowestCents);
  return averageCents === null ? undefined : texts.alerts.prices.average(format.cents(averageCents.toNumber()));
}

/** `**14 fills**`. */
export function fillCount(kind: ActionKind, { fills }: GroupSums, { texts, format }: Language): string {
  return texts.alerts.fills.counts[isRedeemed(kind) ? 'redemption' : 'fill'](format.quantity(fills));
}

function isRedeemed(kind: ActionKind): boolean {
  return kind === 'redeem';
}

function heading(kind: ActionKind, sums: GroupSums, language: Language): string {
  const { inOneTransaction, inTransactions } = language.texts.alerts.fills;
  const fills = fillCount(kind, sums, language);
  return sums.transactions === 1
    ? inOneTransaction(fills)
    : inTransactions(fills, language.format.quantity(sums.transactions));
}

function money({ netUsdc, grossUsdc, feeUsdc }: GroupSums, { texts, format }: Language): string {
  const { direction, usdc } = readFlow(netUsdc.toNumber());
  const terms = texts.alerts.money;
  return present(
    terms[direction](format.usdc(usdc)),
    terms.gross(format.usdc(grossUsdc.toNumber())),
    feeUsdc.isZero() ? terms.noFee : terms.fees(format.usdc(feeUsdc.toNumber())),
  );
}

function prices(
  kind: ActionKind,
  items: readonly ActivityItem[],
  { averageCents, lowestCents, highestCents }: GroupSums,
  { texts, format }: Language,
): string[] {
  // A redemption carries 100 cents, at which nobody traded.
  if (isRedeemed(kind)) return [];
  const terms = texts.alerts.fills;
  const role = roles(items, texts.alerts.roles);
  // A word first: a line that begins with the sign of `>99.99¢` would be a quotation.
  if (lowestCents === highestCents) return [present(terms.allAt(format.priceCents(lowestCents)), role)];
  const [low, high] = [format.cents(lowestCents), format.cents(highestCents)];
  const range =
    kind === 'buy'
      ? [terms.best(low), terms.worst(high)]
      : kind === 'sell'
        ? [terms.best(high), terms.worst(low)]
        : [terms.range(low, high)];
  const average = averageCents === null ? undefined : terms.average(format.priceCents(averageCents.toNumber()));
  return [present(average, ...range, role)];
}

function roles(items: readonly ActivityItem[], texts: Language['texts']['alerts']['roles']): string | undefined {
  const found = new Set(items.map(({ liquidityRole }) => liquidityRole));
  const [isMaker, isTaker] = [found.has('MAKER'), found.has('TAKER')];
  if (isMaker && isTaker) return texts.both;
  if (found.size > 1) return undefined;
  return isMaker ? texts.maker : isTaker ? texts.taker : undefined;
}

function fill(
  { action, quantity, price, transferNetAmount }: ActivityItem,
  txUrl: string | undefined,
  { texts, format }: Language,
): string {
  const shares = format.quantity(quantity);
  return present(
    `• ${action === 'Redeem' ? shares : texts.alerts.fills.row(shares, format.cents(price))}`,
    format.usdc(Math.abs(transferNetAmount)),
    txUrl === undefined ? undefined : `[${texts.alerts.links.short}](${txUrl})`,
  );
}

function span({ firstSeconds, lastSeconds }: GroupSums, { texts }: Language): string {
  if (firstSeconds === lastSeconds) return `<t:${lastSeconds}:f>`;
  return texts.alerts.span(`<t:${firstSeconds}:f>`, `<t:${lastSeconds}:f>`);
}

function delays(
  kind: ActionKind,
  { firstSeconds, lastSeconds }: GroupSums,
  sentAtMs: number,
  language: Language,
): string {
  const [several, last, first] = isRedeemed(kind)
    ? (['redemptions', 'lastRedemption', 'redemption'] as const)
    : (['fills', 'lastFill', 'fill'] as const);
  const delivered = delay(lastSeconds, sentAtMs, firstSeconds === lastSeconds ? several : last, language);
  const sinceFirst = Math.floor(sentAtMs / 1000) - firstSeconds;
  if (firstSeconds === lastSeconds || sinceFirst <= 0) return delivered;
  return language.texts.alerts.delivered.sinceFirst[first](delivered, language.format.duration(sinceFirst));
}
