import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('fr');

export const record: RecordWords = {
  won: (percent, markets, price) => `${percent} gagnés sur ${markets} à ${price}`,
  edge: (edge) => `${edge}/part`,
  edgeAndError: (edge, error) => `${edge} ± ${error} par part`,
  betterThanLuck: 'mieux que le hasard',
  withoutEnd: (count, markets, n) =>
    `${count} sur ${markets} sans fin connue, ${form(n, { one: 'compté comme perdu', other: 'comptés comme perdus' })}`,
  upTo: (day) => `achats jusqu’au ${day}`,
  oneIn: (n) => `un marché sur ${n} est compté`,
  before: (figures) => `avant que tu le suives\u00a0: ${figures}`,
  tooEarly: (markets, needed) => `trop tôt\u00a0: ${markets} marchés sur ${needed}`,
  fromAbout: (tooEarly, day) => `${tooEarly}, vers le ${day}`,
  tooFewDays: (days, needed) => `trop tôt\u00a0: ${days} jours d’achat sur ${needed}`,
  tooCheap: 'trop tôt\u00a0: les paris improbables demandent plus de marchés',
};
