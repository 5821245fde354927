import type { APIEmbed } from 'discord.js';
import type { Alert, Gap } from '../alerts/alert.ts';
import {
  type ActivityItem,
  actionKind,
  checksummed,
  parseAddress,
  shortAddress,
  type TransferItem,
  transferKind,
  type WalletAddress,
  ZERO_ADDRESS,
} from '../feed/interface.ts';
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
import { escapeText, maskedLink, shortHash } from './escape.ts';
import { readFlow } from './flow.ts';
import { imageUrl } from './links.ts';
import { consensusEmbed, resultEmbed } from './news-embed.ts';

/** Characters of a description (4,096) for URLs: the text beside them takes fewer than 950 code points in every language. */
const URL_ROOM = 3_100;
const WORD_MAX = 40;
/** What the delay in the footer is counted from, by the catalogue's names. */
const EVENTS = { buy: 'trade', sell: 'trade', redeem: 'redemption', other: 'event' } as const;
const TRANSFER_EVENTS = { deposit: 'deposit', withdrawal: 'withdrawal', other: 'event' } as const;

/**
 * The embed of one alert. Every figure comes from the item; the venue's texts and the guild's label are escaped and cut,
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

/** One trade or redemption. */
function activityEmbed(alert: Alert, item: ActivityItem, context: RenderContext): APIEmbed {
  const { language, links, label, sentAtMs } = context;
  const kind = actionKind(item.action);
  const image = imageUrl(item.logo);
  const [walletUrl, txUrl, marketUrl] = fitUrls(
    URL_ROOM,
    links.wallet(alert.wallet),
    links.transaction(item.txHash),
    links.market(item),
  );
  const name = walletName(alert.wallet, label);
  const what = holding(item.quantity, item.positionSide, language);
  const price = language.format.cents(item.price);
  return {
    title: activityTitle(name, { action: item.action, kind }, what, price, item.transferNetAmount, language),
    description: lines(
      `**${marketName(item, marketUrl, language)}**`,
      ...activityFigures(item, language),
      ...contextLines([alert], language),
      whereAndWhen(alert.wallet, item, context, walletUrl, txUrl),
    ),
    color: kind === 'other' ? EMBED_COLOURS.unknown : EMBED_COLOURS[kind],
    ...(image === undefined ? {} : { thumbnail: { url: image } }),
    footer: footer(alert, delay(item.time, sentAtMs, EVENTS[kind], language)),
  };
}

function activityFigures(item: ActivityItem, { texts, format }: Language): string[] {
  const { money } = texts.alerts;
  const { direction, usdc } = readFlow(item.transferNetAmount);
  const shares = format.shares(item.quantity);
  const role = liquidityRole(item, texts.alerts.roles);
  const paid = present(
    money[direction](format.usdc(usdc)),
    money.gross(format.usdc(item.grossValue)),
    item.fee === 0 ? money.noFee : money.fee(format.usdc(item.fee)),
  );
  // A redemption carries 100 cents, at which nobody traded.
  if (item.action === 'Redeem') return [present(paid, shares, role)];
  return [paid, present(shares, format.priceCents(item.price), role)];
}

function liquidityRole(
  { action, liquidityRole: role }: ActivityItem,
  roles: Language['texts']['alerts']['roles'],
): string | undefined {
  if (role === 'MAKER') return roles.maker;
  if (role === 'TAKER') return roles.taker;
  if (role !== null) return escapeText(role, WORD_MAX, roles.unknown);
  return action === 'Buy' || action === 'Sell' ? roles.unknown : undefined;
}

/** One deposit or withdrawal. A deposit from the zero address came over a bridge, its sender is unknown. */
function transferEmbed(alert: Alert, item: TransferItem, context: RenderContext): APIEmbed {
  const { language, links, label, sentAtMs } = context;
  const { texts, format } = language;
  const kind = transferKind(item.type);
  const isBridged = kind === 'deposit' && item.address.toLowerCase() === ZERO_ADDRESS;
  const [walletUrl, txUrl] = fitUrls(URL_ROOM, links.wallet(alert.wallet), links.transaction(item.txHash));
  return {
    title: transferTitle(walletName(alert.wallet, label), item, isBridged, format.usdc(item.amount), language),
    description: lines(
      isBridged ? texts.alerts.transfers.senderUnknown : counterparty(item, language),
      whereAndWhen(alert.wallet, item, context, walletUrl, txUrl),
    ),
    color: kind === 'other' ? EMBED_COLOURS.unknown : EMBED_COLOURS[kind],
    footer: footer(alert, delay(item.time, sentAtMs, TRANSFER_EVENTS[kind], language)),
  };
}

function transferTitle(
  name: string,
  { type }: TransferItem,
  isBridged: boolean,
  amount: string,
  { texts }: Language,
): string {
  const { titles } = texts.alerts;
  const kind = transferKind(type);
  if (isBridged) return titles.bridgedDeposit(name, amount);
  if (kind !== 'other') return titles[kind](name, amount);
  return titles.otherTransfer(name, escapeText(type, WORD_MAX, titles.unknownTransfer), amount);
}

/** The other side of a transfer. Its address in full: addresses with equal ends are made to deceive. */
function counterparty({ type, address }: TransferItem, { texts }: Language): string {
  const { from, to, otherSide, unknownAddress } = texts.alerts.transfers;
  const parsed = parseAddress(address);
  const shown = parsed.ok ? `\`${checksummed(parsed.address)}\`` : escapeText(address, 2 * WORD_MAX, unknownAddress);
  return { deposit: from, withdrawal: to, other: otherSide }[transferKind(type)](shown);
}

/** A time of which records may be missing. */
function gapEmbed(alert: Alert, gap: Gap, { language, links, label }: RenderContext): APIEmbed {
  const texts = language.texts.alerts;
  const of = gap.endpoint === 'activity' ? 'trades' : 'transfers';
  const from = Math.min(gap.fromSeconds, gap.toSeconds);
  const to = Math.max(gap.fromSeconds, gap.toSeconds);
  const [walletUrl] = fitUrls(URL_ROOM, links.wallet(alert.wallet));
  return {
    title: texts.gap.titles[of](walletName(alert.wallet, label)),
    description: lines(
      texts.gap.missing[of](texts.gap.causes[gap.cause], `<t:${from}:f>`, `<t:${to}:f>`),
      present(
        texts.gap.listed[of](`\`${checksummed(alert.wallet)}\``),
        walletUrl === undefined ? undefined : `[${texts.links.openWallet}](${walletUrl})`,
      ),
    ),
    color: EMBED_COLOURS.gap,
    footer: footer(alert, texts.gap.notice),
  };
}

function whereAndWhen(
  wallet: WalletAddress,
  item: { readonly time: number; readonly txHash: string },
  { label, language }: RenderContext,
  walletUrl: string | undefined,
  txUrl: string | undefined,
): string {
  const texts = language.texts.alerts.links;
  const address = shortAddress(wallet);
  // Without a label the title names the address already.
  const isInTitle = walletUrl === undefined && walletName(wallet, label) === address;
  return present(
    `<t:${item.time}:R>`,
    `<t:${item.time}:f>`,
    isInTitle ? undefined : maskedLink(address, walletUrl, WORD_MAX, address),
    txUrl === undefined ? texts.hash(shortHash(item.txHash, texts.unknownHash)) : `[${texts.transaction}](${txUrl})`,
  );
}
