import type { ScoreWords } from '../en/scores.ts';

export const scores: ScoreWords = {
  title: 'ウォレットの成績',
  intro: (channel) => `${channel} のウォレットの、ウォッチ開始後の最初の購入`,
  method: '記載の手数料控除後、ウォレット自身の価格。順位はセントから標準誤差を引いた値。',
  unranked: '順位を付けるにはまだ早い',
  silent: (count) => `十分に古い購入がまだないウォレット：${count}件`,
  more: (count) => `… ほか${count}件`,
  nothing:
    '成績はまだありません。マーケットは、最初の購入からウォレットのペースに応じた時間がたつと数えます。8日に分けて買った20件から順位が付きます。',
  hidden: (channel) => `${channel} を見る権限がないため、成績は表示しません。`,
  elsewhere: (channel) =>
    `このチャンネルを読む人の中に ${channel} を見られない人がいます。成績はそのチャンネルで表示してください。`,
  chart: {
    title: '最初の購入の1シェアあたりセント ± 標準誤差',
    beyond: '範囲外',
    alt: '順位のあるウォレットの1シェアあたりセントと誤差',
  },
  digest: { all: '成績', best: (count) => `成績上位：${count}件中` },
};
