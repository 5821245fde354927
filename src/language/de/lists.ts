import type { ListNames, ListWords } from '../en/lists.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('de');

const activity = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Aktivität von ${wallet}`,
  nothing: `${venue.start} hat keine Trades oder Einlösungen zu dieser Wallet.`,
  file: (wallet, rows, n) =>
    `Aktivität von ${wallet}, ${rows} ${form(n, { one: 'Zeile', other: 'Zeilen' })}.`,
  expired: `Diese Liste ist abgelaufen. Gib ${slash.activity} noch einmal ein.`,
});
const flows = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Ein- und Auszahlungen von ${wallet}`,
  nothing: `${venue.start} hat keine Ein- oder Auszahlungen zu dieser Wallet.`,
  file: (wallet, rows, n) =>
    `Ein- und Auszahlungen von ${wallet}, ${rows} ${form(n, { one: 'Zeile', other: 'Zeilen' })}.`,
  expired: `Diese Liste ist abgelaufen. Gib ${slash.flows} noch einmal ein.`,
});

export const lists = (venue: VenueForms, { names, slash }: Terms): ListWords => ({
  activity: activity(venue, slash),
  flows: flows(venue, slash),
  gap: ' ',
  openWallet: 'Wallet öffnen',
  only: (filters) => `Nur ${filters}`,
  brokenOff: (why) => `${why} Hier steht, was ich bis dahin gelesen habe.`,
  page: (page) => `Seite ${page}, neueste zuerst`,
  unreadable: (records, n) =>
    form(n, {
      one: `${records} Eintrag war nicht lesbar`,
      other: `${records} Einträge waren nicht lesbar`,
    }),
  didNotFit: (records) => `${records} nicht angezeigt`,
  nothingYet: 'Auf dieser Seite noch nichts.',
  nothingMore: 'Keine weiteren Einträge.',
  nothingMatches: 'Keine passenden Einträge zu dieser Wallet.',
  fileTooLarge: (records, n) =>
    'Die Datei wäre zu ' +
    `groß: ${records} ` +
    `${form(n, { one: 'älterer Eintrag fehlt', other: 'ältere Einträge fehlen' })}.`,
  buttons: { previous: 'Zurück', next: 'Weiter', further: 'Weitersuchen' },
  reach: {
    all(records, n, isLess) {
      if (isLess) {
        return n === 1 ? 'der einzige lesbare Eintrag' : `alle ${records} lesbaren Einträge`;
      }
      return n === 1 ? 'der einzige Eintrag' : `alle ${records} Einträge`;
    },
    newest: (records, n, since) =>
      n === 1
        ? `der neueste Eintrag, zurück bis zum ${since}`
        : `die neuesten ${records} Einträge, zurück bis zum ${since}`,
    part: (records, n, newest, oldest) =>
      `${records} ${form(n, { one: 'Eintrag', other: 'Einträge' })} vom ${newest} zurück bis ` +
      `zum ${oldest}`,
    foundAmong: (found, reach) => `${found} Treffer, durchsucht: ${reach}`,
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
    sells: (records, n, usdc) =>
      `${records} ${form(n, { one: 'Verkauf', other: 'Verkäufe' })} ${usdc}`,
    redemptions: (records, n, usdc) =>
      `${records} ${form(n, { one: 'Einlösung', other: 'Einlösungen' })} ${usdc}`,
    otherKinds: (records, n) =>
      form(n, { one: `${records} Eintrag anderer Art`, other: `${records} Einträge anderer Art` }),
    fees: (usdc) => `Gebühren ${usdc}`,
    windows: { day: '24 Std.', week: '7 Tage', month: '30 Tage' },
    all: 'Gesamt',
    read: 'Bisher gelesen',
    during: (windows, flows) => `**${windows}:** ${flows}`,
    deposited: (usdc, records) => `rein ${usdc} (${records})`,
    withdrawn: (usdc, records) => `raus ${usdc} (${records})`,
    net: (usdc) => `netto **${usdc}**`,
    unknownDirection: (records) => `${records} mit unbekannter Richtung`,
    notKnownFor: (windows) =>
      `Nicht bekannt für ${windows.join(', ')}: ` +
      'Die gelesenen Einträge reichen nicht so weit zurück.',
  },
  market: {
    title: 'Märkte mit Positionen hier',
    wallets: (figure, n) => `${figure} ${form(n, { one: 'Wallet', other: 'Wallets' })}`,
    since: (time) => `seit ${time}`,
    sold: (part, all) => `${part} von ${all} verkauft`,
    out: (time) => `ausgestiegen ${time}`,
    nobody: 'Von keiner Wallet hier ist bekannt, dass sie in diesem Markt etwas hält.',
    nothing: (names) => `Ohne Position: ${names}`,
    unknown: (names) => `Nicht bekannt: ${names}`,
    notInRecords: 'Die Einträge zeigen nicht, was sie halten.',
    limit: 'Ich schlage höchstens zehn Wallets nach.',
    paused: (count) => `Pausiert, nicht mitgezählt: ${count}`,
    moreMarkets: (figure, n) =>
      `… und ${figure} ${form(n, { one: 'weiterer Markt', other: 'weitere Märkte' })}`,
    ended: (count) => `Abgerechnete Märkte weggelassen: ${count}`,
    only:
      'Nur sicher bekannte Positionen; die Wallets können mehr halten. ' +
      'Wähl einen Markt, dann schlage ich nach.',
    none: 'Hier ist keine offene Position sicher bekannt. Wähl einen Markt, dann schlage ich nach.',
    delayedChannel:
      `In diesem Kanal kommt alles verzögert, und ${slash.market} sagt, was seine Wallets jetzt halten. ` +
      'Nutz den Befehl in einem anderen Kanal.',
    allPaused: 'Alle Wallets hier sind pausiert. Es gibt nichts zu zeigen.',
    withId: (id) => `Markt ${id}`,
  },
  refused: {
    action: (typed, actions) =>
      `${typed} passt nicht zu \`${names.options.action}\`. Möglich: ${actions}.`,
    transaction: (typed) =>
      `${typed} ist kein Transaktions-Hash. Nimm 0x, gefolgt von 64 Hexziffern.`,
    market: (typed) =>
      `${typed} ist weder ID noch Slug eines Marktes. ` +
      'Tipp den Anfang eines Titels und wähle einen aus der Liste.',
    fromAfterTo: (from, to) =>
      `\`${names.options.from}\` (${from}) liegt nach \`${names.options.to}\` (${to}). ` +
      'Vertausche sie.',
    time: (why) =>
      `${why} Versuch \`2h\`, \`${names.typed.yesterday}\` oder \`2026-11-01 14:30\` (UTC).`,
    milliseconds: (typed) => `${typed} sieht nach Millisekunden aus. Unix-Zeiten sind in Sekunden.`,
    unknownUnit: (typed) => `Ich kenne die Zeiteinheit in ${typed} nicht.`,
    noTime: (typed) => `Ich kann ${typed} nicht als Zeit lesen.`,
    noDay: (typed) => `${typed} ist kein Tag im Kalender.`,
    noTimeOfDay: (typed) => `${typed} hat eine Uhrzeit, die es nicht gibt.`,
    before1970: (typed) => `${typed} liegt vor 1970.`,
    inFuture: (typed) => `${typed} liegt in der Zukunft.`,
  },
  chart: {
    netDeposits: (name) => `Netto eingezahlt: ${name}`,
    bought: 'Käufe',
    sold: 'Verkäufe',
    redeemed: 'Einlösungen',
    per: {
      weeks: (n) => (n === 1 ? 'pro Woche' : `pro ${n} Wochen`),
      days: (n) => (n === 1 ? 'pro Tag' : `pro ${n} Tage`),
      hours: (n) => (n === 1 ? 'pro Stunde' : `pro ${n} h`),
      minutes: (n) => (n === 1 ? 'pro Minute' : `pro ${n} min`),
    },
    last: {
      days: (n) => `letzte ${n} Tage`,
      hours: (n) => `letzte ${n} h`,
      minutes: (n) => (n === 1 ? 'letzte Minute' : `letzte ${n} min`),
    },
  },
});
