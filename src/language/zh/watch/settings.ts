import type { WatchSettingsWords } from '../../en/watch/settings.ts';
import type { Terms } from '../../terms.ts';

export const settings = ({ names }: Terms): WatchSettingsWords => ({
  kinds: {
    buy: '买入',
    sell: '卖出',
    redeem: '赎回',
    deposit: '充值',
    withdrawal: '提现',
    opens: '开仓',
    adds: '加仓',
    reduces: '减仓',
    closes: '平仓',
    other: '其他操作',
  },
  kind: {
    buy: '买入',
    sell: '卖出',
    redeem: '赎回',
    deposit: '充值',
    withdrawal: '提现',
    opens: '开仓',
    adds: '加仓',
    reduces: '减仓',
    closes: '平仓',
    other: '其他',
  },
  resetPrice: '价格',
  time: { d: ' 天', h: ' 小时', m: ' 分钟', s: ' 秒', between: ' ' },

  everything: '每笔买入、卖出、赎回、充值和提现',
  nothingChanged: '未做任何更改。',
  was: (before) => `（原为 ${before}）`,
  kindsOnly: (kinds) => `仅${kinds}`,
  minUsdc: (amount) => `${amount} 起`,
  marketsOnly: (markets) => `仅限 ${markets}`,
  marketsExcept: (markets) => `排除 ${markets}`,
  unknownMarkets: (markets) => `没有找到 ${markets} 的交易。请检查 ID 或 slug。`,
  wordsOnly: (words) => `仅限含 ${words} 的市场`,
  wordsExcept: (words) => `排除含 ${words} 的市场`,
  unknownWords: (words) => `没有找到含 ${words} 的市场的交易。请检查拼写。`,
  anyway: {
    button: '仍要使用',
    nothing: '未做任何更改。如果无误，请按下按钮，或再次发送相同的命令。',
    notYours: '只有发送该命令的人才能使用此按钮。',
  },
  unnamedMarket: '无名称市场',
  priceUpTo: (price) => `价格不高于 ${price} 的交易`,
  priceFrom: (price) => `价格不低于 ${price} 的交易`,
  priceExactly: (price) => `价格为 ${price} 的交易`,
  priceBetween: (low, high) => `价格 ${low} 至 ${high} 的交易`,
  liquidity: { maker: '仅限挂单方交易', taker: '仅限吃单方交易' },
  cooldown: (time) => `每个市场 ${time}内最多一条提醒`,
  eachFill: '每笔成交一条提醒',
  mention: (role, minUsdc, cooldown) =>
    `${minUsdc === null ? '' : `${minUsdc} 起`}提及 ` +
    `${role}${cooldown === null ? '' : `，${cooldown}内最多一次`}`,
  unusualOnly: '仅限明显大于平时的交易',
  silentBelow: (amount) => `低于 ${amount} 时静音`,
  sweeps: (price, cents) =>
    `${price} 及以上的成交大多是结算前扫单。用 \`${names.options['max-price']}: ${cents}\` 可将其排除。`,

  notAccepted: (option, value, accepted) =>
    `\`${option}\` 不能是 ${value}。请填写 ${accepted}。未做任何更改。`,
  accepted: {
    labelOfOne: '单个钱包的标签；多个钱包沿用已有的标签',
    kinds: (kinds) => `\`${names.typed.all}\`，或 ${kinds} 中的一项或多项`,
    resets: (parts) => `${parts} 中的一项或多项`,
    markets: (most) =>
      `\`${names.typed.only}：ID, SLUG\` 或 \`${names.typed.except}：` +
      `ID, SLUG\`（最多 ${most} 个市场），或 \`${names.typed.any}\``,
    words: (most) =>
      `\`${names.typed.only}：词语, 词语\` 或 \`${names.typed.except}：` +
      `词语\`（最多 ${most} 个），或 \`${names.typed.any}\``,
    usdc: (most) => `0 至 ${most} 美元，最多两位小数`,
    cents: '0 至 100 美分，最多两位小数',
    time: (examples, least, most) => `${least}至 ${most}的时长（${examples}）`,
    cooldown: (examples, least, most) =>
      `${least}至 ${most}的时长（${examples}），或 \`${names.typed.none}\``,
    pause: (examples, least, most) => `${least}至 ${most}的时长（${examples}），或留空以无限期暂停`,
  },
  bandWrong: (min, max) =>
    `\`${names.options['min-price']}\`（${min}）高于 ` +
    `\`${names.options['max-price']}\`（${max}）。请对调。未做任何更改。`,
  notEveryone: `\`${names.options.mention}\` 不能是 @everyone。请选择大家可以自行领取的身份组。未做任何更改。`,
  needsRole: (option) =>
    `\`${option}\` 需要一个要提及的身份组：请同时填写 \`${names.options.mention}\`。未做任何更改。`,
});
