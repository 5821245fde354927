import type { PersonalWords } from '../en/personal.ts';
import type { Terms } from '../terms.ts';
import { DIRECT_MESSAGE } from './place.ts';

function watched(watches: number): string {
  if (watches === 0) return '個人用の設定';
  return `個人用にウォッチ中のウォレット${watches}件とその設定`;
}

export const personal = ({ slash }: Terms): PersonalWords => ({
  here: DIRECT_MESSAGE,
  welcome:
    '👋 個人用のアラートはここに届きます。何をウォッチしているかは、ほかの人には見えません。' +
    `${slash.list} で一覧を表示し、${slash['delete-data']} で自分のデータをすべて削除できます。`,
  watchElsewhere:
    `${slash.watch} は、ボットを招待したサーバーと、ボットとの DM で使えます。` +
    '個人用のアラートを受け取るには、ボットのプロフィールを開いて DM を送ってください。',
  watchNotManager: (permission) =>
    `サーバーで ${slash.watch} を使うには「${permission}」の権限が必要です。` +
    '管理者がこのコマンドを許可している場合は、先にご自身のアプリからボットを削除してください。そうすれば Discord が確認します。個人用にはボットとの DM で使えます。',
  off: 'ここでは個人用のアラートは無効になっています。ボットの運営者にお問い合わせください。',
  notServed: 'このボットは、運営者が選んだサーバーでのみ動作します。',
  serversOnly: (option) =>
    `DM にはチャンネルもロールもありません。\`${option}\` を外してください。何も変更していません。`,
  notWatched: `このウォレットはここではウォッチしていません。${slash.list} でウォッチ中のものを確認できます。`,
  unknownWallet: (typed) =>
    `${typed} はウォレットアドレス（0x と16進数40桁）でも、自分のウォレットのラベルでもありません。`,
  tooMany: (most, present, more) =>
    `個人用にウォッチできるウォレットは${most}件までです。現在${present}件あり、あと${more}件は追加できません。何も変更していません。` +
    `${slash.remove} で空きを作ってください。`,
  lookups: (most, time, when) =>
    `検索の上限（${time}に${most}回）に達しました。${when}にもう一度お試しください。アラートは通常どおり届きます。`,
  ownLanguage: 'Discord の表示言語',
  refused: {
    closed:
      'DM を送信できないため（50007）、何も保存していません。' +
      'ボットのブロックを解除するか、共通のサーバーからの DM を許可してください（サーバーのメニュー → プライバシー設定 → ダイレクトメッセージ）。' +
      'その後、もう一度お試しください。',
    noSharedServer:
      '共通のサーバーがないため、Discord では DM を送信できません（50278）。何も保存していません。' +
      'ボットがいるサーバーに参加するか、自分のサーバーに招待してから、もう一度お試しください。',
    later:
      '現在 Discord がメッセージを受け付けていないため、何も保存していません。1分後にもう一度お試しください。',
    openedTooFast:
      '一度に開始できる DM の数は Discord により制限されています（40003）。' +
      '現在、利用が集中しているため、何も保存していません。1分後にもう一度お試しください。',
    tooFast: (when) =>
      `現在、利用を始める人が集中しています。何も保存していません。${when}にもう一度お試しください。`,
  },
  leftOut: 'ファイルのチャンネルとロールは無視され、すべてこの DM に届きます。',
  follow: {
    button: '自分にも通知',
    done: (name, dm) =>
      `${name} のアラートを[ボットとの DM](${dm}) に送ります。ほかの人には見えません：`,
    change: `DM で ${slash.edit} を使うと変更、${slash.remove} を使うと終了できます。`,
    already: (name, dm) => `${name} のアラートはすでに[ボットとの DM](${dm}) に届きます。`,
    wordsLeftOut: (words) =>
      `チャンネルには全ウォレット共通のキーワードもあります（${words}）。自分へのアラートには適用されません。`,
  },
  forget: {
    title: '自分のデータをすべて削除しますか？',
    question: (watches) =>
      `${watched(watches)}、ダイジェスト、リストなど、保存されている情報をすべて削除します。` +
      '届いたメッセージはこの DM に残ります。サーバーで追加したウォレットは、そこでこのコマンドを使うまで自分の ID とともに残ります。この操作は取り消せません。' +
      `コピーが必要なら、先に ${slash.export} を使ってください。`,
    yes: 'すべて削除',
    no: '残す',
    done: 'データをすべて削除しました。今後ここにアラートは届きません。',
    kept: '何も削除していません。',
    inServer:
      'このサーバーに残る自分の ID（追加したウォレットと変更の記録）を削除しました。ウォレットと記録は残ります。今後の変更はまた記録されます。' +
      `そのほかのデータは、ボットとの DM で ${slash['delete-data']} を使うと削除されます。`,
  },
});
