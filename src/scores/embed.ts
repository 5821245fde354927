import type { APIEmbed } from 'discord.js';
import { present, walletName } from '../embeds/embed-parts.ts';
import { basisText, rankText } from '../embeds/record-lines.ts';
import { joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import type { Ranking, ScoredWallet } from './ranking.ts';

const COLOUR = 0x5865f2;
/** Wallets that are shown; the others are counted. As many ranked ones are in the picture. */
export const RANKED_SHOWN = 10;
const UNRANKED_SHOWN = 6;
/** Code points: together with the lines around them they stay below what a description takes. */
const RANKED_ROOM = 2_400;
const UNRANKED_ROOM = 900;

/**
 * The embed of a channel's scores, within Discord's limits whatever the labels hold.
 *
 * @param channel its mention
 * @param picture the name of the attached picture; null if there is none
 */
export function scoresEmbed(channel: string, ranking: Ranking, picture: string | null, language: Language): APIEmbed {
  const { texts, format } = language;
  const { scores } = texts;
  const { ranked, unranked, silent } = ranking;
  const isEmpty = ranked.length + unranked.length === 0;
  const sections = isEmpty
    ? [[scores.nothing]]
    : [
        [`${scores.intro(channel)}`, `-# ${scores.method}`],
        rankedLines(ranked, language),
        unrankedLines(unranked, language),
        silent.length === 0 ? [] : [`-# ${scores.silent(format.quantity(silent.length), silent.length)}`],
      ];
  return {
    title: scores.title,
    description: sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
    color: COLOUR,
    ...(picture === null ? {} : { image: { url: `attachment://${picture}` } }),
  };
}

/** `**1.** Whale · **+6.3¢** ± 2.5¢ a share · better than luck`: a ranked wallet. @param rank from 1 on */
export function rankLine({ wallet, label, record }: ScoredWallet, rank: number, language: Language): string {
  return present(`**${rank}.** ${walletName(wallet, label)}`, rankText(record, language));
}

function rankedLines(ranked: readonly ScoredWallet[], language: Language): string[] {
  const rows = ranked
    .slice(0, RANKED_SHOWN)
    .map((score, index) => `${rankLine(score, index + 1, language)}\n-# ${basisText(score.record.since, language)}`);
  return withRest(rows, ranked.length, RANKED_ROOM, language);
}

function unrankedLines(unranked: readonly ScoredWallet[], language: Language): string[] {
  if (unranked.length === 0) return [];
  const rows = unranked
    .slice(0, UNRANKED_SHOWN)
    .map(({ wallet, label, record }) => present(`• ${walletName(wallet, label)}`, rankText(record, language)));
  return [`**${language.texts.scores.unranked}**`, ...withRest(rows, unranked.length, UNRANKED_ROOM, language)];
}

/** As many rows as fit, and how many more there are. */
function withRest(rows: readonly string[], all: number, room: number, { texts, format }: Language): string[] {
  if (all === 0) return [];
  const { text, left } = joinFitting(rows, room);
  const more = all - (rows.length - left);
  return [text, ...(more > 0 ? [texts.scores.more(format.quantity(more))] : [])];
}
