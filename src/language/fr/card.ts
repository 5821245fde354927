import type { CardWords } from '../en/card.ts';

export const card: CardWords = {
  fromList: (reach) => `D’après la liste : ${reach}.`,
  knownFromFirst: 'Tous les trades connus depuis le premier',
  knownSince: (time) => `Tous les trades connus depuis ${time}`,
  seen: (records, n) => (n < 2 ? `${records} trade ou encaissement vu` : `${records} trades et encaissements vus`),
  volume: (windows) => `**Volume** ${windows}`,
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  volumeAtLeast: (window, usdc) => `${window} au moins ${usdc}`,
  realized: (parts) => `**Réalisé** ${parts}`,
  onClosed: (gain, positions, n, won, percent) =>
    `${gain} sur ${positions} ${n < 2 ? 'position clôturée' : 'positions clôturées'}, ${won} en gain (${percent})`,
  onOthers: (gain) => `${gain} sur ce qui est connu des autres`,
  maker: (percent) => `**Maker** ${percent}`,
  taker: (percent, fills, n) =>
    n < 2
      ? `**taker** ${percent} de ${fills} exécution vue en 30 j`
      : `**taker** ${percent} de ${fills} exécutions vues en 30 j`,
  usualOfFew: (median, trades, n) =>
    `**Trade habituel** médiane ${median} sur seulement ${trades} ${n < 2 ? 'trade' : 'trades'}`,
  usual: (median, p95, trades) =>
    `**Trade habituel** médiane ${median}, 95 % jusqu’à ${p95}, sur les ${trades} derniers trades`,
  lastDeposit: (what) => `**Dernier dépôt** ${what}`,
  lastWithdrawal: (what) => `**dernier retrait** ${what}`,
  noTransfer: 'aucun',
  noTransferSince: (time) => `aucun depuis ${time}`,
  transfer: (usdc, time) => `${usdc} ${time}`,
  transferBeforeGap: (usdc, time, since) => `${usdc} ${time} (tous connus depuis ${since})`,
  alerts: {
    noneClosed: '**Alertes ici** aucun marché encore clos',
    closed: (markets, n, won, percent, from, to) =>
      `**Alertes ici** ${markets} ${n < 2 ? 'marché clos' : 'marchés clos'}, ${won} en gain (${percent} ; intervalle à 95 % de ${from} à ${to})`,
    perDollar: (gain) => `${gain} par dollar au prix de l’alerte, après frais`,
    smallSample: 'un petit échantillon',
    open: (markets, oldest) => `${markets} encore en cours, le plus ancien depuis ${oldest}`,
    givenUp: (markets) => `${markets} sans fin vue, abandon`,
  },
  positions: {
    open: (positions) => `**Positions ouvertes** ${positions}`,
    cost: (usdc) => `coût ${usdc}`,
    at: (shares, averageEntry) => `${shares} à ${averageEntry}`,
    withoutTitle: 'Marché sans titre',
    withoutSide: 'parts',
    more: (positions) => `… et ${positions} de plus`,
  },
  didNotFit: (lines, n) => `${lines} ${n < 2 ? 'ligne' : 'lignes'} faute de place`,
};
