import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const card: CardWords = {
  fromList: (reach) => `D’après ${reach}.`,
  knownFromFirst: 'Tous les trades depuis le premier',
  knownSince: (time) => `Tous les trades depuis ${time}`,
  seen: (records, n) =>
    form(n, { one: `${records} trade ou encaissement vu`, other: `${records} trades et encaissements vus` }),
  volume: (windows) => `**Volume** ${windows}`,
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  realized: (parts) => `**Réalisé** ${parts}`,
  onClosed: (gain, positions, n, won, percent) =>
    `${gain} sur ${positions} ${form(n, { one: 'position clôturée', other: 'positions clôturées' })}, ${won} en gain (${percent})`,
  onOpen: (gain) => `${gain} sur des positions ouvertes`,
  maker: (percent) => `**Maker** ${percent}`,
  taker: (percent, fills, n) =>
    form(n, {
      one: `**taker** ${percent} de ${fills} exécution vue en 30 j`,
      other: `**taker** ${percent} de ${fills} exécutions vues en 30 j`,
    }),
  usualOfFew: (median, trades, n) =>
    `**Trade habituel** médiane ${median} sur seulement ${trades} ${form(n, { one: 'trade', other: 'trades' })}`,
  usual: (median, p95, trades) =>
    `**Trade habituel** médiane ${median}, 95\u00a0% jusqu’à ${p95}, sur les ${trades} derniers trades`,
  lastDeposit: (what) => `**Dernier dépôt** ${what}`,
  lastWithdrawal: (what) => `**dernier retrait** ${what}`,
  noTransfer: 'aucun',
  noTransferSince: (time) => `aucun depuis ${time}`,
  transfer: (usdc, time) => `${usdc} ${time}`,
  transferBeforeGap: (usdc, time, since) => `${usdc} ${time} (complet depuis ${since})`,
  record: (record) => `**Bilan** ${record}`,
  positions: {
    open: (positions) => `**Positions ouvertes** ${positions}`,
    cost: (usdc) => `coût ${usdc}`,
    at: (shares, averageEntry) => `${shares} à ${averageEntry}`,
    withoutTitle: 'Marché sans titre',
    withoutSide: 'parts',
    more: (positions) => `… et ${positions} de plus`,
  },
  didNotFit: (lines, n) => `${lines} ${form(n, { one: 'ligne non affichée', other: 'lignes non affichées' })}`,
};
