import type { NumberTexts } from '../en/figures.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const format: NumberTexts = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  unitGap: '\u00a0',
  quotes: ['“', '”'],
  typed: {
    w: ['semana', 'semanas'],
    d: ['dia', 'dias'],
    h: ['hora', 'horas'],
    m: ['minuto', 'minutos'],
    s: ['segundo', 'segundos'],
  },
  ago: [
    { before: 'há', after: '' },
    { before: '', after: 'atrás' },
  ],
  // A bare $ is unusual in Portuguese.
  currencyDisplay: 'symbol',
  percent: (figure) => `${figure}%`,
  cents: (figure) => `${figure}¢`,
  unknown: 'desconhecido',
  shares: (figure, n) => `${figure} ${form(n, { one: 'ação', other: 'ações' })}`,
};
