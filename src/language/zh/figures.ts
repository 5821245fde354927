import type { NumberTexts } from '../en/figures.ts';

export const format: NumberTexts = {
  second: '秒',
  minute: '分钟',
  hour: '小时',
  day: '天',
  unitGap: ' ',
  quotes: ['“', '”'],
  // In traditional characters as well, because Taiwan’s client shows these texts.
  typed: {
    w: ['周', '週', '个星期', '個星期'],
    d: ['天'],
    h: ['小时', '小時', '个小时', '個小時'],
    m: ['分', '分钟', '分鐘'],
    s: ['秒'],
  },
  ago: [{ before: '', after: '前' }],
  currencyDisplay: 'narrowSymbol',
  percent: (figure) => `${figure}%`,
  cents: (figure) => `${figure}¢`,
  unknown: '未知',
  shares: (figure) => `${figure} 份`,
};
