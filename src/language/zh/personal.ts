import type { PersonalWords } from '../en/personal.ts';
import type { Terms } from '../terms.ts';
import { DIRECT_MESSAGE } from './place.ts';

function watched(watches: number): string {
  if (watches === 0) return '你的私人设置';
  return `你私下关注的 ${watches} 个钱包及其设置`;
}

export const personal = ({ slash }: Terms): PersonalWords => ({
  here: DIRECT_MESSAGE,
  welcome: `👋 你的私人提醒会发送到这里：别人看不到你关注了什么。${slash.list} 可查看，${slash['delete-data']} 会删除你的所有数据。`,
  watchElsewhere: `${slash.watch} 可在邀请了我的服务器中使用，也可在与我的私信中使用：请打开我的个人资料并给我发私信，即可接收私人提醒。`,
  watchNotManager: (permission) =>
    `在服务器中使用 ${slash.watch} 需要“${permission}”权限。如果管理员已允许你使用此命令，请先将我从你自己的应用中移除，之后由 Discord 检查。` +
    '个人使用请在与我的私信中输入。',
  off: '私人提醒已关闭。请联系机器人的运营者。',
  notServed: '此机器人只在运营者选定的服务器中工作。',
  serversOnly: (option) => `私信中没有频道和身份组：请去掉 \`${option}\`。未做任何更改。`,
  notWatched: `你在这里没有关注此钱包。${slash.list} 会显示你关注的钱包。`,
  unknownWallet: (typed) =>
    `${typed} 既不是钱包地址（0x 加 40 位十六进制字符），也不是你自己某个钱包的标签。`,
  tooMany: (most, present, more) =>
    `你最多可以私下关注 ${most} 个钱包。现有 ${present} 个，无法再加 ${more} 个。未做任何更改。请用 ${slash.remove} 腾出位置。`,
  lookups: (most, time, when) =>
    `你的查询次数已用完（${time} 内 ${most} 次）。请 ${when}再试。提醒照常发送。`,
  ownLanguage: '你的 Discord 语言',
  refused: {
    closed:
      '我无法给你发送私信（50007），因此未保存任何内容。请解除对我的屏蔽，或允许来自共同服务器的私信：服务器菜单 → 隐私设置 → 私信。然后再试一次。',
    noSharedServer:
      '我们没有共同的服务器，Discord 不允许我给你发私信（50278），因此未保存任何内容。请加入有我的服务器，或邀请我加入你的服务器，然后再试一次。',
    later: 'Discord 目前不接收我的消息，因此未保存任何内容。请 1 分钟后再试。',
    openedTooFast:
      'Discord 限制我同时打开的私信数量（40003），而目前按下按钮的人很多。未保存任何内容。请 1 分钟后再试。',
    tooFast: (when) => `目前有很多人同时开始使用。未保存任何内容。请 ${when}再试。`,
  },
  leftOut: '文件中的频道和身份组会被忽略：所有提醒都发送到此私信。',
  follow: {
    button: '提醒我',
    done: (name, dm) => `${name} 的提醒会发到[你我的私信](${dm})，只有你能看到：`,
    change: `在私信中用 ${slash.edit} 更改，用 ${slash.remove} 停止。`,
    already: (name, dm) => `${name} 的提醒已经会发到[你我的私信](${dm})。`,
    wordsLeftOut: (words) =>
      `频道还为所有钱包设置了关键词（${words}），这些关键词不适用于你的提醒。`,
  },
  forget: {
    title: '删除你的所有数据？',
    question: (watches) =>
      `这会删除${watched(watches)}、摘要、列表，以及保存的其他所有与你有关的数据。你已收到的消息会留在此私信中，你在服务器中添加的钱包会留在该服务器中，在该服务器使用此命令可删除其中的你的 ID。` +
      `此操作无法撤销。如需副本，请先使用 ${slash.export}。`,
    yes: '全部删除',
    no: '保留',
    done: '你的所有数据已删除。这里不会再收到提醒。',
    kept: '未删除任何内容。',
    inServer:
      '已删除你留在此服务器中的 ID（你添加的钱包和你做的更改），钱包和更改记录会保留。今后的更改会重新记录。' +
      `在与我的私信中使用 ${slash['delete-data']}，可删除其他所有数据。`,
  },
});
