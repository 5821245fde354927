import type { WatchWords } from '../en/watch.ts';
import { names, slash } from './names.ts';
import { settings } from './watch-settings.ts';
import { status } from './watch-status.ts';

const paused: WatchWords['pause']['state'] = (end) =>
  end === null ? `已暂停，直到有人使用 ${slash.resume}` : `已暂停至 ${end.at}（${end.in}）`;

export const watch: WatchWords = {
  settings,
  status,
  gap: '',
  comma: '、',
  andMore: (shown, more) => `${shown} 及另外 ${more} 个`,
  noName: '无名称',
  nothingRings: (channel) => `${channel} 中没有任何提醒。用 ${slash.add} 开始。`,
  changedMeanwhile: `其他人在同一时刻更改或移除了此监视。请查看 ${slash.list}，然后再试。`,
  notHere: (channel) => `此钱包不在 ${channel} 提醒。`,
  norElsewhere: `在此服务器的其他地方也不提醒：${slash.list} 会显示哪些会提醒。`,
  elsewhere: (channels) => `它在 ${channels} 提醒：请在选项 \`${names.options.channel}\` 中指定该频道。`,
  add: {
    title: (name) => (name === null ? '正在监视钱包' : `正在监视 ${name}`),
    rings: (address, channel) => `${address} 从现在起在 ${channel} 提醒。`,
    latest: (line) => `最近一笔：${line}`,
    unknownWallet: '交易平台尚无此钱包的任何记录。这是用来交易的地址吗？',
    inPlace: '监视已生效。',
    already: (channel, name) =>
      `此钱包已在 ${channel} 提醒，${name === null ? '没有标签' : `标签为 ${name}`}。用 ${slash.edit} 可更改方式。`,
  },
  edit: {
    changed: (name) => `已更改：${name ?? '钱包'}`,
    settingsOf: (name) => `${name ?? '钱包'} 的设置`,
    where: (address, channel) => `${channel} 中的 ${address}`,
  },
  removed: (address, name, channel) => `${address}${name === null ? '' : `（${name}）`} 不再在 ${channel} 提醒。`,
  pause: {
    state: paused,
    one: (name, channel, end) => `${channel} 中的 ${name} ${paused(end)}。`,
    only: (channel, end) => `${channel} 中唯一的监视${paused(end)}。`,
    all: (count, channel, end) => `${channel} 的全部 ${count} 个监视${paused(end)}。`,
    already: (name, end) => `${name} 此前${paused(end)}。`,
    notMadeUpFor: '期间发生的事不会补发。',
    resumeEnds: `用 ${slash.resume} 可结束暂停。`,
  },
  resume: {
    one: (name, channel) => `${channel} 中的 ${name}：从现在起恢复提醒。`,
    only: (channel) => `${channel} 中唯一暂停的监视：从现在起恢复提醒。`,
    all: (count, channel) => `${channel} 中全部 ${count} 个暂停的监视从现在起恢复提醒。`,
    unmuted: (name, person) => `${name} 从现在起恢复提醒：${person} 已取消静音。`,
    nothingPaused: (channel) => `${channel} 中没有暂停的监视。`,
    notPaused: (name, channel) => `${name} 在 ${channel} 没有暂停：正常提醒。`,
  },
  mute: {
    muted: (person, name, until) => `${person} 在此频道将 ${name} 静音 1 小时，至 ${until}。`,
    unmute: '取消静音',
    managersOnly: '只有拥有“管理服务器”权限的人才能静音：这会使这里的所有人收不到提醒。',
    unknownButton: '此按钮已失效。',
  },
  channel: {
    full: (channel) => `${channel}：视图 \`full\`，每条提醒一个嵌入，包含全部数字。`,
    compact: (channel) => `${channel}：视图 \`compact\`，每条提醒一行，多条合在一个嵌入中。`,
    noConsensus: '不提醒钱包之间的共识。',
    consensus: (wallets, time) => `当这里有 ${wallets} 个钱包在 ${time}内选择同一结果时提醒共识。`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` 为 ${given}。可接受：${least} 至 ${most} 个钱包，或 0 表示从不提醒。`,
    timeWrong: (examples) =>
      `\`${names.options['consensus-within']}\` 不是时长。可接受：${examples}，从 1 分钟到 3 天。`,
  },
  list: {
    range: (first, last, all) => `第 ${first}–${last} 个，共 ${all} 个`,
    title: (count) => `${count} 个监视`,
    nothing: `此服务器还没有任何提醒。用 ${slash.add} 开始。`,
    compactView: '紧凑视图',
    undelivered: (count, lastReason) => `${count} 条提醒无法送达此处。最后一条：${lastReason}`,
    noReason: '无原因',
    alertsWait: (since) => `提醒自${since}起等待。`,
    since: (time) => `自${time}起。`,
    polled: (polls) => `查询：${polls}`,
    endpoints: { activity: '交易', 'deposits-withdrawals': '转账' },
    lastPoll: (list, last) => `${list} ${last ?? '尚未'}`,
    nextPoll: (polled, next) => `${polled}，下次 ${next ?? '立即'}`,
  },
};
