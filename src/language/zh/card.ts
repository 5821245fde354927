import type { CardWords } from '../en/card.ts';

export const card: CardWords = {
  fromList: (reach) => `依据：${reach}。`,
  names: {
    cameBack: '回款',
    open: '持仓中',
    volume: '成交量',
    usual: '常见单笔金额',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} / 投入 ${paid}`,
    atLeast: (gain) => `至少 ${gain}`,
    markets: (markets, _n, day) => `截至 ${day} 首次买入的 ${markets} 个市场`,
    withoutEnd: (count, _n, paid) => `其中 ${count} 个（${paid}）结果未知，按回款 0 计`,
    tooEarly: '样本太少，暂不合计',
  },
  ofFew: (trades) => `仅 ${trades} 笔`,
  upTo: (p95) => `很少超过 ${p95}`,
  positions: {
    all: (markets, _n, paid) => `${markets} 个市场 · 投入 ${paid}`,
    withoutTitle: '无标题市场',
    withoutSide: '份',
  },
  didNotFit: (lines) => `另有 ${lines} 行未显示`,
};
