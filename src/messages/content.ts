import { type AlertGroup, eventTimeMs, hasResult, totalUsdc } from '../alerts/alert.ts';
import { headlineOf, kindOf } from '../alerts/kinds/kinds.ts';
import { resultsHeadline, resultsOf } from '../alerts/kinds/result.ts';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import { type Lateness, lateness, marketNameOf, type NamedMarket, present } from '../embeds/embed-parts.ts';
import { escapeText } from '../embeds/text/escape.ts';
import { codePointsWithin, emsIn } from '../embeds/text/width.ts';
import type { Language } from '../language/language.ts';

const LATE = '⏱';
/** Code points. */
const NAME_MAX = 24;
/** Ems that lines of a phone (390 px) hold, what a word too long leaves at the end of them taken off. */
const TWO_LINES = 33;
const FOUR_LINES = 66;

interface ContentContext {
  readonly labelOf: (wallet: WalletAddress) => string | undefined;
  readonly language: Language;
  /** Epoch milliseconds by the venue's clock. */
  readonly sentAtMs: number;
}

/**
 * The text above the embeds, which is all that a lock screen shows: the first line of the largest of these groups, and how
 * many more there are; of several results what they came to. Two lines on a phone, up to four where that spares the embed a title.
 *
 * @returns the market whose name is cut in it as well
 */
export function messageContent(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  { labelOf, language, sentAtMs }: ContentContext,
): { readonly content: string; readonly cut?: NamedMarket } {
  const results = groups.every(hasResult) ? resultsOf(groups.flatMap(({ alerts }) => alerts)) : [];
  if (groups.length > 1 && results.length > 0) return { content: resultsHeadline(results, language) };
  const { format, texts } = language;
  const { headline } = texts.alerts;
  const sizes = groups.map((group) => totalUsdc(group)?.toNumber() ?? 0);
  const largest = groups[sizes.indexOf(Math.max(...sizes))] ?? groups[0];
  const [{ wallet }] = largest.alerts;
  const count = largest.alerts.length;
  const name = `**${escapeText(labelOf(wallet) ?? '', NAME_MAX, shortAddress(wallet))}**`;
  const left = groups.length - 1;
  const more = left === 0 ? undefined : headline.more(format.quantity(left), left);
  if (largest.kind === 'late') {
    const late = headline.of(name, headline.late(format.quantity(count), count));
    return { content: present(`${LATE} ${late}`, more) };
  }
  const { emoji, says, market } = headlineOf(largest, language);
  const late = latenessOf(largest, sentAtMs, language).firstLine;
  const said = present(late && `${LATE} ${late}`, `${emoji} ${says(name)}`);
  if (market === undefined) return { content: present(said, more) };
  const title = marketNameOf(market);
  const contentWith = (name: string) => present(said, name, more);
  const whole = contentWith(escapeText(title, 2 * title.length + 1, texts.alerts.marketWithoutTitle));
  if (emsIn(whole) <= (left === 0 ? FOUR_LINES : TWO_LINES)) return { content: whole };
  const room = codePointsWithin(title, TWO_LINES - emsIn(contentWith('')));
  return { content: contentWith(escapeText(title, room, texts.alerts.marketWithoutTitle)), cut: market };
}

/** How late a message comes after what the wallet did last. */
export function latenessOf({ alerts }: AlertGroup, sentAtMs: number, language: Language): Lateness {
  const times = alerts.filter(({ event }) => !kindOf(event).isNotice).map(eventTimeMs);
  return times.length === 0 ? {} : lateness(Math.max(...times) / 1000, sentAtMs, language);
}
