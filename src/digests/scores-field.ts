import type { APIEmbedField } from 'discord.js';
import type { Language } from '../language/language.ts';
import { rankLine } from '../scores/embed.ts';
import { rankWallets, type WalletScore } from '../scores/ranking.ts';

const SHOWN = 3;

/**
 * What ends a digest: the three wallets with the best records.
 *
 * @returns no field if no wallet is ranked yet, see `rankWallets`
 */
export function scoresFields(wallets: readonly WalletScore[], everRanked: number, language: Language): APIEmbedField[] {
  const { ranked } = rankWallets(wallets, everRanked);
  if (ranked.length === 0) return [];
  const { all, best } = language.texts.scores.digest;
  const lines = ranked.slice(0, SHOWN).map((wallet, index) => rankLine(wallet, index + 1, language));
  const name = ranked.length <= SHOWN ? all : best(language.format.quantity(ranked.length));
  return [{ name, value: lines.join('\n') }];
}
