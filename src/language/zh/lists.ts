import type { ListNames, ListWords } from '../en/lists.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const activity = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `${wallet} 的交易记录`,
  nothing: `${venue.start}没有该钱包的任何交易或赎回。`,
  file: (wallet, rows) => `${wallet} 的交易记录，${rows} 行。`,
  expired: `此列表已过期。请重新运行 ${slash.activity}。`,
});
const flows = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `${wallet} 的充值与提现`,
  nothing: `${venue.start}没有该钱包的任何充值或提现。`,
  file: (wallet, rows) => `${wallet} 的充值与提现，${rows} 行。`,
  expired: `此列表已过期。请重新运行 ${slash.flows}。`,
});

export const lists = (venue: VenueForms, { names, slash }: Terms): ListWords => ({
  activity: activity(venue, slash),
  flows: flows(venue, slash),
  gap: '',
  openWallet: '打开钱包',
  only: (filters) => `仅限 ${filters}`,
  brokenOff: (why) => `${why}以下是在此之前读取的内容。`,
  page: (page) => `第 ${page} 页，最新在前`,
  unreadable: (records) => `${records} 条记录无法读取`,
  didNotFit: (records) => `另有 ${records} 条未显示`,
  nothingYet: '此页暂无内容。',
  nothingMore: '没有更多记录。',
  nothingMatches: '该钱包没有符合条件的记录。',
  fileTooLarge: (records) => `文件会过大：已省略 ${records} 条较早的记录。`,
  buttons: { previous: '上一页', next: '下一页', further: '继续查找' },
  reach: {
    all(records, n, isLess) {
      if (isLess) return n === 1 ? '唯一一条可读取的记录' : `全部 ${records} 条可读取的记录`;
      return n === 1 ? '唯一一条记录' : `全部 ${records} 条记录`;
    },
    newest: (records, _n, since) => `最新的 ${records} 条记录，回溯至 ${since}`,
    part: (records, _n, newest, oldest) => `${records} 条记录，从 ${newest} 回溯至 ${oldest}`,
    foundAmong: (found, reach) => `找到 ${found} 条，范围：${reach}`,
    sentence: (reach) => `${reach}。`,
  },
  filters: {
    Buy: '买入',
    Sell: '卖出',
    Redeem: '赎回',
    market: (name) => `市场 ${name}`,
    withoutName: '无名称',
    from: (time) => `从 ${time} 起`,
    to: (time) => `到 ${time} 为止`,
    transaction: (hash) => `交易哈希 ${hash}`,
  },
  totals: {
    title: '合计',
    buys: (records, _n, usdc) => `买入 ${records} 笔 ${usdc}`,
    sells: (records, _n, usdc) => `卖出 ${records} 笔 ${usdc}`,
    redemptions: (records, _n, usdc) => `赎回 ${records} 笔 ${usdc}`,
    otherKinds: (records) => `其他记录 ${records} 条`,
    fees: (usdc) => `手续费 ${usdc}`,
    windows: { day: '24 小时', week: '7 天', month: '30 天' },
    all: '全部时间',
    read: '目前已读取',
    during: (windows, flows) => `**${windows}：**${flows}`,
    deposited: (usdc, records) => `充值 ${usdc}（${records} 笔）`,
    withdrawn: (usdc, records) => `提现 ${usdc}（${records} 笔）`,
    net: (usdc) => `净额 **${usdc}**`,
    unknownDirection: (records) => `${records} 笔收支不明`,
    notKnownFor: (windows) => `${windows.join('、')}未知：目前读取的记录还没有那么早。`,
  },
  market: {
    title: '本频道钱包持有的市场',
    wallets: (figure) => `${figure} 个钱包`,
    since: (time) => `自 ${time} 起持有`,
    sold: (part, all) => `${all} 份中已卖出 ${part} 份`,
    out: (time) => `${time}已退出`,
    nobody: '未发现本频道有钱包持有该市场的份额。',
    nothing: (names) => `没有持仓：${names}`,
    unknown: (names) => `未知：${names}`,
    notInRecords: '从记录中看不出持有多少。',
    limit: '最多查询十个钱包。',
    paused: (count) => `已暂停，不计入：${count}`,
    moreMarkets: (figure) => `… 另有 ${figure} 个市场`,
    ended: (count) => `已略去的已结算市场：${count}`,
    only: '仅列出确定的持仓，钱包可能还持有更多。指定一个市场，我就去查询。',
    none: '本频道的钱包没有可以确定的持仓。指定一个市场，我就去查询。',
    delayedChannel: `本频道会延迟收到，而 ${slash.market} 显示的是钱包现在的持仓。请在其他频道使用。`,
    allPaused: '本频道的钱包都已暂停，没有可显示的内容。',
    withId: (id) => `市场 ${id}`,
  },
  refused: {
    action: (typed, actions) => `\`${names.options.action}\` 不能是 ${typed}。请选用：${actions}。`,
    transaction: (typed) => `${typed} 不是交易哈希。请输入 0x 后跟 64 位十六进制字符。`,
    market: (typed) => `${typed} 不是市场的 ID 或 slug。请开始输入标题，并从列表中选择。`,
    fromAfterTo: (from, to) =>
      `\`${names.options.from}\`（${from}）晚于 \`${names.options.to}\`（${to}）。请对调。`,
    time: (why) =>
      `${why}请试试 \`2h\`、\`${names.typed.yesterday}\` 或 \`2026-11-01 14:30\`（UTC）。`,
    milliseconds: (typed) => `${typed} 看起来是毫秒。Unix 时间以秒为单位。`,
    unknownUnit: (typed) => `无法识别 ${typed} 的时间单位。`,
    noTime: (typed) => `无法识别时间 ${typed}。`,
    noDay: (typed) => `${typed} 是日历上没有的日期。`,
    noTimeOfDay: (typed) => `${typed} 含有不存在的时刻。`,
    before1970: (typed) => `${typed} 早于 1970 年。`,
    inFuture: (typed) => `${typed} 是未来的时间。`,
  },
  chart: {
    netDeposits: (name) => `${name} 的净充值`,
    bought: '买入',
    sold: '卖出',
    redeemed: '赎回',
    per: {
      weeks: (n) => `每 ${n} 周`,
      days: (n) => `每 ${n} 天`,
      hours: (n) => `每 ${n} 小时`,
      minutes: (n) => `每 ${n} 分钟`,
    },
    last: {
      days: (n) => `最近 ${n} 天`,
      hours: (n) => `最近 ${n} 小时`,
      minutes: (n) => `最近 ${n} 分钟`,
    },
  },
});
