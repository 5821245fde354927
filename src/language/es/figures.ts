import type { FigureWords } from '../en/figures.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const figures: FigureWords = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  unknown: 'desconocido',
  shares: (figure, n) => `${figure} ${form(n, { one: 'acción', other: 'acciones' })}`,
};
