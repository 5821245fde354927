import type { DigestWords } from '../en/digest.ts';
import { plural } from '../plural.ts';
import { names } from './names.ts';

const form = plural('fr');

const records = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'enregistrement', other: 'enregistrements' })}`;
const wallets = (figure: string, count: number) => `${figure} ${form(count, { one: 'wallet', other: 'wallets' })}`;
const nothing = (from: string, to: string, figure: string, count: number) =>
  `Il ne s’est rien passé du ${from} au ${to} : aucun trade, encaissement, dépôt ni retrait n’a été vu sur ${figure} ${form(count, { one: 'wallet suivi', other: 'wallets suivis' })}`;

export const digest: DigestWords = {
  title: { day: 'Résumé quotidien', week: 'Résumé hebdomadaire' },
  everyDay: (clock, zone) => `Chaque jour à ${clock}, ${zone}`,
  everyWeek: (weekday, clock, zone) => `Chaque ${weekday} à ${clock}, ${zone}`,

  notes: {
    lateAway: (due) => `En retard : prévu le ${due}, le bot était absent.`,
    lateUnsent: (due) => `En retard : prévu le ${due}, il n’a pas pu être envoyé alors.`,
    missed: (figure, count) =>
      form(count, {
        one: `${figure} résumé avant celui-ci n’a pas pu être envoyé.`,
        other: `${figure} résumés avant celui-ci n’ont pas pu être envoyés.`,
      }),
    behind: (figure, count) =>
      `${wallets(figure, count)} ${form(count, { one: 'n’a pas pu être consulté', other: 'n’ont pas pu être consultés' })} depuis la fin de cette période : il peut manquer quelque chose.`,
  },

  total: {
    nothing: (from, to, figure, count) => `${nothing(from, to, figure, count)}.`,
    nothingKnown: (from, to, figure, count) =>
      `${nothing(from, to, figure, count)} ; certains ne sont pas connus sur toute cette période.`,
    range: (from, to) => `Du ${from} au ${to}`,
    wallets,
    volume: (usdc) => `Volume **${usdc}**`,
    records,
    netFlow: (usdc) => `flux net **${usdc}**`,
    realized: (usdc) => `réalisé **${usdc}**`,
  },

  rest: {
    volume: (figure, count, usdc) =>
      `… et ${figure} ${form(count, { one: 'autre wallet', other: 'autres wallets' })} : volume ${usdc}`,
    netFlow: (usdc) => `flux net ${usdc}`,
    realized: (usdc) => `réalisé ${usdc}`,
  },

  wallet: {
    volume: (name, usdc) => `**${name}** : volume **${usdc}**`,
    records,
    bought: (usdc) => `acheté ${usdc}`,
    sold: (usdc) => `vendu ${usdc}`,
    redeemed: (usdc) => `encaissé ${usdc}`,
    netFlow: (usdc) => `Flux net ${usdc}`,
    deposited: (usdc) => `déposé ${usdc}`,
    withdrew: (usdc) => `retiré ${usdc}`,
    realized: (usdc) => `Réalisé ${usdc}`,
    realizedSince: (usdc, since) => `Réalisé ${usdc}, sur les parts connues depuis le ${since}`,
    unknownSales: (figure, count) =>
      `${figure} ${form(count, { one: 'vente ou encaissement', other: 'ventes ou encaissements' })} de plus que ce qui est connu, compté dans la mesure du connu`,
    tradesSince: (since) => `trades complets seulement depuis le ${since}`,
    transfersSince: (since) => `dépôts et retraits complets seulement depuis le ${since}`,
    transfersUnknown: 'dépôts et retraits inconnus',
    tradeBought: (usdc, outcome) => `A acheté ${usdc} ${outcome}`,
    tradeBoughtAt: (usdc, outcome, price) => `A acheté ${usdc} ${outcome} à ${price}`,
    tradeSold: (usdc, outcome) => `A vendu ${usdc} ${outcome}`,
    tradeSoldAt: (usdc, outcome, price) => `A vendu ${usdc} ${outcome} à ${price}`,
    unknownOutcome: 'de parts d’une issue inconnue',
    noTitle: 'Marché sans titre',
  },

  quiet: (walletNames) => `Rien vu de ${walletNames.join(', ')}`,
  quietAndMore: (walletNames, figure) => `Rien vu de ${walletNames.join(', ')} et ${figure} de plus`,

  chart: {
    volumePerHour: (zone) => `Volume par heure, ${zone}`,
    volumePerDay: (zone) => `Volume par jour, ${zone}`,
    others: 'autres',
    altPerHour: 'Volume échangé par heure',
    altPerDay: 'Volume échangé par jour',
    day: (day, month) => `${day} ${month}`,
    month: (month, year) => `${month} ${year}`,
    date: (day, month, year) => `${day} ${month} ${year}`,
  },

  answer: {
    hadNone: (channel) => `${channel} n’avait pas de résumé et n’en recevra pas.`,
    ended: (channel) => `${channel} ne reçoit plus de résumé.`,
    shown: (channel, schedule, next, nextRelative) =>
      `${channel} reçoit un résumé. ${schedule}. Prochain : ${next}, ${nextRelative}.`,
    noWallet: 'Aucun wallet n’y sonne encore : tant que c’est le cas, rien n’est envoyé.',
    waits: (why) => `Le dernier est en attente : ${why}`,
    cannotAttach: 'Donnez-moi aussi « Joindre des fichiers » dans ce salon, et il viendra avec un graphique.',
  },

  errors: {
    none: (channel) =>
      `${channel} ne reçoit pas de résumé. \`/${names.commands.watch} ${names.subcommands.digest} ${names.options.every}:\` en crée un.`,
    time: `\`${names.options.at}\` n’est pas une heure du jour. Accepté : de \`00:00\` à \`23:59\`.`,
    zone: `\`${names.options['time-zone']}\` n’est pas connu. Acceptés : des noms comme \`Europe/Berlin\`, \`America/New_York\` ou \`UTC\`.`,
  },
};
