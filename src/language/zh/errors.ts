import type { ErrorWords } from '../en/errors.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

export const errors = (venue: VenueForms, { slash, permissions }: Terms): ErrorWords => ({
  unknownCommand: '此命令已不存在。请重新加载 Discord 后再试。',
  unknownButton: '此按钮已失效。请重新运行命令。',
  notMember: '我还不是此服务器的成员。请用 scope “bot” 邀请我，然后再试。',
  internal: (reference) => `我这边出错了。请把编号 ${reference} 告诉机器人的运营者。`,
  diskFull: (reference) => `我的磁盘已满。未做任何更改。请把编号 ${reference} 告诉机器人的运营者。`,
  inAMinute: '1 分钟后',
  at: (clock) => `${clock} 后`,

  venue: {
    rateLimited: (when) =>
      `${venue.start}的请求次数已用完。提醒可能延迟，会补发平台上仍能查到的记录。请 ${when}再试。`,
    unauthorized: `${venue.start}拒绝了机器人的 API 密钥（401）。在机器人的运营者检查密钥之前，提醒暂停。`,
    notInPlan: '机器人 API 密钥的套餐不包含此列表（403）。机器人的运营者需要更换套餐。',
    unreachable: `${venue.start}目前没有响应。恢复后会补发平台上仍能查到的记录。请 1 分钟后再试。`,
    feedAway: '我的数据源目前没有响应。恢复后会补发平台上仍能查到的记录。请 1 分钟后再试。',
    unreadable: `我无法读取${venue.name}发来的响应。请 1 分钟后再试；若仍如此，请联系机器人的运营者。`,
  },

  admission: {
    notAllowed: '此机器人只在运营者选定的服务器中工作，此服务器不在其中。',
    serverBlocked: '机器人的运营者已屏蔽此服务器。这里不会收到提醒。',
    userBlocked: '机器人的运营者已屏蔽你，你不能使用其命令。',
  },

  quota: {
    user: (when) => `请慢一点，${when}再试。`,
    server: (when) => `此服务器在过去一分钟内使用的命令过多。请 ${when}再试。`,
    lookups: (most, time, when) =>
      `此服务器的查询次数已用完（${time} 内 ${most} 次）。请 ${when}再试。提醒照常发送。`,
    watches: (most, present, more) =>
      `每个服务器最多关注 ${most} 个钱包（按频道分别计数）。此服务器已有 ${present} 个，无法再加 ${more} 个。未做任何更改。` +
      `请用 ${slash.remove} 腾出位置，或请机器人的运营者调高 WATCHES_PER_GUILD。`,
    total: (more) =>
      `机器人关注的钱包总数已达上限，无法再加 ${more} 个。未做任何更改。请稍后再试，或请机器人的运营者调高 WATCHES_TOTAL。`,
    leavingCount: (leaving) =>
      `其中 ${leaving} 个刚被移除：移除后的十分钟内仍可撤销，因此仍计入数量。`,
    channels: (most) => `每个服务器最多可为 ${most} 个频道设置此项。未做任何更改。`,
  },

  permissions,

  channel: {
    unseen: (channel, permission) =>
      `我看不到 ${channel}。请在该频道授予我“${permission}”权限，然后再试。`,
    wrongKind: (channel) => `我无法在 ${channel} 发送消息。请选择文字频道或子区。`,
    closed: (channel, permissions) =>
      `我无法在 ${channel} 发送消息。请在该频道授予我以下权限，然后再试：${permissions}。`,
    locked: (channel) =>
      `我无法在 ${channel} 发送消息：该子区已锁定。请解锁，或授予我“${permissions.manageThreads}”权限。`,
    timedOut: (channel, until) => `我无法在 ${channel} 发送消息：此服务器已将我禁言至 ${until}。`,
    noEmbeds: (channel, permission) =>
      `请在 ${channel} 授予我“${permission}”权限：没有它，提醒只显示第一行。`,
    noHistory: (permission) =>
      `请在该频道也授予我“${permission}”权限：没有它，我在中断后无法确认提醒是否已送达，可能会发送两次。`,
    roleGone: `要提及的身份组已不存在。请用 ${slash.edit} 选择另一个。`,
    notMentionable: (role, channel, permission) =>
      `我不能在 ${channel} 提及 ${role}。请允许提及该身份组，或在该频道授予我“${permission}”权限。`,
    notYours: (channel, permissions) =>
      `你在 ${channel} 缺少以下权限：${permissions}。我只在你自己能发言的地方发送消息。`,
    mentionNotYours: (role, channel, permission) =>
      `你不能在 ${channel} 提及 ${role}。请选择所有人都可提及的身份组，或取得该频道的“${permission}”权限。`,
  },

  wallet: {
    ambiguous: (wallets) => `有多个关注的钱包使用此标签：${wallets}。请使用地址。`,
    unknown: (typed) =>
      `${typed} 既不是钱包地址（0x 加 40 位十六进制字符），也不是此服务器关注的钱包的标签。`,
    pasted: {
      profile: (typed) => `${typed} 中没有地址。个人主页的名称不是地址：请从主页复制地址（0x…）。`,
      ens: (typed) =>
        `${typed} 是 ENS 名称，我无法解析。请粘贴它对应的地址（0x 加 40 位十六进制字符）。`,
      bare: (typed) => `${typed} 看起来像缺少开头的地址。请在前面加上 0x。`,
    },
    address: {
      shape: (typed) => `${typed} 不是钱包地址。请输入 0x 后跟 40 位十六进制字符（0–9、a–f）。`,
      checksum: (typed) => `${typed} 的校验和不正确（EIP-55）：很可能输错了字符。请重新复制地址。`,
      zero: (typed) => `${typed} 是零地址，不属于任何钱包。请复制该钱包自己的地址。`,
    },
  },

  file: {
    refused: (status) => `我无法从 Discord 取得文件（${status}）。请重新发送。`,
    late: '我未能及时从 Discord 取得文件。请重新发送。',
    tooLarge: (kibibytes) => `文件过大。最大 ${kibibytes} KiB。`,
  },
});
