import type { NumberTexts } from '../en/figures.ts';

export const format: NumberTexts = {
  second: '秒',
  minute: '分',
  hour: '小时',
  day: '天',
  unitGap: ' ',
  typed: { w: ['周'], d: ['天'], h: ['小时'], m: ['分', '分钟'], s: ['秒'] },
  currencyDisplay: 'narrowSymbol',
  percent: (figure) => `${figure}%`,
  cents: (figure) => `${figure}¢`,
  unknown: '未知',
  shares: (figure) => `${figure} 份`,
};
