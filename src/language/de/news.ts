import type { NewsWords } from '../en/news.ts';
import { plural } from '../plural.ts';

const form = plural('de');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: 'Eröffnet eine Position',
    firstInMarket: 'erster Trade in diesem Markt',
    adds: (shares) => `Baut ${shares} aus`,
    now: (shares) => `jetzt ${shares}`,
    reduces: (shares) => `Verkleinert auf ${shares}`,
    closes: 'Schließt die Position',
    entry: (price) => `Ø Einstieg ${price}`,
    realized: (gain) => `realisiert ${gain}`,
    realizedOfSeen: (gain) => `Realisiert ${gain} auf gesehene Käufe`,
    unseen: (shares) => `${shares} ohne gesehenen Kauf: Ergebnis unbekannt`,
    since: (time) => `soweit seit ${time} gesehen`,
    otherSide: (shares) => `Hält auch ${shares} der Gegenseite`,
    unusual: (amount) => `**Ungewöhnliche Größe**: ${amount}`,
    usual: (trades, amount) => `95 % der letzten ${trades} Trades lagen bei höchstens ${amount}`,
  },
  brief: {
    opens: 'eröffnet',
    adds: 'baut aus',
    reduces: 'verkleinert',
    closes: 'schließt',
    unseen: 'Kauf nicht gesehen, Ergebnis unbekannt',
    partlyUnseen: 'Kauf teils nicht gesehen',
    realized: (amount) => `realisiert ${amount}`,
    unusual: '**ungewöhnliche Größe**',
    comma: ', ',
    since: (texts, time) => `${texts} (gesehen seit ${time})`,
  },

  consensus: {
    took: (count, side) => `${count} beobachtete Wallets kauften ${side}`,
    nowTook: (count, side) => `Inzwischen kauften ${count} beobachtete Wallets ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Beobachtete Wallets sind uneins: ${count} auf ${side}, ${opposing} ${opposingSide === undefined ? 'dagegen' : `auf ${opposingSide}`}`,
    side: (side, weight) => `${side}: ${weight}`,
    otherOutcomes: 'Andere Ausgänge',
    unknownSide: 'Ausgang ohne Namen',
    weight: (amount, shares, average) =>
      `**${amount}** für ${shares}${average === undefined ? '' : `, im Schnitt ${average}`}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${average === undefined ? '' : `, im Schnitt ${average}`}`,
    more: (count) => `… und ${count} weitere`,
    hedged: (count, n) =>
      form(n, {
        one: `${count} weiteres kaufte beide Seiten und zählt auf keiner`,
        other: `${count} weitere kauften beide Seiten und zählen auf keiner`,
      }),
    bought: (from, to) => `Gekauft zwischen ${from} und ${to}`,
    rule: (wallets, duration) => `Käufe von mindestens ${wallets} Wallets binnen ${duration}`,
    agreeLine: (count, side) => `**${count} beobachtete Wallets auf ${side}**`,
    disagreeLine: (count, side, opposing, opposingSide) =>
      `**${count} beobachtete Wallets auf ${side}, ${opposing} auf ${opposingSide ?? 'anderen Ausgängen'}**`,
    against: (amount, opposing) => `${amount} gegen ${opposing}`,
  },

  result: {
    title: (wallet, gain) => `${wallet} schloss, was hier gemeldet wurde: ${gain}`,
    line: (amount, percent) =>
      `**Schloss, was hier gemeldet wurde, ${amount}**${percent === undefined ? '' : ` (${percent})`}`,
    paid: (amount) => `Bezahlt ${amount}`,
    received: (amount) => `erhalten ${amount}`,
    noFees: 'keine Gebühren',
    fees: (amount) => `${amount} Gebühren eingerechnet`,
    held: (from, to, duration) => `Von ${from} bis ${to}, ${duration}`,
    footer: 'Ergebnis der hier gemeldeten Käufe',
  },
  score: {
    noneClosed: 'Meldungen hier: noch keine abgeschlossen',
    won: (won, markets, n, low, high) =>
      `Meldungen hier: ${won} von ${markets} ${form(n, { one: 'abgeschlossenem Markt', other: 'abgeschlossenen Märkten' })} gewonnen (95-%-Intervall ${low} bis ${high} %)`,
    perDollar: (percent, error) => `${percent}${error === undefined ? '' : ` ± ${error} %`} je Dollar`,
    smallSample: '**kleine Stichprobe**',
    open: (count, _n, oldest) => `${count} noch offen${oldest === undefined ? '' : `, am längsten seit ${oldest}`}`,
    givenUp: (count) => `${count} ungesehen aufgegeben`,
  },
};
