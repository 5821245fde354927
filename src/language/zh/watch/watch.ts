import type { WatchWords } from '../../en/watch/watch.ts';
import type { Terms } from '../../terms.ts';
import type { Texts } from '../../texts.ts';
import { first, within } from '../place.ts';
import type { VenueForms } from '../venue.ts';
import { panel } from './panel.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { why } from './why.ts';

const paused = (resume: string, end: Parameters<Texts['watch']['pause']['state']>[0]) =>
  end === null ? `已暂停，直到有人使用 ${resume}` : `已暂停至 ${end.at}（${end.in}）`;
const alreadyPaused: typeof paused = (resume, end) =>
  end === null
    ? `已处于暂停状态，直到有人使用 ${resume}`
    : `已处于暂停状态，至 ${end.at}（${end.in}）`;

export const watch = (venue: VenueForms, { names, slash, permissions }: Terms): WatchWords => ({
  settings: settings({ names, permissions, slash }),
  panel: panel({ names, permissions, slash }),
  status: status(venue, { names, permissions, slash }),
  why: why(venue, { names, permissions, slash }),
  gap: '',
  comma: '、',
  and: '和',
  andMore: (shown, more) => `${shown} 及另外 ${more} 个`,
  noName: '无名称',
  nothingWatched: (channel) => `${first(channel)}还没有关注的钱包。用 ${slash.add} 添加一个。`,
  notHere: (channel) => `${first(channel)}没有关注此钱包。`,
  notElsewhere: `此服务器的其他频道也没有关注它：${slash.list} 显示正在关注的钱包。`,
  elsewhere: (channels) =>
    `关注它的频道：${channels}。请用 \`${names.options.channel}\` 选择该频道。`,
  add: {
    watching: (name, channel) => `已在${within(channel)}关注 ${name}。`,
    everything: '其所有动作都会提醒你。',
    withSettings: '从现在起，你会收到以下提醒：',
    latest: (line) => `最近一笔：${line}`,
    unknownWallet: `${venue.start}尚无此钱包的任何记录。这是用来交易的地址（代理钱包）吗？`,
    proxy: (address) =>
      `此钱包通过另一个地址（代理钱包）交易：\`${address}\`。${venue.start}的记录都在该地址下，请改用该地址。`,
    noAnswer: `${venue.start}目前没有响应。恢复后会补发提醒。`,
    already: (channel, name) =>
      `${first(channel)}已关注此钱包，${name === null ? '没有标签' : `标签为 ${name}`}。用 ${slash.edit} 更改其提醒。`,
  },
  flood: {
    about: (trades, time) => `每天约 ${trades} 笔交易（按最近 ${time}估算）。`,
    cooldown: (time) => `每个市场 ${time}内最多 1 条提醒`,
    minUsdc: (amount) => `仅 ${amount} 起（平时规模）`,
    undo: (what) => `撤销：${what}`,
    changed: (person, name, channel, what) =>
      `${person} 更改了 ${name}（${channel}）的提醒：${what}。`,
    undone: (person, name, channel, what) =>
      `${person} 撤销了 ${name}（${channel}）的设置，不再：${what}。`,
    edited: `此设置已被其他人更改，因此保持不变。请使用 ${slash.edit}。`,
  },
  edit: {
    changed: (name) => `已更改：${name ?? '钱包'}`,
    settingsOf: (name) => `${name ?? '钱包'} 的设置`,
    where: (address, channel) => `${address}（${channel}）`,
  },
  changes: {
    title: '谁更改了什么',
    kept: '最近 30 天，最多 500 条',
    deeds: {
      added: '添加',
      paused: '暂停',
      resumed: '恢复',
      removed: '移除',
      restored: '撤销移除',
    },
    edited: (names) => `更改 ${names}`,
  },
  undo: {
    button: '撤销',
    until: (time) => `${time} 之前可以撤销，其间的提醒会补发。`,
    done: (name, channel) => `已在${within(channel)}重新关注 ${name}，其间的提醒会补发。`,
    over: `已无法撤销。请用 ${slash.add} 重新添加钱包。`,
  },
  managersOnly: `只有拥有“${permissions.manageServer}”权限的人才能使用此按钮。`,
  removed: (address, name, channel) =>
    `${first(channel)}不再关注 ${name === null ? address : `${name}（${address}）`}。`,
  pause: {
    state: (end) => paused(slash.resume, end),
    one: (name, channel, end) => `${name}（${channel}）${paused(slash.resume, end)}。`,
    only: (channel, end) => `${first(channel)}唯一关注的钱包${paused(slash.resume, end)}。`,
    all: (count, channel, end) =>
      `${first(channel)}关注的全部 ${count} 个钱包${paused(slash.resume, end)}。`,
    already: (name, end) => `${name} ${alreadyPaused(slash.resume, end)}。`,
    notPostedLater: '暂停期间发生的事不会补发。',
    resumeEnds: `要提前结束，请用 ${slash.resume}。`,
    resume: '恢复',
  },
  resume: {
    one: (name, channel) => `${name}（${channel}）的提醒已恢复。`,
    only: (channel) => `${first(channel)}中唯一暂停的钱包的提醒已恢复。`,
    all: (count, channel) => `${first(channel)}中全部 ${count} 个暂停的钱包的提醒已恢复。`,
    unmuted: (name, person) => `${person} 已取消 ${name} 的静音，提醒已恢复。`,
    nothingPaused: (channel) => `${first(channel)}没有暂停的钱包。`,
    notPaused: (name, channel) => `${name}（${channel}）没有暂停。`,
  },
  mute: {
    muted: (person, name, until) =>
      `${person} 在本频道将 ${name} 静音 1 小时（至 ${until}）。在此之前发生的事不会补发。`,
    unmute: '取消静音',
    managersOnly: `只有拥有“${permissions.manageServer}”权限的人才能静音：这会使频道里的所有人收不到这些提醒。`,
    unknownButton: '此按钮已失效。',
  },
  channel: {
    full: (channel) => `${channel}：视图 \`完整\`，每条提醒一张卡片，包含全部数据。`,
    compact: (channel) => `${channel}：视图 \`紧凑\`，每条提醒一行，多条合在一张卡片中。`,
    noConsensus: '共识提醒已关闭。',
    consensus: (wallets, time) =>
      `共识提醒：当本频道有 ${wallets} 个钱包在 ${time}内买入同一结果时。`,
    words: (words) => `提醒范围：${words}。`,
    results: { on: '盈亏回复已开启。', off: '盈亏回复已关闭。' },
    consensusOnly: {
      on: '仅共识：本频道**不发布**单笔交易、赎回、充值和提现。遗漏通知和此前提醒的盈亏仍会发送。',
      off: '也发布单条提醒。',
    },
    quiet: {
      on: (from, to, zone) =>
        `静音时段：${from}–${to}（${zone}）。所有消息静音发送，不提及任何人。`,
      off: '没有静音时段。',
      takes: `\`22:00-07:00\` 这样的两个时间，或 \`${names.typed.none}\``,
      zoneMissing: `不知道用哪个时区。请同时设置 \`${names.options.quiet}\` 和 \`${names.options['time-zone']}\`。未做任何更改。`,
      hoursMissing:
        `\`${names.options['time-zone']}\` 是静音时段的时区，但还没有静音时段。请同时设置 ` +
        `\`${names.options.quiet}\`。未做任何更改。`,
    },
    delay: {
      on: (time) => `本频道的所有内容延迟 ${time}发送，暂停和设置也按延迟后的时间生效。`,
      off: '本频道没有延迟。',
    },
    consensusMissing:
      `\`${names.options['consensus-only']}\` 在没有共识时不能是 \`开\`。` +
      `请同时设置 \`${names.options.consensus}\`。未做任何更改。`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` 不能是 \`${given}\`。` +
      `请填写 ${least} 至 ${most} 个钱包，或 0 表示从不提醒。未做任何更改。`,
  },
  list: {
    range: (first, last, all) => `第 ${first}–${last} 行，共 ${all} 行`,
    title: (wallets, channels) =>
      `${channels === null ? '' : `在 ${channels} 个频道`}关注了 ${wallets} 个钱包`,
    problems: (channels) => `${channels} 个频道有问题`,
    nothing: `还没有关注任何钱包。用 ${slash.add} 添加一个。`,
    compactView: '紧凑视图',
    consensusOnly: '仅共识',
    noResults: '不发盈亏',
    quiet: (from, to, zone) => `静音 ${from}–${to}（${zone}）`,
    delay: (time) => `延迟 ${time}`,
    undelivered: (count, lastReason) => `${count} 条提醒无法送达该频道。最后一条：${lastReason}`,
    noReason: '无原因',
    alertsWait: (since) => `有提醒待发送，最早的一条：${since}。`,
    since: (time) => `开始于${time}。`,
    lastTrade: (time) => `最近交易 ${time}`,
    polled: (polls) => `轮询：${polls}`,
    endpoints: { activity: '交易', 'deposits-withdrawals': '转账' },
    lastPoll: (list, last) => `${list} ${last ?? '尚未'}`,
  },
});
