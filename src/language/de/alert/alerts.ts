import type { AlertWords } from '../../en/alert/alerts.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('de');

const at = (price: string | undefined) => (price === undefined ? '' : ` zu ${price}`);

const on = (outcome: string | undefined) => (outcome === undefined ? '' : ` mit ${outcome}`);

export const alerts = (venue: VenueForms, { slash }: Terms): AlertWords => ({
  headline: {
    buy: 'KAUF',
    sell: 'VERKAUF',
    redeem: 'EINLÖSUNG',
    unknownAction: 'unbekannte Aktion',
    unknownOutcome: 'unbekannter Ausgang',
    trade: (action, outcome, amount, price) => `${action} **${outcome} ${amount}**${at(price)}`,
    partOf: (total) => `Teil von ${total}`,
    deposit: (amount) => `EINZAHLUNG ${amount}`,
    withdrawal: (amount) => `AUSZAHLUNG ${amount}`,
    otherTransfer: (type, amount) => `${type} ${amount}`,
    unknownTransfer: 'unbekannter Transfer',
    moved: (transfer, where) => `${transfer} ${where}`,
    closed: (gain, outcome) => `SCHLIESSUNG ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    won: (gain, outcome) => `GEWINN ${gain}${on(outcome)}`,
    lost: (gain, outcome) => `VERLUST ${gain}${on(outcome)}`,
    of: (wallet, sentence) => `${wallet}: ${sentence}`,
    late: (figure, count) =>
      `${figure} ${form(count, { one: 'verspätete Meldung', other: 'verspätete Meldungen' })}`,
    missing: {
      trades: 'Hier fehlen vielleicht Trades',
      transfers: 'Hier fehlen vielleicht Ein- oder Auszahlungen',
      watch: 'gerade keine Meldungen, die Einstellungen sind unlesbar',
    },
    severalOf: (figure, count, wallet) =>
      `${figure} ${form(count, { one: 'Meldung', other: 'Meldungen' })} von ${wallet}`,
    several: (figure, count, wallets) =>
      `${figure} ${form(count, { one: 'Meldung', other: 'Meldungen' })} von ${wallets} Wallets`,
    largest: (sentence) => `größte: ${sentence}`,
  },
  fills: (figure, count) =>
    `${figure} ${form(count, { one: 'Ausführung', other: 'Ausführungen' })}`,
  redemptions: (figure, count) =>
    `${figure} ${form(count, { one: 'Einlösung', other: 'Einlösungen' })}`,
  roles: { maker: 'Maker', taker: 'Taker', both: 'Maker und Taker' },
  marketWithoutTitle: 'Markt ohne Titel',
  links: {
    transaction: 'Transaktion',
    hash: (hash) => `Tx ${hash}`,
    unknownHash: 'unbekannt',
    short: 'Tx',
  },
  transfers: {
    unknownAddress: 'unbekannte Adresse',
  },

  late: (delay) => `${delay} verspätet`,
  clocksDisagree: (ahead) => `Verzögerung unbekannt: ${ahead} später datiert als diese Meldung`,

  amended: {
    trade: (wallet, change) => `Trade${wallet === '' ? '' : ` von ${wallet}`} geändert: ${change}`,
    redemption: (wallet, change) =>
      `Einlösung${wallet === '' ? '' : ` von ${wallet}`} geändert: ${change}`,
    change: (outcome, before, after) => `**${outcome} ${before}** → **${after}**`,
    cause: `Von ${venue.dative} geändert. Frühere Meldungen bleiben, wie sie waren`,
  },

  gap: {
    causes: {
      overflow: 'Es kam zu viel auf einmal, um alles zu lesen',
      unclear: `${venue.start} lieferte Unlesbares oder änderte alte Einträge`,
      damage: 'Die gespeicherten Daten zu dieser Wallet waren beschädigt',
      backlog: 'Hier warteten zu viele Meldungen',
      watch: 'Die gespeicherten Einstellungen zu dieser Wallet sind beschädigt',
    },
    missing: {
      trades: (from, to) => `Vielleicht fehlen Trades oder Einlösungen (${from} – ${to}).`,
      transfers: (from, to) => `Vielleicht fehlen Ein- oder Auszahlungen (${from} – ${to}).`,
      watch: () =>
        'Meldungen zu dieser Wallet pausieren hier. ' +
        'Der Betreiber des Bots kann ihre Einstellungen reparieren, ' +
        `oder du fügst sie mit ${slash.add} neu hinzu.`,
    },
  },

  lines: {
    buy: (what) => `**Kauf ${what}**`,
    sell: (what) => `**Verkauf ${what}**`,
    redeem: (what) => `**Einlösung ${what}**`,
    other: (action, what) => `**${action} ${what}**`,
    unknownAction: 'Unbekannte Aktion',
    unknownTransfer: 'Unbekannter Transfer',
    paid: (amount) => `bezahlt ${amount}`,
    received: (amount) => `erhalten ${amount}`,
    net: (amount) => `netto ${amount}`,
    from: (address) => `von ${address}`,
    to: (address) => `an ${address}`,
    otherSide: (address) => `Gegenseite ${address}`,
    viaBridge: 'über Bridge',
  },

  catchUp: {
    range: (from, to) => `${from} – ${to}`,
    paid: (what, amount) => `${what}, bezahlt **${amount}**`,
    received: (what, amount) => `${what}, erhalten **${amount}**`,
    moved: (what, amount) => `${what}, **${amount}**`,
    kinds: {
      buy: (count, n) => `${count} ${form(n, { one: 'Kauf', other: 'Käufe' })}`,
      sell: (count, n) => `${count} ${form(n, { one: 'Verkauf', other: 'Verkäufe' })}`,
      redeem: (count, n) => `${count} ${form(n, { one: 'Einlösung', other: 'Einlösungen' })}`,
      deposit: (count, n) => `${count} ${form(n, { one: 'Einzahlung', other: 'Einzahlungen' })}`,
      withdrawal: (count, n) => `${count} ${form(n, { one: 'Auszahlung', other: 'Auszahlungen' })}`,
    },
    other: (count, kind) => `${count} × ${kind}`,
    unknownKind: 'unbekannt',
    results: (count, n) =>
      `${count} ${form(n, { one: 'Ergebnis', other: 'Ergebnisse' })} zu Meldungen hier`,
    agreements: (count, n) =>
      `${count} ${form(n, { one: 'Konsens-Meldung', other: 'Konsens-Meldungen' })}`,
    amended: (count, n) =>
      `${count} ${form(n, { one: 'geänderter Trade', other: 'geänderte Trades' })}`,
    gaps: (count, n) => `${count} ${form(n, { one: 'mögliche Lücke', other: 'mögliche Lücken' })}`,
    more: (count) => `… und ${count} weitere. ${slash.activity} und ${slash.flows} zeigen alle.`,
  },
});
