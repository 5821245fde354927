import type { APIEmbed } from 'discord.js';
import { type Alert, type AlertGroup, groupAlerts, hasResult, type NonEmptyAlerts, walletOf } from '../alerts/alert.ts';
import { KIND_NAMES, kindOf, lineOf } from '../alerts/kinds/kinds.ts';
import { resultsOf } from '../alerts/kinds/result.ts';
import { OFFERED_LIMIT } from '../details/target.ts';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import {
  author,
  EMBED_COLOURS,
  lines,
  present,
  type RenderContext,
  SEPARATOR,
  smallPrint,
  timeRange,
  walletName,
} from '../embeds/embed-parts.ts';
import { shortLinks } from '../embeds/links.ts';
import { maskedLink } from '../embeds/text/escape.ts';
import { joinWhileFitting } from '../embeds/text/join-fitting.ts';
import type { Language } from '../language/language.ts';
import { sum } from '../lib/exact.ts';
import { groupBy } from '../lib/group-by.ts';

/** Code points of the list: with totals and footer the embed stays well below what one message takes. */
const LATE_LIST_MAX = 3_000;
/** Sums of a catch-up that have amounts, such as those of an action. */
const SUMS_SHOWN = 8;
const NAME_MAX = 60;
const WALLET_URL_MAX = 200;

/** What rendering a line takes besides its alert group. */
export interface CompactContext extends Pick<RenderContext, 'labelOf' | 'links' | 'language'> {
  /** Epoch milliseconds by the venue's clock: when the message is about to be sent. */
  readonly sentAtMs: number;
  /** Where Discord shows a message about the wallet; undefined where that is not known. */
  readonly alertUrl?: (wallet: WalletAddress, messageId: string) => string | undefined;
}

/**
 * Several alert groups in one embed, a line each: as many as fit, at least one. A single one's line has only what the text
 * above the embed does not say.
 *
 * @returns how many of the groups are in it
 */
export function renderCompact(groups: readonly [AlertGroup, ...AlertGroup[]], context: CompactContext) {
  const isAlone = groups.length === 1;
  // The text above names the only wallet, unless it says what results came to.
  const isNamed = isAlone || groups.every(hasResult) || new Set(groups.map(walletOf)).size > 1;
  const row = (group: AlertGroup) => compactLine(group, context, isAlone, isNamed);
  const { text, included } = joinWhileFitting(groups.slice(0, OFFERED_LIMIT), row);
  const embed: APIEmbed = { description: text, color: EMBED_COLOURS.compact };
  return { embed, included };
}

function compactLine(group: AlertGroup, context: CompactContext, isAbove: boolean, isNamed: boolean): string {
  const { labelOf, links, language, sentAtMs, alertUrl } = context;
  const { kind, alerts } = group;
  const [{ wallet: address }] = alerts;
  const label = labelOf(address);
  const url = shortLinks(links, WALLET_URL_MAX).wallet(address);
  const name =
    url === undefined ? walletName(address, label) : maskedLink(label ?? '', url, NAME_MAX, shortAddress(address));
  const wallet = isNamed ? name : '';
  if (kind === 'alert' || alerts.length === 1) {
    const [answered] = resultsOf(alerts).flatMap(({ messageId }) => messageId ?? []);
    // Alone it is an answer itself.
    const answeredUrl = isAbove || answered === undefined ? undefined : alertUrl?.(address, answered);
    const { firstAlert } = language.texts.news.result;
    return present(
      lineOf(group, { links, language, sentAtMs, wallet, saysShares: isAbove, isAbove }),
      answeredUrl && maskedLink(firstAlert, answeredUrl, NAME_MAX, firstAlert),
    );
  }
  const { catchUp, headline } = language.texts.alerts;
  const late = headline.late(language.format.quantity(alerts.length), alerts.length);
  return present(
    isAbove ? wallet : isNamed ? headline.of(wallet, late) : late,
    totalsText(alerts, language),
    catchUp.range(...timeRange(...spanOf(alerts))),
  );
}

/**
 * One embed for the alerts of a wallet that come long after their events, because nothing could be sent or polled: totals,
 * and a list of the items, grouped fills in one line, as far as it fits, with the number of those that do not.
 *
 * @param alerts of one wallet, oldest first
 */
export function renderCatchUp(
  alerts: Readonly<NonEmptyAlerts>,
  { language, links, labelOf, sentAtMs }: CompactContext,
): APIEmbed {
  const [first] = alerts;
  const { format } = language;
  const texts = language.texts.alerts.catchUp;
  const span = spanOf(alerts);
  const groups = groupAlerts(alerts);
  const row = (own: NonEmptyAlerts) =>
    lineOf({ alerts: own }, { links, language, sentAtMs, wallet: '', saysShares: true, isAbove: false });
  const list = joinWhileFitting(groups, row, LATE_LIST_MAX);
  const left = groups.slice(list.included).flat().length;
  return {
    author: author(first.wallet, labelOf(first.wallet), links),
    description: lines(
      totalsText(alerts, language),
      ...smallPrint(texts.range(...timeRange(...span))),
      list.text,
      ...(left === 0 ? [] : [texts.more(format.quantity(left), left)]),
    ),
    color: EMBED_COLOURS.gap,
  };
}

/** When the first of the events began and the last one ended, Unix seconds; infinite of none. */
function spanOf(alerts: readonly Alert[]): [fromSeconds: number, toSeconds: number] {
  const seconds = alerts.flatMap(({ event }) => kindOf(event).seconds(event));
  return [Math.min(...seconds), Math.max(...seconds)];
}

/** How many of each kind, and what they come to. Those with amounts first, in the order of the first of each. */
function totalsText(alerts: readonly Alert[], language: Language): string {
  const events = alerts.map(({ event }) => event);
  const sums = [...groupBy(events, (event) => JSON.stringify([event.kind, kindOf(event).sumWord?.(event)])).values()];
  const hasAmount = ([event]: (typeof sums)[number]) => kindOf(event).usdc !== undefined;
  const place = ([{ kind }]: (typeof sums)[number]) => KIND_NAMES.indexOf(kind);
  const shown = [
    ...sums.filter(hasAmount).slice(0, SUMS_SHOWN),
    ...sums.filter((some) => !hasAmount(some)).sort((a, b) => place(a) - place(b)),
  ];
  return shown
    .map((same) => {
      const kind = kindOf(same[0]);
      return kind.sumText(same, sum(same.map((event) => kind.usdc?.(event) ?? 0)).toNumber(), language);
    })
    .join(SEPARATOR);
}
