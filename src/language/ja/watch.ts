import type { WatchWords } from '../en/watch.ts';
import { names, slash } from './names.ts';
import { settings } from './watch-settings.ts';
import { status } from './watch-status.ts';

const paused: WatchWords['pause']['state'] = (end) =>
  end === null ? `誰かが ${slash.resume} を使うまで一時停止中` : `${end.at}（${end.in}）まで一時停止中`;

export const watch: WatchWords = {
  settings,
  status,
  gap: '',
  comma: '、',
  andMore: (shown, more) => `${shown}、ほか ${more} 件`,
  noName: '名前なし',
  nothingRings: (channel) => `${channel} に通知するものはありません。${slash.add} で始められます。`,
  changedMeanwhile: `同時に別の人がこのウォッチを変更または削除しました。${slash.list} を確認してから、もう一度お試しください。`,
  notHere: (channel) => `このウォレットは ${channel} に通知していません。`,
  norElsewhere: `このサーバーのほかの場所にも通知していません。${slash.list} で通知するものを確認できます。`,
  elsewhere: (channels) =>
    `通知先は ${channels} です。そのチャンネルをオプション \`${names.options.channel}\` で指定してください。`,
  add: {
    title: (name) => (name === null ? 'ウォレットをウォッチ中' : `${name} をウォッチ中`),
    rings: (address, channel) => `${address} を今から ${channel} に通知します。`,
    latest: (line) => `最新：${line}`,
    unknownWallet: '取引所にはまだこのウォレットの記録がありません。取引に使っているアドレスですか？',
    inPlace: 'ウォッチは有効です。',
    already: (channel, name) =>
      `このウォレットはすでに ${channel} に${name === null ? 'ラベルなしで' : ` ${name} として`}通知しています。通知の仕方は ${slash.edit} で変えられます。`,
  },
  edit: {
    changed: (name) => `変更しました：${name ?? 'ウォレット'}`,
    settingsOf: (name) => `${name ?? 'ウォレット'} の設定`,
    where: (address, channel) => `${channel} の ${address}`,
  },
  removed: (address, name, channel) =>
    `${address}${name === null ? '' : `（${name}）`} を ${channel} に通知するのをやめました。`,
  pause: {
    state: paused,
    one: (name, channel, end) => `${channel} の ${name} は${paused(end)}です。`,
    only: (channel, end) => `${channel} で唯一のウォッチは${paused(end)}です。`,
    all: (count, channel, end) => `${channel} のウォッチ ${count} 件すべてが${paused(end)}です。`,
    already: (name, end) => `${name} はすでに${paused(end)}です。`,
    notMadeUpFor: 'その間の出来事は、あとから通知されません。',
    resumeEnds: `${slash.resume} で解除できます。`,
  },
  resume: {
    one: (name, channel) => `${channel} の ${name}：今からまた通知します。`,
    only: (channel) => `${channel} で一時停止中だった唯一のウォッチ：今からまた通知します。`,
    all: (count, channel) => `${channel} で一時停止中だったウォッチ ${count} 件すべてを、今からまた通知します。`,
    unmuted: (name, person) => `${name} を今からまた通知します。${person} がミュートを解除しました。`,
    nothingPaused: (channel) => `${channel} で一時停止中のものはありません。`,
    notPaused: (name, channel) => `${name} は ${channel} で一時停止中ではなく、通知しています。`,
  },
  mute: {
    muted: (person, name, until) => `${person} がこのチャンネルで ${name} を 1 時間、${until} までミュートしました。`,
    unmute: 'ミュート解除',
    managersOnly:
      'ミュートできるのは「サーバー管理」の権限がある人だけです。ここにいる全員にアラートが届かなくなるためです。',
    unknownButton: 'このボタンはもう使えません。',
  },
  channel: {
    full: (channel) => `${channel}：表示 \`full\`。アラートごとに埋め込み 1 つ、数値はすべて表示します。`,
    compact: (channel) => `${channel}：表示 \`compact\`。アラートは 1 行ずつ、1 つの埋め込みに複数まとめます。`,
    noConsensus: 'ウォレット間のコンセンサスは通知しません。',
    consensus: (wallets, time) =>
      `${time} 以内にここのウォレットのうち ${wallets} 個が同じアウトカムを取ると、コンセンサスとして通知します。`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` が ${given} です。指定できるのは ${least}～${most} 個のウォレット、または通知しない場合の 0 です。`,
    timeWrong: (examples) =>
      `\`${names.options['consensus-within']}\` が時間の長さではありません。指定できるのは ${examples} など、1 分から 3 日までです。`,
  },
  list: {
    range: (first, last, all) => `${all}件中 ${first}–${last}件目`,
    title: (count) => `ウォッチ ${count} 件`,
    nothing: `このサーバーにはまだ通知するものがありません。${slash.add} で始められます。`,
    compactView: 'コンパクト表示',
    undelivered: (count, lastReason) =>
      `ここに届けられなかったアラートが ${count} 件あります。最後のもの：${lastReason}`,
    noReason: '理由なし',
    alertsWait: (since) => `${since}からアラートが待っています。`,
    since: (time) => `${time}から。`,
    polled: (polls) => `取得：${polls}`,
    endpoints: { activity: '取引', 'deposits-withdrawals': '入出金' },
    lastPoll: (list, last) => `${list} ${last ?? '未取得'}`,
    nextPoll: (polled, next) => `${polled}、次回 ${next ?? 'すぐ'}`,
  },
};
