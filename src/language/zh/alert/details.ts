import type { DetailsWords } from '../../en/alert/details.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const details = (venue: VenueForms, { slash }: Terms): DetailsWords => ({
  buttons: {
    openMarket: '查看市场',
    details: '详情',
    menu: '详情或静音…',
    mute: (wallet) => `静音 ${wallet === undefined ? '' : `${wallet} `}1 小时`,
    activity: '交易',
    flows: '资金流',
  },
  headings: { buy: '买入', sell: '卖出', redeem: '赎回', other: '其他' },
  title: (what) => `详情：${what}`,
  openWallet: '钱包',
  marketWithoutTitle: '无标题市场',
  unknownHash: '未知哈希',
  money: {
    paid: (amount) => `支付 **${amount}**`,
    received: (amount) => `收到 **${amount}**`,
    net: (amount) => `净额 **${amount}**`,
    gross: (amount) => `总额 ${amount}`,
    fees: (amount) => `手续费 ${amount}`,
    noFees: '无手续费',
  },
  prices: {
    average: (price) => `均价 ${price}`,
    best: (price) => `最优 ${price}`,
    worst: (price) => `最差 ${price}`,
    allAt: (price) => `全部 ${price}`,
    range: (low, high) => `${low} 至 ${high}`,
  },
  roles: { maker: '挂单方', taker: '吃单方', unknown: '挂单方或吃单方未知' },
  times: {
    traded: (time) => `成交于 ${time}`,
    tradedBetween: (from, to) => `成交于 ${from} 至 ${to}`,
    seen: (time) => `机器人发现于 ${time}`,
    posted: (time) => `发布于 ${time}`,
  },
  fills: {
    trades: (count) => `${count} 笔成交`,
    redemptions: (count) => `${count} 笔赎回`,
    inTransactions: (fills, count) => `${fills}，分 ${count} 笔链上交易`,
    title: (fills) => `${fills}，最新在前`,
    row: (quantity, price) => `${quantity} @ ${price}`,
    gross: (amount) => `总额 ${amount}`,
    fee: (amount) => `手续费 ${amount}`,
    inFile: (count) => `… 另有 ${count} 笔，全部在文件中。`,
    leftOut: (count) => `… 另有 ${count} 笔。Discord 没有接受该文件。`,
  },
  position: {
    atAlert: '提醒时的仓位',
    asOfNow: '当前仓位',
    holds: (shares) => `持有 ${shares}`,
    entry: (price) => `买入均价 ${price}`,
    cost: (amount) => `成本 ${amount}（含手续费）`,
    realized: (gain, percent) =>
      `已实现盈亏 **${gain}**${percent === undefined ? '' : `（${percent}）`}，按平均成本，已扣手续费`,
    result: (gain, percent) =>
      `本频道提醒的盈亏 **${gain}**${percent === undefined ? '' : `（${percent}）`}`,
    otherSide: (shares) => `还持有该市场其他结果 ${shares}`,
    firstInMarket: '在该市场的首笔交易',
    size: (usdc, trades, p95) => `整笔交易共 ${usdc}；最近 ${trades} 笔交易中 95% 不超过 ${p95}`,
    unknownThen: '当时未知。',
    unknownNow: '未知：这里没有关注该钱包，或未获取到更早的交易。',
  },
  record: {
    atAlert: '战绩（提醒时）',
    asOfNow: '战绩（当前）',
    none: '尚无市场满足计入时间。',
  },
  notes: {
    title: '如何阅读',
    rounded: '≈ 为四舍五入',
    asOfNow: '提醒时的数据只保留 30 天，现已删除：仓位和战绩为当前数据。',
    allOfTime: '该市场、结果和操作在该时段的全部记录；个别记录可能属于另一条提醒。',
    missing: (count) => `${venue.start}不再列出该提醒中的 ${count} 条记录，此处未计入。`,
    cut: (count) => `只读取了最新的 ${count} 条记录。`,
    skipped: (count) => `有 ${count} 条记录无法读取。`,
  },
  errors: {
    damaged: `无法识别此按钮。${slash.activity} 可查看该钱包的交易。`,
    tooOld: `该提醒的详情只保留 30 天，现已删除。${slash.activity} 可查看该钱包的交易。`,
    nothing: `${venue.start}目前未列出该提醒的交易。请稍后再试，或查看 ${slash.activity}。`,
  },
});
