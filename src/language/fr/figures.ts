import type { NumberTexts } from '../en/figures.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const format: NumberTexts = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'j',
  unitGap: ' ',
  quotes: ['«\u00a0', '\u00a0»'],
  typed: {
    w: ['semaine', 'semaines'],
    d: ['j', 'jour', 'jours'],
    h: ['heure', 'heures'],
    m: ['mn'],
    s: ['seconde', 'secondes'],
  },
  ago: [{ before: 'il y a', after: '' }],
  currencyDisplay: 'narrowSymbol',
  percent: (figure) => `${figure}\u00a0%`,
  cents: (figure) => `${figure}\u00a0¢`,
  unknown: 'inconnu',
  shares: (figure, n) => `${figure} ${form(n, { one: 'part', other: 'parts' })}`,
};
