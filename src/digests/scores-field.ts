import type { APIEmbedField } from 'discord.js';
import type { Language } from '../language/language.ts';
import { rankLine } from '../scores/lines.ts';
import { rankWallets, type WalletScore } from '../scores/ranking.ts';

/** Wallets of each end of the ranking. */
const SHOWN = 3;

/**
 * What ends a digest: the three best and the three worst wallets by the scores of their alerts in the channel.
 *
 * @returns no field if no wallet is ranked yet, see `rankWallets`
 */
export function scoresFields(wallets: readonly WalletScore[], language: Language): APIEmbedField[] {
  const { ranked } = rankWallets(wallets);
  if (ranked.length === 0) return [];
  const { all, ends } = language.texts.scores.digest;
  const isWhole = ranked.length <= 2 * SHOWN;
  const lines = ranked.map((wallet, index) => rankLine(wallet, index + 1, language));
  const shown = isWhole ? lines : [...lines.slice(0, SHOWN), '…', ...lines.slice(-SHOWN)];
  return [{ name: isWhole ? all : ends(language.format.quantity(ranked.length)), value: shown.join('\n') }];
}
