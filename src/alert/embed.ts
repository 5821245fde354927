import type { APIEmbed } from 'discord.js';
import { checksummed, parseAddress, shortAddress, type WalletAddress, ZERO_ADDRESS } from '../venue/address.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import type { Alert, Gap } from './alert.ts';
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
  SEPARATOR,
  walletName,
} from './embed-parts.ts';
import { describeFlow, formatCents, formatPriceCents, formatQuantity, formatShares, formatUsdc } from './format.ts';
import { imageUrl } from './links.ts';
import { consensusEmbed, resultEmbed } from './news-embed.ts';
import { escapeText, maskedLink, shortHash } from './text.ts';

/** Room for URLs in a description of 4,096: the words beside them take less than 700. */
const URL_ROOM = 3_300;
const WORD_MAX = 40;
const GAP_CAUSES: Readonly<Record<Gap['cause'], string>> = {
  overflow: 'More arrived between two looks than one page shows',
  damage: 'What the bot had stored of this wallet was damaged',
  backlog: 'More waited for this channel than the bot keeps',
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
    case 'consensus':
      return consensusEmbed(alert, event.consensus, context);
    case 'result':
      return resultEmbed(alert, event.result, context);
  }
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
      ...contextLines([alert]),
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
