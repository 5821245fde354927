import type { AnswerWords } from '../en/answers.ts';
import type { Terms } from '../terms.ts';

export const answers = ({ slash }: Terms): AnswerWords => ({
  wallet: {
    noneInMessage: '这条消息里没有钱包地址。',
    firstOf: (shown, all) => `这条消息中 ${all} 个钱包里的前 ${shown} 个：`,
    several: (addresses) => `找到多个地址：${addresses}。请只输入一个。`,
    andMore: (shown, more) => `${shown}，另有 ${more} 个`,
    transaction: (hash) =>
      `${hash} 是交易哈希，不是钱包。请输入钱包地址：0x 后跟 40 位十六进制字符。`,
  },
  leftOut: {
    picture: (why) => `缺少图表：${why}`,
    file: (why) => `缺少文件：${why}`,
    why: {
      permission: (permission) => `我在此频道需要“${permission}”权限。`,
      size: '超出 Discord 的大小上限。',
      other: 'Discord 没有接受。',
    },
  },
  welcome: (permission) =>
    '你好！我会发布你所选钱包的每一笔买入、卖出、赎回、充值和提现。' +
    `开始使用：在要接收提醒的频道中输入 ${slash.add} 和钱包的地址或链接（需要“${permission}”权限）。` +
    `${slash.activity} 可查看任意钱包的交易。`,
});
