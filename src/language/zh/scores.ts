import type { ScoreWords } from '../en/scores.ts';

export const scores: ScoreWords = {
  title: '钱包战绩',
  intro: (channel) => `${channel} 关注的钱包自关注以来的首次买入`,
  method:
    '每个市场只按首次买入计一次：这些份额的成本与所得（已计手续费），以每股美分 ± 一个标准误差表示，并按该数减去误差排名。同一天或同一事件的市场可能一起获胜，因此证明力较弱：10 美分约需 200 个市场，5 美分约需 700 个。这是钱包自己的价格，不是跟单者的价格。',
  unranked: '为时尚早，尚不排名',
  silent: (count) => `尚无足够久的买入：${count} 个钱包`,
  more: (count) => `… 另有 ${count} 个`,
  nothing: '还没有战绩。按钱包自身的节奏，首次买入足够久之后市场才计入；在 8 天内买入满 20 个市场后开始排名。',
  hidden: (channel) => `你看不到 ${channel}，因此不显示其战绩。`,
  elsewhere: (channel) => `并非所有能阅读此频道的人都能看到 ${channel}。请到那里查看其战绩。`,
  chart: {
    title: '首次买入的每股美分 ± 标准误差',
    beyond: '超出坐标轴',
    alt: '已排名钱包的每股美分及误差',
  },
  digest: { all: '战绩', best: (count) => `战绩最佳：共 ${count} 个` },
};
