import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import type { Terms } from '../terms.ts';

export const commands = ({ names }: Terms): CommandWords => ({
  lookUpWallets: '查询钱包',
  languageName: '简体中文',
  wallet: '地址（0x…），或此服务器关注的钱包的标签',
  walletOrAll: '钱包的地址或标签；省略则为频道关注的所有钱包',
  watchedIn: '接收提醒的频道；省略则为此频道',
  settings: {
    label: `钱包在此服务器的名称；“${names.typed.none}”表示无标签`,
    kinds: `提醒哪些，例如“买入、卖出”或“开仓、平仓”；“${names.typed.all}”表示全部`,
    minUsdc: '提醒的最低 USDC（合并成交时按总额）；0：不限',
    style: '同属一笔的成交合为一条提醒，还是逐笔提醒',
    styles: {
      grouped: '合并：同属一笔的成交合为一条提醒',
      each: '逐笔：每笔成交一条提醒',
    },
    mention: '提醒中要提及的身份组',
    markets:
      `按 ID 或 slug：“${names.typed.only}：…, …”或“${names.typed.except}：…, …”；` +
      `“${names.typed.any}”表示全部`,
    words:
      `按市场或事件中的词语：“${names.typed.only}：nba, lakers”或“${names.typed.except}：up or down”；` +
      `“${names.typed.any}”表示全部`,
    minPrice: '交易的最低价格，单位美分；0：不限',
    maxPrice: '最高价格，单位美分；94 可排除大部分结算前扫单；100：不限',
    liquidity: '仅限挂单方或吃单方的交易',
    roles: {
      maker: '挂单方',
      taker: '吃单方',
      any: '不限',
    },
    size: '大额：仅限大于此钱包最近 95% 交易的交易',
    sizes: {
      unusual: '大额',
      any: '不限',
    },
    cooldown: `此时间内每个市场一条提醒，其余并入下一条：10m、1h；“${names.typed.none}”`,
    mentionMinUsdc: '达到此 USDC 才提及身份组；0：总是',
    mentionCooldown: `此时间内最多提及身份组一次：30m、2h；“${names.typed.none}”`,
    silentBelowUsdc: '低于此 USDC 的提醒不发声音；0：全部有声',
    reset: `恢复默认值，例如“价格、提及”；“${names.typed.all}”保留标签`,
  },
  watch: '选择哪些频道接收哪些钱包的提醒',
  add: {
    description: '接收一个钱包每笔交易、赎回、充值和提现的提醒',
    channel: '发送提醒的频道；省略则为此频道',
  },
  edit: '更改一个钱包的提醒；无其他选项时显示其设置',
  remove: '不再关注一个钱包',
  pause: {
    description: '暂停一个钱包或整个频道的提醒；期间的内容不会补发',
    for: `多久：30m、2h、1d；省略则直到 ${typedCommand(names, 'resume')}`,
  },
  resume: '结束暂停，从现在起恢复提醒',
  channel: {
    description: '频道提醒的样式和语言、盈亏，以及共识提醒',
    view: '完整：每条提醒一张卡片；紧凑：每条提醒一行',
    views: {
      full: '完整：每条提醒一张卡片，含全部数据',
      compact: '紧凑：每条提醒一行，多条合为一张卡片',
    },
    consensus: '有这么多关注的钱包买入同一结果时提醒；0：从不',
    consensusWithin: '在多长时间内：2h、1d，最多 3d',
    words: `整个频道的词语，与各钱包自己的同时生效：“${names.typed.except}：…”；“${names.typed.any}”表示全部`,
    consensusOnly: '只发布共识，不发单条提醒',
    consensusOnlyChoices: { on: '开：仅共识，无单条提醒', off: '关：也发单条提醒' },
    results: '发布本频道提醒的盈亏',
    resultChoices: {
      on: '开：已提醒的仓位卖出或赎回后回复',
      off: '关：无',
    },
    quiet: `静音发送且不提及任何人的时段，例如 22:00-07:00；“${names.typed.none}”表示取消`,
    timeZone: '该时段的时区，例如 Asia/Shanghai；省略则用摘要的时区',
    delay: `延迟多久发送，例如 15m；“${names.typed.none}”表示不延迟`,
    language: '频道的提醒和摘要使用的语言',
    serverLanguage: '服务器的语言',
    channel: '哪个频道；省略则为此频道',
    writtenIn: (language) => `提醒和摘要的语言：${language}。`,
  },
  digest: {
    description: '频道内钱包的每日或每周摘要；无选项时显示何时发送',
    every: '频率',
    everies: { day: '每天', week: '每周', off: '无摘要' },
    at: '几点发送，例如 18:00',
    timeZone: '时区，例如 Asia/Shanghai',
    day: '每周摘要在星期几发送',
    channel: '发送摘要的频道；省略则为此频道',
  },
  scores: '频道内各钱包的战绩，从最好的开始',
  list: '此服务器关注的所有钱包，以及存在的问题',
  why: {
    description: '某笔交易为何在频道中发布或未发布',
    transaction: '交易哈希（0x…）；会列出最近的供选择',
  },
  status: '机器人的状态：连接、速率限制、延迟、待发送的提醒',
  export: {
    description: '将此服务器关注的钱包及其设置导出为文件',
    format: 'CSV 供电子表格使用，JSON 供程序使用；省略则为 CSV',
  },
  import: {
    description: `导入 ${typedCommand(names, 'export')} 的文件或钱包列表；先显示会有哪些变化`,
    file: 'CSV 或 JSON，最大 1 MiB、1000 个钱包',
  },
  'delete-data': '在私信中删除你的所有数据，在服务器中删除其中保存的你的 ID',
  activity: {
    description: '一个钱包的交易和赎回，最新的在前',
    market: '仅此市场：标题、ID 或 slug',
    action: '仅此类型',
    actions: {
      Buy: '买入',
      Sell: '卖出',
      Redeem: '赎回',
    },
    from: `开始：2h、3天、${names.typed.yesterday}、2026-11-01 14:30（UTC）`,
    to: `结束：2h、3天、${names.typed.yesterday}、2026-11-01 14:30（UTC）`,
    transaction: '仅此交易哈希（0x…）',
  },
  flows: '一个钱包的充值和提现，最新的在前',
  market: {
    description: '本频道的钱包在某个市场各持有什么',
    market: '标题、ID 或 slug；省略则为金额最多的市场',
  },
});
