import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('de');

export const record: RecordWords = {
  verdicts: {
    better: 'Besser als Zufall',
    luck: 'Könnte Zufall sein',
    noEdge: 'Kein Vorteil erkennbar',
    tooEarly: 'Noch zu früh',
  },
  betterThanLuck: 'besser als Zufall',
  share: (cents) => `${cents} pro Anteil`,
  luckExplains: (share, cents) => `${share}, allein durch Zufall bis ${cents}`,
  moreCompared: 'jetzt werden mehr Wallets verglichen',
  beyondLuck: (cents) =>
    `${cents} pro Anteil gehen über Zufall hinaus. ` +
    'Zahlst du mehr als das über dem Preis der Wallet, ist kein Vorteil mehr nachgewiesen.',
  markets: (markets, n) => `${markets} ${form(n, { one: 'Markt', other: 'Märkte' })}`,
  noKnownEnd: (count) => `${count} ohne bekannten Ausgang`,
  won: (percent, paidFor) => `${percent} gewonnen, bezahlt für ${paidFor}`,
  withoutEnd: (count, markets) => `${count} von ${markets} ohne bekannten Ausgang, mit 0 gezählt`,
  upTo: (day) => `Käufe bis ${day}`,
  oneIn: (n) => `gezählt wird einer von ${n} Märkten`,
  before: (figures) => `bevor sie hier beobachtet wurde: ${figures}`,
  boughtOn: (days, n) => `erst an ${days} ${form(n, { one: 'Tag', other: 'Tagen' })} gekauft`,
  tooCheap: (markets) => `zu viele Außenseiter für ein Urteil nach ${markets} Märkten`,
  unknownPace: 'wie lange ihre Märkte laufen, ist noch nicht bekannt',
  firstVerdict: (day) => `erstes Urteil etwa am ${day}`,
};
