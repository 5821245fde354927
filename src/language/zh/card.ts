import type { CardWords } from '../en/card.ts';

export const card: CardWords = {
  fromList: (reach) => `依据：${reach}。`,
  knownFromFirst: '自第一笔起的全部交易',
  names: {
    realized: '已实现盈亏',
    volume: '成交量',
    usual: '单笔规模',
    lastDeposit: '最近充值',
    lastWithdrawal: '最近提现',
    record: '战绩',
    positions: '持仓',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  won: (won, all) => `${all} 个中 ${won} 个盈利`,
  onOpen: (gain) => `未平仓 ${gain}`,
  taker: (percent) => `吃单方 ${percent}`,
  ofFew: (trades) => `仅 ${trades} 笔`,
  upTo: (p95) => `95% 不超过 ${p95}`,
  noTransfer: '无',
  since: (time) => `${time} 以来`,
  completeSince: (time) => `${time} 以来完整`,
  positions: {
    all: (positions, _n, cost) => `${positions} 个 · 成本 ${cost}`,
    at: (paid, averageEntry) => `${paid} @ ${averageEntry}`,
    withoutTitle: '无标题市场',
    withoutSide: '份',
  },
  didNotFit: (lines) => `${lines} 行放不下`,
};
