import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere: `你能看到的频道都没有关注此钱包。${slash.list} 显示正在关注的钱包。`,
  notListed: (read) =>
    `${venue.start}没有此钱包带有该交易哈希的交易或赎回，最近 ${read} 笔充值和提现中也没有。请检查钱包和交易哈希。`,
  posted: '已发布',
  part: '已与其他记录在同一条消息中发布',
  postedOnce: (time) => `${time}已发布`,
  waits: {
    sending: '正在发往频道',
    purchase: '即将加入同一次买入的消息',
    meaning: '正在确认其对仓位的影响',
    setting: (setting) => `因设置“${setting}”等待中`,
    until: (what, time) => `${what}，最晚 ${time}`,
  },
  filtered: (reason) => `未发布：${reason}`,
  reasons: {
    before: '发生在这里开始关注之前',
    pause: '当时提醒已暂停',
    consensusOnly: '这里只发布共识',
    backlog: '这里待发送的提醒过多，已另发通知',
    setting: (setting) => `设置“${setting}”`,
    unnamedKind: (option, kind) => `不属于常见类型，而 \`${option}\` 未包含 \`${kind}\``,
    channelWords: (words) => `频道设置“${words}”`,
  },
  rejected: (reason) => `未发布，因为 Discord 不接受。${reason}`,
  later: '尚未发布：本频道会延迟收到',
  missed: '可能漏掉了：该时段已有通知',
  unseen: '轮询尚未读到',
  today: {
    passes: '当时如何处理已无记录。按今天的设置会发布',
    filtered: (reason) => `当时如何处理已无记录。按今天的设置不会发布：${reason}`,
    unsure: '此处未考虑同一次买入的其他成交、平时规模和对仓位的影响。',
  },
  unconfirmed: '还有一条相同的记录，接下来两次轮询也读到后才会发布。',
});
