import type { Language } from '../language/language.ts';
import type { RoomRecord } from '../portfolio/record/room-record.ts';
import { RANKED_DAYS, RANKED_MARKETS, type Standing } from '../portfolio/record/standing.ts';
import { present } from './embed-parts.ts';

const DAY_SECONDS = 86_400;

/** All that a record says, a line each: since the room began to watch, and before that. */
export function fullRecord({ since, before, verdict }: RoomRecord, language: Language): string[] {
  const { record } = language.texts;
  const lines = [rankText({ since, verdict }, language)];
  if (since.markets > 0) lines.push(basisText(since, language));
  if (before !== null) {
    lines.push(record.before(present(edgeText(before, language), wonText(before, language))));
  }
  return lines;
}

/** `**+6.3¢** ± 2.5¢ a share · better than luck`, or why it is too early for that. */
export function rankText(
  { since, verdict }: Pick<RoomRecord, 'since' | 'verdict'>,
  language: Language,
): string {
  const { record } = language.texts;
  const { isRanked, markets, days, enoughAtSeconds } = since;
  if (isRanked) {
    return present(
      edgeText(since, language),
      verdict === 'better' && `**${record.betterThanLuck}**`,
    );
  }
  const count = (n: number) => language.format.quantity(n);
  if (markets >= RANKED_MARKETS) {
    if (days >= RANKED_DAYS) return record.tooCheap;
    return record.tooFewDays(count(days), count(RANKED_DAYS), days);
  }
  const said = record.tooEarly(count(markets), count(RANKED_MARKETS), markets);
  if (enoughAtSeconds === null) return said;
  return record.fromAbout(said, day(Math.ceil(enoughAtSeconds / DAY_SECONDS) * DAY_SECONDS));
}

/**
 * The basis of a standing: `won 61% of 60 at 55¢ · 9 of 60 have no known end, counted as lost ·
 * purchases up to 12 March`.
 */
export function basisText(standing: Standing, language: Language): string {
  const { record } = language.texts;
  const { markets, withoutEnd, matureToSeconds, oneIn } = standing;
  const count = (n: number) => language.format.quantity(n);
  return present(
    wonText(standing, language),
    withoutEnd !== 0 && record.withoutEnd(count(withoutEnd), count(markets), markets),
    matureToSeconds !== null &&
      record.upTo(day(Math.floor(matureToSeconds / DAY_SECONDS) * DAY_SECONDS)),
    oneIn !== 1 && record.oneIn(count(oneIn)),
  );
}

function wonText({ won, markets, priceCents }: Standing, { texts, format }: Language): string {
  const percent = format.percent(Math.round((won / markets) * 100));
  return texts.record.won(
    percent,
    format.quantity(markets),
    format.cents(Math.round(priceCents ?? 0)),
  );
}

function edgeText({ edgeCents, errorCents }: Standing, language: Language): string {
  const edge = signedCents(edgeCents ?? 0, language);
  return language.texts.record.edgeAndError(`**${edge}**`, centsText(errorCents ?? 0, language));
}

/** To a tenth of a cent, with its sign: `+6.3¢`, `−0.4¢`. */
function signedCents(cents: number, language: Language): string {
  const text = centsText(Math.abs(cents), language);
  if (roundTenth(cents) === 0) return text;
  return cents < 0 ? `−${text}` : `+${text}`;
}

function centsText(cents: number, { format }: Language): string {
  return format.cents(roundTenth(cents));
}

function roundTenth(cents: number): number {
  return Math.round(cents * 10) / 10;
}

function day(atSeconds: number): string {
  return `<t:${Math.round(atSeconds)}:d>`;
}
