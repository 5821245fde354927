import type { ListNames, ListWords } from '../en/lists.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';

const form = plural('de');

const activity: ListNames = {
  title: (wallet) => `Aktivität von ${wallet}`,
  nothing: 'Der Handelsplatz kennt keinen Trade und keine Einlösung dieses Wallets.',
  file: (wallet, rows, n) => `Aktivität von ${wallet}, ${rows} ${form(n, { one: 'Zeile', other: 'Zeilen' })}.`,
  expired: `Diese Liste ist abgelaufen. Rufe ${slash.activity} noch einmal auf.`,
};
const flows: ListNames = {
  title: (wallet) => `Ein- und Auszahlungen von ${wallet}`,
  nothing: 'Der Handelsplatz kennt keine Einzahlung und keine Auszahlung dieses Wallets.',
  file: (wallet, rows, n) =>
    `Ein- und Auszahlungen von ${wallet}, ${rows} ${form(n, { one: 'Zeile', other: 'Zeilen' })}.`,
  expired: `Diese Liste ist abgelaufen. Rufe ${slash.flows} noch einmal auf.`,
};

export const lists: ListWords = {
  activity,
  flows,
  gap: ' ',
  openWallet: 'Wallet öffnen',
  only: (filters) => `Nur ${filters}`,
  brokenOff: (why) => `${why} Dies kam bis dahin.`,
  page: (page) => `Seite ${page}, Neueste zuerst`,
  unreadable: (records, n) =>
    form(n, { one: `${records} Eintrag war nicht lesbar`, other: `${records} Einträge waren nicht lesbar` }),
  didNotFit: (records) => `${records} ohne Platz`,
  nothingYet: 'Für diese Seite noch nichts.',
  nothingMore: 'Nichts weiter.',
  nothingMatches: 'Nichts von diesem Wallet passt.',
  fileTooLarge: (records, n) =>
    `Die Datei würde zu groß: ${records} ${form(n, { one: 'älterer Eintrag', other: 'ältere Einträge' })} weggelassen.`,
  buttons: { previous: 'Zurück', next: 'Weiter', further: 'Weitersuchen' },
  reach: {
    all(records, n, isLess) {
      if (isLess) return n === 1 ? 'der einzige lesbare Eintrag' : `alle ${records} lesbaren Einträge`;
      return n === 1 ? 'der einzige Eintrag' : `alle ${records} Einträge`;
    },
    newest: (records, n, since) =>
      n === 1 ? `der neueste Eintrag, zurück bis ${since}` : `die neuesten ${records} Einträge, zurück bis ${since}`,
    part: (records, n, newest, oldest) =>
      `${records} ${form(n, { one: 'Eintrag', other: 'Einträge' })} von ${newest} zurück bis ${oldest}`,
    foundAmong: (found, reach) => `${found} gefunden, durchsucht: ${reach}`,
    sentence: (reach) => `${reach.charAt(0).toUpperCase()}${reach.slice(1)}.`,
  },
  filters: {
    Buy: 'Käufe',
    Sell: 'Verkäufe',
    Redeem: 'Einlösungen',
    market: (name) => `Markt ${name}`,
    withoutName: 'ohne Namen',
    from: (time) => `von ${time}`,
    to: (time) => `bis ${time}`,
    transaction: (hash) => `Transaktion ${hash}`,
  },
  totals: {
    title: 'Summen',
    buys: (records, n, usdc) => `${records} ${form(n, { one: 'Kauf', other: 'Käufe' })} ${usdc}`,
    sells: (records, n, usdc) => `${records} ${form(n, { one: 'Verkauf', other: 'Verkäufe' })} ${usdc}`,
    redemptions: (records, n, usdc) => `${records} ${form(n, { one: 'Einlösung', other: 'Einlösungen' })} ${usdc}`,
    otherKinds: (records, n) =>
      form(n, { one: `${records} Eintrag anderer Art`, other: `${records} Einträge anderer Art` }),
    fees: (usdc) => `Gebühren ${usdc}`,
    netPaid: (usdc) => `netto gezahlt **${usdc}**`,
    netReceived: (usdc) => `netto erhalten **${usdc}**`,
    netNone: (usdc) => `netto **${usdc}**`,
    windows: { day: '24 Std.', week: '7 Tage', month: '30 Tage' },
    all: 'Alles',
    walked: 'Gelesen',
    deposited: (usdc, records) => `ein ${usdc} (${records})`,
    withdrawn: (usdc, records) => `aus ${usdc} (${records})`,
    net: (usdc) => `netto ${usdc}`,
    unknownDirection: (records) => `${records} unbekannter Richtung`,
    notKnownFor: (windows) =>
      `Nicht bekannt für ${windows.join(', ')}: Was gelesen wurde, reicht nicht so weit zurück.`,
  },
  refused: {
    emptyText: 'Ein leerer Text',
    action: (typed, actions) => `\`${names.options.action}\`: ${typed} ist keine. Möglich: ${actions}.`,
    transaction: (typed) =>
      `\`${names.options.transaction}\`: ${typed} ist keine. Ein Transaktions-Hash ist 0x, gefolgt von 64 Hex-Ziffern.`,
    market: (typed) =>
      `\`${names.options.market}\`: ${typed} ist keiner. Möglich: seine Nummer oder sein Slug, etwa \`will-it-rain-in-paris\`.`,
    fromAfterTo: (from, to) =>
      `\`${names.options.from}\` (${from}) liegt nach \`${names.options.to}\` (${to}). Vertausche sie.`,
    time: (option, why) =>
      `\`${names.options[option]}\`: ${why} Möglich, in UTC: \`2h\`, \`3 days\`, \`yesterday\`, \`2026-11-01\`, \`2026-11-01 14:30\` oder Unix-Sekunden wie \`1793500000\`.`,
    milliseconds: (typed) => `${typed} sieht nach Millisekunden aus.`,
    unknownUnit: (typed) => `${typed} hat eine Zeiteinheit, die ich nicht kenne.`,
    noTime: (typed) => `${typed} ist keine Zeit, die ich lesen kann.`,
    noDay: (typed) => `${typed} ist ein Tag, den der Kalender nicht hat.`,
    noTimeOfDay: (typed) => `${typed} hat eine Uhrzeit, die es nicht gibt.`,
    before1970: (typed) => `${typed} liegt vor 1970.`,
    inFuture: (typed) => `${typed} liegt in der Zukunft.`,
  },
  chart: {
    trades: (name) => `Käufe, Verkäufe: ${name}`,
    redemptions: (name) => `Einlösungen: ${name}`,
    netDeposits: (name) => `Netto eingezahlt: ${name}`,
    bought: 'Käufe',
    sold: 'Verkäufe',
    redeemed: 'Einlösungen',
    net: 'Netto eingezahlt',
    per: {
      weeks: (n) => (n === 1 ? 'je Woche' : `je ${n} Wochen`),
      days: (n) => (n === 1 ? 'je Tag' : `je ${n} Tage`),
      hours: (n) => (n === 1 ? 'je Stunde' : `je ${n} h`),
      minutes: (n) => (n === 1 ? 'je Minute' : `je ${n} min`),
    },
  },
};
