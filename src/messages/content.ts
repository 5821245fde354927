import { type AlertGroup, hasResult, totalUsdc } from '../alerts/alert-group.ts';
import { headlineOf } from '../alerts/kinds/kinds.ts';
import { resultsHeadline, resultsOf } from '../alerts/kinds/result.ts';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import { marketNameOf, present } from '../embeds/embed-parts.ts';
import { escapeText } from '../embeds/text/escape.ts';
import type { Language } from '../language/language.ts';

const LATE = '🕓';
/** Code points. */
const NAME_MAX = 24;
/** Ems that two lines of a phone (390 px) hold, what a word too long leaves at the end of the first one taken off. */
const TWO_LINES = 33;
/** A market's name is not cut below this. */
const LEAST_NAME = 5;
/** Characters that are drawn as wide as they are high, and emoji. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff00-\uff60mwMW%@…]/u;
const NARROW = /[ .,:;'’|!ijlItfr()·\p{M}\p{Cf}]/u;
const BROAD = /[\p{Lu}\d$≈+−±×]/u;

/**
 * The text above the embeds, which is all that a lock screen shows: the first line of the largest of these groups, and how
 * many more there are; of several results what they came to. Two lines on a phone.
 */
export function messageContent(
  groups: readonly [AlertGroup, ...AlertGroup[]],
  labelOf: (wallet: WalletAddress) => string | undefined,
  language: Language,
): string {
  const results = groups.every(hasResult) ? resultsOf(groups.flatMap(({ alerts }) => alerts)) : [];
  if (groups.length > 1 && results.length > 0) return resultsHeadline(results, language);
  const { format, texts } = language;
  const { headline } = texts.alerts;
  const sizes = groups.map((group) => totalUsdc(group)?.toNumber() ?? 0);
  const largest = groups[sizes.indexOf(Math.max(...sizes))] ?? groups[0];
  const [{ wallet }] = largest.alerts;
  const count = largest.alerts.length;
  const name = escapeText(labelOf(wallet) ?? '', NAME_MAX, shortAddress(wallet));
  const left = groups.length - 1;
  const more = left === 0 ? undefined : headline.more(format.quantity(left), left);
  if (largest.kind === 'late') {
    return present(`${LATE} ${headline.of(name, headline.late(format.quantity(count), count))}`, more);
  }
  const { emoji, says, market } = headlineOf(largest, language);
  const said = `${emoji} ${says(name)}`;
  if (market === undefined) return present(said, more);
  const room = Math.max(LEAST_NAME, TWO_LINES - emsIn(present(said, '', more)));
  const title = marketNameOf(market);
  return present(said, escapeText(title, codePointsWithin(title, room), texts.alerts.marketWithoutTitle), more);
}

/** About how wide a text is drawn, in ems of a grotesque. Marks of markdown do not show. */
function emsIn(markdown: string): number {
  return Array.from(markdown.replaceAll('**', '').replaceAll('\\', '')).reduce((ems, one) => ems + emsOf(one), 0);
}

function emsOf(character: string): number {
  if (WIDE.test(character)) return 1;
  if (NARROW.test(character)) return 0.29;
  return BROAD.test(character) ? 0.62 : 0.54;
}

/** How many code points of an escaped text fit a width. At least 1; enough for all of it, escapes included, if it fits. */
function codePointsWithin(text: string, ems: number): number {
  let left = ems;
  let count = 0;
  for (const character of text) {
    left -= emsOf(character);
    if (left < 0) return Math.max(1, count);
    count += 1;
  }
  return 2 * count + 1;
}
