import type { Language } from '../language/language.ts';
import { DAY_SECONDS } from '../lib/time.ts';
import type { ChannelRecord, RecordSince } from '../portfolio/record/channel-record.ts';
import { RANKED_DAYS, RANKED_MARKETS, type Standing } from '../portfolio/record/standing.ts';
import { present } from './embed-parts.ts';
import { joinFitting } from './text/limits.ts';

/** Share of unresolved markets from which a verdict without an edge mentions them. */
const MANY_WITHOUT_END = 0.1;

/**
 * Returns the lines of a track record: the verdict, its basis, and the record from before the
 * channel watched the wallet.
 *
 * @param isEndShown whether the returned money is shown next to it, with the unresolved markets and
 *   the end date
 */
export function recordLines(
  { before, ...record }: ChannelRecord,
  language: Language,
  isEndShown = false,
): string[] {
  const { since } = record;
  const lines = [verdictLine(record, language, isEndShown)];
  if (since.markets > 0) {
    const shown = {
      markets: areMarketsInVerdict(record),
      end: isEndShown || isEndInVerdict(record),
      upTo: isEndShown,
    };
    lines.push(present(...basisOf(since, language, shown)));
  }
  if (before !== null) {
    const share = language.texts.record.share(`**${edgeText(before, language)}**`);
    lines.push(language.texts.record.before(present(share, marketsText(before, language))));
  }
  return lines;
}

/** Returns {@link recordLines} and, for a proven edge, how much of it is beyond luck. */
export function fullRecord(record: ChannelRecord, language: Language): string[] {
  const [verdict = '', ...others] = recordLines(record, language);
  const { verdict: found, luckCents, since } = record;
  const beyondCents = (since.edgeCents ?? 0) - (luckCents ?? Number.POSITIVE_INFINITY);
  if (found !== 'better' || roundTenth(beyondCents) <= 0) return [verdict, ...others];
  const beyond = language.texts.record.beyondLuck(signedCents(beyondCents, language));
  return [verdict, beyond, ...others];
}

/**
 * Returns a channel's verdict on a wallet, or why it is too early for one: `**Better than luck** ·
 * **+15.7¢** a share, luck alone reaches +11.6¢`.
 */
export function verdictLine(record: RecordSince, language: Language, isEndShown = false): string {
  const { verdicts } = language.texts.record;
  const { since } = record;
  if (!since.isRanked) {
    return present(`**${verdicts.tooEarly}**`, ...tooEarlyReasons(since, language));
  }
  const name = verdictName(record);
  const parts = [shareText(record, name, language)];
  if (name === 'noEdge') {
    parts.push(marketsText(since, language));
    if (isEndInVerdict(record) && !isEndShown) {
      const { withoutEnd } = since;
      const count = language.format.quantity(withoutEnd);
      parts.push(language.texts.record.noKnownEnd(count, withoutEnd));
    }
  }
  if (record.verdict === 'moreCompared') parts.push(language.texts.record.moreCompared);
  return present(`**${verdicts[name]}**`, ...parts);
}

/** Returns `won 61%, paid for 55%`: the mean price is the chance that a buyer pays for. */
function wonText({ won, markets, priceCents }: Standing, { texts, format }: Language): string {
  const percent = format.percent(Math.round((won / markets) * 100));
  const paidFor = format.percent(Math.round(priceCents ?? 0));
  return texts.record.won(percent, paidFor);
}

/** Returns the edge with its sign: `+16¢`. */
export function edgeText({ edgeCents }: Standing, language: Language): string {
  return signedCents(edgeCents ?? 0, language);
}

/** Returns the name of the verdict on a ranked wallet. */
export function verdictName({ since, verdict }: RecordSince): 'better' | 'luck' | 'noEdge' {
  if (verdict === 'better') return 'better';
  return roundTenth(since.edgeCents ?? 0) > 0 ? 'luck' : 'noEdge';
}

/**
 * Returns the edge, followed by what luck alone explains. The latter is omitted if the verdict does
 * not match these figures, because it was reached with others or these were not judged yet.
 */
function shareText(
  { since, luckCents }: RecordSince,
  name: ReturnType<typeof verdictName>,
  language: Language,
): string {
  const { record } = language.texts;
  const edgeCents = since.edgeCents ?? 0;
  const share = record.share(`**${signedCents(edgeCents, language)}**`);
  if (luckCents === null || name === 'noEdge') return share;
  const isBeyondLuck = edgeCents >= luckCents;
  if (isBeyondLuck !== (name === 'better')) return share;
  return record.luckExplains(share, signedCents(luckCents, language));
}

/** Returns why a wallet is not ranked, and the approximate day of its first verdict. */
export function tooEarlyReasons(since: Standing, language: Language): string[] {
  const { record } = language.texts;
  const { markets, bought, days, matureToSeconds, enoughAtSeconds } = since;
  const reasons: string[] = [];
  if (bought > 0 && matureToSeconds === null) {
    reasons.push(record.unknownPace);
  } else if (markets < RANKED_MARKETS) {
    reasons.push(marketsText(since, language));
  } else if (days < RANKED_DAYS) {
    reasons.push(record.boughtOn(language.format.quantity(days), days));
  } else {
    reasons.push(record.tooCheap(language.format.quantity(markets)));
  }
  if (enoughAtSeconds !== null) {
    const firstDay = Math.ceil(enoughAtSeconds / DAY_SECONDS);
    reasons.push(record.firstVerdict(day(firstDay * DAY_SECONDS)));
  }
  return reasons;
}

/** True if {@link verdictLine} states the number of markets. */
function areMarketsInVerdict(record: RecordSince): boolean {
  const { since } = record;
  if (since.isRanked) return verdictName(record) === 'noEdge';
  return since.markets < RANKED_MARKETS || since.days >= RANKED_DAYS;
}

function isEndInVerdict(record: RecordSince): boolean {
  const { isRanked, withoutEnd, markets } = record.since;
  if (!isRanked || withoutEnd === 0) return false;
  const isMany = withoutEnd >= markets * MANY_WITHOUT_END;
  return isMany && verdictName(record) === 'noEdge';
}

/**
 * Returns the basis of a track record: `60 markets · won 61%, paid for 55% · 9 of 60 unresolved,
 * counted as $0 · buys up to 12 March`.
 */
function basisOf(
  standing: Standing,
  language: Language,
  shown: Readonly<Record<'markets' | 'end' | 'upTo', boolean>>,
): string[] {
  const { record } = language.texts;
  const { markets, withoutEnd, matureToSeconds, oneIn } = standing;
  const count = (n: number) => language.format.quantity(n);
  const parts: string[] = [];
  if (!shown.markets) parts.push(marketsText(standing, language));
  parts.push(wonText(standing, language));
  if (withoutEnd > 0 && !shown.end) {
    parts.push(record.withoutEnd(count(withoutEnd), count(markets), withoutEnd));
  }
  if (matureToSeconds !== null && !shown.upTo) parts.push(record.upTo(dayOf(matureToSeconds)));
  if (oneIn > 1) parts.push(record.oneIn(count(oneIn)));
  return parts;
}

/** Returns the number of markets that a track record counts: `31 markets`. */
export function marketsText({ markets }: Standing, { texts, format }: Language): string {
  return texts.record.markets(format.quantity(markets), markets);
}

/**
 * Lists as many wallets or markets as fit, and the number of the others.
 *
 * @param count of all
 */
export function listed(
  count: number,
  maxCodePoints: number,
  rows: readonly string[],
  { texts, format }: Language,
): string[] {
  const { text, included } = joinFitting(rows, maxCodePoints);
  const more = count - included;
  return more > 0 ? [text, texts.scores.more(format.quantity(more))] : [text];
}

/** Formats cents to a tenth, with the sign: `+6.3¢`, `−0.4¢`. */
function signedCents(cents: number, { format }: Language): string {
  const rounded = roundTenth(cents);
  if (rounded === 0) return format.cents(0);
  return (rounded < 0 ? '−' : '+') + format.cents(Math.abs(rounded));
}

function roundTenth(cents: number): number {
  return Math.round(cents * 10) / 10;
}

/** Returns the day (UTC) of a time in Unix seconds, as Discord shows it. */
export function dayOf(atSeconds: number): string {
  return day(Math.floor(atSeconds / DAY_SECONDS) * DAY_SECONDS);
}

function day(atSeconds: number): string {
  return `<t:${Math.round(atSeconds)}:d>`;
}
