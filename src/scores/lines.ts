import { SEPARATOR, walletName } from '../embeds/embed-parts.ts';
import { basisText, rankText } from '../embeds/record-lines.ts';
import type { Language } from '../language/language.ts';
import type { ScoredWallet } from './ranking.ts';

/** `**1.** Whale · **+6.3¢** ± 2.5¢ a share · better than luck`: a ranked wallet. @param rank from 1 on */
export function rankLine({ wallet, label, record }: ScoredWallet, rank: number, language: Language): string {
  return `**${rank}.** ${walletName(wallet, label)}${SEPARATOR}${rankText(record, language)}`;
}

/** What a wallet's figure rests on. */
export function basisLine({ record }: ScoredWallet, language: Language): string {
  return `-# ${basisText(record.since, language)}`;
}

/** `• Whale · too early: 7 of 20 markets`: a wallet that is not ranked. */
export function unrankedLine({ wallet, label, record }: ScoredWallet, language: Language): string {
  return [`• ${walletName(wallet, label)}`, rankText(record, language)].join(SEPARATOR);
}
