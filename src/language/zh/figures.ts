import type { FigureWords } from '../en/figures.ts';

export const figures: FigureWords = {
  second: '秒',
  minute: '分',
  hour: '小时',
  day: '天',
  unknown: '未知',
  shares: (figure) => `${figure} 份`,
};
