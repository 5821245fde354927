import type { WatchSettingsWords } from '../en/watch-settings.ts';
import { names } from './names.ts';

export const settings: WatchSettingsWords = {
  kinds: { buy: '买入', sell: '卖出', redeem: '赎回', deposit: '存入', withdrawal: '提取' },
  kind: { buy: '买入', sell: '卖出', redeem: '赎回', deposit: '存入', withdrawal: '提取' },
  resetPrice: '价格',
  time: { d: ' 天', h: ' 小时', m: ' 分钟', s: ' 秒', between: ' ' },

  everything: (kinds) => `全部提醒：${kinds}。`,
  kindsOnly: (kinds) => `仅${kinds}`,
  minUsdc: (amount) => `${amount} 起`,
  marketsOnly: (markets) => `仅限 ${markets}`,
  marketsExcept: (markets) => `不含 ${markets}`,
  unnamedMarket: '无名称的市场',
  priceUpTo: (price) => `价格不高于 ${price} 的交易`,
  priceFrom: (price) => `价格不低于 ${price} 的交易`,
  priceExactly: (price) => `价格为 ${price} 的交易`,
  priceBetween: (low, high) => `价格 ${low} 至 ${high} 的交易`,
  liquidity: { maker: '仅挂单方交易', taker: '仅吃单方交易' },
  cooldown: (time) => `每个市场 ${time}内最多一条提醒`,
  eachFill: '每笔成交单独提醒',
  mention: (role, minUsdc, cooldown) =>
    `${minUsdc === null ? '' : `${minUsdc} 起`}提及 ${role}${cooldown === null ? '' : `，${cooldown}内最多一次`}`,
  unusualOnly: '仅异常规模的交易',
  silentBelow: (amount) => `低于 ${amount} 时静音`,
  sweeps: (price, cents) =>
    `${price} 及以上的成交大多是对几乎已定局市场的扫单：\`${names.options['max-price']}: ${cents}\` 可将其排除。`,

  notAccepted: (option, value, accepted) => `选项 \`${option}\` 不接受 ${value}。可接受：${accepted}。未作任何更改。`,
  thatValue: '该值',
  accepted: {
    kinds: (kinds) => `all，或 ${kinds} 中的若干项`,
    markets: (most) => `"only: ID, SLUG"、"except: ID, SLUG"（最多 ${most} 个市场）或 "any"`,
    liquidity: 'maker、taker 或 any',
    style: 'grouped 或 each',
    size: 'unusual 或 any',
    usdc: (most) => `0 至 ${most} 美元，最多两位小数`,
    cents: '0 至 100 美分，最多两位小数',
    cooldown: (examples, most) => `时长，如 ${examples}（最长 ${most}），或 none`,
    pause: (examples, least, most) => `时长，如 ${examples}，从 ${least} 到 ${most}；留空则暂停无期限`,
  },
  bandWrong: (min, max) =>
    `选项 \`${names.options['min-price']}\`（${min}）高于 \`${names.options['max-price']}\`（${max}）。可接受：相同或更低。未作任何更改。`,
  notEveryone: `选项 \`${names.options.mention}\` 不接受 @everyone。可接受：任何其他身份组，让想要的人自行领取。未作任何更改。`,
  needsRole: (option) =>
    `选项 \`${option}\` 需要一个要提及的身份组：请同时填写选项 \`${names.options.mention}\`。未作任何更改。`,
};
