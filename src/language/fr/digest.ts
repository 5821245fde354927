import type { DigestWords } from '../en/digest.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('fr');

const trades = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'trade', other: 'trades' })}`;
const transfers = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'transfert', other: 'transferts' })}`;
const wallets = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'wallet', other: 'wallets' })}`;
const nothing = (from: string, to: string, figure: string, count: number) =>
  `Calme du ${from} au ${to}\u00a0: ` +
  'aucun trade, encaissement, ' +
  'dépôt ni retrait ' +
  `sur ${figure} ${form(count, { one: 'wallet suivi', other: 'wallets suivis' })}`;

export const digest = ({ names, permissions }: Terms): DigestWords => ({
  title: { day: 'Résumé quotidien', week: 'Résumé hebdomadaire' },
  everyDay: (clock, zone) => `Chaque jour à ${clock} (${zone})`,
  everyWeek: (weekday, clock, zone) => `Chaque ${weekday} à ${clock} (${zone})`,

  behind: (figure, count) =>
    `${wallets(figure, count)} ` +
    `${form(count, { one: 'n’a pas pu être consulté', other: 'n’ont pas pu être consultés' })} depuis la fin de cette période\u00a0: il peut manquer quelque chose.`,

  total: {
    nothing: (from, to, figure, count) => `${nothing(from, to, figure, count)}.`,
    nothingKnown: (from, to, figure, count) =>
      `${nothing(from, to, figure, count)}. Il manque des données pour une partie de la période.`,
    sinceWatched: 'chacun depuis qu’il est suivi ici',
    notAllKnown: 'données incomplètes sur la période',
    wallets,
    lead: (figure, count, usdc) => `**${trades(figure, count)}, ${usdc}** de volume`,
    largest: (wallet, trade) => `le plus gros\u00a0: ${wallet} ${trade}`,
  },

  settled: {
    title: (figure, count) =>
      `${figure} ${form(count, { one: 'marché réglé', other: 'marchés réglés' })}`,
    won: (side, wallets) => `${side} gagne · ${wallets}`,
    lost: (side, wallets) => `${side} perd · ${wallets}`,
    paid: (side, price, wallets) => `${side} paie ${price} · ${wallets}`,
  },
  verdicts: {
    began: (verdict) => `nouveau\u00a0: ${verdict}`,
    ended: (verdict) => `ne fait plus mieux que le hasard\u00a0: ${verdict}`,
  },

  rest: {
    volume: (figure, count, usdc) =>
      `… et ${figure} ${form(count, { one: 'autre wallet', other: 'autres wallets' })}\u00a0: ` +
      `volume ${usdc}`,
    netFlow: (usdc) => `dépôts nets ${usdc}`,
  },

  wallet: {
    traded: (figure, count, usdc) => `${trades(figure, count)}, **${usdc}**`,
    transfers,
    netFlow: (usdc) => `dépôts nets ${usdc}`,
    watchedSince: (since) => `depuis qu’il est suivi ici (${since})`,
    tradesSince: (since) => `trades complets seulement depuis le ${since}`,
    transfersSince: (since) => `dépôts et retraits complets seulement depuis le ${since}`,
    tradesMissing: (from, to) => `des trades manquent peut-être (${from} – ${to})`,
    transfersMissing: (from, to) => `des dépôts et retraits manquent peut-être (${from} – ${to})`,
    transfersUnknown: 'dépôts et retraits inconnus',
  },

  quiet: (walletNames) => `Aucune activité\u00a0: ${walletNames.join(', ')}`,
  quietAndMore: (walletNames, figure) =>
    `Aucune activité\u00a0: ${walletNames.join(', ')} et ${figure} de plus`,

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
    hadNone: (channel) => `${channel} n’a pas de résumé.`,
    ended: (channel) => `${channel} ne reçoit plus de résumé.`,
    shown: (channel, schedule, next, nextRelative) =>
      `${channel} reçoit un résumé. ${schedule}. ` +
      `Prochain\u00a0: ${nextRelative} (${next}, heure locale).`,
    noWallet: 'Aucun wallet n’y est encore suivi\u00a0: les résumés commenceront avec le premier.',
    waits: (why) => `Le dernier est en attente\u00a0: ${why}`,
    cannotAttach:
      `Donne-moi aussi «\u00a0${permissions.attachFiles}\u00a0» dans ce salon, ` +
      'et il viendra avec un graphique.',
    inUtc: `Les heures sont en UTC. Choisis ton fuseau avec \`${names.options['time-zone']}\`.`,
  },

  errors: {
    none: (channel) =>
      `${channel} n’a pas de résumé. ` +
      `\`/${names.commands.watch} ${names.subcommands.digest} ` +
      `${names.options.every}:\` en crée un.`,
    time: 'une heure de `00:00` à `23:59`',
    zone: 'un nom comme `Europe/Berlin`, `America/New_York` ou `UTC`',
  },
});
