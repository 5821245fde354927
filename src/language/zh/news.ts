import type { NewsWords } from '../en/news.ts';

const onAverage = (average: string | undefined) => (average === undefined ? '' : `，均价 ${average}`);
const inParentheses = (percent: string | undefined) => (percent === undefined ? '' : `（${percent}）`);

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${inParentheses(percent)}`,

  position: {
    opens: '开仓',
    firstInMarket: '首次交易该市场',
    adds: (shares) => `在 ${shares}基础上加仓`,
    now: (shares) => `现为 ${shares}`,
    reduces: (shares) => `减仓至 ${shares}`,
    closes: '平仓',
    entry: (price) => `平均成本 ${price}`,
    realized: (gain) => `已实现盈亏 ${gain}`,
    realizedOfSeen: (gain) => `已见买入部分的已实现盈亏 ${gain}`,
    unseen: (shares) => `${shares}未见买入：结果未知`,
    since: (time) => `依据 ${time} 以来所见`,
    otherSide: (shares) => `另持有反方 ${shares}`,
    unusual: (amount) => `**异常规模**：${amount}`,
    usual: (trades, amount) => `其最近 ${trades} 笔交易中 95 % 不超过 ${amount}`,
  },
  brief: {
    opens: '开仓',
    adds: '加仓',
    reduces: '减仓',
    closes: '平仓',
    unseen: '未见买入，结果未知',
    partlyUnseen: '部分未见买入',
    realized: (amount) => `已实现盈亏 ${amount}`,
    unusual: '**异常规模**',
    comma: '，',
    since: (texts, time) => `${texts}（${time} 以来所见）`,
  },

  consensus: {
    took: (count, side) => `${count} 个受监视钱包买入 ${side}`,
    nowTook: (count, side) => `现有 ${count} 个受监视钱包买入 ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `受监视钱包意见分歧：${count} 个买入 ${side}，${opposing} 个${opposingSide === undefined ? '持相反立场' : `买入 ${opposingSide}`}`,
    side: (side, weight) => `${side}：${weight}`,
    otherOutcomes: '其他结果',
    unknownSide: '某一结果',
    weight: (amount, shares, average) => `**${amount}** 买入 ${shares}${onAverage(average)}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${onAverage(average)}`,
    more: (count) => `… 另有 ${count} 个`,
    hedged: (count) => `另有 ${count} 个买入双方，两边都不计`,
    bought: (from, to) => `买入时间 ${from} 至 ${to}`,
    rule: (wallets, duration) => `${duration}内有 ${wallets} 个或更多钱包买入`,
    agreeLine: (count, side) => `**${count} 个受监视钱包买入 ${side}**`,
    disagreeLine: (count, side, opposing, opposingSide) =>
      `**${count} 个受监视钱包买入 ${side}，${opposing} 个买入 ${opposingSide ?? '其他结果'}**`,
    against: (amount, opposing) => `${amount} 对 ${opposing}`,
  },

  result: {
    title: (wallet, gain) => `${wallet} 已平掉此处提醒过的买入：${gain}`,
    line: (amount, percent) => `**已平掉此处提醒过的买入，${amount}**${inParentheses(percent)}`,
    paid: (amount) => `支付 ${amount}`,
    received: (amount) => `收到 ${amount}`,
    noFees: '无手续费',
    fees: (amount) => `已计入手续费 ${amount}`,
    held: (from, to, duration) => `${from} 至 ${to}，${duration}`,
    footer: '此处提醒过的买入的结果',
  },
  score: {
    noneClosed: '此处提醒：尚无已平仓的',
    won: (won, markets, _n, low, high) =>
      `此处提醒：${markets} 个已平仓市场中 ${won} 个盈利（95 % 区间 ${low} 至 ${high} %）`,
    perDollar: (percent, error) => `每 1 美元 ${percent}${error === undefined ? '' : ` ± ${error} %`}`,
    smallSample: '**样本较少**',
    open: (count, _n, oldest) => `${count} 个仍未平仓${oldest === undefined ? '' : `，最早的始于 ${oldest}`}`,
    givenUp: (count) => `${count} 个未见平仓而放弃跟踪`,
  },
};
