import type { RecordWords } from '../../en/alert/record.ts';

export const record: RecordWords = {
  won: (percent, markets, price) => `${markets}件中 ${percent} 的中 @ ${price}`,
  edge: (edge) => `${edge}/シェア`,
  edgeAndError: (edge, error) => `1シェアあたり ${edge} ± ${error}`,
  betterThanLuck: '運だけでは説明できない',
  withoutEnd: (count, markets) => `${markets}件中 ${count}件は結果不明（損失扱い）`,
  upTo: (day) => `${day} までの購入`,
  oneIn: (n) => `${n}件に1件のマーケットを集計`,
  before: (figures) => `ウォッチ前：${figures}`,
  tooEarly: (markets, needed) => `判断にはまだ早い：${needed}件中 ${markets}件`,
  fromAbout: (tooEarly, day) => `${tooEarly}、${day} 頃から`,
  tooFewDays: (days, needed) => `判断にはまだ早い：購入日数 ${days}/${needed}日`,
  tooCheap: '判断にはまだ早い：大穴はより多くのマーケットが必要',
};
