import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const card: CardWords = {
  fromList: (reach) => `D’après ${reach}.`,
  names: {
    cameBack: 'Récupéré',
    open: 'En cours',
    volume: 'Volume',
    usual: 'Trade habituel',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} pour ${paid} payés`,
    atLeast: (gain) => `au moins ${gain}`,
    markets: (markets, n, day) =>
      `${markets} ${form(n, { one: 'marché', other: 'marchés' })}, premier achat jusqu’au ${day}`,
    withoutEnd: (count, n, paid) =>
      `${count} (${paid}) à l’issue inconnue, ` +
      `${form(n, { one: 'compté', other: 'comptés' })} pour zéro`,
    tooEarly: 'trop tôt pour un total',
  },
  ofFew: (trades, n) => `sur seulement ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  upTo: (p95) => `rarement plus de ${p95}`,
  positions: {
    all: (markets, n, paid) =>
      `${markets} ${form(n, { one: 'marché', other: 'marchés' })} · ${paid} payés`,
    withoutTitle: 'Marché sans titre',
    withoutSide: 'parts',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'ligne non affichée', other: 'lignes non affichées' })}`,
};
