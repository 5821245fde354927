import type { APIEmbed } from 'discord.js';
import { shortAddress } from '../venue/address.ts';
import type { ActivityItem } from '../venue/schema.ts';
import type { Alert } from './alert.ts';
import { contextLines } from './context-lines.ts';
import {
  ACTIONS,
  COLOURS,
  capitalised,
  delay,
  fitUrls,
  footer,
  lines,
  marketName,
  present,
  type RenderContext,
  walletName,
} from './embed-parts.ts';
import { describeFlow, formatCents, formatDuration, formatPriceCents, formatQuantity, formatUsdc } from './format.ts';
import { fillsOf, type GroupFigures, sumUp } from './group.ts';
import { imageUrl } from './links.ts';
import { escapeText, maskedLink } from './text.ts';

/** Fills that are listed, the largest first. */
const LISTED = 5;
const SIDE_MAX = 40;
/** Room for URLs in a description of 4,096: the words beside them take less than 1,200. */
const URL_ROOM = 2_800;

/**
 * The embed of fills that belong together: one wallet, market, outcome and action. Their sums, the volume-weighted
 * price and the largest few of them. Texts and limits as in `renderAlert`; the reference is that of the first alert.
 */
export function renderFills(alerts: readonly [Alert, ...Alert[]], context: RenderContext): APIEmbed {
  const [first] = alerts;
  const items = fillsOf(alerts);
  const figures = sumUp(items);
  // The newest tells best what the market is called.
  const newest = items.reduce((a, b) => (b.time >= a.time ? b : a));
  const known = Object.hasOwn(ACTIONS, newest.action) ? ACTIONS[newest.action] : undefined;
  const largest = items.toSorted((a, b) => b.quantity - a.quantity).slice(0, LISTED);
  const isOneTransaction = figures.transactions === 1;
  const [walletUrl, marketUrl, ...txUrls] = fitUrls(
    URL_ROOM,
    context.links.wallet(first.wallet),
    context.links.market(newest),
    ...largest.map(({ txHash }) => context.links.transaction(txHash)),
  );
  const image = imageUrl(newest.logo);
  const name = walletName(first.wallet, context.label);
  const address = shortAddress(first.wallet);
  return {
    title: title(name, newest, figures, known?.verb),
    description: lines(
      `**${marketName(newest, marketUrl)}**`,
      money(figures),
      ...prices(newest.action, items, figures),
      ...contextLines(alerts),
      `${fillCount(newest.action, figures)}${isOneTransaction ? ' in one transaction' : ` in ${figures.transactions} transactions`}:`,
      ...largest.map((item, index) => fill(item, isOneTransaction ? undefined : txUrls[index])),
      ...(items.length > LISTED ? [`… and ${items.length - LISTED} smaller`] : []),
      present(
        `<t:${figures.lastSeconds}:R>`,
        span(figures),
        walletUrl === undefined && name === address ? undefined : maskedLink(address, walletUrl, SIDE_MAX, address),
        isOneTransaction && txUrls[0] !== undefined ? `[transaction](${txUrls[0]})` : undefined,
      ),
    ),
    color: known?.colour ?? COLOURS.unknown,
    ...(image === undefined ? {} : { thumbnail: { url: image } }),
    footer: footer(first, delays(fillNoun(newest.action), figures, context.sentAtMs)),
  };
}

function title(name: string, item: ActivityItem, figures: GroupFigures, verb: string | undefined): string {
  const what = `${formatQuantity(figures.shares.toNumber())} ${escapeText(item.positionSide, SIDE_MAX, 'of an unknown outcome')}`;
  if (item.action === 'Redeem') {
    const flow = describeFlow(figures.netUsdc.toNumber());
    return `${name} redeemed ${what}${flow.verb === 'paid' ? '' : `, paid out ${flow.amount}`}`;
  }
  const does = verb === undefined ? `: ${escapeText(item.action, SIDE_MAX, 'unknown action')}` : ` ${verb}`;
  return `${name}${does} ${what}${averagePrice(figures)}`;
}

/** ` at 63.5¢ avg`, or without the last word if all was at one price; nothing if there is no price. */
export function averagePrice({ averageCents, lowestCents, highestCents }: GroupFigures): string {
  if (lowestCents === highestCents) return ` at ${formatCents(lowestCents)}`;
  return averageCents === null ? '' : ` at ${formatCents(averageCents.toNumber())} avg`;
}

/** `**14 fills**`. */
export function fillCount(action: string, { fills }: GroupFigures): string {
  return `**${formatQuantity(fills)} ${fillNoun(action)}s**`;
}

function fillNoun(action: string): string {
  return action === 'Redeem' ? 'redemption' : 'fill';
}

function money({ netUsdc, grossUsdc, feeUsdc }: GroupFigures): string {
  const flow = describeFlow(netUsdc.toNumber());
  return present(
    `${capitalised(flow.verb)} **${flow.amount}**`,
    `gross ${formatUsdc(grossUsdc.toNumber())}`,
    feeUsdc.isZero() ? 'no fee' : `fees ${formatUsdc(feeUsdc.toNumber())}`,
  );
}

function prices(action: string, items: readonly ActivityItem[], figures: GroupFigures): string[] {
  // The 100 cents that a redemption carries are no price that anybody traded at.
  if (action === 'Redeem') return [];
  const { averageCents, lowestCents, highestCents } = figures;
  // A word first: a line that begins with the sign of `>99.99¢` would be a quotation.
  if (lowestCents === highestCents) return [present(`all at ${formatPriceCents(lowestCents)}`, roles(items))];
  const [low, high] = [formatCents(lowestCents), formatCents(highestCents)];
  const range =
    action === 'Buy'
      ? [`best ${low}`, `worst ${high}`]
      : action === 'Sell'
        ? [`best ${high}`, `worst ${low}`]
        : [`from ${low} to ${high}`];
  const average = averageCents === null ? undefined : `average ${formatPriceCents(averageCents.toNumber())}`;
  return [present(average, ...range, roles(items))];
}

function roles(items: readonly ActivityItem[]): string | undefined {
  const found = new Set(items.map(({ liquidityRole }) => liquidityRole));
  const [isMaker, isTaker] = [found.has('MAKER'), found.has('TAKER')];
  if (isMaker && isTaker) return 'maker and taker';
  if (found.size > 1) return undefined;
  return isMaker ? 'maker' : isTaker ? 'taker' : undefined;
}

function fill({ action, quantity, price, transferNetAmount }: ActivityItem, txUrl: string | undefined): string {
  return present(
    `• ${formatQuantity(quantity)}${action === 'Redeem' ? '' : ` at ${formatCents(price)}`}`,
    formatUsdc(Math.abs(transferNetAmount)),
    txUrl === undefined ? undefined : `[tx](${txUrl})`,
  );
}

function span({ firstSeconds, lastSeconds }: GroupFigures): string {
  return firstSeconds === lastSeconds ? `<t:${lastSeconds}:f>` : `<t:${firstSeconds}:f> to <t:${lastSeconds}:f>`;
}

function delays(noun: string, { firstSeconds, lastSeconds }: GroupFigures, sentAtMs: number): string {
  const sinceFirst = Math.floor(sentAtMs / 1000) - firstSeconds;
  const last = delay(lastSeconds, sentAtMs, firstSeconds === lastSeconds ? `the ${noun}s` : `the last ${noun}`);
  const isSpread = firstSeconds < lastSeconds && sinceFirst > 0;
  return isSpread ? `${last}, ${formatDuration(sinceFirst)} after the first` : last;
}
