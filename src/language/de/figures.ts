import type { FigureWords } from '../en/figures.ts';

export const figures: FigureWords = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  unknown: 'unbekannt',
  shares: (figure, isOne) => `${figure} ${isOne ? 'Anteil' : 'Anteile'}`,
};
