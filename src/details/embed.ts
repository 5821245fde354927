import type { APIEmbed } from 'discord.js';
import { lossText, redeemedLoss, tradeText } from '../alerts/kinds/activity.ts';
import { checksummed, type WalletAddress } from '../domain/address.ts';
import { type ActionKind, type ActivityItem, actionKind, isTxHash } from '../domain/records.ts';
import {
  alertReference,
  EMBED_COLOURS,
  fitUrls,
  marketNameOf,
  present,
  presentParts,
  type RenderContext,
  smallPrint,
  walletName,
} from '../embeds/embed-parts.ts';
import { areSharesKnown, type FillSums, readFlow, sumUp } from '../embeds/item-lines.ts';
import { imageUrl, type Links, shortLinks } from '../embeds/links.ts';
import { fullRecord } from '../embeds/record-lines.ts';
import { abbreviated, escapeText, maskedLink, textLength } from '../embeds/text/escape.ts';
import { EMBED_LIMITS, embedSize, joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { groupBy } from '../lib/group-by.ts';
import { outcomeKey } from '../portfolio/market.ts';
import type { AlertFills } from './alert-fills.ts';
import {
  type Knowledge,
  moment,
  positionLines,
  rounded,
  sharesText,
  type WholeTrade,
} from './knowledge-lines.ts';

const WORD_MAX = 40;
const HASH_MAX = 80;
const TITLE_MAX = 250;
/**
 * Maximum total characters of the three links in the first embed; the remaining space is needed for
 * fields, other lines and records.
 */
const HEAD_URLS_MAX = 1_200;
/** Maximum characters of a record's link; a longer one is replaced by the hash. */
const RECORD_URL_MAX = 300;
/** Maximum kinds of liquidity roles that are counted; the venue has two. */
const ROLES_SHOWN = 4;

export interface DetailsView extends AlertFills, Pick<RenderContext, 'links' | 'language'> {
  readonly wallet: WalletAddress;
  readonly reference: string;
  /** The channel's label of the wallet; null if there is none. */
  readonly label: string | null;
  readonly items: readonly [ActivityItem, ...ActivityItem[]];
  /** Time of the alert's message by Discord's clock, in epoch ms. */
  readonly postedAtMs: number;
  /**
   * Time of the last addition to the message by Discord's clock, in epoch ms; null if there was
   * none.
   */
  readonly changedAtMs: number | null;
  readonly knowledge: Knowledge;
}

/**
 * Returns everything known about an alert, in two embeds within Discord's limits: sums, times,
 * position, track record and notes; then the individual records. The venue's figures have all their
 * digits.
 *
 * @returns `left`: number of records that did not fit; the argument of `withFile` says whether a
 *   file with all records is attached
 */
export function detailsEmbeds(view: DetailsView): {
  left: number;
  withFile: (hasFile: boolean) => APIEmbed[];
} {
  const { items, language } = view;
  const sums = sumUp(items);
  const summary = summaryEmbed(view, sums);
  if (items.length === 1) return { left: 0, withFile: () => [summary] };
  const { texts, exact } = language;
  const { inFile, leftOut, title } = texts.details.fills;
  const heading = {
    title: title(countOf(sums, actionKind(items[0].action), language)),
    color: summary.color ?? EMBED_COLOURS.unknown,
  };
  const taken = embedSize(summary) + textLength(heading.title);
  const space = Math.min(EMBED_LIMITS.description, EMBED_LIMITS.totalPerMessage - taken);
  const links = shortLinks(view.links, RECORD_URL_MAX);
  const row = (item: ActivityItem) => recordLine(item, sums.transactions === 1, links, language);
  const whole = joinFitting(items, space, row);
  if (whole.left === 0) {
    const list = { ...heading, description: whole.text };
    return { left: 0, withFile: () => [summary, list] };
  }
  const last = (hasFile: boolean, left: number) => {
    const say = hasFile ? inFile : leftOut;
    return say(exact.quantity(left));
  };
  const lengthOfLast = (hasFile: boolean) => textLength(last(hasFile, items.length));
  const longest = Math.max(lengthOfLast(true), lengthOfLast(false));
  const { text, left } = joinFitting(items, space - longest - 1, row);
  return {
    left,
    withFile(hasFile) {
      const description = `${text}\n${last(hasFile, left)}`;
      return [summary, { ...heading, description }];
    },
  };
}

function summaryEmbed(view: DetailsView, sums: FillSums): APIEmbed {
  const { items, language } = view;
  const { details } = language.texts;
  const kind = actionKind(items[0].action);
  const notes = noteLines(view);
  const fields = knownFields(view, wholeTrade(view, sums));
  if (notes.length > 0) fields.push(field(details.notes.title, notes));
  const wallet = walletName(view.wallet, view.label);
  const loss = lossOf(view);
  const tradeOrLoss =
    loss === undefined ? tradeText(items, language) : lossText(items, loss, language);
  const colour = loss === undefined ? kind : 'loss';
  const embed = {
    title: details.title(`${wallet} ${tradeOrLoss}`),
    description: summaryLines(view, sums).join('\n'),
    color: EMBED_COLOURS[colour === 'other' ? 'unknown' : colour],
    fields,
  };
  const isRounded = JSON.stringify(embed).includes('≈');
  const footer = present(isRounded && details.notes.rounded, alertReference(view.reference));
  const whole = { ...embed, footer: { text: footer } };
  const image = imageUrl(items[0].logo);
  if (image === undefined) return whole;
  return { ...whole, thumbnail: { url: image } };
}

/**
 * Returns the loss stated in the alert; undefined if it states none, or if it is no longer known.
 */
function lossOf({ items, knowledge }: DetailsView): ReturnType<typeof redeemedLoss> {
  if (knowledge.when !== 'atAlert') return undefined;
  return redeemedLoss(items, knowledge.position ?? undefined, knowledge.results);
}

/** Returns market, wallet, money, prices, transactions and times of an alert, one line each. */
function summaryLines(view: DetailsView, sums: FillSums): string[] {
  const { wallet, items, language, links } = view;
  const { details } = language.texts;
  const [newest] = items;
  const kind = actionKind(newest.action);
  const [walletUrl, marketUrl, txUrl] = fitUrls(
    HEAD_URLS_MAX,
    links.wallet(wallet),
    links.market(newest),
    links.transaction(newest.txHash),
  );
  const { marketWithoutTitle, openWallet, unknownHash } = details;
  const { transactions } = sums;
  const market = maskedLink(marketNameOf(newest), marketUrl, TITLE_MAX, marketWithoutTitle);
  const toWallet = walletUrl !== undefined && `[${openWallet}](${walletUrl})`;
  const fills = details.fills.inTransactions(
    countOf(sums, kind, language),
    language.exact.quantity(transactions),
    transactions,
  );
  return presentParts(
    `**${market}**`,
    present(`\`${checksummed(wallet)}\``, toWallet),
    moneyLine(sums, language),
    priceLine(kind, sums, language),
    present(fills, rolesOf(items, language)),
    transactions === 1 &&
      isTxHash(newest.txHash) &&
      maskedLink(newest.txHash, txUrl, HASH_MAX, unknownHash),
    ...timeLines(view, sums),
  );
}

/**
 * Returns details without the venue's records, while these are not available.
 *
 * @param why a sentence with the reason
 */
export function knownEmbed(
  view: Pick<DetailsView, 'wallet' | 'label' | 'reference' | 'knowledge' | 'language'>,
  why: string,
): APIEmbed {
  const { wallet, reference, language } = view;
  return {
    title: language.texts.details.title(walletName(view.wallet, view.label)),
    description: `⚠️ ${why}\n\`${checksummed(wallet)}\``,
    color: EMBED_COLOURS.unknown,
    fields: knownFields(view, null),
    footer: { text: alertReference(reference) },
  };
}

function knownFields(
  { knowledge, language }: Pick<DetailsView, 'knowledge' | 'language'>,
  trade: WholeTrade | null,
) {
  const { details } = language.texts;
  const { position, record: words } = details;
  const { when, record } = knowledge;
  const isEmpty = record === null || (record.since.markets === 0 && record.before === null);
  const onCard = smallPrint(words.onCard(details.buttons.activity));
  return [
    field(position[when], positionLines(knowledge, language, trade)),
    field(words[when], isEmpty ? [words.none] : [...fullRecord(record, language), ...onCard]),
  ];
}

function field(name: string, rows: readonly string[]) {
  return { name, value: joinFitting(rows, EMBED_LIMITS.fieldValue).text };
}

function moneyLine(sums: FillSums, { texts, exact }: Language): string {
  const { netUsdc, grossUsdc, feeUsdc, areFeesKnown } = sums;
  const { money } = texts.details;
  const fees = feeUsdc.isZero() ? money.noFees : money.fees(exact.usdc(feeUsdc));
  return present(
    money[readFlow(netUsdc.toNumber()).direction](exact.usdc(netUsdc.abs())),
    money.gross(exact.usdc(grossUsdc)),
    areFeesKnown && fees,
  );
}

function priceLine(kind: ActionKind, sums: FillSums, language: Language): string | undefined {
  const { prices } = language.texts.details;
  const { cents } = language.exact;
  if (!areSharesKnown(kind, sums)) return undefined;
  const shares = sharesText(sums.shares, language);
  // A redemption has a price of 100 cents, which is not a trade's price.
  if (kind === 'redeem') return shares;
  const low = cents(sums.lowestCents);
  const high = cents(sums.highestCents);
  if (low === high) return present(shares, sums.fills === 1 ? low : prices.allAt(low));
  const { averageCents } = sums;
  const average = averageCents !== null && prices.average(rounded(averageCents, cents));
  if (kind === 'buy') return present(shares, average, prices.best(low), prices.worst(high));
  if (kind === 'sell') return present(shares, average, prices.best(high), prices.worst(low));
  return present(shares, average, prices.range(low, high));
}

function countOf({ fills }: FillSums, kind: ActionKind, { texts, exact }: Language): string {
  const { redemptions, trades } = texts.details.fills;
  const say = kind === 'redeem' ? redemptions : trades;
  return say(exact.quantity(fills), fills);
}

/**
 * Returns `taker`, or a count of each: `taker 9 · maker 5`; undefined if no record has a role, as
 * for redemptions, and for trades of a venue that names no roles.
 */
function rolesOf(items: readonly ActivityItem[], language: Language): string | undefined {
  if (items.every(({ liquidityRole }) => liquidityRole === null)) return undefined;
  const roles = items.flatMap((item) => roleOf(item, language) ?? []);
  const counts = [...groupBy(roles, (role) => role)];
  if (counts.length < 2) return roles[0];
  counts.sort(([, a], [, b]) => b.length - a.length);
  const shown = counts.slice(0, ROLES_SHOWN).map(([role, own]) => {
    const count = language.exact.quantity(own.length);
    return `${role} ${count}`;
  });
  return present(...shown);
}

function roleOf({ action, liquidityRole }: ActivityItem, { texts }: Language): string | undefined {
  const { roles } = texts.details;
  if (liquidityRole === 'MAKER') return roles.maker;
  if (liquidityRole === 'TAKER') return roles.taker;
  if (liquidityRole !== null) return escapeText(liquidityRole, WORD_MAX, roles.unknown);
  if (action === 'Buy' || action === 'Sell') return roles.unknown;
  return undefined;
}

/**
 * Returns the times of the trade, of its detection by the bot, and of the alert's message, one line
 * each.
 */
function timeLines(
  { knowledge, postedAtMs, changedAtMs, language }: DetailsView,
  { firstSeconds, lastSeconds }: FillSums,
) {
  const { texts, format } = language;
  const { traded, tradedBetween, seen, posted, lastChange } = texts.details.times;
  const near = (seconds: number) => moment(seconds, firstSeconds);
  const postedSeconds = Math.floor(postedAtMs / 1000);
  // An alert with later additions is older than the last of them.
  const isLate = postedSeconds > lastSeconds;
  const delay = isLate && texts.alerts.late(format.duration(postedSeconds - lastSeconds));
  const lines: string[] = [];
  if (firstSeconds === lastSeconds) lines.push(traded(moment(lastSeconds)));
  else lines.push(tradedBetween(moment(firstSeconds), near(lastSeconds)));
  if (knowledge.when === 'atAlert') {
    const seenSeconds = Math.floor(knowledge.seenAtMs / 1000);
    lines.push(seen(near(seenSeconds)));
  }
  const changed = changedAtMs !== null && lastChange(near(Math.floor(changedAtMs / 1000)));
  lines.push(present(posted(near(postedSeconds)), delay, changed));
  return lines;
}

/** Returns notes about missing records, and about the time of the figures. */
function noteLines({
  missing,
  cutAfter,
  skipped,
  knowledge,
  language: { texts, exact },
}: DetailsView): string[] {
  const { notes } = texts.details;
  // Records that were not read, or could not be, may well be listed.
  const unlisted = missing === null || cutAfter !== null ? 0 : Math.max(0, missing - skipped);
  return presentParts(
    cutAfter !== null && notes.cut(exact.quantity(cutAfter)),
    unlisted !== 0 && notes.missing(exact.quantity(unlisted)),
    skipped !== 0 && notes.skipped(exact.quantity(skipped), skipped),
    knowledge.when === 'asOfNow' && notes.asOfNow,
    missing === null && notes.allOfTime,
  );
}

function recordLine(
  item: ActivityItem,
  isOneTransaction: boolean,
  links: Links,
  language: Language,
): string {
  const { texts, exact } = language;
  const { fills, unknownHash } = texts.details;
  const { txHash } = item;
  const url = links.transaction(txHash);
  const shares = exact.quantity(item.quantity);
  const isTrade = item.action !== 'Redeem';
  const redeemed = item.quantity === 0 ? '' : ` ${shares}`;
  const traded = isTrade ? ` ${fills.row(shares, exact.cents(item.price))}` : redeemed;
  return present(
    `<t:${item.time}:T>${traded}`,
    fills.gross(exact.usdc(item.grossValue)),
    item.fee !== 0 && fills.fee(exact.usdc(item.fee)),
    item.liquidityRole !== null && roleOf(item, language),
    !isOneTransaction &&
      isTxHash(txHash) &&
      maskedLink(abbreviated(txHash), url, WORD_MAX, unknownHash),
  );
}

/** Adds up an alert's records; null if some are unknown, or if there are several outcomes. */
function wholeTrade(
  { items, missing, cutAfter, skipped }: DetailsView,
  { shares }: FillSums,
): WholeTrade | null {
  const [first] = items;
  const isWhole = missing === 0 && cutAfter === null && skipped === 0;
  if (!isWhole || items.some((item) => outcomeKey(item) !== outcomeKey(first))) return null;
  return { isPurchase: actionKind(first.action) === 'buy', shares };
}
