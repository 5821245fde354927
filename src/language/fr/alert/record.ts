import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('fr');

export const record: RecordWords = {
  verdicts: {
    better: 'Mieux que le hasard',
    luck: 'Peut-être dû au hasard',
    noEdge: 'Aucun avantage visible',
    tooEarly: 'Trop tôt pour le dire',
  },
  betterThanLuck: 'mieux que le hasard',
  share: (cents) => `${cents} par part`,
  luckExplains: (share, cents) => `${share}, jusqu’à ${cents} par le seul hasard`,
  moreCompared: 'davantage de wallets sont comparés désormais',
  beyondLuck: (cents) =>
    `${cents} par part vont au-delà du hasard. ` +
    'Si tu paies plus que cela au-dessus du prix du wallet, il ne reste aucun avantage démontré.',
  markets: (markets, n) => `${markets} ${form(n, { one: 'marché', other: 'marchés' })}`,
  noKnownEnd: (count) => `${count} à l’issue inconnue`,
  won: (percent, paidFor) => `${percent} gagnés, ${paidFor} d’après le prix payé`,
  withoutEnd: (count, markets, n) =>
    `${count} sur ${markets} à l’issue inconnue, ` +
    `${form(n, { one: 'compté', other: 'comptés' })} pour zéro`,
  upTo: (day) => `achats jusqu’au ${day}`,
  oneIn: (n) => `un marché sur ${n} est compté`,
  before: (figures) => `avant d’être suivi ici\u00a0: ${figures}`,
  boughtOn: (days, n) => `achats sur ${days} ${form(n, { one: 'jour', other: 'jours' })} seulement`,
  tooCheap: (markets) => `trop de paris improbables pour en juger sur ${markets} marchés`,
  unknownPace: 'la durée de ses marchés n’est pas encore connue',
  firstVerdict: (day) => `premier verdict vers le ${day}`,
};
