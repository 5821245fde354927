import type { AlertWords } from '../../en/alert/alerts.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('fr');

const at = (price: string | undefined) => (price === undefined ? '' : ` à ${price}`);

const on = (outcome: string | undefined) => (outcome === undefined ? '' : ` sur ${outcome}`);

export const alerts = (venue: VenueForms, { slash }: Terms): AlertWords => ({
  headline: {
    buy: 'ACHAT',
    sell: 'VENTE',
    redeem: 'ENCAISSEMENT',
    unknownAction: 'action inconnue',
    unknownOutcome: 'issue inconnue',
    trade: (action, outcome, amount, price) => `${action} **${outcome} ${amount}**${at(price)}`,
    partOf: (total) => `sur ${total} au total`,
    deposit: (amount) => `DÉPÔT ${amount}`,
    withdrawal: (amount) => `RETRAIT ${amount}`,
    otherTransfer: (type, amount) => `${type} ${amount}`,
    unknownTransfer: 'transfert inconnu',
    moved: (transfer, where) => `${transfer} ${where}`,
    closed: (gain, outcome) => `CLÔTURE ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    won: (gain, outcome) => `GAIN ${gain}${on(outcome)}`,
    lost: (gain, outcome) => `PERTE ${gain}${on(outcome)}`,
    of: (wallet, sentence) => `${wallet}\u00a0: ${sentence}`,
    late: (figure, count) =>
      `${figure} ${form(count, { one: 'alerte en retard', other: 'alertes en retard' })}`,
    missing: {
      trades: 'des trades manquent peut-être ici',
      transfers: 'des transferts manquent peut-être ici',
      watch: 'aucune alerte pour l’instant, ses réglages sont illisibles',
    },
    severalOf: (figure, count, wallet) =>
      `${figure} ${form(count, { one: 'alerte', other: 'alertes' })} de ${wallet}`,
    several: (figure, count, wallets) =>
      `${figure} ${form(count, { one: 'alerte', other: 'alertes' })} de ${wallets} wallets`,
    largest: (sentence) => `la plus grosse\u00a0: ${sentence}`,
  },
  fills: (figure, count) => `${figure} ${form(count, { one: 'exécution', other: 'exécutions' })}`,
  redemptions: (figure, count) =>
    `${figure} ${form(count, { one: 'encaissement', other: 'encaissements' })}`,
  roles: { maker: 'maker', taker: 'taker', both: 'maker et taker' },
  marketWithoutTitle: 'Marché sans titre',
  links: {
    transaction: 'transaction',
    hash: (hash) => `tx ${hash}`,
    unknownHash: 'inconnue',
    short: 'tx',
  },
  transfers: {
    unknownAddress: 'une adresse inconnue',
  },

  late: (delay) => `${delay} de retard`,
  clocksDisagree: (ahead) => `Délai inconnu\u00a0: daté ${ahead} après cette alerte`,

  amended: {
    trade: (wallet, change) =>
      `Trade${wallet === '' ? '' : ` de ${wallet}`} modifié\u00a0: ${change}`,
    redemption: (wallet, change) =>
      `Encaissement${wallet === '' ? '' : ` de ${wallet}`} modifié\u00a0: ${change}`,
    change: (outcome, before, after) => `**${outcome} ${before}** → **${after}**`,
    cause: `Modifié par ${venue.name}. Les alertes déjà publiées gardent leurs chiffres`,
  },

  gap: {
    causes: {
      overflow: 'Trop de mouvements d’un coup pour tout lire',
      unclear: `${venue.start} a fourni des données illisibles ou en a modifié d’anciennes`,
      damage: 'Les données enregistrées pour ce wallet étaient endommagées',
      backlog: 'Trop d’alertes étaient en attente ici',
      watch: 'Les réglages enregistrés pour ce wallet sont endommagés',
    },
    missing: {
      trades: (from, to) => `Des trades ou encaissements manquent peut-être (${from} – ${to}).`,
      transfers: (from, to) => `Des dépôts ou retraits manquent peut-être (${from} – ${to}).`,
      watch: () =>
        'Les alertes de ce wallet sont en pause ici. ' +
        'Le responsable du bot peut réparer ses réglages, ' +
        `ou tu peux le rajouter avec ${slash.add}.`,
    },
  },

  lines: {
    buy: (what) => `**Achat ${what}**`,
    sell: (what) => `**Vente ${what}**`,
    redeem: (what) => `**Encaissement ${what}**`,
    other: (action, what) => `**${action} ${what}**`,
    unknownAction: 'Action inconnue',
    unknownTransfer: 'Transfert inconnu',
    paid: (amount) => `payé ${amount}`,
    received: (amount) => `reçu ${amount}`,
    net: (amount) => `net ${amount}`,
    from: (address) => `de ${address}`,
    to: (address) => `vers ${address}`,
    otherSide: (address) => `contrepartie ${address}`,
    viaBridge: 'via un bridge',
  },

  catchUp: {
    range: (from, to) => `${from} – ${to}`,
    paid: (what, amount) => `${what}, payé **${amount}**`,
    received: (what, amount) => `${what}, reçu **${amount}**`,
    moved: (what, amount) => `${what}, **${amount}**`,
    kinds: {
      buy: (count, n) => `${count} ${form(n, { one: 'achat', other: 'achats' })}`,
      sell: (count, n) => `${count} ${form(n, { one: 'vente', other: 'ventes' })}`,
      redeem: (count, n) => `${count} ${form(n, { one: 'encaissement', other: 'encaissements' })}`,
      deposit: (count, n) => `${count} ${form(n, { one: 'dépôt', other: 'dépôts' })}`,
      withdrawal: (count, n) => `${count} ${form(n, { one: 'retrait', other: 'retraits' })}`,
    },
    other: (count, kind) => `${count} × ${kind}`,
    unknownKind: 'inconnu',
    results: (count, n) =>
      `${count} ${form(n, { one: 'résultat', other: 'résultats' })} d’alertes de ce salon`,
    agreements: (count, n) =>
      `${count} ${form(n, { one: 'alerte', other: 'alertes' })} de consensus`,
    amended: (count, n) =>
      `${count} ${form(n, { one: 'trade modifié', other: 'trades modifiés' })}`,
    gaps: (count, n) =>
      `${count} ${form(n, { one: 'lacune possible', other: 'lacunes possibles' })}`,
    more: (count, n) =>
      `… et ${count} ${form(n, { one: 'autre', other: 'autres' })}. ` +
      `${slash.activity} et ${slash.flows} affichent tout.`,
  },
});
