import type { APIEmbed } from 'discord.js';
import { checksummed, parseAddress, shortAddress, type WalletAddress, ZERO_ADDRESS } from '../venue/address.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import type { Alert, Gap } from './alert.ts';
import {
  describeFlow,
  formatCents,
  formatDuration,
  formatPriceCents,
  formatQuantity,
  formatShares,
  formatUsdc,
} from './format.ts';
import { imageUrl, type Links } from './links.ts';
import { escapeText, maskedLink, shortHash } from './text.ts';

/** Colour of an embed's edge, by what it tells. */
export const COLOURS = {
  buy: 0x2ecc71,
  sell: 0xe74c3c,
  redeem: 0x9b59b6,
  deposit: 0x3498db,
  withdrawal: 0xe67e22,
  gap: 0xf1c40f,
  compact: 0x5865f2,
  unknown: 0x95a5a6,
} as const;

export interface RenderContext {
  /** What the room calls the wallet. */
  readonly label?: string | undefined;
  readonly links: Links;
  /** Epoch milliseconds by the venue's clock: when the message is about to be sent. */
  readonly sentAtMs: number;
}

/** In escaped code points. Together with the figures they stay far below Discord's limits. */
const LABEL_MAX = 60;
const WORD_MAX = 40;
const MARKET_TITLE_MAX = 250;
/** Room for URLs in a description of 4,096: the words beside them take less than 700. */
const URL_ROOM = 3_300;
/** A trade dated further ahead than this is not skew but a wrong clock. */
const CLOCK_SKEW_SECONDS = 30;
const SEPARATOR = ' · ';

const GAP_CAUSES: Readonly<Record<Gap['cause'], string>> = {
  overflow: 'More arrived between two looks than one page shows',
  damage: 'What the bot had stored of this wallet was damaged',
  backlog: 'More waited for this channel than the bot keeps',
};

/** Words for the actions and transfer types that the venue describes; others are shown as they came. */
export const ACTIONS: Readonly<Record<string, { verb: string; noun: string; colour: number }>> = {
  Buy: { verb: 'bought', noun: 'the trade', colour: COLOURS.buy },
  Sell: { verb: 'sold', noun: 'the trade', colour: COLOURS.sell },
  Redeem: { verb: 'redeemed', noun: 'the redemption', colour: COLOURS.redeem },
};
const TRANSFERS: Readonly<Record<string, { verb: string; noun: string; preposition: string; colour: number }>> = {
  deposit: { verb: 'deposited', noun: 'the deposit', preposition: 'from', colour: COLOURS.deposit },
  withdrawal: { verb: 'withdrew', noun: 'the withdrawal', preposition: 'to', colour: COLOURS.withdrawal },
};

/**
 * The embed of one alert. Every figure comes from the item; the venue's texts and the room's label are escaped and cut,
 * so that the result is within Discord's limits whatever they hold. The footer ends with `#` and the alert's id.
 *
 * It never sets the embed's own `url`: Discord shows only the first of several embeds with an equal one, and two
 * alerts of one market in one message are common. The market is linked in the description instead.
 *
 * @throws RangeError if the alert's id cannot serve as a reference (1 to 200 visible ASCII characters)
 */
export function renderAlert(alert: Alert, context: RenderContext): APIEmbed {
  const { event } = alert;
  switch (event.kind) {
    case 'activity':
      return activityEmbed(alert, event.item, context);
    case 'transfer':
      return transferEmbed(alert, event.item, context);
    case 'gap':
      return gapEmbed(alert, event.gap, context);
  }
}

/** How an alert is recognised in a channel's history: the last word of its footer. */
export function alertReference(alertId: string): string {
  if (!/^[!-~]{1,200}$/.test(alertId)) {
    throw new RangeError(
      `The alert id ${JSON.stringify(alertId)} is no reference. Accepted: 1 to 200 visible ASCII characters.`,
    );
  }
  return `#${alertId}`;
}

function activityEmbed(alert: Alert, item: ActivityItem, context: RenderContext): APIEmbed {
  const known = Object.hasOwn(ACTIONS, item.action) ? ACTIONS[item.action] : undefined;
  const image = imageUrl(item.logo);
  const urls = fitUrls(
    URL_ROOM,
    context.links.wallet(alert.wallet),
    context.links.transaction(item.txHash),
    context.links.market(item),
  );
  const [walletUrl, txUrl, marketUrl] = urls;
  return {
    title: activityTitle(walletName(alert.wallet, context.label), item, known?.verb),
    description: lines(
      `**${marketName(item, marketUrl)}**`,
      ...activityFigures(item),
      whereAndWhen(alert.wallet, context.label, item, walletUrl, txUrl),
    ),
    color: known?.colour ?? COLOURS.unknown,
    ...(image === undefined ? {} : { thumbnail: { url: image } }),
    footer: footer(alert, delay(item.time, context.sentAtMs, known?.noun)),
  };
}

function activityTitle(name: string, item: ActivityItem, verb: string | undefined): string {
  const side = escapeText(item.positionSide, WORD_MAX, 'of an unknown outcome');
  const what = `${formatQuantity(item.quantity)} ${side}`;
  if (item.action === 'Redeem') {
    const flow = describeFlow(item.transferNetAmount);
    return `${name} redeemed ${what}${flow.verb === 'paid' ? '' : `, paid out ${flow.amount}`}`;
  }
  const price = formatCents(item.price);
  if (verb !== undefined) return `${name} ${verb} ${what} at ${price}`;
  return `${name}: ${escapeText(item.action, WORD_MAX, 'unknown action')} ${what} at ${price}`;
}

function activityFigures(item: ActivityItem): string[] {
  const flow = describeFlow(item.transferNetAmount);
  const shares = formatShares(item.quantity);
  const role = liquidityRole(item);
  const money = [
    `${capitalised(flow.verb)} **${flow.amount}**`,
    `gross ${formatUsdc(item.grossValue)}`,
    item.fee === 0 ? 'no fee' : `fee ${formatUsdc(item.fee)}`,
  ].join(SEPARATOR);
  // The 100 cents that a redemption carries are no price that anybody traded at.
  if (item.action === 'Redeem') return [present(money, shares, role)];
  return [money, present(shares, formatPriceCents(item.price), role)];
}

function liquidityRole(item: ActivityItem): string | undefined {
  if (item.liquidityRole === 'MAKER') return 'maker';
  if (item.liquidityRole === 'TAKER') return 'taker';
  if (item.liquidityRole !== null) return escapeText(item.liquidityRole, WORD_MAX, 'maker or taker unknown');
  return item.action === 'Buy' || item.action === 'Sell' ? 'maker or taker unknown' : undefined;
}

function transferEmbed(alert: Alert, item: TransferItem, context: RenderContext): APIEmbed {
  const known = Object.hasOwn(TRANSFERS, item.type) ? TRANSFERS[item.type] : undefined;
  const name = walletName(alert.wallet, context.label);
  const amount = formatUsdc(item.amount);
  const [walletUrl, txUrl] = fitUrls(
    URL_ROOM,
    context.links.wallet(alert.wallet),
    context.links.transaction(item.txHash),
  );
  const isBridged = item.type === 'deposit' && item.address.toLowerCase() === ZERO_ADDRESS;
  const what = known === undefined ? `: ${escapeText(item.type, WORD_MAX, 'unknown transfer')}` : ` ${known.verb}`;
  return {
    title: `${name}${what} ${amount}${isBridged ? ' via bridge' : ''}`,
    description: lines(
      isBridged
        ? 'The venue does not name the sender of a bridged deposit.'
        : `${known?.preposition ?? 'other side:'} ${counterparty(item.address)}`,
      whereAndWhen(alert.wallet, context.label, item, walletUrl, txUrl),
    ),
    color: known?.colour ?? COLOURS.unknown,
    footer: footer(alert, delay(item.time, context.sentAtMs, known?.noun)),
  };
}

/** In full, for a lookalike with the same ends is the oldest trick there is. */
function counterparty(address: string): string {
  const parsed = parseAddress(address);
  return parsed.ok ? `\`${checksummed(parsed.address)}\`` : escapeText(address, 2 * WORD_MAX, 'an unknown address');
}

function gapEmbed(alert: Alert, gap: Gap, context: RenderContext): APIEmbed {
  const isActivity = gap.endpoint === 'activity';
  const things = isActivity ? 'trades or redemptions' : 'deposits or withdrawals';
  const command = isActivity ? '/activity' : '/flows';
  const from = Math.min(gap.fromSeconds, gap.toSeconds);
  const to = Math.max(gap.fromSeconds, gap.toSeconds);
  const [walletUrl] = fitUrls(URL_ROOM, context.links.wallet(alert.wallet));
  return {
    title: `${walletName(alert.wallet, context.label)}: some ${isActivity ? 'trades' : 'transfers'} may be missing here`,
    description: lines(
      `${GAP_CAUSES[gap.cause]}, so some ${things} between <t:${from}:f> and <t:${to}:f> may not have rung.`,
      `\`${command}\` lists them, for \`${checksummed(alert.wallet)}\`${walletUrl === undefined ? '' : `${SEPARATOR}[open the wallet](${walletUrl})`}`,
    ),
    color: COLOURS.gap,
    footer: footer(alert, 'Gap notice'),
  };
}

/** The room's name for the wallet, or its short address. */
export function walletName(wallet: WalletAddress, label: string | undefined): string {
  return escapeText(label ?? '', LABEL_MAX, shortAddress(wallet));
}

export function marketName(item: ActivityItem, url: string | undefined): string {
  const named = [item.marketTitle, item.marketSlug].find((text) => escapeText(text, 1, '') !== '');
  return maskedLink(named ?? '', url, MARKET_TITLE_MAX, 'Market without a title');
}

function whereAndWhen(
  wallet: WalletAddress,
  label: string | undefined,
  item: { readonly time: number; readonly txHash: string },
  walletUrl: string | undefined,
  txUrl: string | undefined,
): string {
  const address = shortAddress(wallet);
  // Without a label the title names the address already.
  const isInTitle = walletUrl === undefined && walletName(wallet, label) === address;
  return present(
    `<t:${item.time}:R>`,
    `<t:${item.time}:f>`,
    isInTitle ? undefined : maskedLink(address, walletUrl, WORD_MAX, address),
    txUrl === undefined ? `tx ${shortHash(item.txHash)}` : `[transaction](${txUrl})`,
  );
}

export function delay(timeSeconds: number, sentAtMs: number, noun: string | undefined): string {
  const seconds = Math.floor(sentAtMs / 1000) - timeSeconds;
  if (seconds < -CLOCK_SKEW_SECONDS) {
    return `Delay unknown, the clocks disagree: dated ${formatDuration(-seconds)} ahead of this alert`;
  }
  if (seconds <= 0) return 'Rang at once';
  return `Rang ${formatDuration(seconds)} after ${noun ?? 'it happened'}`;
}

export function footer(alert: Alert, text: string): { text: string } {
  return { text: `${text}${SEPARATOR}${alertReference(alert.id)}` };
}

/** Keeps the URLs, first come first served, that fit into a description together. */
export function fitUrls(roomFor: number, ...urls: readonly (string | undefined)[]): (string | undefined)[] {
  let room = roomFor;
  return urls.map((url) => {
    if (url === undefined || url.length > room) return undefined;
    room -= url.length;
    return url;
  });
}

export function present(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(SEPARATOR);
}

export function lines(...rows: readonly string[]): string {
  return rows.join('\n');
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
