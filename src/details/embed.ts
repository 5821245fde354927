import type { APIEmbed } from 'discord.js';
import { tradeText } from '../alerts/kinds/activity.ts';
import { checksummed, type WalletAddress } from '../domain/address.ts';
import { type ActionKind, type ActivityItem, actionKind } from '../domain/records.ts';
import {
  alertReference,
  EMBED_COLOURS,
  fitUrls,
  marketNameOf,
  present,
  type RenderContext,
  walletName,
} from '../embeds/embed-parts.ts';
import { type FillSums, readFlow, sumUp } from '../embeds/item-lines.ts';
import { type Links, shortLinks } from '../embeds/links.ts';
import { fullRecord } from '../embeds/record-lines.ts';
import { escapeText, maskedLink, textLength } from '../embeds/text/escape.ts';
import { EMBED_LIMITS, embedSize, joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { groupBy } from '../lib/group-by.ts';
import type { AlertFills } from './alert-fills.ts';
import { type Knowledge, moment, positionLines, rounded, sharesText } from './knowledge-lines.ts';

const WORD_MAX = 40;
const HASH_MAX = 80;
const TITLE_MAX = 250;
/**
 * Characters of the three links in the first embed; beside its fields and other lines they leave
 * space for records.
 */
const HEAD_URLS_MAX = 1_200;
/** A longer link of a record gives way to its hash alone. */
const RECORD_URL_MAX = 300;
/** Kinds of liquidity roles that are counted: the venue has two. */
const ROLES_SHOWN = 4;

export interface DetailsView extends AlertFills, Pick<RenderContext, 'links' | 'language'> {
  readonly wallet: WalletAddress;
  readonly reference: string;
  /** What the channel calls the wallet; null without a label. */
  readonly label: string | null;
  readonly items: readonly [ActivityItem, ...ActivityItem[]];
  /** Epoch ms of the alert's message, by Discord's clock. */
  readonly postedAtMs: number;
  readonly knowledge: Knowledge;
}

/**
 * What there is to know of an alert, in two embeds within Discord's limits: sums, times, position,
 * record and how to read them; then the records one by one. The venue's figures have all their
 * digits.
 *
 * @returns `left`: records that found no room; `withFile` is told whether a file with all records
 *   goes along
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
  const space = Math.min(
    EMBED_LIMITS.description,
    EMBED_LIMITS.totalPerMessage - embedSize(summary) - textLength(heading.title),
  );
  const links = shortLinks(view.links, RECORD_URL_MAX);
  const row = (item: ActivityItem) => recordLine(item, sums.transactions === 1, links, language);
  const whole = joinFitting(items, space, row);
  if (whole.left === 0) {
    return { left: 0, withFile: () => [summary, { ...heading, description: whole.text }] };
  }
  const last = (hasFile: boolean, left: number) =>
    (hasFile ? inFile : leftOut)(exact.quantity(left));
  const most =
    Math.max(...[true, false].map((hasFile) => textLength(last(hasFile, items.length)))) + 1;
  const { text, left } = joinFitting(items, space - most, row);
  return {
    left,
    withFile: (hasFile) => [
      summary,
      { ...heading, description: `${text}\n${last(hasFile, left)}` },
    ],
  };
}

function summaryEmbed(view: DetailsView, sums: FillSums): APIEmbed {
  const { wallet, items, knowledge, language, links } = view;
  const { details } = language.texts;
  const [newest] = items;
  const kind = actionKind(newest.action);
  const [walletUrl, marketUrl, txUrl] = fitUrls(
    HEAD_URLS_MAX,
    links.wallet(wallet),
    links.market(newest),
    links.transaction(newest.txHash),
  );
  const address = `\`${checksummed(wallet)}\``;
  const count = language.exact.quantity(sums.transactions);
  const notes = noteLines(view);
  const embed = {
    title: details.title(`${walletName(view.wallet, view.label)} ${tradeText(items, language)}`),
    description: [
      `**${maskedLink(marketNameOf(newest), marketUrl, TITLE_MAX, details.marketWithoutTitle)}**`,
      present(
        address,
        walletUrl === undefined ? undefined : `[${details.openWallet}](${walletUrl})`,
      ),
      moneyLine(sums, language),
      priceLine(kind, sums, language),
      present(
        details.fills.inTransactions(countOf(sums, kind, language), count, sums.transactions),
        rolesOf(items, language),
      ),
      ...(sums.transactions === 1
        ? [maskedLink(newest.txHash, txUrl, HASH_MAX, details.unknownHash)]
        : []),
      ...timeLines(view, sums),
    ].join('\n'),
    color: kind === 'other' ? EMBED_COLOURS.unknown : EMBED_COLOURS[kind],
    fields: [
      ...knownFields(knowledge, language),
      ...(notes.length === 0 ? [] : [field(details.notes.title, notes)]),
    ],
  };
  const isRounded = JSON.stringify(embed).includes('≈');
  const footer = present(
    isRounded ? details.notes.rounded : undefined,
    alertReference(view.reference),
  );
  return { ...embed, footer: { text: footer } };
}

/**
 * Details while the venue's records cannot be had: what was known at the alert. @param why a
 * sentence that says it
 */
export function knownEmbed(
  view: Pick<DetailsView, 'wallet' | 'label' | 'reference' | 'knowledge' | 'language'>,
  why: string,
): APIEmbed {
  const { wallet, reference, knowledge, language } = view;
  return {
    title: language.texts.details.title(walletName(view.wallet, view.label)),
    description: `⚠️ ${why}\n\`${checksummed(wallet)}\``,
    color: EMBED_COLOURS.unknown,
    fields: knownFields(knowledge, language),
    footer: { text: alertReference(reference) },
  };
}

function knownFields(knowledge: Knowledge, language: Language) {
  const { position, record: words } = language.texts.details;
  const { when, record } = knowledge;
  const isEmpty = record === null || (record.since.markets === 0 && record.before === null);
  return [
    field(position[when], positionLines(knowledge, language)),
    field(words[when], isEmpty ? [words.none] : fullRecord(record, language)),
  ];
}

function field(name: string, rows: readonly string[]) {
  return { name, value: joinFitting(rows, EMBED_LIMITS.fieldValue).text };
}

function moneyLine({ netUsdc, grossUsdc, feeUsdc }: FillSums, { texts, exact }: Language): string {
  const { money } = texts.details;
  return present(
    money[readFlow(netUsdc.toNumber()).direction](exact.usdc(netUsdc.abs())),
    money.gross(exact.usdc(grossUsdc)),
    feeUsdc.isZero() ? money.noFees : money.fees(exact.usdc(feeUsdc)),
  );
}

function priceLine(kind: ActionKind, sums: FillSums, language: Language): string {
  const { prices } = language.texts.details;
  const { cents } = language.exact;
  const shares = sharesText(sums.shares, language);
  // A redemption carries 100 cents, at which nobody traded.
  if (kind === 'redeem') return shares;
  const [low, high] = [cents(sums.lowestCents), cents(sums.highestCents)];
  if (low === high) return present(shares, sums.fills === 1 ? low : prices.allAt(low));
  const average =
    sums.averageCents === null ? undefined : prices.average(rounded(sums.averageCents, cents));
  if (kind === 'buy') return present(shares, average, prices.best(low), prices.worst(high));
  if (kind === 'sell') return present(shares, average, prices.best(high), prices.worst(low));
  return present(shares, average, prices.range(low, high));
}

function countOf({ fills }: FillSums, kind: ActionKind, { texts, exact }: Language): string {
  const { redemptions, trades } = texts.details.fills;
  return (kind === 'redeem' ? redemptions : trades)(exact.quantity(fills), fills);
}

/**
 * `taker`, or how many of each: `taker 9 · maker 5`; undefined where no record has one, as with
 * redemptions.
 */
function rolesOf(items: readonly ActivityItem[], language: Language): string | undefined {
  const roles = items.flatMap((item) => roleOf(item, language) ?? []);
  const counts = [...groupBy(roles, (role) => role)].sort(([, a], [, b]) => b.length - a.length);
  if (counts.length < 2) return roles[0];
  return present(
    ...counts
      .slice(0, ROLES_SHOWN)
      .map(([role, of]) => `${role} ${language.exact.quantity(of.length)}`),
  );
}

function roleOf({ action, liquidityRole }: ActivityItem, { texts }: Language): string | undefined {
  const { roles } = texts.details;
  if (liquidityRole === 'MAKER') return roles.maker;
  if (liquidityRole === 'TAKER') return roles.taker;
  if (liquidityRole !== null) return escapeText(liquidityRole, WORD_MAX, roles.unknown);
  return action === 'Buy' || action === 'Sell' ? roles.unknown : undefined;
}

/** When it was traded, when the bot saw it, and when the alert was posted. */
function timeLines(
  { knowledge, postedAtMs, language }: DetailsView,
  { firstSeconds, lastSeconds }: FillSums,
) {
  const { texts, format } = language;
  const { traded, tradedBetween, seen, posted } = texts.details.times;
  const postedSeconds = Math.floor(postedAtMs / 1000);
  // An alert that more came to is older than the last of it.
  const delay =
    postedSeconds > lastSeconds
      ? texts.alerts.late(format.duration(postedSeconds - lastSeconds))
      : undefined;
  return [
    firstSeconds === lastSeconds
      ? traded(moment(lastSeconds))
      : tradedBetween(moment(firstSeconds), moment(lastSeconds)),
    ...(knowledge.when === 'atAlert' ? [seen(moment(Math.floor(knowledge.seenAtMs / 1000)))] : []),
    present(posted(moment(postedSeconds)), delay),
  ];
}

/** What is missing, and what is as of when. */
function noteLines({
  missing,
  cutAfter,
  skipped,
  knowledge,
  language: { texts, exact },
}: DetailsView): string[] {
  const { notes } = texts.details;
  // What was not read, or could not be, may well be listed.
  const unlisted = missing === null || cutAfter !== null ? 0 : Math.max(0, missing - skipped);
  return [
    ...(cutAfter === null ? [] : [notes.cut(exact.quantity(cutAfter))]),
    ...(unlisted === 0 ? [] : [notes.missing(exact.quantity(unlisted))]),
    ...(skipped === 0 ? [] : [notes.skipped(exact.quantity(skipped), skipped)]),
    ...(knowledge.when === 'asOfNow' ? [notes.asOfNow] : []),
    ...(missing === null ? [notes.allOfTime] : []),
  ];
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
  const hash = txHash.length > 13 ? `${txHash.slice(0, 6)}…${txHash.slice(-4)}` : txHash;
  const shares = exact.quantity(item.quantity);
  return present(
    `<t:${item.time}:T> ${item.action === 'Redeem' ? shares : fills.row(shares, exact.cents(item.price))}`,
    fills.gross(exact.usdc(item.grossValue)),
    item.fee === 0 ? undefined : fills.fee(exact.usdc(item.fee)),
    roleOf(item, language),
    isOneTransaction
      ? undefined
      : maskedLink(hash, links.transaction(txHash), WORD_MAX, unknownHash),
  );
}
