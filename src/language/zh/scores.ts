import type { ScoreWords } from '../en/scores.ts';
import { first } from './place.ts';

export const scores: ScoreWords = {
  title: '钱包战绩',
  intro: (channel) => `${first(channel)}钱包自关注以来的首次买入，已扣所列手续费，按其自身买价`,
  silent: (count) => `${count} 个钱包：关注时间太短`,
  more: (count) => `… 另有 ${count} 个`,
  nothing:
    '还没有战绩。首次买入满一定时间（按钱包自身的节奏）后，市场才计入；买入满 20 个市场、分布在 8 个不同的日子，即开始排名。',
  hidden: (channel) => `你看不到 ${channel}，因此不显示其战绩。`,
  elsewhere: (channel) => `这里并非所有人都能看到 ${channel}。请到该频道使用此命令。`,
  chart: {
    title: '每份美分，灰色：运气',
    beyond: '超出坐标轴',
    alt: '已排名钱包的每份美分，以及单凭运气可解释的范围',
  },
};
