import type { RecordWords } from '../../en/alert/record.ts';

export const record: RecordWords = {
  verdicts: {
    better: '運だけでは説明できない',
    luck: '運かもしれない',
    noEdge: '優位性は見られない',
    tooEarly: '判断にはまだ早い',
  },
  betterThanLuck: '運だけでは説明できない',
  share: (cents) => `1シェアあたり ${cents}`,
  luckReaches: (share, cents) => `${share}、運だけで届くのは ${cents}`,
  moreCompared: '比べるウォレットが増えた',
  beyondLuck: (cents) =>
    `1シェアあたり ${cents} は運を超える分：ウォレットの価格よりこれ以上高く払うと、示された優位性は残らない`,
  markets: (markets) => `${markets}件のマーケット`,
  noKnownEnd: (count) => `${count}件は結果不明`,
  won: (percent, markets, price) => `${markets}件中 ${percent} 的中、平均 ${price}`,
  withoutEnd: (count, markets) => `${markets}件中 ${count}件は結果不明（損失扱い）`,
  upTo: (day) => `${day} までの購入`,
  oneIn: (n) => `${n}件に1件のマーケットを集計`,
  before: (figures) => `ウォッチ前：${figures}`,
  boughtOn: (days) => `購入日数 ${days}日`,
  tooCheap: (markets) => `価格が低く、${markets}件では判断できない`,
  unknownPace: 'マーケットが終わるまでの期間がまだ不明',
  firstWord: (day) => `最初の判断は ${day} 頃`,
};
