import type { APIEmbed } from 'discord.js';
import { EMBED_COLOURS, present, walletName } from '../embeds/embed-parts.ts';
import { dayOf, verdictLine, wonText } from '../embeds/record-lines.ts';
import { joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { sumOf } from '../portfolio/record/record.ts';
import type { Ranking, ScoredWallet } from './ranking.ts';

/** Wallets that are shown; the others are counted. As many ranked ones are in the picture. */
export const RANKED_SHOWN = 10;
const UNRANKED_SHOWN = 6;
/** Code points: together with the lines around them they stay below what a description takes. */
const RANKED_ROOM = 2_400;
const UNRANKED_ROOM = 900;

/**
 * The embed of a channel's scores, within Discord's limits whatever the labels hold: the wallets
 * first, then once for all of them what the figures rest on.
 *
 * @param channel its mention @param picture the name of the attached picture; null if there is none
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
    description: sectionsOf(channel, ranking, language).join('\n\n'),
    color: EMBED_COLOURS.answer,
  };
  if (picture === null) return embed;
  return { ...embed, image: { url: `attachment://${picture}` } };
}

function sectionsOf(channel: string, ranking: Ranking, language: Language): string[] {
  const { ranked, unranked, silent } = ranking;
  const { scores } = language.texts;
  if (ranked.length + unranked.length === 0) return [scores.nothing];
  const sections: string[] = [];
  if (ranked.length > 0) {
    const rows = ranked
      .slice(0, RANKED_SHOWN)
      .map((score, index) => rankedRows(score, index + 1, language));
    sections.push(listed(ranked, RANKED_ROOM, rows, language));
  }
  if (unranked.length > 0) {
    const shown = unranked.slice(0, UNRANKED_SHOWN);
    const rows = shown.map(({ wallet, label, record }) => {
      const name = `• ${walletName(wallet, label)}`;
      return present(name, verdictLine(record, language));
    });
    const list = listed(unranked, UNRANKED_ROOM, rows, language);
    sections.push(`**${scores.unranked}**\n${list}`);
  }
  if (silent.length > 0) {
    const count = language.format.quantity(silent.length);
    sections.push(`-# ${scores.silent(count, silent.length)}`);
  }
  sections.push(smallPrint(channel, ranked, language));
  return sections;
}

/** Lists as many wallets as are shown and fit, and says how many more there are. */
function listed(
  wallets: readonly ScoredWallet[],
  room: number,
  rows: readonly string[],
  { texts, format }: Language,
): string {
  const { text, included } = joinFitting(rows, room);
  const more = wallets.length - included;
  return more > 0 ? `${text}\n${texts.scores.more(format.quantity(more))}` : text;
}

/** `rankLine`, and in small print what the verdict rests on. */
function rankedRows(score: ScoredWallet, rank: number, language: Language): string {
  const { since } = score.record;
  const basis = [wonText(since, language)];
  if (since.oneIn > 1) {
    const count = language.format.quantity(since.oneIn);
    basis.push(language.texts.record.oneIn(count));
  }
  return `${rankLine(score, rank, language)}\n-# ${present(...basis)}`;
}

/**
 * Small print, said once: what is scored, markets without an end, up to when purchases count, and
 * how wallets are ranked.
 */
function smallPrint(
  channel: string,
  ranked: readonly ScoredWallet[],
  { texts, format }: Language,
): string {
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
  lines.push(texts.scores.method);
  return lines.map((line) => `-# ${line}`).join('\n');
}

/**
 * `**1.** Whale · **Better than luck** · **+16¢** a share, luck alone reaches +12.4¢`: a ranked
 * wallet. @param rank from 1 on
 */
export function rankLine(
  { wallet, label, record }: ScoredWallet,
  rank: number,
  language: Language,
): string {
  return present(`**${rank}.** ${walletName(wallet, label)}`, verdictLine(record, language, true));
}
