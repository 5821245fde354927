import type { APIEmbed } from 'discord.js';
import {
  type Alert,
  type AlertGroup,
  alertsIn,
  apartFromList,
  eventTimeMs,
  groupAlerts,
  hasResult,
  isLateList,
  isOfSeveral,
  totalUsdc,
  walletOf,
} from '../alerts/alert.ts';
import { fillEvents, fillsOf } from '../alerts/kinds/activity.ts';
import type { LineContext } from '../alerts/kinds/kind.ts';
import { embedOf, headlineOf, kindOf, lineOf } from '../alerts/kinds/kinds.ts';
import { resultsHeadline, resultsOf } from '../alerts/kinds/result.ts';
import { inRowOrder } from '../alerts/row-order.ts';
import { OFFERED_LIMIT } from '../details/target.ts';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import {
  alertReference,
  EMBED_COLOURS,
  lateness,
  marketNameOf,
  marketTitle,
  present,
  type RenderContext,
  smallPrint,
  timeRange,
} from '../embeds/embed-parts.ts';
import { newestOf } from '../embeds/item-lines.ts';
import { shortLinks, withoutPreview } from '../embeds/links.ts';
import { emsBeside, type NamedLine, unnamedLine, writeLines } from '../embeds/named-lines.ts';
import { escapeText, maskedLink, nameWithin, wholeText } from '../embeds/text/escape.ts';
import { joinFitting, MESSAGE_LIMITS } from '../embeds/text/limits.ts';
import { emsIn } from '../embeds/text/width.ts';
import type { Language } from '../language/language.ts';
import { sum } from '../lib/exact.ts';
import type { Market } from '../portfolio/market.ts';
import { alertButtons, hasCustomId, WALLETS_PER_MESSAGE } from './buttons.ts';
import { renderCatchUp, spanOf, totalsText, withoutShownResults } from './catch-up.ts';

const LATE = '⏱';
/** Maximum length of a wallet's name in a headline, in code points. */
const HEADLINE_NAME_MAX = 24;
/**
 * Width in ems of two, three and four lines on a phone (390 px), minus the space that an overlong
 * word leaves at the end of a line.
 */
const TWO_LINES = 33;
const THREE_LINES = 49;
const FOUR_LINES = 66;
/** Maximum length of the text of a link, in code points. */
const NAME_MAX = 60;
const WALLET_URL_MAX = 200;
/**
 * Maximum waiting alert groups of a channel that get separate messages. Discord shows a message's
 * buttons below all of its embeds, where their alert is no longer obvious, so more groups become
 * lines of one message.
 */
const ALONE_LIMIT = 3;

export interface MessageContext extends Pick<RenderContext, 'labelOf' | 'links' | 'language'> {
  /** Time at which the message is about to be sent, in epoch ms of the venue's clock. */
  readonly sentAtMs: number;
  /** Returns the link to a message about the wallet, as Discord shows it; undefined if unknown. */
  readonly alertUrl?: (wallet: WalletAddress, messageId: string) => string | undefined;
  /** Whether the channel's verdict on the wallet is better than luck. */
  readonly isBetterThanLuck?: (wallet: WalletAddress) => boolean;
  /** True if even few alerts are lines of one embed. */
  readonly isCompact: boolean;
}

/**
 * Renders the first alert groups as one message with one embed, within Discord's limits: as many
 * groups as fit, at least one.
 */
export function renderMessage(groups: readonly AlertGroup[], context: MessageContext) {
  const [first, ...next] = groups;
  if (first === undefined) {
    return { body: { content: '', embeds: [], components: [], replyTo: null }, included: 0 };
  }
  const others = shownWith(first, next, context);
  const isList =
    (context.isCompact && !isOfSeveral(first)) ||
    others.length >= (hasResult(first) ? 1 : ALONE_LIMIT);
  const rows = isList ? renderCompact([first, ...others], context) : undefined;
  // A single row would cut its market's name.
  const list = rows !== undefined && (rows.included > 1 || context.isCompact) ? rows : undefined;
  const included = list?.included ?? 1;
  const components = alertButtons(list?.shown ?? [first], context);
  const headline = messageContent([first, ...others.slice(0, included - 1)], context);
  const { content, cut } = headline;
  const replyTo = answeredBy(first, included);
  const isSizeShown = headline.showsSize === true;
  const bare =
    list !== undefined && included === 1
      ? bareContent(first, content, context, isSizeShown)
      : undefined;
  // Without an embed, delivery finds the message's reference only in its buttons.
  if (bare !== undefined && hasCustomId(components)) {
    return { body: { content: bare, embeds: [], components, replyTo }, included };
  }
  const [alert] = first.alerts;
  const embed = list?.embed ?? fullEmbed(first, context, isSizeShown);
  const hasTitle = list === undefined && cut !== undefined;
  const shown: APIEmbed = hasTitle
    ? { ...marketTitle(cut, alert, context), ...embed }
    : { ...embed };
  // Otherwise a button or the menu has it.
  if (!hasCustomId(components)) shown.footer = { text: alertReference(alert.id) };
  return { body: { content, embeds: [shown], components, replyTo }, included };
}

/**
 * Returns the id of the message that a single alert replies to; null if there is none. For several
 * alerts Discord would quote the first line, which may be about another market.
 */
function answeredBy(first: AlertGroup, included: number): string | null {
  if (included > 1 || first.kind !== 'alert') return null;
  const [result] = resultsOf(first.alerts);
  if (result === undefined || result.isAmongOthers) return null;
  return result.messageId;
}

/**
 * Returns a link to the message that a result is about; undefined if unknown, or if the message is
 * a reply to it.
 *
 * @param isAlone whether the message may be a reply
 */
function firstAlertLink(
  alerts: readonly Alert[],
  { alertUrl, language }: MessageContext,
  isAlone: boolean,
): string | undefined {
  const wallet = alerts[0]?.wallet;
  const [result] = resultsOf(alerts).filter(({ messageId }) => messageId !== null);
  if (wallet === undefined || result === undefined) return undefined;
  if (isAlone && result.isAmongOthers !== true) return undefined;
  const url = alertUrl?.(wallet, result.messageId ?? '');
  if (url === undefined) return undefined;
  const { firstAlert } = language.texts.news.result;
  return maskedLink(firstAlert, url, NAME_MAX, firstAlert);
}

/**
 * Returns a single alert of a compact channel: its first line, and the rest in a line of small
 * print, which is left out if it would only state shares. Undefined if it does not fit.
 */
function bareContent(
  group: AlertGroup,
  above: string,
  context: MessageContext,
  isSizeShown: boolean,
): string | undefined {
  const links = withoutPreview(context.links);
  const lineWith = (showsShares: boolean) => {
    const place = { isAbove: true, isNamed: false, isSizeShown, showsShares };
    return writeLines([compactLine(group, { ...context, links }, place)]);
  };
  const isWorthALine = lineWith(false).join('') !== '';
  const [small] = isWorthALine ? smallPrint(...lineWith(true)) : [];
  const content = small === undefined ? above : `${above}\n${small}`;
  if (content.length <= MESSAGE_LIMITS.content) return content;
  return undefined;
}

export type AlertMessage = ReturnType<typeof renderMessage>['body'];

function fullEmbed(group: AlertGroup, context: MessageContext, isSizeShown: boolean): APIEmbed {
  if (isLateList(group)) return renderCatchUp(group.alerts, context);
  const { links, language, sentAtMs, labelOf } = context;
  const isBetterThanLuck =
    group.isInBurst !== true && context.isBetterThanLuck?.(walletOf(group)) === true;
  const late = latenessOf(group, sentAtMs, language).smallPrint;
  return embedOf(group, {
    links,
    language,
    labelOf,
    isBetterThanLuck,
    isSizeShown,
    late,
    firstAlert: firstAlertLink(group.alerts, context, true),
  });
}

/**
 * Returns the following groups that may be shown in one message with the first one. A group about
 * several wallets, or with a wallet's late alerts, stands alone; results only go with results;
 * others as long as each of their wallets gets a button.
 */
function shownWith(
  first: AlertGroup,
  next: readonly AlertGroup[],
  { isCompact }: MessageContext,
): readonly AlertGroup[] {
  const isAlone = (group: AlertGroup) =>
    isOfSeveral(group) || (isLateList(group) && group.isRow !== true && !isCompact);
  if (isAlone(first)) return [];
  const isResult = hasResult(first);
  const wallets = new Set([walletOf(first)]);
  const end = next.findIndex((group) => {
    if (isAlone(group) || hasResult(group) !== isResult) return true;
    return !isResult && wallets.add(walletOf(group)).size > WALLETS_PER_MESSAGE;
  });
  return end < 0 ? next : next.slice(0, end);
}

/** A first line, the market whose name is cut in it, and whether it states an unusual size. */
interface MessageContent {
  readonly content: string;
  readonly cut?: Market;
  readonly showsSize?: true;
}

/**
 * Returns the text above the embeds, which is all that a lock screen shows. For one alert it is the
 * first line, with the market's whole name if it fits in four lines of a phone, in a compact
 * channel always. For several it is their number and the largest one; for several results, their
 * outcome.
 */
export function messageContent(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  context: MessageContext,
): MessageContent {
  const { labelOf, language, sentAtMs, isCompact } = context;
  const results = groups.every(hasResult) ? resultsOf(alertsIn(groups)) : [];
  if (groups.length > 1 && results.length > 0) {
    return { content: resultsHeadline(results, language) };
  }
  const [group] = groups;
  if (groups.length > 1) return { content: severalLine(groups, context) };
  const name = boldName(walletOf(group), labelOf);
  const isLate = group.kind === 'late';
  const line = isLate
    ? lateLine(group, name, language)
    : usualLine(group, name, sentAtMs, language);
  const isWhole = isCompact && !isLate && !isOfSeveral(group);
  const wholeEms = isLate ? THREE_LINES : FOUR_LINES;
  const { cut, ...first } = firstLine(line, isWhole ? Infinity : wholeEms, language);
  // The embed of a catch-up has no title.
  if (cut === undefined || isLate) return first;
  return { ...first, cut };
}

function boldName(wallet: WalletAddress, labelOf: MessageContext['labelOf']): string {
  return `**${escapeText(labelOf(wallet) ?? '', HEADLINE_NAME_MAX, shortAddress(wallet))}**`;
}

/**
 * Returns a first line with the market's whole name, and with an unusual size if both fit in three
 * lines; else the name is cut to the space left in two lines, or three.
 *
 * @param wholeEms maximum width for the whole name
 */
function firstLine(
  { line, size, market }: FirstLine,
  wholeEms: number,
  { texts }: Language,
): MessageContent {
  if (market === undefined) return { content: line };
  const { marketWithoutTitle } = texts.alerts;
  const title = marketNameOf(market);
  const wholeName = escapeText(title, wholeText(title), marketWithoutTitle);
  const withSize = present(line, size, wholeName);
  if (size !== undefined && emsIn(withSize) <= THREE_LINES) {
    return { content: withSize, showsSize: true };
  }
  const whole = present(line, wholeName);
  if (emsIn(whole) <= wholeEms) return { content: whole };
  const short = nameWithin(title, emsBeside(market, line, [TWO_LINES, THREE_LINES]));
  const name = escapeText(short, wholeText(short), marketWithoutTitle);
  return { content: present(line, name), cut: market };
}

/**
 * Returns `🏁 20 alerts of **metronome** · largest: REDEEM **Yes $874**`. It names no market, which
 * would say nothing about the other alerts; the emoji is the largest one's.
 */
function severalLine(
  groups: readonly AlertGroup[],
  { labelOf, language, sentAtMs }: MessageContext,
): string {
  const { format, texts } = language;
  const { several, severalOf, largest: largestIs } = texts.alerts.headline;
  const apart = groups.flatMap((group) => apartFromList(group));
  const largest = largestOf(apart) ?? groups[0];
  if (largest === undefined) return '';
  // A list counts for as many alerts as its row states.
  const count = sum(
    groups.map((group) => (isLateList(group) ? withoutShownResults(group.alerts).length : 1)),
  ).toNumber();
  const wallets = new Set(groups.map(walletOf));
  const figure = format.quantity(count);
  const name = boldName(walletOf(largest), labelOf);
  const { emoji, says } = headlineOf(largest, language);
  const isOfOne = wallets.size === 1;
  const what = says(isOfOne ? '' : name);
  return present(
    lateMark(largest, sentAtMs, language),
    `${emoji} ${isOfOne ? severalOf(figure, count, name) : several(figure, count, format.quantity(wallets.size))}`,
    totalUsdc(largest) === null ? what : largestIs(what),
  );
}

/** Returns the group with the largest amount, preferably a trade. */
function largestOf<Group extends Pick<AlertGroup, 'alerts' | 'earlierUsdc'>>(
  groups: readonly Group[],
): Group | undefined {
  const trades = groups.filter(({ alerts }) => fillEvents(alerts).length > 0);
  const candidates = trades.length === 0 ? groups : trades;
  const sizes = candidates.map((group) => totalUsdc(group)?.toNumber() ?? 0);
  return candidates[sizes.indexOf(Math.max(...sizes))];
}

/** Parts of a first line. */
interface FirstLine {
  readonly line: string;
  readonly size?: string | undefined;
  readonly market?: Market | undefined;
}

function usualLine(
  group: AlertGroup,
  name: string,
  sentAtMs: number,
  language: Language,
): FirstLine {
  const { emoji, says, size, market } = headlineOf(group, language);
  return {
    line: present(lateMark(group, sentAtMs, language), `${emoji} ${says(name)}`),
    size,
    market,
  };
}

/** Returns `⏱ 5 min late`, if that belongs in the first line. */
function lateMark(group: AlertGroup, sentAtMs: number, language: Language): string | undefined {
  const late = latenessOf(group, sentAtMs, language).firstLine;
  return late && `${LATE} ${late}`;
}

/** Returns `⏱ **Whale**: 14 late alerts · largest BUY **No $164** at 3¢`. */
function lateLine({ alerts }: AlertGroup, name: string, language: Language): FirstLine {
  const { headline } = language.texts.alerts;
  const count = withoutShownResults(alerts).length;
  const late = headline.late(language.format.quantity(count), count);
  const lead = `${LATE} ${headline.of(name, late)}`;
  const largest = largestOf(groupAlerts(alerts).map((own) => ({ alerts: own })));
  const items = fillsOf(largest?.alerts ?? []);
  if (largest === undefined || items.length === 0) return { line: lead };
  const what = headlineOf(largest, language).says('');
  return { line: present(lead, headline.largest(what)), market: newestOf(items) };
}

/** Returns how long after the wallet's last action a message is sent, in words. */
function latenessOf(
  { alerts }: AlertGroup,
  sentAtMs: number,
  language: Language,
): ReturnType<typeof lateness> {
  const times = alerts.filter(({ event }) => !kindOf(event).isNotice).map(eventTimeMs);
  if (times.length === 0) return {};
  return lateness(Math.max(...times) / 1000, sentAtMs, language);
}

/**
 * Renders several alert groups in one embed, one line each: as many as fit, at least one.
 * `included` is their number, `shown` their order. A single group's line has only what the text
 * above the embed does not state.
 */
function renderCompact(groups: readonly [AlertGroup, ...AlertGroup[]], context: MessageContext) {
  const isAlone = groups.length === 1;
  // The text above names the only wallet, unless it states the outcome of results.
  const isNamed = isAlone || groups.every(hasResult) || new Set(groups.map(walletOf)).size > 1;
  const place = { isAbove: isAlone, isNamed, isSizeShown: false, showsShares: isAlone };
  const offered = groups.slice(0, OFFERED_LIMIT);
  const listOf = (listed: readonly AlertGroup[]) =>
    joinFitting(writeLines(listed.map((group) => compactLine(group, context, place))));
  const { text, included } = listOf(offered);
  const taken = offered.slice(0, included);
  const inOrder = inRowOrder(taken);
  // Most messages have one row, or rows in that order already.
  const isInOrder =
    included === offered.length && inOrder.every((group, index) => group === offered[index]);
  const ordered = isInOrder ? { text, included } : listOf(inOrder);
  // Names whose width changes because of other names may make it longer.
  const fits = ordered.included === included;
  const description = fits ? ordered.text : text;
  const embed: APIEmbed = { description, color: EMBED_COLOURS.compact };
  return { embed, included, shown: fits ? inOrder : taken };
}

function compactLine(
  group: AlertGroup,
  context: MessageContext,
  place: Pick<LineContext, 'isAbove' | 'isSizeShown' | 'showsShares'> & {
    readonly isNamed: boolean;
  },
): NamedLine {
  const { isAbove, isNamed } = place;
  const { labelOf, links, language, sentAtMs } = context;
  const { kind, alerts } = group;
  const [{ wallet: address }] = alerts;
  const url = shortLinks(links, WALLET_URL_MAX).wallet(address);
  const wallet = isNamed
    ? maskedLink(labelOf(address) ?? '', url, NAME_MAX, shortAddress(address))
    : '';
  if (kind === 'alert' || alerts.length === 1) {
    // A single result is itself a reply, unless its first alert was one of several in its message.
    const firstAlert = firstAlertLink(alerts, context, isAbove);
    const line = lineOf(group, { links, language, sentAtMs, wallet, ...place });
    if (firstAlert === undefined) return line;
    const ems = line.ems - emsIn(present('', firstAlert));
    return { ...line, ems, write: (name) => present(line.write(name) || undefined, firstAlert) };
  }
  const { catchUp, headline } = language.texts.alerts;
  const totals = totalsText(alerts, language);
  const range = catchUp.range(...timeRange(...spanOf(alerts)));
  if (isAbove) return unnamedLine(present(wallet !== '' && wallet, totals, range));
  const count = withoutShownResults(alerts).length;
  const late = headline.late(language.format.quantity(count), count);
  const lead = isNamed ? headline.of(wallet, late) : late;
  return unnamedLine(present(lead, totals, range));
}
