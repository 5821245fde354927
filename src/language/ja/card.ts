import type { CardWords } from '../en/card.ts';

export const card: CardWords = {
  fromList: (reach) => `対象：${reach}`,
  names: {
    cameBack: '回収額',
    open: '保有中',
    volume: '取引高',
    usual: '普段の1回の取引額（中央値）',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} / 支払 ${paid}`,
    atLeast: (gain) => `少なくとも ${gain}`,
    markets: (markets, _n, day) => `最初の購入が ${day} までの${markets}件`,
    withoutEnd: (count, _n, paid) => `結果不明の${count}件（${paid}）は回収ゼロとして計算`,
    tooEarly: '合計を出すにはまだ早い',
  },
  ofFew: (trades) => `${trades}件のみ`,
  upTo: (p95) => `${p95} 超はまれ`,
  positions: {
    all: (markets, _n, paid) => `${markets}件 · 支払 ${paid}`,
    withoutTitle: 'タイトルのないマーケット',
    withoutSide: 'シェア',
  },
  didNotFit: (lines) => `ほか${lines}行を省略`,
};
