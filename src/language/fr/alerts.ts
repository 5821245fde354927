import type { AlertWords } from '../en/alerts.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('fr');

const at = (price: string | undefined) => (price === undefined ? '' : ` à ${price}`);

export const alerts: AlertWords = {
  titles: {
    buy: (wallet, what, price) => `${wallet} a acheté ${what}${at(price)}`,
    sell: (wallet, what, price) => `${wallet} a vendu ${what}${at(price)}`,
    redeem: (wallet, what, paidOut) =>
      `${wallet} a encaissé ${what}${paidOut === undefined ? '' : `, versement de ${paidOut}`}`,
    other: (wallet, action, what, price) => `${wallet} : ${action} ${what}${at(price)}`,
    deposit: (wallet, amount) => `${wallet} a déposé ${amount}`,
    bridgedDeposit: (wallet, amount) => `${wallet} a déposé ${amount} via un bridge`,
    withdrawal: (wallet, amount) => `${wallet} a retiré ${amount}`,
    otherTransfer: (wallet, type, amount) => `${wallet} : ${type} ${amount}`,
    unknownAction: 'action inconnue',
    unknownTransfer: 'transfert inconnu',
  },
  holdings: {
    of: (quantity, side) => `${quantity} ${side}`,
    ofUnknown: (quantity) => `${quantity} d’une issue inconnue`,
  },
  prices: { average: (price) => `${price} en moyenne` },
  money: {
    paid: (amount) => `Payé **${amount}**`,
    received: (amount) => `Reçu **${amount}**`,
    net: (amount) => `Net **${amount}**`,
    gross: (amount) => `brut ${amount}`,
    fee: (amount) => `frais ${amount}`,
    fees: (amount) => `frais ${amount}`,
    noFee: 'sans frais',
  },
  roles: { maker: 'maker', taker: 'taker', both: 'maker et taker', unknown: 'maker ou taker inconnu' },
  marketWithoutTitle: 'Marché sans titre',
  span: (from, to) => `de ${from} à ${to}`,
  links: {
    openWallet: 'ouvrir le wallet',
    transaction: 'transaction',
    hash: (hash) => `tx ${hash}`,
    unknownHash: 'inconnue',
    short: 'tx',
    largest: 'plus grande tx',
  },
  transfers: {
    senderUnknown: 'La plateforme n’indique pas l’expéditeur d’un dépôt par bridge.',
    from: (address) => `de ${address}`,
    to: (address) => `vers ${address}`,
    otherSide: (address) => `autre partie : ${address}`,
    unknownAddress: 'une adresse inconnue',
  },

  delivered: {
    atOnce: 'Signalé aussitôt',
    clocksDisagree: (ahead) => `Délai inconnu, les horloges divergent : daté ${ahead} après cette alerte`,
    after: {
      trade: (delay) => `Signalé ${delay} après le trade`,
      redemption: (delay) => `Signalé ${delay} après l’encaissement`,
      deposit: (delay) => `Signalé ${delay} après le dépôt`,
      withdrawal: (delay) => `Signalé ${delay} après le retrait`,
      event: (delay) => `Signalé ${delay} après l’événement`,
      fills: (delay) => `Signalé ${delay} après les exécutions`,
      redemptions: (delay) => `Signalé ${delay} après les encaissements`,
      lastFill: (delay) => `Signalé ${delay} après la dernière exécution`,
      lastRedemption: (delay) => `Signalé ${delay} après le dernier encaissement`,
      lastItem: (delay) => `Signalé ${delay} après le dernier événement`,
    },
    sinceFirst: {
      fill: (delivered, delay) => `${delivered}, ${delay} après la première`,
      redemption: (delivered, delay) => `${delivered}, ${delay} après le premier`,
      item: (delivered, delay) => `${delivered}, ${delay} après le premier`,
    },
  },

  gap: {
    titles: {
      trades: (wallet) => `${wallet} : des trades manquent peut-être ici`,
      transfers: (wallet) => `${wallet} : des transferts manquent peut-être ici`,
    },
    causes: {
      overflow: 'Entre deux lectures, il est arrivé plus que ce qu’une page affiche',
      damage: 'Ce que le bot avait enregistré de ce wallet était endommagé',
      backlog: 'Il attendait pour ce salon plus que ce que le bot conserve',
    },
    missing: {
      trades: (cause, from, to) =>
        `${cause} : des trades ou des encaissements entre ${from} et ${to} n’ont peut-être pas été signalés.`,
      transfers: (cause, from, to) =>
        `${cause} : des dépôts ou des retraits entre ${from} et ${to} n’ont peut-être pas été signalés.`,
    },
    listed: {
      trades: (address) => `${slash.activity} les affiche, pour ${address}`,
      transfers: (address) => `${slash.flows} les affiche, pour ${address}`,
    },
    lines: {
      trades: (from, to) => `Des trades entre ${from} et ${to} manquent peut-être.`,
      transfers: (from, to) => `Des transferts entre ${from} et ${to} manquent peut-être.`,
    },
    notice: 'Avis de lacune',
  },

  fills: {
    counts: {
      fill: (count) => `**${count} exécutions**`,
      redemption: (count) => `**${count} encaissements**`,
    },
    inOneTransaction: (fills) => `${fills} en une transaction :`,
    inTransactions: (fills, transactions) => `${fills} en ${transactions} transactions :`,
    row: (quantity, price) => `${quantity} à ${price}`,
    smaller: (count, n) => `… et ${count} plus ${form(n, { one: 'petite', other: 'petites' })}`,
    average: (price) => `moyenne ${price}`,
    best: (price) => `meilleur ${price}`,
    worst: (price) => `pire ${price}`,
    range: (low, high) => `de ${low} à ${high}`,
    allAt: (price) => `tout à ${price}`,
  },

  lines: {
    buy: (what, price) => `**A acheté ${what}**${at(price)}`,
    sell: (what, price) => `**A vendu ${what}**${at(price)}`,
    redeem: (what) => `**A encaissé ${what}**`,
    other: (action, what, price) => `**${action} ${what}**${at(price)}`,
    deposit: (amount) => `**A déposé ${amount}**`,
    withdrawal: (amount) => `**A retiré ${amount}**`,
    otherTransfer: (type, amount) => `**${type} ${amount}**`,
    unknownAction: 'Action inconnue',
    unknownTransfer: 'Transfert inconnu',
    paid: (amount) => `payé ${amount}`,
    received: (amount) => `reçu ${amount}`,
    net: (amount) => `net ${amount}`,
    from: (address) => `de ${address}`,
    to: (address) => `vers ${address}`,
    otherSide: (address) => `autre partie ${address}`,
    viaBridge: 'via un bridge',
  },

  catchUp: {
    title: (wallet, count) => `${wallet} : ${count} alertes en retard`,
    summary: (from, to, totals) => `De ${from} à ${to}. ${totals}.`,
    line: (count, from, to, totals) => `${count} alertes en retard, de ${from} à ${to} : ${totals}.`,
    paid: (count, kind, amount) => `${count} × ${kind}, payé **${amount}**`,
    received: (count, kind, amount) => `${count} × ${kind}, reçu **${amount}**`,
    moved: (count, kind, amount) => `${count} × ${kind}, total **${amount}**`,
    kinds: { buy: 'achat', sell: 'vente', redeem: 'encaissement', deposit: 'dépôt', withdrawal: 'retrait' },
    unknownKind: 'inconnu',
    results: (count) => `${count} × résultat de ce qui a été signalé ici`,
    agreements: (count) => `${count} × consensus`,
    gaps: (count) => `${count} × il manque peut-être quelque chose`,
    more: (count, n) =>
      `… et ${count} ${form(n, { one: 'autre', other: 'autres' })}. ${slash.activity} et ${slash.flows} affichent tout.`,
    openWallet: 'Ouvrir le wallet',
    footer: (count) => `Rattrapage de ${count}`,
  },
};
