import type { APIEmbed } from 'discord.js';
import { EMBED_COLOURS, present, walletName } from '../embeds/embed-parts.ts';
import {
  dayOf,
  edgeText,
  listed,
  marketsText,
  tooEarlyReasons,
  verdictName,
} from '../embeds/record-lines.ts';
import type { Language } from '../language/language.ts';
import { groupBy } from '../lib/group-by.ts';
import { sumOf } from '../portfolio/record/record.ts';
import type { Ranking, ScoredWallet } from './ranking.ts';

/**
 * Maximum number of wallets shown; the others are counted. The picture shows the same number of
 * ranked ones.
 */
export const RANKED_SHOWN = 10;
const UNRANKED_SHOWN = 6;
/** Maximum code points; with the lines around them they stay below a description's limit. */
const RANKED_MAX = 2_400;
const UNRANKED_MAX = 900;

/**
 * Returns the embed of a channel's scores, within Discord's limits whatever the labels contain:
 * first the wallets, under their verdicts, then the basis of the figures, once for all.
 *
 * @param channel its mention
 * @param picture name of the attached picture; null if there is none
 */
export function scoresEmbed(
  channel: string,
  ranking: Ranking,
  picture: string | null,
  language: Language,
): APIEmbed {
  const { scores } = language.texts;
  const embed = {
    title: scores.title,
    description: linesOf(channel, ranking, language).join('\n'),
    color: EMBED_COLOURS.answer,
  };
  if (picture === null) return embed;
  return { ...embed, image: { url: `attachment://${picture}` } };
}

function linesOf(channel: string, ranking: Ranking, language: Language): string[] {
  const { ranked, unranked, silent } = ranking;
  const { record, scores } = language.texts;
  if (ranked.length + unranked.length === 0) return [scores.nothing];
  const lines: string[] = [];
  if (ranked.length > 0) lines.push(...rankedLines(ranked, language));
  if (unranked.length > 0) {
    const shown = unranked.slice(0, UNRANKED_SHOWN);
    const rows = shown.map(({ wallet, label, record: { since } }) => {
      const name = `• ${walletName(wallet, label)}`;
      return present(name, ...tooEarlyReasons(since, language));
    });
    lines.push(
      `**${record.verdicts.tooEarly}**`,
      ...listed(unranked.length, UNRANKED_MAX, rows, language),
    );
  }
  if (silent.length > 0) {
    const count = language.format.quantity(silent.length);
    lines.push(`-# ${scores.silent(count, silent.length)}`);
  }
  return [...lines, ...smallPrint(channel, ranked, language)];
}

/** Returns the ranked wallets, best first, each verdict once above its wallets. */
function rankedLines(ranked: readonly ScoredWallet[], language: Language): string[] {
  const { verdicts } = language.texts.record;
  const shown = ranked
    .slice(0, RANKED_SHOWN)
    .map((score, index) => ({ score, row: rankedRow(score, index + 1, language) }));
  const groups = groupBy(shown, ({ score }) => verdictName(score.record));
  const rows = [...groups].flatMap(([verdict, own]) =>
    own.map(({ row }, index) => (index === 0 ? `**${verdicts[verdict]}**\n${row}` : row)),
  );
  return listed(ranked.length, RANKED_MAX, rows, language);
}

/**
 * Returns `1. **copperline +12.7¢** a share · 271 markets`, bold if it is better than luck. The
 * first row names the unit of the cents.
 *
 * @param rank from 1 on
 */
function rankedRow({ wallet, label, record }: ScoredWallet, rank: number, language: Language) {
  const { texts, format } = language;
  const { since, verdict } = record;
  const isBetter = verdict === 'better';
  const emphasized = (text: string) => (isBetter ? `**${text}**` : text);
  const edge = emphasized(edgeText(since, language));
  // The period is escaped, because clients would render an indented list.
  const name = `${rank}\\. ${emphasized(walletName(wallet, label))}`;
  return present(
    `${name} ${rank === 1 ? texts.record.share(edge) : edge}`,
    marketsText(since, language),
    since.oneIn > 1 && texts.record.oneIn(format.quantity(since.oneIn)),
    verdict === 'moreCompared' && texts.record.moreCompared,
  );
}

/**
 * Returns the small print, which appears once: what is scored, unresolved markets, and the end date
 * of counted purchases.
 */
function smallPrint(
  channel: string,
  ranked: readonly ScoredWallet[],
  { texts, format }: Language,
): string[] {
  const lines = [texts.scores.intro(channel)];
  const standings = ranked.map(({ record }) => record.since);
  const markets = sumOf(standings, (standing) => standing.markets);
  const withoutEnd = sumOf(standings, (standing) => standing.withoutEnd);
  const parts: string[] = [];
  if (withoutEnd > 0) {
    const count = format.quantity(withoutEnd);
    const all = format.quantity(markets);
    parts.push(texts.record.withoutEnd(count, all, withoutEnd));
  }
  const reaches = standings.flatMap(({ matureToSeconds }) => matureToSeconds ?? []);
  if (reaches.length > 0) {
    const first = dayOf(Math.min(...reaches));
    const last = dayOf(Math.max(...reaches));
    const days = new Set([first, last]);
    parts.push(texts.record.upTo([...days].join('–')));
  }
  if (parts.length > 0) lines.push(present(...parts));
  return lines.map((line) => `-# ${line}`);
}
