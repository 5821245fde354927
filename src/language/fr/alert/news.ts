import type { NewsWords } from '../../en/alert/news.ts';
import { plural } from '../../plural.ts';

const form = plural('fr');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: (shares) => `Nouvelle position\u00a0: ${shares}`,
    firstInMarket: 'premier trade sur ce marché',
    now: (held) => `Détient ${held}`,
    closes: 'clôturée',
    allSold: 'tout vendu',
    left: (shares) => `il reste ${shares}`,
    bought: (figure) => `acheté ${figure}`,
    entry: (average) => `entrée ${average}`,
    otherSide: (shares) => `détient aussi ${shares} du côté opposé`,
    size: (factor) => `${factor}\u00a0× la normale`,
  },

  alsoHere: {
    line: (wallets) => `aussi ici\u00a0: ${wallets}`,
    holds: (wallet, holdings) => `${wallet} ${holdings}`,
    at: (what, price) => `${what} à ${price}`,
    out: (wallet) => `${wallet} sorti`,
  },

  consensus: {
    took: (count, side) => `${count} wallets ont acheté ${side}`,
    nowTook: (count, side) => `Déjà ${count} wallets ont acheté ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Wallets divisés\u00a0: ${count} sur ${side}, ` +
      `${opposing} ${opposingSide === undefined ? 'contre' : `sur ${opposingSide}`}`,
    otherOutcomes: 'autres issues',
    unknownSide: 'issue inconnue',
    priced: (amount, average) => `${amount}${average === undefined ? '' : ` à ${average}`}`,
    allSold: (what) => `a acheté ${what}, tout revendu`,
    halfSold: ', moitié revendue',
    partSold: (percent) => `, ${percent} revendu`,
    soldUnknown: ', peut-être revendu depuis',
    more: (count, n) => `… et ${count} ${form(n, { one: 'autre', other: 'autres' })}`,
    hedged: (count, n) =>
      form(n, {
        one: `${count} autre a acheté les deux côtés et ne compte pour aucun`,
        other: `${count} autres ont acheté les deux côtés et ne comptent pour aucun`,
      }),
    within: (duration) => `tous en ${duration}`,
    firstWithin: (wallet, duration) => `${wallet} en premier, tous en ${duration}`,
    against: (amount, opposing) => `${amount} contre ${opposing}`,
  },

  result: {
    position: (gain) => `position ${gain}`,
    ofAlerted: (paid, gain) => `sur ${paid} signalés ici\u00a0: ${gain}`,
    paid: (amount) => `Payé ${amount}`,
    cost: (amount) => `payé ${amount}`,
    received: (amount) => `reçu ${amount}`,
    fees: (amount) => `frais ${amount}`,
    cameTo: (amount) => `valeur finale ${amount}`,
    settled: (outcome, payout) => `Marché réglé\u00a0: ${outcome} paie ${payout} par part`,
    held: (duration) => `détenue pendant ${duration}`,
    severalClosed: (count, gain) => `${count} positions clôturées\u00a0: ${gain}`,
    gained: (count, all) => `${count} sur ${all} en gain`,
    firstAlert: 'première alerte',
  },
};
