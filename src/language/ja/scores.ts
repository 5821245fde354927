import type { ScoreWords } from '../en/scores.ts';

export const scores: ScoreWords = {
  title: 'ウォレットの成績',
  intro: (channel) =>
    `${channel} での追加後の最初の購入（記載の手数料控除後、ウォレット自身の価格）`,
  silent: (count) => `${count}件のウォレットはまだ新しい`,
  more: (count) => `… ほか${count}件`,
  nothing:
    '成績はまだありません。マーケットは、最初の購入からウォレットのペースに応じた時間がたつと数えます。8日に分けて買った20件から順位が付きます。',
  hidden: (channel) => `${channel} を見る権限がないため、成績は表示しません。`,
  elsewhere: (channel) =>
    `このチャンネルを読む人の中に ${channel} を見られない人がいます。成績はそのチャンネルで表示してください。`,
  chart: {
    title: '1シェアあたりセント、灰色：運',
    beyond: '範囲外',
    alt: '順位のあるウォレットの1シェアあたりセントと、運だけで説明できる範囲',
  },
};
