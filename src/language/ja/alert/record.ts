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
  luckReaches: (share, cents) => `${share}、運だけでも ${cents} まではあり得る`,
  moreCompared: '比較対象のウォレットが増えたため',
  beyondLuck: (cents) =>
    `1シェアあたり ${cents} は運を超える分：ウォレットの購入価格にこれを超えて上乗せすると、確認された優位性は残らない`,
  markets: (markets) => `${markets}件のマーケット`,
  noKnownEnd: (count) => `${count}件は結果不明`,
  won: (percent, markets, _n, price) => `マーケット${markets}件中 ${percent} 的中、平均 ${price}`,
  withoutEnd: (count, markets) => `${markets}件中 ${count}件は結果不明（損失扱い）`,
  upTo: (day) => `${day} までの購入`,
  oneIn: (n) => `${n}件に1件のマーケットを集計`,
  before: (figures) => `ウォッチ前：${figures}`,
  boughtOn: (days) => `購入した日はまだ${days}日だけ`,
  tooCheap: (markets) => `価格が低く、${markets}件では判断できない`,
  unknownPace: 'マーケットが終わるまでの期間がまだ不明',
  firstWord: (day) => `最初の判断は ${day} 頃`,
};
