import type { DigestWords } from '../en/digest.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('de');

const trades = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'Trade', other: 'Trades' })}`;
const transfers = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'Ein- oder Auszahlung', other: 'Ein- und Auszahlungen' })}`;
const wallets = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'Wallet', other: 'Wallets' })}`;
const nothing = (from: string, to: string, figure: string, count: number) =>
  `Ruhig vom ${from} bis ${to}: ` +
  'keine Trades, Einlösungen, ' +
  'Ein- oder Auszahlungen ' +
  `bei ${figure} ${form(count, { one: 'beobachteten Wallet', other: 'beobachteten Wallets' })}`;

export const digest = ({ names, permissions }: Terms): DigestWords => ({
  title: { day: 'Tagesübersicht', week: 'Wochenübersicht' },
  everyDay: (clock, zone) => `Jeden Tag um ${clock} Uhr (${zone})`,
  everyWeek: (weekday, clock, zone) => `Jeden ${weekday} um ${clock} Uhr (${zone})`,

  behind: (figure, count) =>
    `${wallets(figure, count)} ${form(count, { one: 'konnte', other: 'konnten' })} seit dem ` +
    'Ende des Zeitraums nicht abgefragt werden: Vielleicht fehlt etwas.',

  total: {
    nothing: (from, to, figure, count) => `${nothing(from, to, figure, count)}.`,
    nothingKnown: (from, to, figure, count) =>
      `${nothing(from, to, figure, count)}. Ein Teil dieser Zeit ist nicht bekannt.`,
    sinceWatched: 'jede, seit sie hier beobachtet wird',
    notAllKnown: 'Daten teilweise unvollständig',
    wallets,
    lead: (figure, count, usdc) => `**${trades(figure, count)}, ${usdc}** Volumen`,
    largest: (wallet, trade) => `größter: ${wallet} ${trade}`,
  },

  settled: {
    title: (figure, count) =>
      `${figure} ${form(count, { one: 'Markt', other: 'Märkte' })} abgerechnet`,
    won: (side, wallets) => `${side} hat gewonnen · ${wallets}`,
    lost: (side, wallets) => `${side} hat verloren · ${wallets}`,
    paid: (side, price, wallets) => `${side} hat ${price} gezahlt · ${wallets}`,
  },
  verdicts: {
    began: (verdict) => `neu: ${verdict}`,
    ended: (verdict) => `nicht mehr besser als Zufall: ${verdict}`,
  },

  rest: {
    volume: (figure, count, usdc) =>
      `… und ${figure} ${form(count, { one: 'weitere Wallet', other: 'weitere Wallets' })}: ` +
      `Volumen ${usdc}`,
    netFlow: (usdc) => `Netto-Einzahlungen ${usdc}`,
  },

  wallet: {
    traded: (figure, count, usdc) => `${trades(figure, count)}, **${usdc}**`,
    transfers,
    netFlow: (usdc) => `Netto-Einzahlungen ${usdc}`,
    watchedSince: (since) => `seit sie hier beobachtet wird (${since})`,
    tradesSince: (since) => `Trades erst seit ${since} vollständig`,
    transfersSince: (since) => `Ein- und Auszahlungen erst seit ${since} vollständig`,
    tradesMissing: (from, to) => `von ${from} bis ${to} fehlen womöglich Trades`,
    transfersMissing: (from, to) => `von ${from} bis ${to} fehlen womöglich Ein- und Auszahlungen`,
    transfersUnknown: 'Ein- und Auszahlungen nicht bekannt',
  },

  quiet: (walletNames) => `Keine Aktivität: ${walletNames.join(', ')}`,
  quietAndMore: (walletNames, figure) =>
    `Keine Aktivität: ${walletNames.join(', ')} und ${figure} weitere`,

  chart: {
    volumePerHour: (zone) => `Volumen pro Stunde, ${zone}`,
    volumePerDay: (zone) => `Volumen pro Tag, ${zone}`,
    others: 'andere',
    altPerHour: 'Gehandeltes Volumen pro Stunde',
    altPerDay: 'Gehandeltes Volumen pro Tag',
    day: (day, month) => `${day}. ${month}`,
    month: (month, year) => `${month} ${year}`,
    date: (day, month, year) => `${day}. ${month} ${year}`,
  },

  answer: {
    hadNone: (channel) => `${channel} hat keine Übersicht.`,
    ended: (channel) => `${channel} bekommt keine Übersicht mehr.`,
    shown: (channel, schedule, next, nextRelative) =>
      `${channel} bekommt eine Übersicht. ${schedule}. ` +
      `Nächste: ${nextRelative} (${next}, deine Zeit).`,
    noWallet: 'Dort wird noch keine Wallet beobachtet: Bis dahin kommt keine Übersicht.',
    waits: (why) => `Die letzte wartet noch: ${why}`,
    cannotAttach: `Gib mir dort auch „${permissions.attachFiles}“, dann kommt sie mit Diagramm.`,
    inUtc:
      'Die Zeiten sind UTC. ' +
      `Mit \`${names.options['time-zone']}\` stellst du deine Zeitzone ein.`,
  },

  errors: {
    none: (channel) =>
      `${channel} hat keine Übersicht. ` +
      `Mit \`/${names.commands.watch} ${names.subcommands.digest} ${names.options.every}:\` ` +
      'richtest du eine ein.',
    time: 'eine Uhrzeit von `00:00` bis `23:59`',
    zone: 'ein Name wie `Europe/Berlin`, `America/New_York` oder `UTC`',
  },
});
