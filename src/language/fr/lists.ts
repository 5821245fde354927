import type { ListNames, ListWords } from '../en/lists.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('fr');

const activity = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Activité de ${wallet}`,
  nothing: `${venue.start} n’a aucun trade ni encaissement pour ce wallet.`,
  file: (wallet, rows, n) =>
    `Activité de ${wallet}, ${rows} ${form(n, { one: 'ligne', other: 'lignes' })}.`,
  expired: `Cette liste a expiré. Relance ${slash.activity}.`,
});
const flows = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Dépôts et retraits de ${wallet}`,
  nothing: `${venue.start} n’a aucun dépôt ni retrait pour ce wallet.`,
  file: (wallet, rows, n) =>
    `Dépôts et retraits de ${wallet}, ${rows} ${form(n, { one: 'ligne', other: 'lignes' })}.`,
  expired: `Cette liste a expiré. Relance ${slash.flows}.`,
});

function recordsOf(records: string, n: number): string {
  return `${records} ${form(n, { one: 'entrée', other: 'entrées' })}`;
}

export const lists = (venue: VenueForms, { names, slash }: Terms): ListWords => ({
  activity: activity(venue, slash),
  flows: flows(venue, slash),
  gap: ' ',
  openWallet: 'ouvrir le wallet',
  only: (filters) => `Seulement ${filters}`,
  brokenOff: (why) => `${why} Voici ce que j’ai lu avant.`,
  page: (page) => `Page ${page}, du plus récent au plus ancien`,
  unreadable: (records, n) =>
    `${recordsOf(records, n)} ${form(n, { one: 'illisible', other: 'illisibles' })}`,
  didNotFit: (records) => `non affichées\u00a0: ${records}`,
  nothingYet: 'Encore rien sur cette page.',
  nothingMore: 'Pas d’autres entrées.',
  nothingMatches: 'Aucune entrée de ce wallet ne correspond.',
  fileTooLarge: (records, n) =>
    form(n, {
      one: `Le fichier serait trop volumineux : ${records} entrée plus ancienne omise.`,
      other: `Le fichier serait trop volumineux : ${records} entrées plus anciennes omises.`,
    }),
  buttons: { previous: 'Précédent', next: 'Suivant', further: 'Chercher plus loin' },
  reach: {
    all(records, n, isLess) {
      if (isLess) {
        return n === 1 ? 'la seule entrée lisible' : `toutes les entrées lisibles (${records})`;
      }
      return n === 1 ? 'la seule entrée' : `toutes les entrées (${records})`;
    },
    newest: (records, n, since) =>
      n === 1
        ? `l’entrée la plus récente, en remontant jusqu’au ${since}`
        : `les ${records} entrées les plus récentes, en remontant jusqu’au ${since}`,
    part: (records, n, newest, oldest) =>
      `${recordsOf(records, n)}, du ${newest} en remontant jusqu’au ${oldest}`,
    foundAmong: (found, reach) => `résultats : ${found}, cherchés parmi ${reach}`,
    sentence: (reach) => `${reach.charAt(0).toUpperCase()}${reach.slice(1)}.`,
  },
  filters: {
    Buy: 'achats',
    Sell: 'ventes',
    Redeem: 'encaissements',
    market: (name) => `marché ${name}`,
    withoutName: 'sans nom',
    from: (time) => `depuis le ${time}`,
    to: (time) => `jusqu’au ${time}`,
    transaction: (hash) => `transaction ${hash}`,
  },
  totals: {
    title: 'Totaux',
    buys: (records, n, usdc) => `${records} ${form(n, { one: 'achat', other: 'achats' })} ${usdc}`,
    sells: (records, n, usdc) => `${records} ${form(n, { one: 'vente', other: 'ventes' })} ${usdc}`,
    redemptions: (records, n, usdc) =>
      `${records} ${form(n, { one: 'encaissement', other: 'encaissements' })} ${usdc}`,
    otherKinds: (records, n) => `${recordsOf(records, n)} d’un autre type`,
    fees: (usdc) => `Frais ${usdc}`,
    windows: { day: '24 h', week: '7 j', month: '30 j' },
    all: 'Total',
    read: 'Lu jusqu’ici',
    during: (windows, flows) => `**${windows} :** ${flows}`,
    deposited: (usdc, records) => `dépôts ${usdc} (${records})`,
    withdrawn: (usdc, records) => `retraits ${usdc} (${records})`,
    net: (usdc) => `net **${usdc}**`,
    unknownDirection: (records) => `${records} de sens inconnu`,
    notKnownFor: (windows) =>
      `Inconnu pour ${windows.join(', ')} : les entrées lues ne remontent pas si loin.`,
  },
  market: {
    title: 'Positions des wallets suivis ici',
    wallets: (figure, n) => `${figure} ${form(n, { one: 'wallet', other: 'wallets' })}`,
    since: (time) => `depuis le ${time}`,
    sold: (part, all) => `${part} sur ${all} vendues`,
    out: (time) => `sorti ${time}`,
    nobody:
      'Aucun des wallets suivis ici ne détient, à ma connaissance, quoi que ce soit sur ce marché.',
    nothing: (names) => `Sans position\u00a0: ${names}`,
    unknown: (names) => `Inconnu : ${names}`,
    notInRecords: 'Les entrées ne montrent pas ce qu’ils détiennent.',
    limit: 'Je consulte dix wallets au plus.',
    paused: (count) => `En pause, non comptés : ${count}`,
    moreMarkets: (figure, n) =>
      `… et ${figure} ${form(n, { one: 'autre marché', other: 'autres marchés' })}`,
    ended: (count) => `Marchés réglés laissés de côté : ${count}`,
    only:
      'Positions connues avec certitude ; les wallets peuvent détenir davantage. ' +
      'Indique un marché et je le consulte.',
    none:
      'Je ne connais avec certitude aucune position ouverte des wallets suivis ici. ' +
      'Indique un marché et je le consulte.',
    delayedChannel:
      `Ce salon est différé, et ${slash.market} dit ce que ses wallets détiennent maintenant. ` +
      'Utilise la commande dans un autre salon.',
    allPaused: 'Tous les wallets suivis ici sont en pause. Il n’y a rien à montrer.',
    withId: (id) => `Marché ${id}`,
  },
  refused: {
    action: (typed, actions) =>
      `\`${names.options.action}\` ne peut pas être ${typed}. Accepté : ${actions}.`,
    transaction: (typed) =>
      `${typed} n’est pas un hash de transaction. Utilise 0x suivi de 64 chiffres hexadécimaux.`,
    market: (typed) =>
      `${typed} n’est ni l’ID ni le slug d’un marché. ` +
      'Commence à taper un titre et choisis dans la liste.',
    fromAfterTo: (from, to) =>
      `\`${names.options.from}\` (${from}) est après \`${names.options.to}\` (${to}). Inverse-les.`,
    time: (why) =>
      `${why} Essaie \`2h\`, \`${names.typed.yesterday}\` ou \`2026-11-01 14:30\` (UTC).`,
    milliseconds: (typed) =>
      `${typed} ressemble à des millisecondes. Les heures Unix sont en secondes.`,
    unknownUnit: (typed) => `Je ne connais pas l’unité de temps de ${typed}.`,
    noTime: (typed) => `Je ne peux pas lire ${typed} comme une date.`,
    noDay: (typed) => `${typed} n’est pas un jour du calendrier.`,
    noTimeOfDay: (typed) => `${typed} a une heure qui n’existe pas.`,
    before1970: (typed) => `${typed} est avant 1970.`,
    inFuture: (typed) => `${typed} est dans le futur.`,
  },
  chart: {
    netDeposits: (name) => `Dépôts nets : ${name}`,
    bought: 'Achats',
    sold: 'Ventes',
    redeemed: 'Encaissements',
    per: {
      weeks: (n) => (n === 1 ? 'par semaine' : `par ${n} semaines`),
      days: (n) => (n === 1 ? 'par jour' : `par ${n} jours`),
      hours: (n) => (n === 1 ? 'par heure' : `par ${n} h`),
      minutes: (n) => (n === 1 ? 'par minute' : `par ${n} min`),
    },
    last: {
      days: (n) => `${n} derniers jours`,
      hours: (n) => `${n} dernières h`,
      minutes: (n) => (n === 1 ? 'dernière minute' : `${n} dernières min`),
    },
  },
});
