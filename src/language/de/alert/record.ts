import type { RecordWords } from '../../en/alert/record.ts';

export const record: RecordWords = {
  won: (percent, markets, price) => `${percent} von ${markets} gewonnen zu ${price}`,
  edge: (edge) => `${edge}/Anteil`,
  edgeAndError: (edge, error) => `${edge} ± ${error} pro Anteil`,
  betterThanLuck: 'besser als Zufall',
  withoutEnd: (count, markets) =>
    `${count} von ${markets} ohne bekanntes Ende, als verloren gezählt`,
  upTo: (day) => `Käufe bis ${day}`,
  oneIn: (n) => `gezählt wird einer von ${n} Märkten`,
  before: (figures) => `bevor du sie beobachtet hast: ${figures}`,
  tooEarly: (markets, needed) => `zu früh: ${markets} von ${needed} Märkten`,
  fromAbout: (tooEarly, day) => `${tooEarly}, ab etwa ${day}`,
  tooFewDays: (days, needed) => `zu früh: an ${days} von ${needed} Tagen gekauft`,
  tooCheap: 'zu früh: Außenseiter brauchen mehr Märkte',
};
