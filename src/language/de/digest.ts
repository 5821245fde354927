import type { DigestWords } from '../en/digest.ts';
import { plural } from '../plural.ts';
import { names } from './names.ts';

const form = plural('de');

const trades = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'Trade oder Einlösung', other: 'Trades und Einlösungen' })}`;
const transfers = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'Ein- oder Auszahlung', other: 'Ein- und Auszahlungen' })}`;
const wallets = (figure: string, count: number) => `${figure} ${form(count, { one: 'Wallet', other: 'Wallets' })}`;
const nothing = (from: string, to: string, figure: string, count: number) =>
  `Vom ${from} bis ${to} ist nichts passiert: Bei ${figure} ${form(count, { one: 'beobachteten Wallet', other: 'beobachteten Wallets' })} war weder ein Trade noch eine Einlösung, Einzahlung oder Auszahlung zu sehen`;

export const digest: DigestWords = {
  title: { day: 'Tagesübersicht', week: 'Wochenübersicht' },
  everyDay: (clock, zone) => `Jeden Tag um ${clock}, ${zone}`,
  everyWeek: (weekday, clock, zone) => `Jeden ${weekday} um ${clock}, ${zone}`,

  behind: (figure, count) =>
    `${wallets(figure, count)} ${form(count, { one: 'konnte', other: 'konnten' })} seit dem Ende dieser Zeit nicht abgefragt werden: Etwas kann fehlen.`,

  total: {
    nothing: (from, to, figure, count) => `${nothing(from, to, figure, count)}.`,
    nothingKnown: (from, to, figure, count) =>
      `${nothing(from, to, figure, count)}; einige davon sind nicht über die ganze Zeit bekannt.`,
    sinceWatched: 'jedes, seit du es beobachtest',
    notAllKnown: 'nicht die ganze Zeit ist bekannt',
    wallets,
    volume: (usdc) => `Volumen **${usdc}**`,
    netFlow: (usdc) => `Nettofluss **${usdc}**`,
    realized: (usdc) => `realisiert **${usdc}**`,
  },

  rest: {
    volume: (figure, count, usdc) =>
      `… und ${figure} ${form(count, { one: 'weiteres Wallet', other: 'weitere Wallets' })}: Volumen ${usdc}`,
    netFlow: (usdc) => `Nettofluss ${usdc}`,
    realized: (usdc) => `realisiert ${usdc}`,
  },

  wallet: {
    volume: (name, usdc) => `**${name}**: Volumen **${usdc}**`,
    trades,
    transfers,
    bought: (usdc) => `gekauft ${usdc}`,
    sold: (usdc) => `verkauft ${usdc}`,
    redeemed: (usdc) => `eingelöst ${usdc}`,
    netFlow: (usdc) => `Nettofluss ${usdc}`,
    deposited: (usdc) => `eingezahlt ${usdc}`,
    withdrew: (usdc) => `abgehoben ${usdc}`,
    realized: (usdc) => `realisiert **${usdc}**`,
    watchedSince: (since) => `seit du es beobachtest (${since})`,
    tradesSince: (since) => `Trades erst seit ${since} vollständig`,
    transfersSince: (since) => `Ein- und Auszahlungen erst seit ${since} vollständig`,
    transfersUnknown: 'Ein- und Auszahlungen nicht bekannt',
    tradeBought: (usdc, outcome) => `Kaufte für ${usdc} ${outcome}`,
    tradeBoughtAt: (usdc, outcome, price) => `Kaufte für ${usdc} ${outcome} zu ${price}`,
    tradeSold: (usdc, outcome) => `Verkaufte für ${usdc} ${outcome}`,
    tradeSoldAt: (usdc, outcome, price) => `Verkaufte für ${usdc} ${outcome} zu ${price}`,
    unknownOutcome: 'Anteile eines unbekannten Ausgangs',
    noTitle: 'Markt ohne Titel',
  },

  quiet: (walletNames) => `Nichts gesehen von ${walletNames.join(', ')}`,
  quietAndMore: (walletNames, figure) => `Nichts gesehen von ${walletNames.join(', ')} und ${figure} weiteren`,

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
    hadNone: (channel) => `${channel} hatte keine Übersicht und bekommt auch keine.`,
    ended: (channel) => `${channel} bekommt keine Übersicht mehr.`,
    shown: (channel, schedule, next, nextRelative) =>
      `${channel} bekommt eine Übersicht. ${schedule}. Nächste: ${next}, ${nextRelative}.`,
    noWallet: 'Dort wird noch kein Wallet beobachtet: Bis dahin wird nichts gesendet.',
    waits: (why) => `Die letzte wartet: ${why}`,
    cannotAttach: 'Gib mir dort auch „Dateien anhängen“, dann kommt sie mit einem Diagramm.',
  },

  errors: {
    none: (channel) =>
      `${channel} bekommt keine Übersicht. Mit \`/${names.commands.watch} ${names.subcommands.digest} ${names.options.every}:\` beginnt eine.`,
    time: `\`${names.options.at}\` ist keine Uhrzeit. Erlaubt: \`00:00\` bis \`23:59\`.`,
    zone: `\`${names.options['time-zone']}\` ist nicht bekannt. Erlaubt: Namen wie \`Europe/Berlin\`, \`America/New_York\` oder \`UTC\`.`,
  },
};
