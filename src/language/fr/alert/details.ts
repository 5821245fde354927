import type { DetailsWords } from '../../en/alert/details.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('fr');

export const details = (venue: VenueForms, { slash }: Terms): DetailsWords => ({
  buttons: {
    openMarket: 'Marché',
    details: 'Détails',
    menu: 'Détails ou rendre muet…',
    // “Rendre muet” and the two buttons beside it do not fit in a phone’s line.
    mute: (wallet) => (wallet === undefined ? 'Muet 1 h' : `Rendre ${wallet} muet 1 h`),
    activity: 'Activité',
    flows: 'Mouvements',
  },
  headings: { buy: 'ACHAT', sell: 'VENTE', redeem: 'ENCAISSEMENT', other: 'AUTRE' },
  title: (what) => `Détails\u00a0: ${what}`,
  openWallet: 'ouvrir le wallet',
  marketWithoutTitle: 'Marché sans titre',
  unknownHash: 'transaction inconnue',
  money: {
    paid: (amount) => `Payé **${amount}**`,
    received: (amount) => `Reçu **${amount}**`,
    net: (amount) => `Net **${amount}**`,
    gross: (amount) => `brut ${amount}`,
    fees: (amount) => `frais ${amount}`,
    noFees: 'sans frais',
  },
  prices: {
    average: (price) => `prix moyen ${price}`,
    best: (price) => `meilleur ${price}`,
    worst: (price) => `pire ${price}`,
    allAt: (price) => `tout à ${price}`,
    range: (low, high) => `de ${low} à ${high}`,
  },
  roles: { maker: 'maker', taker: 'taker', unknown: 'maker ou taker inconnu' },
  times: {
    traded: (time) => `Exécuté le ${time}`,
    tradedBetween: (from, to) => `Exécuté\u00a0: ${from} – ${to}`,
    seen: (time) => `Vu par le bot\u00a0: ${time}`,
    posted: (time) => `Publié\u00a0: ${time}`,
    lastChange: (time) => `dernière modification\u00a0: ${time}`,
  },
  fills: {
    trades: (count, n) => `${count} ${form(n, { one: 'exécution', other: 'exécutions' })}`,
    redemptions: (count, n) =>
      `${count} ${form(n, { one: 'encaissement', other: 'encaissements' })}`,
    inTransactions: (fills, count, n) =>
      `${fills} en ${count} ${form(n, { one: 'transaction', other: 'transactions' })}`,
    title: (fills) => `${fills}, par ordre chronologique inverse`,
    row: (quantity, price) => `${quantity} à ${price}`,
    gross: (amount) => `brut ${amount}`,
    fee: (amount) => `frais ${amount}`,
    inFile: (count) => `… et ${count} de plus. Tout est dans le fichier.`,
    leftOut: (count) => `… et ${count} de plus. Discord n’a pas accepté le fichier ici.`,
  },
  position: {
    atAlert: 'Position lors de l’alerte',
    asOfNow: 'Position actuelle',
    holds: (shares) => `Détient ${shares}`,
    entry: (price) => `entrée moyenne ${price}`,
    cost: (amount) => `coût ${amount}, frais indiqués compris`,
    realized: (gain, percent) =>
      `Réalisé **${gain}**${percent === undefined ? '' : ` (${percent})`} au coût ` +
      'moyen, après frais indiqués',
    result: (gain, percent) =>
      'Gain ou perte sur ce qui a été signalé ici\u00a0: ' +
      `**${gain}**${percent === undefined ? '' : ` (${percent})`}`,
    boughtMeanwhile: (shares) => `${shares} achetées entre-temps`,
    soldMeanwhile: (shares) => `${shares} vendues entre-temps`,
    otherSide: (shares) => `Détient aussi ${shares} d’autres issues du marché`,
    firstInMarket: 'Premier trade sur ce marché',
    size: (usdc, trades, p95) =>
      `Trade de ${usdc} au total\u00a0; ` +
      `95\u00a0% de ses ${trades} derniers trades étaient de ${p95} ou moins`,
    unknownThen: 'Inconnue à ce moment-là.',
    unknownNow: 'Inconnue\u00a0: le wallet n’est pas suivi ici, ou ses trades antérieurs manquent.',
    laterNow: 'Non affichée\u00a0: ce salon est différé.',
  },
  record: {
    atAlert: 'Bilan lors de l’alerte',
    asOfNow: 'Bilan actuel',
    none: 'Aucun marché n’est encore assez ancien.',
    onCard: (activity) =>
      `Ce que le wallet a récupéré est sur sa fiche\u00a0: **${activity}** ci-dessous`,
  },
  notes: {
    title: 'Comment lire ces chiffres',
    rounded: '≈ arrondi',
    asOfNow:
      'Les détails d’origine ne sont gardés que 30 jours\u00a0: ' +
      'position et bilan sont ceux d’aujourd’hui.',
    allOfTime:
      'Tout ce qui concerne ce marché, cette issue et cette action à ce moment\u00a0; ' +
      'une partie a pu être dans une autre alerte.',
    missing: (count) =>
      `${venue.start} ne liste plus ${count} des entrées de l’alerte. Elles ne comptent pas ici.`,
    cut: (count) => `Seules les ${count} entrées les plus récentes ont été lues.`,
    skipped: (count, n) =>
      `${count} ${form(n, { one: 'entrée n’a pas pu être lue', other: 'entrées n’ont pas pu être lues' })}.`,
  },
  errors: {
    damaged: `Je ne peux pas lire ce bouton. ${slash.activity} montre les trades du wallet.`,
    tooOld:
      'Les détails de cette alerte ont été gardés 30 jours et ne sont plus là. ' +
      `${slash.activity} montre les trades du wallet.`,
    nothing:
      `${venue.start} ne liste pas les trades de cette alerte en ce moment. ` +
      `Réessaie plus tard, ou regarde dans ${slash.activity}.`,
  },
});
