import type { FigureWords } from '../en/figures.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const figures: FigureWords = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'j',
  unknown: 'inconnu',
  shares: (figure, n) => `${figure} ${form(n, { one: 'part', other: 'parts' })}`,
};
