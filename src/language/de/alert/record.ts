import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('de');

export const record: RecordWords = {
  verdicts: {
    better: 'Besser als Zufall',
    luck: 'Kann Zufall sein',
    noEdge: 'Kein Vorteil zu sehen',
    tooEarly: 'Noch zu früh',
  },
  betterThanLuck: 'besser als Zufall',
  share: (cents) => `${cents} pro Anteil`,
  luckReaches: (share, cents) => `${share}, Zufall allein erreicht ${cents}`,
  moreCompared: 'jetzt werden mehr Wallets verglichen',
  beyondLuck: (cents) =>
    `${cents} pro Anteil sind mehr als Zufall: Wer mehr als das über ihrem Preis zahlt, dem bleibt nichts, was sich zeigen ließe`,
  markets: (markets, n) => `${markets} ${form(n, { one: 'Markt', other: 'Märkte' })}`,
  noKnownEnd: (count) => `${count} ohne bekanntes Ende`,
  won: (percent, markets, price) => `${percent} von ${markets} gewonnen, im Schnitt zu ${price}`,
  withoutEnd: (count, markets) =>
    `${count} von ${markets} ohne bekanntes Ende, als verloren gezählt`,
  upTo: (day) => `Käufe bis ${day}`,
  oneIn: (n) => `gezählt wird einer von ${n} Märkten`,
  before: (figures) => `bevor du sie beobachtet hast: ${figures}`,
  boughtOn: (days, n) => `an ${days} ${form(n, { one: 'Tag', other: 'Tagen' })} gekauft`,
  tooCheap: (markets) => `Preise zu niedrig, um nach ${markets} etwas zu sagen`,
  unknownPace: 'wie lange ihre Märkte dauern, ist noch nicht bekannt',
  firstWord: (day) => `erstes Urteil etwa am ${day}`,
};
