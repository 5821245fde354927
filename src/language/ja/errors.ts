import type { ErrorWords } from '../en/errors.ts';
import { slash } from './names.ts';

export const errors: ErrorWords = {
  unknownCommand: 'このコマンドはもうありません。Discord を再読み込みして、もう一度お試しください。',
  unknownButton: 'このボタンはもう使えません。コマンドをもう一度実行してください。',
  notMember:
    'ボットはまだこのサーバーのメンバーではありません。スコープ「bot」で招待してから、もう一度お試しください。',
  internal: (reference) => `ボット内で問題が起きました。参照番号 ${reference} でログに記録しています。`,
  inAMinute: '1 分後',

  venue: {
    busy: (when) => `現在、照会が多すぎます。${when}にもう一度お試しください。`,
    rateLimited: (when) =>
      `取引所のレート制限に達したため、待つよう求められています。${when}にもう一度お試しください。`,
    unauthorized:
      '取引所がボットの API キーを拒否しています（401）。ボットの運営者による確認が必要です。それまでアラートは止まります。',
    notInPlan:
      'ボットの API キーのプランにはこの一覧が含まれていません（403）。運営者が別のプランに変える必要があります。',
    unreachable:
      '取引所が現在応答していません。失われるものはなく、応答が戻ればアラートが届きます。1 分後にもう一度お試しください。',
    unreadable:
      '取引所から読み取れない応答が届きました。1 分後にもう一度お試しください。続く場合はボットの運営者に知らせてください。',
  },

  admission: {
    notAllowed: 'このボットは、運営者が選んだサーバーでのみ動作します。このサーバーは対象外です。',
    serverBlocked: 'このボットの運営者がこのサーバーをブロックしています。アラートは届きません。',
    userBlocked: 'このボットの運営者によりブロックされているため、コマンドは使えません。',
  },

  quota: {
    user: (when) => `一度に多すぎます。${when}にもう一度お試しください。`,
    server: (when) => `このサーバーからの操作がこの 1 分間に多すぎました。${when}にもう一度お試しください。`,
    lookups: (most, time, when) =>
      `このサーバーは照会の割り当てを使い切りました（${time} に ${most} 回）。${when}にもう一度お試しください。アラートはその間も続きます。`,
    watches: (most, present, more) =>
      `サーバーごとのウォッチは ${most} 件までです。このサーバーには ${present} 件あるため、あと ${more} 件は追加できません。${slash.remove} で空きを作れます。ボットの運営者は WATCHES_PER_GUILD で上限を上げられます。`,
  },

  permissions: {
    viewChannel: 'チャンネルを見る',
    sendMessages: 'メッセージを送信',
    sendMessagesInThreads: 'スレッドでメッセージを送信',
    embedLinks: '埋め込みリンク',
    readMessageHistory: 'メッセージ履歴を読む',
    mentionEveryone: '全員にメンション',
  },

  channel: {
    unseen: (channel, permission) =>
      `${channel} が見えません。そこで「${permission}」の権限を付けてから、もう一度お試しください。`,
    wrongKind: (channel) => `${channel} にはメッセージを送れません。テキストチャンネルかスレッドを選んでください。`,
    closed: (channel, permissions) =>
      `${channel} に通知できません。そこで次の権限を付けてから、もう一度お試しください：${permissions}。`,
    noHistory: (permission) =>
      `そこで「${permission}」の権限も付けてください。ないと、障害のあとにアラートが届いていたか確認できず、重ねて送ることがあります。`,
    roleGone: `メンションするロールがなくなっています。${slash.edit} で別のロールを指定してください。`,
    notMentionable: (role, channel, permission) =>
      `${channel} で ${role} にメンションできません。ロールへのメンションを許可するか、そこで「${permission}」の権限を付けてください。`,
    notYours: (channel, permissions) =>
      `${channel} で次の権限がありません：${permissions}。通知できるのは、あなた自身が書き込めるチャンネルだけです。`,
    mentionNotYours: (role, channel, permission) =>
      `あなたは ${channel} で ${role} にメンションできません。全員がメンションできるロールか、そこで「${permission}」の権限が必要です。`,
  },

  wallet: {
    ambiguous: (wallets) => `同じ名前のウォッチ中のウォレットが複数あります：${wallets}。アドレスを指定してください。`,
    unknown: (typed) =>
      `${typed} はウォレットアドレス（0x と 16 進数 40 桁）でも、このサーバーがウォッチするウォレットのラベルでもありません。`,
    typed: '入力',
    address: {
      shape: (typed) =>
        `「${typed}」はウォレットアドレスではありません。アドレスは 0x に続く 16 進数 40 桁（0–9、a–f）です。`,
      checksum: (typed) =>
        `${typed} のチェックサムが違います（EIP-55）。入力ミスの可能性が高いので、アドレスをもう一度コピーしてください。`,
    },
  },

  file: {
    refused: (status) => `Discord からファイルを受け取れませんでした（${status}）。もう一度送ってください。`,
    late: 'ファイルを時間内に Discord から取得できませんでした。もう一度送ってください。',
    tooLarge: (kibibytes) => `ファイルが大きすぎます。${kibibytes} KiB まで受け付けます。`,
  },
};
