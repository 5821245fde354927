import type { NumberTexts } from '../en/figures.ts';
import { plural } from '../plural.ts';

const form = plural('de');

export const format: NumberTexts = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  unitGap: ' ',
  quotes: ['„', '“'],
  typed: {
    w: ['woche', 'wochen'],
    d: ['tag', 'tage', 'tagen'],
    h: ['std', 'stunde', 'stunden'],
    m: ['minuten'],
    s: ['sek', 'sekunde', 'sekunden'],
  },
  ago: [{ before: 'vor', after: '' }],
  currencyDisplay: 'narrowSymbol',
  percent: (figure) => `${figure}\u00a0%`,
  cents: (figure) => `${figure}\u00a0¢`,
  unknown: 'unbekannt',
  shares: (figure, n) => `${figure} ${form(n, { one: 'Anteil', other: 'Anteile' })}`,
};
