import type { NumberTexts } from '../en/figures.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const format: NumberTexts = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  unitGap: '\u00a0',
  quotes: ['«', '»'],
  typed: {
    w: ['semana', 'semanas'],
    d: ['día', 'días', 'dia', 'dias'],
    h: ['hora', 'horas'],
    m: ['minuto', 'minutos'],
    s: ['segundo', 'segundos'],
  },
  ago: [
    { before: 'hace', after: '' },
    { before: '', after: 'atrás' },
  ],
  currencyDisplay: 'narrowSymbol',
  percent: (figure) => `${figure}\u00a0%`,
  cents: (figure) => `${figure}\u00a0¢`,
  unknown: 'desconocido',
  shares: (figure, n) => `${figure} ${form(n, { one: 'acción', other: 'acciones' })}`,
};
