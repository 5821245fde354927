import type { NumberTexts } from '../en/figures.ts';

export const format: NumberTexts = {
  second: '秒',
  minute: '分',
  hour: '時間',
  day: '日',
  unitGap: '',
  quotes: ['「', '」'],
  typed: { w: ['週間'], d: ['日'], h: ['時間'], m: ['分'], s: ['秒'] },
  ago: [{ before: '', after: '前' }],
  currencyDisplay: 'narrowSymbol',
  percent: (figure) => `${figure}%`,
  cents: (figure) => `${figure}¢`,
  unknown: '不明',
  shares: (figure) => `${figure}シェア`,
};
