import type { DigestWords } from '../en/digest.ts';
import type { Terms } from '../terms.ts';
import { first } from './place.ts';

const trades = (figure: string) => `${figure} 笔交易`;
const transfers = (figure: string) => `${figure} 笔转账`;
const wallets = (figure: string) => `${figure} 个钱包`;
const nothing = (from: string, to: string, figure: string) =>
  `${from} 至 ${to} 没有动静：关注的 ${wallets(figure)}没有交易、赎回、充值或提现`;

export const digest = ({ names, permissions }: Terms): DigestWords => ({
  title: { day: '每日摘要', week: '每周摘要' },
  everyDay: (clock, zone) => `每天 ${clock}（${zone}）`,
  everyWeek: (weekday, clock, zone) => `每${weekday} ${clock}（${zone}）`,

  behind: (figure) => `${wallets(figure)}自本时段结束后未能查询：可能有遗漏。`,

  total: {
    nothing: (from, to, figure) => `${nothing(from, to, figure)}。`,
    nothingKnown: (from, to, figure) => `${nothing(from, to, figure)}，该时段数据不完整。`,
    sinceWatched: '均从开始关注算起',
    notAllKnown: '该时段数据不完整',
    wallets,
    lead: (figure, _count, usdc) => `**${trades(figure)}，成交量 ${usdc}**`,
    largest: (wallet, trade) => `最大一笔：${wallet} ${trade}`,
  },

  settled: {
    title: (figure) => `${figure} 个市场已结算`,
    won: (side, wallets) => `${side} 胜出 · ${wallets}`,
    lost: (side, wallets) => `${side} 落败 · ${wallets}`,
    paid: (side, price, wallets) => `${side} 兑付 ${price} · ${wallets}`,
  },
  verdicts: {
    began: (verdict) => `新评级：${verdict}`,
    ended: (verdict) => `评级下调：${verdict}`,
  },

  rest: {
    volume: (figure, _count, usdc) => `… 另有 ${wallets(figure)}：成交量 ${usdc}`,
    netFlow: (usdc) => `净充值 ${usdc}`,
  },

  wallet: {
    traded: (figure, _count, usdc) => `${trades(figure)}，**${usdc}**`,
    transfers,
    netFlow: (usdc) => `净充值 ${usdc}`,
    watchedSince: (since) => `从开始关注算起（${since}）`,
    tradesSince: (since) => `交易记录自 ${since} 起才完整`,
    transfersSince: (since) => `充值和提现记录自 ${since} 起才完整`,
    tradesMissing: (from, to) => `${from} 至 ${to} 的交易可能有遗漏`,
    transfersMissing: (from, to) => `${from} 至 ${to} 的充值和提现可能有遗漏`,
    transfersUnknown: '充值和提现情况未知',
  },

  quiet: (walletNames) => `没有动静：${walletNames.join('、')}`,
  quietAndMore: (walletNames, figure) => `没有动静：${walletNames.join('、')}，另有 ${figure} 个`,

  chart: {
    volumePerHour: (zone) => `每小时成交量，${zone}`,
    volumePerDay: (zone) => `每日成交量，${zone}`,
    others: '其他',
    altPerHour: '每小时成交量',
    altPerDay: '每日成交量',
    day: (day, month) => `${month}${day}日`,
    month: (month, year) => `${year}年${month}`,
    date: (day, month, year) => `${year}年${month}${day}日`,
  },

  answer: {
    hadNone: (channel) => `${first(channel)}没有摘要。`,
    ended: (channel) => `${first(channel)}不再收到摘要。`,
    shown: (channel, schedule, next, nextRelative) =>
      `${first(channel)}会收到摘要。${schedule}。下一次：${nextRelative}（${next}，当地时间）。`,
    noWallet: '还没有关注钱包，添加后才会发送。',
    waits: (why) => `上一份待发送：${why}`,
    cannotAttach: `再授予我该频道的“${permissions.attachFiles}”权限，摘要就会带图表。`,
    inUtc: `时间为 UTC。可用 \`${names.options['time-zone']}\` 设置你的时区。`,
  },

  errors: {
    none: (channel) =>
      `${first(channel)}没有摘要。` +
      `用 \`/${names.commands.watch} ${names.subcommands.digest} ${names.options.every}:\` 开启。`,
    time: '`00:00` 到 `23:59` 之间的时间',
    zone: '`Europe/Berlin`、`America/New_York` 或 `UTC` 这样的名称',
  },
});
