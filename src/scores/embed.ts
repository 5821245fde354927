import type { APIEmbed } from 'discord.js';
import { EMBED_COLOURS, present, walletName } from '../embeds/embed-parts.ts';
import { basisText, rankText } from '../embeds/record-lines.ts';
import { joinFitting } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import type { Ranking, ScoredWallet } from './ranking.ts';

/** Wallets that are shown; the others are counted. As many ranked ones are in the picture. */
export const RANKED_SHOWN = 10;
const UNRANKED_SHOWN = 6;
/** Code points: together with the lines around them they stay below what a description takes. */
const RANKED_ROOM = 2_400;
const UNRANKED_ROOM = 900;

/**
 * The embed of a channel's scores, within Discord's limits whatever the labels hold.
 * @param channel its mention @param picture the name of the attached picture; null if there is none
 */
export function scoresEmbed(
  channel: string,
  ranking: Ranking,
  picture: string | null,
  language: Language,
): APIEmbed {
  const { texts, format } = language;
  const { scores } = texts;
  const { ranked, unranked, silent } = ranking;
  const isEmpty = ranked.length + unranked.length === 0;
  /** As many wallets as are shown and fit, and how many more there are. */
  const listed = (wallets: readonly ScoredWallet[], room: number, rows: readonly string[]) => {
    const { text, included } = joinFitting(rows, room);
    const more = wallets.length - included;
    return more > 0 ? `${text}\n${scores.more(format.quantity(more))}` : text;
  };
  const rankedRows = ranked
    .slice(0, RANKED_SHOWN)
    .map(
      (score, index) =>
        `${rankLine(score, index + 1, language)}\n-# ${basisText(score.record.since, language)}`,
    );
  const unrankedRows = unranked
    .slice(0, UNRANKED_SHOWN)
    .map(({ wallet, label, record }) =>
      present(`• ${walletName(wallet, label)}`, rankText(record, language)),
    );
  const sections = isEmpty
    ? [scores.nothing]
    : [
        `${scores.intro(channel)}\n-# ${scores.method}`,
        listed(ranked, RANKED_ROOM, rankedRows),
        unranked.length === 0
          ? ''
          : `**${scores.unranked}**\n${listed(unranked, UNRANKED_ROOM, unrankedRows)}`,
        silent.length === 0
          ? ''
          : `-# ${scores.silent(format.quantity(silent.length), silent.length)}`,
      ];
  return {
    title: scores.title,
    description: sections.filter((text) => text !== '').join('\n\n'),
    color: EMBED_COLOURS.answer,
    ...(picture === null ? {} : { image: { url: `attachment://${picture}` } }),
  };
}

/**
 * `**1.** Whale · **+6.3¢** ± 2.5¢ a share · better than luck`: a ranked wallet. @param rank from 1
 * on
 */
export function rankLine(
  { wallet, label, record }: ScoredWallet,
  rank: number,
  language: Language,
): string {
  return present(`**${rank}.** ${walletName(wallet, label)}`, rankText(record, language));
}
