import type { NewsWords } from '../en/news.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: (shares) => `Nouvelle position\u00a0: ${shares}`,
    opensSeen: (shares) => `Premier achat vu\u00a0: ${shares}`,
    firstInMarket: 'premier trade sur ce marché',
    now: (shares, average) => `Maintenant ${shares}${average === undefined ? '' : `, moyenne ${average}`}`,
    was: (shares) => `avant ${shares}`,
    closes: 'position clôturée',
    left: (shares) => `il reste ${shares}`,
    bought: (shares, average) => `${shares}${average === undefined ? '' : ` achetées à ${average} en moyenne`}`,
    unseen: (part, shares) => `${part} sur ${shares} sans achat vu`,
    allUnseen: (shares) => `${shares} sans achat vu`,
    unknownGain: 'gain inconnu',
    otherSide: (shares) => `détient aussi ${shares} du côté opposé`,
    size: (factor) => `${factor} × sa taille habituelle`,
  },
  brief: {
    opens: 'nouvelle position',
    adds: 'renforce',
    reduces: 'réduit',
    closes: 'position clôturée',
    unseen: 'achat non vu, gain inconnu',
    partlyUnseen: 'achat en partie non vu',
    size: (factor) => `**${factor} × la taille habituelle**`,
  },

  consensus: {
    took: (count, side) => `${count} wallets suivis ont acheté ${side}`,
    nowTook: (count, side) => `Désormais ${count} wallets suivis ont acheté ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Les wallets suivis divergent\u00a0: ${count} sur ${side}, ${opposing} ${opposingSide === undefined ? 'contre' : `sur ${opposingSide}`}`,
    otherOutcomes: 'autres issues',
    unknownSide: 'une issue',
    weight: (side, amount, shares, average) =>
      `${side} ${amount} · ${shares}${average === undefined ? '' : `, moyenne ${average}`}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${average === undefined ? '' : ` à ${average} en moyenne`}`,
    more: (count, n) => `… et ${count} ${form(n, { one: 'autre', other: 'autres' })}`,
    hedged: (count, n) =>
      form(n, {
        one: `${count} autre a acheté les deux côtés et ne compte pour aucun`,
        other: `${count} autres ont acheté les deux côtés et ne comptent pour aucun`,
      }),
    within: (duration) => `achats en ${duration}`,
    rule: (wallets, duration) => `${wallets} wallets ou plus en ${duration}`,
    against: (amount, opposing) => `${amount} contre ${opposing}`,
  },

  result: {
    paid: (amount) => `Payé ${amount}`,
    received: (amount) => `reçu ${amount}`,
    fees: (amount) => `frais de ${amount} compris`,
    held: (duration) => `gardée ${duration}`,
    footer: 'Clôture',
  },
  score: {
    noneClosed: 'alertes ici\u00a0: aucune clôturée pour l’instant',
    won: (won, markets) => `alertes ici\u00a0: ${won} sur ${markets} clôturées gagnées`,
    open: (count, n, age) =>
      `${count} ${form(n, { one: 'ouverte', other: 'ouvertes' })}${age === undefined ? '' : ` (jusqu’à ${age})`}`,
    givenUp: (count, n) => `${count} plus ${form(n, { one: 'suivie', other: 'suivies' })}, clôture non vue`,
    comma: ', ',
    perDollar: (percent, error) => `${percent}${error === undefined ? '' : ` ± ${error}`}`,
    smallSample: 'petit échantillon',
  },
};
