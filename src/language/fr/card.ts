import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const card: CardWords = {
  fromList: (reach) => `D’après ${reach}.`,
  knownFromFirst: 'Tous les trades depuis le premier',
  names: {
    realized: 'Réalisé',
    volume: 'Volume',
    usual: 'Trade habituel',
    lastDeposit: 'Dernier dépôt',
    lastWithdrawal: 'Dernier retrait',
    record: 'Bilan',
    positions: 'Positions ouvertes',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  won: (won, all) => `${won} sur ${all} en gain`,
  onOpen: (gain) => `${gain} en cours`,
  taker: (percent) => `taker ${percent}`,
  ofFew: (trades, n) => `sur seulement ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  upTo: (p95) => `95\u00a0% jusqu’à ${p95}`,
  noTransfer: 'aucun',
  since: (time) => `depuis ${time}`,
  completeSince: (time) => `complet depuis ${time}`,
  positions: {
    all: (positions, _n, cost) => `${positions} · coût ${cost}`,
    at: (paid, averageEntry) => `${paid} à ${averageEntry}`,
    withoutTitle: 'Marché sans titre',
    withoutSide: 'parts',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'ligne non affichée', other: 'lignes non affichées' })}`,
};
