import type { ScoreWords } from '../en/scores.ts';

export const scores: ScoreWords = {
  title: '钱包战绩',
  intro: (channel) => `${channel} 中提醒的结果`,
  method:
    '按提醒价格计算的每 1 美元收益率（已计手续费）± 一个标准误差。按收益率减去该误差排名；开仓超过 30 天的市场按亏损计算。',
  unranked: '未排名：已平仓市场少于 20 个',
  won: (won, markets) => `${markets} 个已平仓市场中 ${won} 个盈利`,
  closedAlone: (figure) => `仅计已平仓 ${figure}`,
  open: (count) => `${count} 个未平仓`,
  openOldest: (count, _n, oldest) => `${count} 个未平仓，最早自 ${oldest}`,
  overdue: (count) => `${count} 个超过 30 天，按亏损计算`,
  givenUp: (count) => `${count} 个已放弃跟踪`,
  noneClosed: '尚无已平仓的市场',
  noAlerts: (count) => `尚无买入提醒：${count} 个钱包`,
  more: (count) => `… 另有 ${count} 个`,
  nothing:
    '还没有战绩：这些钱包的买入尚未在此提醒过。一旦有过，该钱包就会列在这里；钱包把提醒过的份额全部卖出或赎回后，该市场才计入，满 20 个这样的市场后开始排名。',
  hidden: (channel) => `你看不到 ${channel}，因此不显示其战绩。`,
  elsewhere: (channel) => `并非所有能阅读此频道的人都能看到 ${channel}。请到那里查看其战绩。`,
  chart: {
    title: '每 1 美元收益率 ± 标准误差',
    ranked: '超过 30 天按亏损',
    closed: '仅计已平仓',
    beyond: '超出坐标轴',
    alt: '已排名钱包的每 1 美元收益率及误差',
  },
  digest: { all: '战绩', ends: (count) => `战绩：${count} 个中的最佳与最差` },
};
