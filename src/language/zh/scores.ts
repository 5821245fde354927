import type { ScoreWords } from '../en/scores.ts';
import { first } from './place.ts';

export const scores: ScoreWords = {
  title: '钱包战绩',
  intro: (channel) => `${first(channel)}关注的钱包自关注以来的首次买入`,
  method: '已扣所列手续费，按钱包自己的价格。按美分减去一个标准误差排名。',
  unranked: '样本不足，暂不排名',
  silent: (count) => `买入时间还不够久：${count} 个钱包`,
  more: (count) => `… 另有 ${count} 个`,
  nothing:
    '还没有战绩。首次买入满一定时间（按钱包自身的节奏）后，市场才计入；买入满 20 个市场、分布在 8 个不同的日子，即开始排名。',
  hidden: (channel) => `你看不到 ${channel}，因此不显示其战绩。`,
  elsewhere: (channel) => `这里并非所有人都能看到 ${channel}。请到该频道使用此命令。`,
  chart: {
    title: '首次买入的每份美分 ± 标准误差',
    beyond: '超出坐标轴',
    alt: '已排名钱包的每份美分及误差',
  },
  digest: { all: '战绩', best: (count) => `战绩最佳：共 ${count} 个` },
};
