import type { NewsWords } from '../../en/alert/news.ts';
import { plural } from '../../plural.ts';

const form = plural('de');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: (shares) => `Neue Position: ${shares}`,
    firstInMarket: 'erster Trade in diesem Markt',
    now: (held) => `Jetzt ${held}`,
    closes: 'geschlossen',
    allSold: 'alles verkauft',
    left: (shares) => `${shares} übrig`,
    bought: (figure) => `gekauft ${figure}`,
    entry: (average) => `Einstieg ${average}`,
    otherSide: (shares) => `hält auch ${shares} der Gegenseite`,
    size: (factor) => `${factor}× so groß wie üblich`,
  },

  alsoHere: {
    line: (wallets) => `auch hier: ${wallets}`,
    holds: (wallet, holdings) => `${wallet} ${holdings}`,
    at: (what, price) => `${what} zu ${price}`,
    out: (wallet) => `${wallet} ausgestiegen`,
  },

  consensus: {
    took: (count, side) => `${count} Wallets haben ${side} gekauft`,
    nowTook: (count, side) => `Jetzt haben ${count} Wallets ${side} gekauft`,
    disagree: (count, side, opposing, opposingSide) =>
      `Wallets uneins: ${count} auf ${side}, ` +
      `${opposing} ${opposingSide === undefined ? 'dagegen' : `auf ${opposingSide}`}`,
    otherOutcomes: 'andere Ausgänge',
    unknownSide: 'unbekannter Ausgang',
    priced: (amount, average) => `${amount}${average === undefined ? '' : ` zu ${average}`}`,
    allSold: (what) => `${what} gekauft, alles verkauft`,
    halfSold: ', zur Hälfte verkauft',
    partSold: (percent) => `, ${percent} verkauft`,
    soldUnknown: ', seither evtl. verkauft',
    more: (count) => `… und ${count} weitere`,
    hedged: (count, n) =>
      form(n, {
        one: `${count} weitere hat beide Seiten gekauft und zählt für keine`,
        other: `${count} weitere haben beide Seiten gekauft und zählen für keine`,
      }),
    within: (duration) => `alle innerhalb von ${duration}`,
    firstWithin: (wallet, duration) => `${wallet} zuerst, alle innerhalb von ${duration}`,
    against: (amount, opposing) => `${amount} gegen ${opposing}`,
  },

  result: {
    position: (gain) => `Position ${gain}`,
    ofAlerted: (paid, gain) => `von ${paid}, die hier gemeldet wurden: ${gain}`,
    paid: (amount) => `Bezahlt ${amount}`,
    cost: (amount) => `bezahlt ${amount}`,
    received: (amount) => `erhalten ${amount}`,
    fees: (amount) => `Gebühren ${amount}`,
    cameTo: (amount) => `Endwert ${amount}`,
    settled: (outcome, payout) => `Markt abgerechnet: ${outcome} zahlt ${payout} pro Anteil`,
    held: (duration) => `${duration} gehalten`,
    severalClosed: (count, gain) => `${count} Positionen geschlossen: ${gain}`,
    gained: (count, all) => `${count} von ${all} mit Gewinn`,
    firstAlert: 'erste Meldung',
  },
};
