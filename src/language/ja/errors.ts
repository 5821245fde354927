import type { ErrorWords } from '../en/errors.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

export const errors = (venue: VenueForms, { slash, permissions }: Terms): ErrorWords => ({
  unknownCommand:
    'このコマンドはもうありません。Discord を再読み込みして、もう一度お試しください。',
  unknownButton: 'このボタンはもう使えません。コマンドをもう一度実行してください。',
  notMember:
    'ボットはまだこのサーバーのメンバーではありません。スコープ「bot」で招待してから、もう一度お試しください。',
  internal: (reference) =>
    `ボット側で問題が起きました。ボットの運営者に参照番号 ${reference} を伝えてください。`,
  diskFull: (reference) =>
    `ボットのディスクがいっぱいで、何も変更していません。ボットの運営者に参照番号 ${reference} を伝えてください。`,
  inAMinute: '1分後',
  at: (clock) => clock,

  venue: {
    rateLimited: (when) =>
      `${venue.name}のレート制限に達しました。アラートは遅れることがあります。まだ掲載されている分をお届けします。${when}にもう一度お試しください。`,
    unauthorized: `${venue.name}がボットの API キーを拒否しました（401）。ボットの運営者がキーを確認するまでアラートは停止します。`,
    notInPlan:
      'ボットの API キーのプランにはこの一覧が含まれていません（403）。ボットの運営者が別のプランに変える必要があります。',
    unreachable: `${venue.name}が応答していません。復旧後、まだ掲載されている分をお届けします。1分後にもう一度お試しください。`,
    feedAway:
      'データのフィードが応答していません。復旧後、まだ掲載されている分をお届けします。1分後にもう一度お試しください。',
    unreadable: `${venue.name}から読み取れない応答が届きました。1分後にもう一度お試しください。続く場合はボットの運営者に連絡してください。`,
  },

  admission: {
    notAllowed: 'このボットは、運営者が選んだサーバーでのみ動作します。このサーバーは対象外です。',
    serverBlocked: 'ボットの運営者がこのサーバーをブロックしています。アラートは届きません。',
    userBlocked: 'ボットの運営者にブロックされているため、コマンドは使えません。',
  },

  quota: {
    user: (when) => `少しペースを落としてください。${when}にもう一度お試しください。`,
    server: (when) =>
      `このサーバーでは、この1分間にコマンドが多く使われました。${when}にもう一度お試しください。`,
    lookups: (most, time, when) =>
      `このサーバーは検索の上限（${time}に${most}回）に達しました。${when}にもう一度お試しください。アラートは通常どおり届きます。`,
    watches: (most, present, more) =>
      `サーバーごとにウォッチできるウォレットは${most}件までです（チャンネルごとに数えます）。すでに${present}件あるため、あと${more}件は追加できません。何も変更していません。` +
      `${slash.remove} で空きを作るか、ボットの運営者に WATCHES_PER_GUILD を上げるよう頼んでください。`,
    total: (more) =>
      `ボット全体でウォッチできるウォレットの上限に達しているため、あと${more}件は追加できません。何も変更していません。` +
      'しばらくしてからもう一度試すか、ボットの運営者に WATCHES_TOTAL を上げるよう頼んでください。',
    leavingCount: (leaving) =>
      `うち${leaving}件は削除した直後です。削除したウォレットも、元に戻せる10分間は数に入ります。`,
    channels: (most) =>
      `サーバーごとにこれを設定できるチャンネルは${most}個までです。何も変更していません。`,
  },

  permissions,

  channel: {
    unseen: (channel, permission) =>
      `${channel} が見えません。そのチャンネルで「${permission}」の権限を付与してから、もう一度お試しください。`,
    wrongKind: (channel) =>
      `${channel} に書き込めません。テキストチャンネルかスレッドを選んでください。`,
    closed: (channel, permissions) =>
      `${channel} に書き込めません。そのチャンネルで次の権限を付与してから、もう一度お試しください：${permissions}。`,
    locked: (channel) =>
      `${channel} に書き込めません：スレッドがロックされています。ロックを解除するか、「${permissions.manageThreads}」の権限を付与してください。`,
    timedOut: (channel, until) =>
      `${channel} に書き込めません：このサーバーで ${until} までタイムアウト中です。`,
    noEmbeds: (channel, permission) =>
      `${channel} で「${permission}」の権限を付与してください。ないと、アラートは1行目しか表示されません。`,
    noHistory: (permission) =>
      `そのチャンネルで「${permission}」の権限も付与してください。ないと、障害後にアラートが届いたか確認できず、二重に送ることがあります。`,
    roleGone: `メンションするロールがなくなっています。${slash.edit} で別のロールを指定してください。`,
    notMentionable: (role, channel, permission) =>
      `${channel} で ${role} にメンションできません。ロールへのメンションを許可するか、そのチャンネルで「${permission}」の権限を付与してください。`,
    notYours: (channel, permissions) =>
      `${channel} で次の権限がありません：${permissions}。ボットが書き込むのは、自分で書き込めるチャンネルだけです。`,
    mentionNotYours: (role, channel, permission) =>
      `${channel} で ${role} にメンションする権限がありません。` +
      `全員がメンションできるロールを選ぶか、そのチャンネルで「${permission}」の権限を付与してもらってください。`,
  },

  wallet: {
    ambiguous: (wallets) =>
      `このラベルのウォッチ中のウォレットが複数あります：${wallets}。アドレスを使ってください。`,
    unknown: (typed) =>
      `${typed} はウォレットアドレス（0x と16進数40桁）でも、このサーバーがウォッチするウォレットのラベルでもありません。`,
    pasted: {
      profile: (typed) =>
        `${typed} にはアドレスがありません。プロフィール名はアドレスではないため、プロフィールのページからアドレス（0x…）をコピーしてください。`,
      ens: (typed) =>
        `${typed} は ENS 名で、変換できません。対応するアドレス（0x と16進数40桁）を入力してください。`,
      bare: (typed) => `${typed} はアドレスの先頭が欠けているようです。前に 0x を付けてください。`,
    },
    address: {
      shape: (typed) =>
        `${typed} はウォレットアドレスではありません。0x に続く16進数40桁（0–9、a–f）を入力してください。`,
      checksum: (typed) =>
        `${typed} のチェックサムが違います（EIP-55）。入力ミスの可能性が高いので、アドレスをもう一度コピーしてください。`,
      zero: (typed) =>
        `${typed} はゼロアドレスで、どのウォレットのものでもありません。ウォレットのアドレスをコピーしてください。`,
    },
  },

  file: {
    refused: (status) =>
      `Discord からファイルを受け取れませんでした（${status}）。もう一度送ってください。`,
    late: 'ファイルを時間内に Discord から取得できませんでした。もう一度送ってください。',
    tooLarge: (kibibytes) => `ファイルが大きすぎます。使えるもの：${kibibytes} KiB まで。`,
  },
});
