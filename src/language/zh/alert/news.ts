import type { NewsWords } from '../../en/alert/news.ts';

const inParentheses = (text: string | undefined) => (text === undefined ? '' : `（${text}）`);

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${inParentheses(percent)}`,

  position: {
    opens: (shares) => `新开仓 ${shares}`,
    firstInMarket: '首次交易该市场',
    now: (held) => `现有 ${held}`,
    closes: '已平仓',
    allSold: '已全部卖出',
    left: (shares) => `剩余 ${shares}`,
    bought: (figure) => `买入 ${figure}`,
    entry: (average) => `买入均价 ${average}`,
    otherSide: (shares) => `另持有对立结果 ${shares}`,
    size: (factor) => `平时的 ${factor} 倍`,
  },

  alsoHere: {
    line: (wallets) => `本频道还有：${wallets}`,
    holds: (wallet, holdings) => `${wallet} ${holdings}`,
    at: (what, price) => `${what} @ ${price}`,
    out: (wallet) => `${wallet} 已退出`,
  },

  consensus: {
    took: (count, side) => `${count} 个钱包买入 ${side}`,
    nowTook: (count, side) => `已有 ${count} 个钱包买入 ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `钱包意见分歧：${count} 个买入 ${side}，` +
      `${opposing} 个${opposingSide === undefined ? '持相反立场' : `买入 ${opposingSide}`}`,
    otherOutcomes: '其他结果',
    unknownSide: '未知结果',
    priced: (amount, average) => `${amount}${average === undefined ? '' : ` @ ${average}`}`,
    allSold: (what) => `买入 ${what}，已全部卖出`,
    halfSold: '，已卖出一半',
    partSold: (percent) => `，已卖出 ${percent}`,
    soldUnknown: '，之后可能已卖出',
    more: (count) => `… 另有 ${count} 个`,
    hedged: (count) => `另有 ${count} 个两种结果都买了，两边都不计`,
    within: (duration) => `均在 ${duration}内`,
    firstWithin: (wallet, duration) => `${wallet} 最先，均在 ${duration}内`,
    against: (amount, opposing) => `${amount} 对 ${opposing}`,
  },

  result: {
    position: (gain) => `仓位 ${gain}`,
    ofAlerted: (paid, gain) => `此处提醒的 ${paid}：${gain}`,
    paid: (amount) => `支付 ${amount}`,
    cost: (amount) => `支付 ${amount}`,
    received: (amount) => `收到 ${amount}`,
    fees: (amount) => `手续费 ${amount}`,
    cameTo: (amount) => `最终价值 ${amount}`,
    settled: (outcome, payout) => `市场已结算：${outcome} 每份兑付 ${payout}`,
    held: (duration) => `持有 ${duration}`,
    severalClosed: (count, gain) => `${count} 个仓位已平仓：${gain}`,
    gained: (count, all) => `${all} 个中 ${count} 个盈利`,
    firstAlert: '首条提醒',
  },
};
