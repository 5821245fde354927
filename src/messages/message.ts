import type { APIEmbed } from 'discord.js';
import {
  type Alert,
  type AlertGroup,
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
import { renderCatchUp, spanOf, totalsText, withoutSaidResults } from './catch-up.ts';

const LATE = '⏱';
/** Code points. */
const HEADLINE_NAME_MAX = 24;
/**
 * Ems that lines of a phone (390 px) hold, what a word too long leaves at the end of them taken
 * off.
 */
const TWO_LINES = 33;
const THREE_LINES = 49;
const FOUR_LINES = 66;
/** Code points. */
const NAME_MAX = 60;
const WALLET_URL_MAX = 200;
/**
 * Most alert groups that wait for a channel and are a message each: Discord shows a message's
 * buttons below all of its embeds, where nobody sees which alert they belong to. More are lines of
 * one message.
 */
const ALONE_LIMIT = 3;

export interface MessageContext extends Pick<RenderContext, 'labelOf' | 'links' | 'language'> {
  /** Epoch milliseconds by the venue's clock: when the message is about to be sent. */
  readonly sentAtMs: number;
  /** Link to a message about the wallet, as Discord shows it; undefined where that is not known. */
  readonly alertUrl?: (wallet: WalletAddress, messageId: string) => string | undefined;
  /** Tells whether the channel has found the wallet better than luck. */
  readonly isBetterThanLuck?: (wallet: WalletAddress) => boolean;
  /** Always lines in one embed, also where there are few. */
  readonly isCompact: boolean;
}

/**
 * The first alert groups as one message with one embed, within Discord's limits: as many as fit, at
 * least one.
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
  // A row that is left alone would cut its market's name.
  const list = rows !== undefined && (rows.included > 1 || context.isCompact) ? rows : undefined;
  const included = list?.included ?? 1;
  const components = alertButtons(list?.shown ?? [first], context);
  const headline = messageContent([first, ...others.slice(0, included - 1)], context);
  const { content, cut } = headline;
  const replyTo = answeredBy(first, included);
  const isSizeSaid = headline.saysSize === true;
  const bare =
    list !== undefined && included === 1
      ? bareContent(first, content, context, isSizeSaid)
      : undefined;
  // Without a box, delivery finds the message's reference only in its buttons.
  if (bare !== undefined && hasCustomId(components)) {
    return { body: { content: bare, embeds: [], components, replyTo }, included };
  }
  const [alert] = first.alerts;
  const embed = list?.embed ?? fullEmbed(first, context, isSizeSaid);
  const hasTitle = list === undefined && cut !== undefined;
  const shown: APIEmbed = hasTitle
    ? { ...marketTitle(cut, alert, context), ...embed }
    : { ...embed };
  // Else a button or the menu has it.
  if (!hasCustomId(components)) shown.footer = { text: alertReference(alert.id) };
  return { body: { content, embeds: [shown], components, replyTo }, included };
}

/**
 * The message that a single alert answers; null where it answers none. Discord would quote the first
 * line of several alerts, which may be about another market.
 */
function answeredBy(first: AlertGroup, included: number): string | null {
  if (included > 1 || first.kind !== 'alert') return null;
  const [result] = resultsOf(first.alerts);
  if (result === undefined || result.isAmongOthers) return null;
  return result.messageId;
}

/**
 * Link to the message that a result is about; undefined where there is none that is known, and where
 * the message answers it.
 *
 * @param isAlone whether the message may be an answer
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
 * A single alert of a compact channel: its first line, and what else there is to say in a small
 * one, which is left out where it would say nothing but shares. Undefined where that has no room.
 */
function bareContent(
  group: AlertGroup,
  above: string,
  context: MessageContext,
  isSizeSaid: boolean,
): string | undefined {
  const links = withoutPreview(context.links);
  const lineWith = (saysShares: boolean) => {
    const place = { isAbove: true, isNamed: false, isSizeSaid, saysShares };
    return writeLines([compactLine(group, { ...context, links }, place)]);
  };
  const isWorthALine = lineWith(false).join('') !== '';
  const [small] = isWorthALine ? smallPrint(...lineWith(true)) : [];
  const content = small === undefined ? above : `${above}\n${small}`;
  if (content.length <= MESSAGE_LIMITS.content) return content;
  return undefined;
}

export type AlertMessage = ReturnType<typeof renderMessage>['body'];

function fullEmbed(group: AlertGroup, context: MessageContext, isSizeSaid: boolean): APIEmbed {
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
    isSizeSaid,
    late,
    firstAlert: firstAlertLink(group.alerts, context, true),
  });
}

/**
 * Groups of those that follow which one message may show with its first one: none with what is
 * about several wallets, or with a wallet's late alerts, results with their like, others as far as
 * a button for each of their wallets finds room.
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

/** A first line, the market whose name is cut in it, and whether it says an unusual size. */
interface MessageContent {
  readonly content: string;
  readonly cut?: Market;
  readonly saysSize?: true;
}

/**
 * The text above the embeds, which is all that a lock screen shows. Of one alert its first line,
 * with the market's whole name as far as four lines of a phone have room, in a compact channel
 * always; of several how many there are, and the largest; of several results what they came to.
 */
export function messageContent(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  context: MessageContext,
): MessageContent {
  const { labelOf, language, sentAtMs, isCompact } = context;
  const results = groups.every(hasResult) ? resultsOf(groups.flatMap(({ alerts }) => alerts)) : [];
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
 * A first line with the market's whole name, and with an unusual size, where three lines have room
 * for that; else the name is cut to the room that two lines have for it, or three.
 *
 * @param wholeEms up to which it has the whole name
 */
function firstLine(
  { said, size, market }: FirstLine,
  wholeEms: number,
  { texts }: Language,
): MessageContent {
  if (market === undefined) return { content: said };
  const { marketWithoutTitle } = texts.alerts;
  const title = marketNameOf(market);
  const wholeName = escapeText(title, wholeText(title), marketWithoutTitle);
  const withSize = present(said, size, wholeName);
  if (size !== undefined && emsIn(withSize) <= THREE_LINES) {
    return { content: withSize, saysSize: true };
  }
  const whole = present(said, wholeName);
  if (emsIn(whole) <= wholeEms) return { content: whole };
  const short = nameWithin(title, emsBeside(market, said, [TWO_LINES, THREE_LINES]));
  const name = escapeText(short, wholeText(short), marketWithoutTitle);
  return { content: present(said, name), cut: market };
}

/**
 * `🏁 20 alerts of **metronome** · largest: REDEEM **Yes $874**`. Above several a market would say
 * nothing of the others; the sign is the largest one's.
 */
function severalLine(
  groups: readonly AlertGroup[],
  { labelOf, language, sentAtMs }: MessageContext,
): string {
  const { format, texts } = language;
  const { several, severalOf, largest: largestIs } = texts.alerts.headline;
  const apart = groups.flatMap(apartOf);
  const largest = largestOf(apart) ?? groups[0];
  if (largest === undefined) return '';
  const count = sum(groups.map(countOf)).toNumber();
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

/** Number of alerts that a row is of: of a list as its row says it. */
function countOf(group: AlertGroup): number {
  return isLateList(group) ? withoutSaidResults(group.alerts).length : 1;
}

/** Alerts of a group that is sent late as groups of their own. */
function apartOf(group: AlertGroup): AlertGroup[] {
  return group.kind === 'late' ? apartFromList(group) : [group];
}

/** The group with the largest amount: a trade, where there is one. */
function largestOf<Group extends Pick<AlertGroup, 'alerts' | 'earlierUsdc'>>(
  groups: readonly Group[],
): Group | undefined {
  const trades = groups.filter(({ alerts }) => fillEvents(alerts).length > 0);
  const candidates = trades.length === 0 ? groups : trades;
  const sizes = candidates.map((group) => totalUsdc(group)?.toNumber() ?? 0);
  return candidates[sizes.indexOf(Math.max(...sizes))];
}

/** Words of a first line before a market's name. */
interface FirstLine {
  readonly said: string;
  readonly size: string | undefined;
  readonly market: Market | undefined;
}

function usualLine(
  group: AlertGroup,
  name: string,
  sentAtMs: number,
  language: Language,
): FirstLine {
  const { emoji, says, size, market } = headlineOf(group, language);
  return {
    said: present(lateMark(group, sentAtMs, language), `${emoji} ${says(name)}`),
    size,
    market,
  };
}

/** `⏱ 5 min late`, where that stands in the first line. */
function lateMark(group: AlertGroup, sentAtMs: number, language: Language): string | undefined {
  const late = latenessOf(group, sentAtMs, language).firstLine;
  return late && `${LATE} ${late}`;
}

/** `⏱ **Whale**: 14 late alerts · largest BUY **No $164** at 3¢`. */
function lateLine({ alerts }: AlertGroup, name: string, language: Language): FirstLine {
  const { headline } = language.texts.alerts;
  const count = withoutSaidResults(alerts).length;
  const late = headline.late(language.format.quantity(count), count);
  const lead = `${LATE} ${headline.of(name, late)}`;
  const largest = largestOf(groupAlerts(alerts).map((own) => ({ alerts: own })));
  const items = fillsOf(largest?.alerts ?? []);
  if (largest === undefined || items.length === 0)
    return { said: lead, size: undefined, market: undefined };
  const what = headlineOf(largest, language).says('');
  return {
    said: present(lead, headline.largest(what)),
    size: undefined,
    market: newestOf(items),
  };
}

/** Time that a message comes after what the wallet did last, in words. */
export function latenessOf(
  { alerts }: AlertGroup,
  sentAtMs: number,
  language: Language,
): ReturnType<typeof lateness> {
  const times = alerts.filter(({ event }) => !kindOf(event).isNotice).map(eventTimeMs);
  if (times.length === 0) return {};
  return lateness(Math.max(...times) / 1000, sentAtMs, language);
}

/**
 * Several alert groups in one embed, a line each: as many as fit, at least one; `included` says how
 * many, `shown` in which order. A single one's line has only what the text above the embed does not
 * say.
 */
function renderCompact(groups: readonly [AlertGroup, ...AlertGroup[]], context: MessageContext) {
  const isAlone = groups.length === 1;
  // The text above names the only wallet, unless it says what results came to.
  const isNamed = isAlone || groups.every(hasResult) || new Set(groups.map(walletOf)).size > 1;
  const place = { isAbove: isAlone, isNamed, isSizeSaid: false, saysShares: isAlone };
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
  // Names that have another room beside others may make it longer.
  const fits = ordered.included === included;
  const description = fits ? ordered.text : text;
  const embed: APIEmbed = { description, color: EMBED_COLOURS.compact };
  return { embed, included, shown: fits ? inOrder : taken };
}

function compactLine(
  group: AlertGroup,
  context: MessageContext,
  place: Pick<LineContext, 'isAbove' | 'isSizeSaid' | 'saysShares'> & { readonly isNamed: boolean },
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
    // Alone it is an answer itself, unless its first alert stands among others.
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
  const count = withoutSaidResults(alerts).length;
  const late = headline.late(language.format.quantity(count), count);
  const lead = isNamed ? headline.of(wallet, late) : late;
  return unnamedLine(present(lead, totals, range));
}
