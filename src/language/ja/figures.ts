import type { FigureWords } from '../en/figures.ts';

export const figures: FigureWords = {
  second: '秒',
  minute: '分',
  hour: '時間',
  day: '日',
  unknown: '不明',
  shares: (figure) => `${figure} シェア`,
};
