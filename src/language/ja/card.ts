import type { CardWords } from '../en/card.ts';

export const card: CardWords = {
  fromList: (reach) => `${reach}に基づく`,
  knownFromFirst: '最初からのすべての取引',
  names: {
    realized: '実現損益',
    volume: '取引高',
    usual: '通常の取引',
    lastDeposit: '最後の入金',
    lastWithdrawal: '最後の出金',
    record: '成績',
    positions: '保有ポジション',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  won: (won, all) => `${all}件中${won}件が利益`,
  onOpen: (gain) => `保有中 ${gain}`,
  taker: (percent) => `テイカー ${percent}`,
  ofFew: (trades) => `わずか${trades}件`,
  upTo: (p95) => `95% は ${p95} 以下`,
  noTransfer: 'なし',
  since: (time) => `${time} 以降`,
  completeSince: (time) => `${time} 以降は完全`,
  positions: {
    all: (positions, _n, cost) => `${positions}件 · 取得額 ${cost}`,
    at: (paid, averageEntry) => `${paid} @ ${averageEntry}`,
    withoutTitle: 'タイトルのないマーケット',
    withoutSide: 'シェア',
  },
  didNotFit: (lines) => `ほか${lines}行を省略`,
};
