import type { ScoreWords } from '../en/scores.ts';

export const scores: ScoreWords = {
  title: 'ウォレットの成績',
  intro: (channel) => `${channel} のアラートの結末`,
  method:
    'アラートの価格での 1 ドルあたりの収益率（手数料込み）± 標準誤差。順位は収益率から標準誤差を引いた値によります。30 日を超えて未決済のマーケットは損失として数えます。',
  unranked: '順位なし：決済済みマーケットが 20件未満',
  won: (won, markets) => `決済済み ${markets}件中 ${won}件が利益`,
  closedAlone: (figure) => `決済済みのみ ${figure}`,
  open: (count) => `未決済 ${count}件`,
  openOldest: (count, _n, oldest) => `未決済 ${count}件、最も古いものは ${oldest} から`,
  overdue: (count) => `30 日超 ${count}件は損失扱い`,
  givenUp: (count) => `追跡終了 ${count}件`,
  noneClosed: '決済済みはまだありません',
  noAlerts: (count) => `購入アラートがまだないウォレット：${count}件`,
  more: (count) => `… ほか ${count}件`,
  nothing:
    '成績はまだありません。ここではこれらのウォレットの購入アラートがまだ届いていません。届くとウォレットがここに表示されます。アラートのあった分をすべて売却または償還したマーケットが 1件と数えられ、20件から順位が付きます。',
  hidden: (channel) => `${channel} を見る権限がないため、成績は表示しません。`,
  elsewhere: (channel) =>
    `このチャンネルを読む人の中に ${channel} を見られない人がいます。成績はそのチャンネルで表示してください。`,
  chart: {
    title: '1 ドルあたりの収益率 ± 標準誤差',
    ranked: '30 日超は損失扱い',
    closed: '決済済みのみ',
    beyond: '軸の範囲外',
    alt: '順位のあるウォレットの 1 ドルあたりの収益率と誤差',
  },
  digest: { all: '成績', ends: (count) => `成績：${count}件中の上位と下位` },
};
