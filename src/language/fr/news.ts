import type { NewsWords } from '../en/news.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: 'Ouvre une position',
    firstInMarket: 'premier trade sur ce marché',
    adds: (shares) => `Renforce une position de ${shares}`,
    now: (shares) => `désormais ${shares}`,
    reduces: (shares) => `Réduit à ${shares}`,
    closes: 'Clôture la position',
    entry: (price) => `entrée moyenne ${price}`,
    realized: (gain) => `réalisé ${gain}`,
    realizedOfSeen: (gain) => `Réalisé ${gain} sur les achats vus`,
    unseen: (shares) => `${shares} sans achat vu : résultat inconnu`,
    since: (time) => `d’après ce qui a été vu depuis ${time}`,
    otherSide: (shares) => `Détient aussi ${shares} du côté opposé`,
    unusual: (amount) => `**Taille inhabituelle** : ${amount}`,
    usual: (trades, amount) => `95 % de ses ${trades} derniers trades étaient de ${amount} ou moins`,
  },
  brief: {
    opens: 'ouvre',
    adds: 'renforce',
    reduces: 'réduit',
    closes: 'clôture',
    unseen: 'achat non vu, résultat inconnu',
    partlyUnseen: 'achat en partie non vu',
    realized: (amount) => `réalisé ${amount}`,
    unusual: '**taille inhabituelle**',
    comma: ', ',
    since: (texts, time) => `${texts} (vu depuis ${time})`,
  },

  consensus: {
    took: (count, side) => `${count} wallets suivis ont acheté ${side}`,
    nowTook: (count, side) => `Désormais ${count} wallets suivis ont acheté ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Les wallets suivis divergent : ${count} sur ${side}, ${opposing} ${opposingSide === undefined ? 'contre' : `sur ${opposingSide}`}`,
    side: (side, weight) => `${side} : ${weight}`,
    otherOutcomes: 'Autres issues',
    unknownSide: 'une issue',
    weight: (amount, shares, average) =>
      `**${amount}** pour ${shares}${average === undefined ? '' : `, ${average} en moyenne`}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${average === undefined ? '' : `, ${average} en moyenne`}`,
    more: (count, n) => `… et ${count} ${form(n, { one: 'autre', other: 'autres' })}`,
    hedged: (count, n) =>
      form(n, {
        one: `${count} autre a acheté les deux côtés et ne compte pour aucun`,
        other: `${count} autres ont acheté les deux côtés et ne comptent pour aucun`,
      }),
    bought: (from, to) => `Achats entre ${from} et ${to}`,
    rule: (wallets, duration) => `Achats de ${wallets} wallets ou plus en ${duration}`,
    agreeLine: (count, side) => `**${count} wallets suivis sur ${side}**`,
    disagreeLine: (count, side, opposing, opposingSide) =>
      `**${count} wallets suivis sur ${side}, ${opposing} sur ${opposingSide ?? 'd’autres issues'}**`,
    against: (amount, opposing) => `${amount} contre ${opposing}`,
  },

  result: {
    title: (wallet, gain) => `${wallet} a clôturé ce qui a été signalé ici : ${gain}`,
    line: (amount, percent) =>
      `**A clôturé ce qui a été signalé ici, ${amount}**${percent === undefined ? '' : ` (${percent})`}`,
    paid: (amount) => `Payé ${amount}`,
    received: (amount) => `reçu ${amount}`,
    noFees: 'sans frais',
    fees: (amount) => `frais de ${amount} compris`,
    held: (from, to, duration) => `De ${from} à ${to}, ${duration}`,
    footer: 'Résultat des achats signalés ici',
  },
  score: {
    noneClosed: 'Alertes ici : aucune clôturée pour l’instant',
    won: (won, markets, n, low, high) =>
      `Alertes ici : ${won} sur ${markets} ${form(n, { one: 'marché clôturé', other: 'marchés clôturés' })} avec gain (intervalle à 95 % : ${low} à ${high} %)`,
    perDollar: (percent, error) => `${percent}${error === undefined ? '' : ` ± ${error} %`} par dollar`,
    smallSample: '**petit échantillon**',
    open: (count, n, oldest) =>
      `${count} encore ${form(n, { one: 'ouverte', other: 'ouvertes' })}${oldest === undefined ? '' : `, la plus ancienne depuis ${oldest}`}`,
    givenUp: (count, n) => `${count} ${form(n, { one: 'abandonnée', other: 'abandonnées' })} sans clôture vue`,
  },
};
