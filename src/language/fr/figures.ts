import type { FigureWords } from '../en/figures.ts';

export const figures: FigureWords = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'j',
  unknown: 'inconnu',
  shares: (figure, isOne) => `${figure} ${isOne ? 'part' : 'parts'}`,
};
