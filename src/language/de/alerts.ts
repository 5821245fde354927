import type { AlertWords } from '../en/alerts.ts';
import { slash } from './names.ts';

const at = (price: string | undefined) => (price === undefined ? '' : ` zu ${price}`);

export const alerts: AlertWords = {
  titles: {
    buy: (wallet, what, price) => `${wallet} kaufte ${what}${at(price)}`,
    sell: (wallet, what, price) => `${wallet} verkaufte ${what}${at(price)}`,
    redeem: (wallet, what, paidOut) =>
      `${wallet} löste ${what} ein${paidOut === undefined ? '' : `, ausgezahlt ${paidOut}`}`,
    other: (wallet, action, what, price) => `${wallet}: ${action} ${what}${at(price)}`,
    deposit: (wallet, amount) => `${wallet} zahlte ${amount} ein`,
    bridgedDeposit: (wallet, amount) => `${wallet} zahlte ${amount} über eine Bridge ein`,
    withdrawal: (wallet, amount) => `${wallet} zahlte ${amount} aus`,
    otherTransfer: (wallet, type, amount) => `${wallet}: ${type} ${amount}`,
    unknownAction: 'unbekannte Aktion',
    unknownTransfer: 'unbekannte Überweisung',
  },
  holdings: {
    of: (quantity, side) => `${quantity} ${side}`,
    ofUnknown: (quantity) => `${quantity} eines unbekannten Ausgangs`,
  },
  prices: { average: (price) => `${price} im Schnitt` },
  money: {
    paid: (amount) => `Bezahlt **${amount}**`,
    received: (amount) => `Erhalten **${amount}**`,
    net: (amount) => `Netto **${amount}**`,
    gross: (amount) => `brutto ${amount}`,
    fee: (amount) => `Gebühr ${amount}`,
    fees: (amount) => `Gebühren ${amount}`,
    noFee: 'keine Gebühr',
  },
  roles: { maker: 'Maker', taker: 'Taker', both: 'Maker und Taker', unknown: 'Maker oder Taker unbekannt' },
  marketWithoutTitle: 'Markt ohne Titel',
  span: (from, to) => `${from} bis ${to}`,
  links: {
    openWallet: 'Wallet öffnen',
    transaction: 'Transaktion',
    hash: (hash) => `Tx ${hash}`,
    unknownHash: 'unbekannt',
    short: 'Tx',
    largest: 'größte Tx',
  },
  transfers: {
    senderUnknown: 'Bei Einzahlungen über eine Bridge nennt der Handelsplatz keinen Absender.',
    from: (address) => `von ${address}`,
    to: (address) => `an ${address}`,
    otherSide: (address) => `Gegenseite: ${address}`,
    unknownAddress: 'unbekannte Adresse',
  },

  delivered: {
    atOnce: 'Sofort gemeldet',
    clocksDisagree: (ahead) => `Verzug unbekannt, die Uhren gehen verschieden: Zeitpunkt ${ahead} nach dieser Meldung`,
    after: {
      trade: (delay) => `Gemeldet ${delay} nach dem Trade`,
      redemption: (delay) => `Gemeldet ${delay} nach der Einlösung`,
      deposit: (delay) => `Gemeldet ${delay} nach der Einzahlung`,
      withdrawal: (delay) => `Gemeldet ${delay} nach der Auszahlung`,
      event: (delay) => `Gemeldet ${delay} nach dem Ereignis`,
      fills: (delay) => `Gemeldet ${delay} nach den Ausführungen`,
      redemptions: (delay) => `Gemeldet ${delay} nach den Einlösungen`,
      lastFill: (delay) => `Gemeldet ${delay} nach der letzten Ausführung`,
      lastRedemption: (delay) => `Gemeldet ${delay} nach der letzten Einlösung`,
      lastItem: (delay) => `Gemeldet ${delay} nach dem letzten Ereignis`,
    },
    sinceFirst: {
      fill: (delivered, delay) => `${delivered}, ${delay} nach der ersten`,
      redemption: (delivered, delay) => `${delivered}, ${delay} nach der ersten`,
      item: (delivered, delay) => `${delivered}, ${delay} nach dem ersten`,
    },
  },

  gap: {
    titles: {
      trades: (wallet) => `${wallet}: Hier fehlen vielleicht Trades`,
      transfers: (wallet) => `${wallet}: Hier fehlen vielleicht Ein- oder Auszahlungen`,
    },
    causes: {
      overflow: 'Zwischen zwei Abfragen kam mehr, als eine Seite zeigt',
      damage: 'Was der Bot zu diesem Wallet gespeichert hatte, war beschädigt',
      backlog: 'Für diesen Kanal wartete mehr, als der Bot aufhebt',
    },
    missing: {
      trades: (cause, from, to) =>
        `${cause}; deshalb wurden manche Trades oder Einlösungen zwischen ${from} und ${to} vielleicht nicht gemeldet.`,
      transfers: (cause, from, to) =>
        `${cause}; deshalb wurden manche Ein- oder Auszahlungen zwischen ${from} und ${to} vielleicht nicht gemeldet.`,
    },
    listed: {
      trades: (address) => `${slash.activity} listet sie auf, für ${address}`,
      transfers: (address) => `${slash.flows} listet sie auf, für ${address}`,
    },
    lines: {
      trades: (from, to) => `Manche Trades zwischen ${from} und ${to} fehlen vielleicht.`,
      transfers: (from, to) => `Manche Ein- oder Auszahlungen zwischen ${from} und ${to} fehlen vielleicht.`,
    },
    notice: 'Hinweis auf eine Lücke',
  },

  fills: {
    counts: {
      fill: (count) => `**${count} Ausführungen**`,
      redemption: (count) => `**${count} Einlösungen**`,
    },
    inOneTransaction: (fills) => `${fills} in einer Transaktion:`,
    inTransactions: (fills, transactions) => `${fills} in ${transactions} Transaktionen:`,
    row: (quantity, price) => `${quantity} zu ${price}`,
    smaller: (count) => `… und ${count} kleinere`,
    average: (price) => `Schnitt ${price}`,
    best: (price) => `bester ${price}`,
    worst: (price) => `schlechtester ${price}`,
    range: (low, high) => `von ${low} bis ${high}`,
    allAt: (price) => `alle zu ${price}`,
  },

  lines: {
    buy: (what, price) => `**Kaufte ${what}**${at(price)}`,
    sell: (what, price) => `**Verkaufte ${what}**${at(price)}`,
    redeem: (what) => `**Löste ${what} ein**`,
    other: (action, what, price) => `**${action} ${what}**${at(price)}`,
    deposit: (amount) => `**Zahlte ${amount} ein**`,
    withdrawal: (amount) => `**Zahlte ${amount} aus**`,
    otherTransfer: (type, amount) => `**${type} ${amount}**`,
    unknownAction: 'Unbekannte Aktion',
    unknownTransfer: 'Unbekannte Überweisung',
    paid: (amount) => `bezahlt ${amount}`,
    received: (amount) => `erhalten ${amount}`,
    net: (amount) => `netto ${amount}`,
    from: (address) => `von ${address}`,
    to: (address) => `an ${address}`,
    otherSide: (address) => `Gegenseite ${address}`,
    viaBridge: 'über eine Bridge',
  },

  catchUp: {
    title: (wallet, count) => `${wallet}: ${count} verspätete Meldungen`,
    summary: (from, to, totals) => `Von ${from} bis ${to}. ${totals}.`,
    line: (count, from, to, totals) => `${count} verspätete Meldungen, ${from} bis ${to}: ${totals}.`,
    paid: (count, kind, amount) => `${count} × ${kind}, bezahlt **${amount}**`,
    received: (count, kind, amount) => `${count} × ${kind}, erhalten **${amount}**`,
    moved: (count, kind, amount) => `${count} × ${kind}, zusammen **${amount}**`,
    kinds: { buy: 'Kauf', sell: 'Verkauf', redeem: 'Einlösung', deposit: 'Einzahlung', withdrawal: 'Auszahlung' },
    unknownKind: 'unbekannt',
    results: (count) => `${count} × Ergebnis von hier Gemeldetem`,
    agreements: (count) => `${count} × Konsens`,
    gaps: (count) => `${count} × vielleicht fehlt etwas`,
    more: (count) => `… und ${count} weitere. ${slash.activity} und ${slash.flows} listen alle auf.`,
    openWallet: 'Wallet öffnen',
    footer: (count) => `${count} nachgeholt`,
  },
};
