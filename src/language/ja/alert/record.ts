import type { RecordWords } from '../../en/alert/record.ts';

export const record: RecordWords = {
  verdicts: {
    better: '運だけでは説明できない',
    luck: '運かもしれない',
    noEdge: '優位性は見られない',
    tooEarly: '判定にはまだ早い',
  },
  betterThanLuck: '運だけでは説明できない',
  share: (cents) => `1シェアあたり ${cents}`,
  luckExplains: (share, cents) => `${share}、運だけでも ${cents} まではあり得る`,
  moreCompared: '比較対象のウォレットが増えたため',
  beyondLuck: (cents) =>
    `1シェアあたり ${cents} は運を超える分。ウォレットの購入価格をこれより高く上回って買うと、確認された優位性は残らない`,
  markets: (markets) => `${markets}件のマーケット`,
  noKnownEnd: (count) => `${count}件は結果不明`,
  won: (percent, paidFor) => `的中 ${percent}、購入価格は ${paidFor} 相当`,
  withoutEnd: (count, markets) => `${markets}件中 ${count}件は結果不明（0として計算）`,
  upTo: (day) => `${day} までの購入`,
  oneIn: (n) => `${n}件に1件のマーケットを集計`,
  before: (figures) => `ウォッチ前：${figures}`,
  boughtOn: (days) => `購入した日はまだ${days}日だけ`,
  tooCheap: (markets) => `大穴狙いが多く、${markets}件では判定できない`,
  unknownPace: 'マーケットが終わるまでの期間がまだ不明',
  firstVerdict: (day) => `最初の判定は ${day} 頃`,
};
