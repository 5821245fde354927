import type { AlertWords } from '../en/alerts.ts';
import { slash } from './names.ts';

const at = (price: string | undefined) => (price === undefined ? '' : `以 ${price} `);
const priced = (price: string | undefined) => (price === undefined ? '' : `，${price}`);

export const alerts: AlertWords = {
  titles: {
    buy: (wallet, what, price) => `${wallet} ${at(price)}买入 ${what}`,
    sell: (wallet, what, price) => `${wallet} ${at(price)}卖出 ${what}`,
    redeem: (wallet, what, paidOut) => `${wallet} 赎回 ${what}${paidOut === undefined ? '' : `，到账 ${paidOut}`}`,
    other: (wallet, action, what, price) => `${wallet}：${action} ${what}${priced(price)}`,
    deposit: (wallet, amount) => `${wallet} 存入 ${amount}`,
    bridgedDeposit: (wallet, amount) => `${wallet} 经跨链桥存入 ${amount}`,
    withdrawal: (wallet, amount) => `${wallet} 提取 ${amount}`,
    otherTransfer: (wallet, type, amount) => `${wallet}：${type} ${amount}`,
    unknownAction: '未知操作',
    unknownTransfer: '未知转账',
  },
  holdings: {
    of: (quantity, side) => `${quantity} 份 ${side}`,
    ofUnknown: (quantity) => `${quantity} 份未知结果`,
  },
  prices: { average: (price) => `均价 ${price}` },
  money: {
    paid: (amount) => `支付 **${amount}**`,
    received: (amount) => `收到 **${amount}**`,
    net: (amount) => `净额 **${amount}**`,
    gross: (amount) => `总额 ${amount}`,
    fee: (amount) => `手续费 ${amount}`,
    fees: (amount) => `手续费 ${amount}`,
    noFee: '无手续费',
  },
  roles: { maker: '挂单方', taker: '吃单方', both: '挂单方和吃单方', unknown: '挂单方或吃单方未知' },
  marketWithoutTitle: '无标题市场',
  span: (from, to) => `${from} 至 ${to}`,
  links: {
    openWallet: '打开钱包',
    transaction: '链上交易',
    hash: (hash) => `交易哈希 ${hash}`,
    unknownHash: '未知',
    short: '链上',
    largest: '最大一笔',
  },
  transfers: {
    senderUnknown: '经跨链桥的存入，平台不提供发送方。',
    from: (address) => `来自 ${address}`,
    to: (address) => `转至 ${address}`,
    otherSide: (address) => `对方：${address}`,
    unknownAddress: '未知地址',
  },

  delivered: {
    atOnce: '即时提醒',
    clocksDisagree: (ahead) => `延迟未知，时钟不一致：记录时间比本提醒晚 ${ahead}`,
    after: {
      trade: (delay) => `交易后 ${delay}提醒`,
      redemption: (delay) => `赎回后 ${delay}提醒`,
      deposit: (delay) => `存入后 ${delay}提醒`,
      withdrawal: (delay) => `提取后 ${delay}提醒`,
      event: (delay) => `发生后 ${delay}提醒`,
      fills: (delay) => `成交后 ${delay}提醒`,
      redemptions: (delay) => `赎回后 ${delay}提醒`,
      lastFill: (delay) => `最后一笔成交后 ${delay}提醒`,
      lastRedemption: (delay) => `最后一笔赎回后 ${delay}提醒`,
      lastItem: (delay) => `最后一条发生后 ${delay}提醒`,
    },
    sinceFirst: {
      fill: (delivered, delay) => `${delivered}，距第一笔 ${delay}`,
      redemption: (delivered, delay) => `${delivered}，距第一笔 ${delay}`,
      item: (delivered, delay) => `${delivered}，距第一条 ${delay}`,
    },
  },

  gap: {
    titles: {
      trades: (wallet) => `${wallet}：此处可能缺少部分交易`,
      transfers: (wallet) => `${wallet}：此处可能缺少部分存取款`,
    },
    causes: {
      overflow: '两次查询之间的新记录超过一页',
      damage: '机器人保存的该钱包数据已损坏',
      backlog: '等待发往本频道的提醒超过机器人的保留上限',
    },
    missing: {
      trades: (cause, from, to) => `${cause}，因此 ${from} 至 ${to} 之间的部分交易或赎回可能没有提醒。`,
      transfers: (cause, from, to) => `${cause}，因此 ${from} 至 ${to} 之间的部分存入或提取可能没有提醒。`,
    },
    listed: {
      trades: (address) => `用 ${slash.activity} 查看，钱包 ${address}`,
      transfers: (address) => `用 ${slash.flows} 查看，钱包 ${address}`,
    },
    lines: {
      trades: (from, to) => `${from} 至 ${to} 之间可能缺少部分交易。`,
      transfers: (from, to) => `${from} 至 ${to} 之间可能缺少部分存取款。`,
    },
    notice: '缺失提示',
  },

  fills: {
    counts: {
      fill: (count) => `**${count} 笔成交**`,
      redemption: (count) => `**${count} 笔赎回**`,
    },
    inOneTransaction: (fills) => `${fills}，同一笔链上交易：`,
    inTransactions: (fills, transactions) => `${fills}，${transactions} 笔链上交易：`,
    row: (quantity, price) => `${quantity} 份，${price}`,
    smaller: (count) => `… 另有 ${count} 笔较小的`,
    average: (price) => `均价 ${price}`,
    best: (price) => `最优 ${price}`,
    worst: (price) => `最差 ${price}`,
    range: (low, high) => `价格 ${low} 至 ${high}`,
    allAt: (price) => `全部 ${price}`,
  },

  lines: {
    buy: (what, price) => `**买入 ${what}**${priced(price)}`,
    sell: (what, price) => `**卖出 ${what}**${priced(price)}`,
    redeem: (what) => `**赎回 ${what}**`,
    other: (action, what, price) => `**${action} ${what}**${priced(price)}`,
    deposit: (amount) => `**存入 ${amount}**`,
    withdrawal: (amount) => `**提取 ${amount}**`,
    otherTransfer: (type, amount) => `**${type} ${amount}**`,
    unknownAction: '未知操作',
    unknownTransfer: '未知转账',
    paid: (amount) => `支付 ${amount}`,
    received: (amount) => `收到 ${amount}`,
    net: (amount) => `净额 ${amount}`,
    from: (address) => `来自 ${address}`,
    to: (address) => `转至 ${address}`,
    otherSide: (address) => `对方 ${address}`,
    viaBridge: '经跨链桥',
  },

  catchUp: {
    title: (wallet, count) => `${wallet}：${count} 条迟到的提醒`,
    summary: (from, to, totals) => `${from} 至 ${to}。${totals}。`,
    line: (count, from, to, totals) => `${count} 条迟到的提醒，${from} 至 ${to}：${totals}。`,
    paid: (count, kind, amount) => `${kind} × ${count}，支付 **${amount}**`,
    received: (count, kind, amount) => `${kind} × ${count}，收到 **${amount}**`,
    moved: (count, kind, amount) => `${kind} × ${count}，共 **${amount}**`,
    kinds: { buy: '买入', sell: '卖出', redeem: '赎回', deposit: '存入', withdrawal: '提取' },
    unknownKind: '未知',
    results: (count) => `此处提醒的结果 × ${count}`,
    agreements: (count) => `共识 × ${count}`,
    gaps: (count) => `可能有缺失 × ${count}`,
    more: (count) => `… 另有 ${count} 条。${slash.activity} 和 ${slash.flows} 可查看全部。`,
    openWallet: '打开钱包',
    footer: (count) => `补发 ${count} 条`,
  },
};
