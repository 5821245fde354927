import type { WatchStatusWords } from '../../en/watch/status.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const status = (venue: VenueForms, { slash, permissions }: Terms): WatchStatusWords => ({
  works: '运行正常',
  slowed: `${venue.start}正在限制我的请求`,
  silent: `${venue.start}目前没有响应`,
  late: `${venue.start}上的交易更新有延迟`,
  broken: '出现问题',
  checks: {
    gateway: 'Discord',
    store: '存储',
    venue: venue.label,
    lastPoll: '轮询',
    feed: '数据源',
  },
  because: (check, reason) => `${check}：${reason}`,
  shards: (shards, here) =>
    `分片：${shards}${here === null ? '' : `。此服务器在分片 ${here} 上。`}`,
  fields: {
    budget: '速率限制',
    polls: '轮询',
    here: '本服务器的提醒',
    yours: '你的提醒',
    all: '整个机器人',
  },
  polls: (succeeded, failed, minutes) =>
    `最近 ${minutes} 分钟成功 ${succeeded} 次${failed > 0 ? `，失败 ${failed} 次` : ''}`,
  round: (minutes) => `轮询所有钱包一遍至少需要 ${minutes} 分钟。`,
  lastAnswer: (time) => `最近一次响应：${time}`,
  listsLate: (delay) => `交易更新延迟了 ${delay}`,
  walletsHere: (count) => `这里关注 ${count} 个钱包`,
  walletsInAll: (count) => `共 ${count} 个`,
  upFor: (time) => `已运行 ${time}`,
  limitUnknown: `${venue.start}尚未告知请求次数上限。`,
  left: (left, limit, renewed) =>
    `剩余请求 ${left} / ${limit}${renewed === null ? '' : `，${renewed}重置`}`,
  allows: (limit) => `每个窗口最多 ${limit} 次请求`,
  used: (sent, allowance, polls, people, older) =>
    `本窗口已用 ${sent}${allowance === null ? '' : ` / ${allowance}`}：` +
    `轮询 ${polls}，命令 ${people}，读取较早交易 ${older}`,
  venueAskedForPause: (end) => `要求我等待（429），${end}结束。`,
  arrive: (median, most, latest) =>
    `提醒在交易后 ${median}送达（95% 在 ${most}以内，最近一条 ${latest}）。`,
  all: '全部数据',
  noAlerts: '启动以来没有提醒。',
  delays: (count, median, most, latest) =>
    `最近 ${count} 条的延迟：中位数 ${median}，95% 在 ${most}以内，最近一条 ${latest}`,
  withoutPosition: (count) => `其中未注明持仓：${count} 条`,
  nothingWaits: '没有待发送的提醒。',
  stillLoading: (wallets) =>
    `重启后仍在载入 ${wallets} 个钱包。载入完成前，相关频道的提醒会等待发送。`,
  delayedChannels: (channels) => `延迟收到的频道：${channels}。`,
  signedAlerts: '机器人的运营者还会将本服务器的提醒转发到 Discord 以外的服务。',
  waiting: (alerts, oldest) => `${alerts} 条提醒待发送，最早的已等 ${oldest}。`,
  cannotWrite: (channels) => `我无法在 ${channels} 发送消息。原因见 ${slash.list}。`,
  refused: (requests) =>
    `最近 10 分钟内，Discord 拒绝了我的 ${requests} 次请求。无法发送的频道见 ${slash.list}。`,
  undelivered: (alerts) => `${alerts} 条提醒无法送达。原因见 ${slash.list}。`,

  tokenShared:
    '另一个进程正在使用此机器人的令牌，并代替它回复部分命令。请机器人的管理者结束该进程，或重新生成令牌。',
  gatewayDown: '未连接到 Discord 网关。正在连接。',
  shardsDown: (shards, count) =>
    `未连接到 Discord 网关的分片：${shards}（共 ${count} 个）。正在连接。`,
  storeFailed: '发生故障，此后未能保存任何内容。原因见日志。',
  feedAway: (since) => `自 ${since} 起没有收到数据。恢复后会补发提醒。`,
  nothingAsked: '尚未发送任何请求。',
  nothingWatched: '没有关注任何钱包，因此不轮询。',
  noPoll: '尚无轮询成功。',
  noPollPlanned: (since) =>
    since === null
      ? '虽已安排请求，但尚无轮询成功。'
      : `虽已安排请求，但自 ${since} 以来没有轮询成功。`,
  tickLate: (seconds) => `POLL_CRON 的触发晚了 ${seconds} 秒。`,
  notInPlan: {
    activity: '密钥的套餐不包含交易和赎回（403）。请使用包含它们的套餐。',
    'deposits-withdrawals': '密钥的套餐不包含充值和提现（403）。请使用包含它们的套餐。',
  },
  unreachable: `${venue.start}没有正常响应。恢复后会补发提醒。`,
  paused: (until) => `${venue.start}的请求次数已用完。下次查询：${until}。恢复后会补发提醒。`,

  delivery: {
    noAccess: `我看不到该频道（50001）。请在该频道授予我“${permissions.viewChannel}”权限，或重新邀请我。`,
    noWriting:
      '我无法在该频道发送消息（50013）。' +
      `请在该频道授予我“${permissions.sendMessages}”和“${permissions.embedLinks}”权限。`,
    noEmbeds: `Discord 移除了消息中的嵌入内容（50006）。请在该频道授予我“${permissions.embedLinks}”权限。`,
    noReplies: `我无法在该频道回复（160002）。请在该频道授予我“${permissions.readMessageHistory}”权限。`,
    noMessages: (code) => `该频道不接收消息（${code}）。请选择文字频道。`,
    threadLocked: '该子区已锁定（160005）。请解锁，或选择其他频道。',
    threadArchived: '该子区已归档（50083）。请重新打开，或选择其他频道。',
    dmClosed: '我无法发送私信（50007）：我被屏蔽了，或私信未被允许。',
    noSharedServer: '没有共同的服务器时，Discord 不允许发送私信（50278）。请加入有我的服务器。',
    channelGone: '该频道已不存在（10003）。',
    serverGone: '该服务器已不存在，或我不在其中（10004）。',
    rejected: (code, message) => `Discord 拒绝了该消息（${code}）：${message}`,
    forbidden: (code, message) => `Discord 不允许（${code}）：${message}`,
  },
});
