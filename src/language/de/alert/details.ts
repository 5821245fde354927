import type { DetailsWords } from '../../en/alert/details.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('de');

export const details = (venue: VenueForms, { slash }: Terms): DetailsWords => ({
  buttons: {
    openMarket: 'Zum Markt',
    details: 'Details',
    menu: 'Details oder stummschalten …',
    mute: (wallet) => `${wallet === undefined ? '' : `${wallet} `}1 h stumm`,
    activity: 'Aktivität',
    flows: 'Zahlungen',
  },
  headings: { buy: 'KAUF', sell: 'VERKAUF', redeem: 'EINLÖSUNG', other: 'SONSTIGES' },
  title: (what) => `Details: ${what}`,
  openWallet: 'Wallet',
  marketWithoutTitle: 'Markt ohne Titel',
  unknownHash: 'unbekannte Transaktion',
  money: {
    paid: (amount) => `Bezahlt **${amount}**`,
    received: (amount) => `Erhalten **${amount}**`,
    net: (amount) => `Netto **${amount}**`,
    gross: (amount) => `brutto ${amount}`,
    fees: (amount) => `Gebühren ${amount}`,
    noFees: 'keine Gebühren',
  },
  prices: {
    average: (price) => `Ø ${price}`,
    best: (price) => `bester Preis ${price}`,
    worst: (price) => `schlechtester ${price}`,
    allAt: (price) => `alles zu ${price}`,
    range: (low, high) => `von ${low} bis ${high}`,
  },
  roles: { maker: 'Maker', taker: 'Taker', unknown: 'Maker oder Taker unbekannt' },
  times: {
    traded: (time) => `Gehandelt am ${time}`,
    tradedBetween: (from, to) => `Gehandelt: ${from} – ${to}`,
    seen: (time) => `Vom Bot gesehen: ${time}`,
    posted: (time) => `Gepostet: ${time}`,
    lastChange: (time) => `zuletzt geändert: ${time}`,
  },
  fills: {
    trades: (count, n) => `${count} ${form(n, { one: 'Ausführung', other: 'Ausführungen' })}`,
    redemptions: (count, n) => `${count} ${form(n, { one: 'Einlösung', other: 'Einlösungen' })}`,
    inTransactions: (fills, count, n) =>
      `${fills} in ${count} ${form(n, { one: 'Transaktion', other: 'Transaktionen' })}`,
    title: (fills) => `${fills}, neueste zuerst`,
    row: (quantity, price) => `${quantity} zu ${price}`,
    gross: (amount) => `brutto ${amount}`,
    fee: (amount) => `Gebühr ${amount}`,
    inFile: (count) => `… und ${count} weitere. Alle stehen in der Datei.`,
    leftOut: (count) => `… und ${count} weitere. Discord hat die Datei hier nicht angenommen.`,
  },
  position: {
    atAlert: 'Position zum Zeitpunkt der Meldung',
    asOfNow: 'Position jetzt',
    holds: (shares) => `Hält ${shares}`,
    entry: (price) => `Ø Einstieg ${price}`,
    cost: (amount) => `Kosten ${amount} inkl. ausgewiesener Gebühren`,
    realized: (gain, percent) =>
      `Realisiert **${gain}**${percent === undefined ? '' : ` (${percent})`} zum ` +
      'Durchschnittspreis gerechnet, nach ausgewiesenen Gebühren',
    result: (gain, percent) =>
      'Ergebnis der hier gemeldeten Käufe: ' +
      `**${gain}**${percent === undefined ? '' : ` (${percent})`}`,
    boughtMeanwhile: (shares) => `dazwischen ${shares} gekauft`,
    soldMeanwhile: (shares) => `dazwischen ${shares} verkauft`,
    otherSide: (shares) => `Hält auch ${shares} anderer Ausgänge des Marktes`,
    firstInMarket: 'Erster Trade in diesem Markt',
    size: (usdc, trades, p95) =>
      `Trade über insgesamt ${usdc}; ` +
      `95\u00a0% der letzten ${trades} Trades lagen bei höchstens ${p95}`,
    unknownThen: 'Zum Zeitpunkt der Meldung nicht bekannt.',
    unknownNow: 'Nicht bekannt: Die Wallet wird hier nicht beobachtet, oder frühere Trades fehlen.',
    laterNow: 'Nicht gezeigt: In diesem Kanal kommt alles verzögert.',
  },
  record: {
    atAlert: 'Bilanz zum Zeitpunkt der Meldung',
    asOfNow: 'Bilanz jetzt',
    none: 'Noch ist kein Markt alt genug.',
    onCard: (activity) =>
      `Was von allem Gezahlten zurückfloss, sagt die Karte der Wallet: **${activity}** unten`,
  },
  notes: {
    title: 'So liest man das',
    rounded: '≈ gerundet',
    asOfNow:
      'Die Details zur Zeit der Meldung bleiben nur 30 Tage gespeichert: ' +
      'Position und Bilanz sind von jetzt.',
    allOfTime:
      'Alle Ausführungen mit diesem Markt, Ausgang und dieser Aktion zu dieser Zeit; ' +
      'einzelne standen vielleicht in einer anderen Meldung.',
    missing: (count) =>
      `${venue.start} zeigt ${count} der Einträge dieser Meldung nicht mehr an. ` +
      'Sie zählen hier nicht.',
    cut: (count) => `Nur die neuesten ${count} Einträge wurden gelesen.`,
    skipped: (count, n) =>
      `${count} ${form(n, { one: 'Eintrag konnte', other: 'Einträge konnten' })} nicht ` +
      'gelesen werden.',
  },
  errors: {
    damaged: `Diesen Button kann ich nicht lesen. ${slash.activity} zeigt die Trades der Wallet.`,
    tooOld:
      'Die Details dieser Meldung waren 30 Tage gespeichert und sind nicht mehr da. ' +
      `${slash.activity} zeigt die Trades der Wallet.`,
    nothing:
      `${venue.start} zeigt die Trades dieser Meldung gerade nicht an. ` +
      `Versuch es später noch einmal, oder sieh mit ${slash.activity} nach.`,
  },
});
