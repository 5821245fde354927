import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const card: CardWords = {
  fromList: (reach) => `D’après ${reach}.`,
  knownFromFirst: 'Tous les trades depuis le premier',
  names: {
    cameBack: 'Revenu',
    open: 'En cours',
    volume: 'Volume',
    usual: 'Trade habituel',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} sur ${paid}`,
    atLeast: (gain) => `au moins ${gain}`,
    markets: (markets, n, day) =>
      `${markets} ${form(n, { one: 'marché acheté', other: 'marchés achetés' })} jusqu’au ${day}`,
    withoutEnd: (count, _n, paid) =>
      `dont ${count} (${paid}) sans fin connue\u00a0: rien n’y est compté`,
    tooEarly: 'trop tôt pour une somme',
  },
  ofFew: (trades, n) => `sur seulement ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  upTo: (p95) => `95\u00a0% jusqu’à ${p95}`,
  positions: {
    all: (markets, n, paid) =>
      `${markets} ${form(n, { one: 'marché', other: 'marchés' })} · ${paid} payés`,
    at: (paid, averageEntry) => `${paid} à ${averageEntry}`,
    withoutTitle: 'Marché sans titre',
    withoutSide: 'parts',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'ligne non affichée', other: 'lignes non affichées' })}`,
};
