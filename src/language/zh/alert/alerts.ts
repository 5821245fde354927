import type { AlertWords } from '../../en/alert/alerts.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const at = (price: string | undefined) => (price === undefined ? '' : ` @ ${price}`);

const on = (outcome: string | undefined) => (outcome === undefined ? '' : `（${outcome}）`);

export const alerts = (venue: VenueForms, { slash }: Terms): AlertWords => ({
  headline: {
    buy: '买入',
    sell: '卖出',
    redeem: '赎回',
    unknownAction: '未知操作',
    unknownOutcome: '未知结果',
    trade: (action, outcome, amount, price) => `${action} **${outcome} ${amount}**${at(price)}`,
    partOf: (total) => `${total} 的一部分`,
    deposit: (amount) => `充值 ${amount}`,
    withdrawal: (amount) => `提现 ${amount}`,
    otherTransfer: (type, amount) => `${type} ${amount}`,
    unknownTransfer: '未知转账',
    moved: (transfer, where) => `${transfer}（${where}）`,
    closed: (gain, outcome) => `平仓 ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    won: (gain, outcome) => `盈利 ${gain}${on(outcome)}`,
    lost: (gain, outcome) => `亏损 ${gain}${on(outcome)}`,
    of: (wallet, sentence) => `${wallet}：${sentence}`,
    late: (figure) => `${figure} 条延迟的提醒`,
    missing: {
      trades: '这里可能缺少部分交易',
      transfers: '这里可能缺少部分充值或提现',
      watch: '提醒已暂停，其设置无法读取',
    },
    severalOf: (figure, _count, wallet) => `${wallet} 的 ${figure} 条提醒`,
    several: (figure, _count, wallets) => `${wallets} 个钱包的 ${figure} 条提醒`,
    largest: (sentence) => `最大一笔：${sentence}`,
  },
  fills: (figure) => `${figure} 笔成交`,
  redemptions: (figure) => `${figure} 笔赎回`,
  roles: { maker: '挂单方', taker: '吃单方', both: '挂单方和吃单方' },
  marketWithoutTitle: '无标题市场',
  links: {
    transaction: '交易哈希',
    hash: (hash) => `交易哈希 ${hash}`,
    unknownHash: '未知',
    short: '哈希',
  },
  transfers: {
    unknownAddress: '未知地址',
  },

  late: (delay) => `延迟 ${delay}`,
  clocksDisagree: (ahead) => `延迟未知：记录时间比本提醒晚 ${ahead}`,

  amended: {
    trade: (wallet, change) =>
      `${venue.start}更改了${wallet === '' ? '' : ` ${wallet} 的`}一笔交易：${change}`,
    redemption: (wallet, change) =>
      `${venue.start}更改了${wallet === '' ? '' : ` ${wallet} 的`}一笔赎回：${change}`,
    change: (outcome, before, after) => `**${outcome} ${before}** 现为 **${after}**`,
    cause: '此前发布的提醒保留当时的数字',
  },

  gap: {
    causes: {
      overflow: '短时间内记录过多，未能全部读取',
      unclear: `${venue.start}显示了无法读取的记录，或更改了旧记录`,
      damage: '机器人保存的该钱包数据已损坏',
      backlog: '这里等待发送的提醒过多',
      watch: '机器人保存的该钱包设置已损坏',
    },
    missing: {
      trades: (from, to) => `${from} 至 ${to} 之间可能缺少部分交易或赎回。`,
      transfers: (from, to) => `${from} 至 ${to} 之间可能缺少部分充值或提现。`,
      watch: () =>
        `该钱包在此处的提醒已暂停。机器人的运营者可以修复其设置；你也可以用 ${slash.add} 重新添加。`,
    },
  },

  lines: {
    buy: (what) => `**买入 ${what}**`,
    sell: (what) => `**卖出 ${what}**`,
    redeem: (what) => `**赎回 ${what}**`,
    other: (action, what) => `**${action} ${what}**`,
    unknownAction: '未知操作',
    unknownTransfer: '未知转账',
    paid: (amount) => `支付 ${amount}`,
    received: (amount) => `收到 ${amount}`,
    net: (amount) => `净额 ${amount}`,
    from: (address) => `来自 ${address}`,
    to: (address) => `转至 ${address}`,
    otherSide: (address) => `对方：${address}`,
    viaBridge: '经跨链桥',
  },

  catchUp: {
    range: (from, to) => `${from} – ${to}`,
    paid: (what, amount) => `${what}，支付 **${amount}**`,
    received: (what, amount) => `${what}，收到 **${amount}**`,
    moved: (what, amount) => `${what}，**${amount}**`,
    kinds: {
      buy: (count) => `${count} 笔买入`,
      sell: (count) => `${count} 笔卖出`,
      redeem: (count) => `${count} 笔赎回`,
      deposit: (count) => `${count} 笔充值`,
      withdrawal: (count) => `${count} 笔提现`,
    },
    other: (count, kind) => `${count} × ${kind}`,
    unknownKind: '未知',
    results: (count) => `${count} 条本频道提醒的结果`,
    agreements: (count) => `${count} 条共识提醒`,
    amended: (count) => `${count} 笔被更改的交易`,
    gaps: (count) => `${count} 处可能遗漏`,
    more: (count) => `… 另有 ${count} 条。${slash.activity} 和 ${slash.flows} 可查看全部。`,
  },
});
