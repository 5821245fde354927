import type { WatchWords } from '../../en/watch/watch.ts';
import type { Terms } from '../../terms.ts';
import type { Texts } from '../../texts.ts';
import { within } from '../place.ts';
import type { VenueForms } from '../venue.ts';
import { panel } from './panel.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { why } from './why.ts';

const paused = (resume: string, end: Parameters<Texts['watch']['pause']['state']>[0]) =>
  end === null ? `一時停止中（${resume} で再開）` : `${end.at}（${end.in}）まで一時停止中`;
const pausedSentence: typeof paused = (resume, end) =>
  end === null
    ? `一時停止中です（${resume} で再開できます）。`
    : `${end.at}（${end.in}）まで一時停止中です。`;

export const watch = (venue: VenueForms, { names, slash, permissions }: Terms): WatchWords => ({
  settings: settings({ names, permissions, slash }),
  panel: panel({ names, permissions, slash }),
  status: status(venue, { names, permissions, slash }),
  why: why(venue, { names, permissions, slash }),
  gap: '',
  comma: '、',
  and: 'と',
  andMore: (shown, more) => `${shown}、ほか${more}件`,
  noName: '名前なし',
  nothingWatched: (channel) =>
    `${channel} でウォッチしているウォレットはありません。${slash.add} で追加できます。`,
  notHere: (channel) => `このウォレットは${within(channel)} ではウォッチしていません。`,
  notElsewhere: `このサーバーのほかのチャンネルでもウォッチしていません。${slash.list} でウォッチ中のものを確認できます。`,
  elsewhere: (channels) =>
    `${channels} でウォッチしています。そのチャンネルを \`${names.options.channel}\` で選んでください。`,
  add: {
    watching: (name, channel) => `${name} を${within(channel)} でウォッチ中です。`,
    everything: 'すべての動きのアラートが届きます。',
    withSettings: '今後、次のアラートが届きます：',
    latest: (line) => `最新：${line}`,
    unknownWallet: `${venue.name}にはまだこのウォレットの記録がありません。取引に使っているアドレス（プロキシウォレット）ですか？`,
    proxy: (address) =>
      `このウォレットは別のアドレス（プロキシウォレット）で取引しています：\`${address}\`。${venue.name}の記録はそちらに掲載されるため、そのアドレスを指定してください。`,
    noAnswer: `${venue.name}が応答していません。復旧後にアラートが届きます。`,
    already: (channel, name) =>
      `このウォレットはすでに${within(channel)} で${name === null ? 'ラベルなしで' : ` ${name} として`}ウォッチ中です。` +
      `アラートは ${slash.edit} で変えられます。`,
  },
  flood: {
    about: (trades, time) => `取引は1日に約${trades}件（直近${time}から）。`,
    cooldown: (time) => `マーケットごとに${time}に1件まで`,
    minUsdc: (amount) => `通常サイズの ${amount} 以上のみ`,
    undo: (what) => `元に戻す：${what}`,
    changed: (person, name, channel, what) =>
      `${person} が${within(channel)} の ${name} のアラートを変更しました：${what}。`,
    undone: (person, name, channel, what) =>
      `${person} が${within(channel)} の ${name} の変更を元に戻しました。解除：${what}。`,
    edited: `この設定はその後、誰かが変更しました。${slash.edit} を使ってください。何も変更していません。`,
  },
  edit: {
    changed: (name) => `変更しました：${name ?? 'ウォレット'}`,
    settingsOf: (name) => `${name ?? 'ウォレット'} の設定`,
    where: (address, channel) => `${channel} の ${address}`,
  },
  changes: {
    title: '変更履歴',
    kept: '過去30日間、最大500件',
    deeds: {
      added: '追加',
      paused: '一時停止',
      resumed: '再開',
      removed: '削除',
      restored: '削除を取り消し',
    },
    edited: (names) => `${names} を変更`,
  },
  undo: {
    button: '元に戻す',
    until: (time) => `${time} まで元に戻せます。その間のアラートも届きます。`,
    done: (name, channel) =>
      `${channel} で ${name} のウォッチを再開しました。その間のアラートも届きます。`,
    over: `もう元に戻せません。${slash.add} でもう一度追加してください。`,
  },
  managersOnly: `このボタンを使えるのは「${permissions.manageServer}」の権限がある人だけです。`,
  removed: (address, name, channel) =>
    `${name === null ? `${address} ` : `${name}（${address}）`}のウォッチを${within(channel)} でやめました。`,
  pause: {
    state: (end) => paused(slash.resume, end),
    one: (name, channel, end) => `${channel} の ${name} は${pausedSentence(slash.resume, end)}`,
    only: (channel, end) =>
      `${channel} で唯一ウォッチ中のウォレットは${pausedSentence(slash.resume, end)}`,
    all: (count, channel, end) =>
      `${channel} でウォッチ中の${count}件はすべて${pausedSentence(slash.resume, end)}`,
    already: (name, end) => `${name} はすでに${pausedSentence(slash.resume, end)}`,
    notPostedLater: '一時停止中の出来事は、後から投稿されません。',
    resumeEnds: `早く終えるには ${slash.resume} を使ってください。`,
    resume: '再開',
  },
  resume: {
    one: (name, channel) => `${channel} の ${name} のアラートを再開しました。`,
    only: (channel) => `${channel} で一時停止中だった唯一のウォレットのアラートを再開しました。`,
    all: (count, channel) =>
      `${channel} で一時停止中だったウォレット ${count}件すべてのアラートを再開しました。`,
    unmuted: (name, person) =>
      `${person} が ${name} のミュートを解除しました。アラートを再開しました。`,
    nothingPaused: (channel) => `${channel} で一時停止中のものはありません。`,
    notPaused: (name, channel) => `${name} は${within(channel)} で一時停止中ではありません。`,
  },
  mute: {
    muted: (person, name, until) =>
      `${person} がこのチャンネルで ${name} を1時間ミュートしました（${until} まで）。それまでの出来事は、後から投稿されません。`,
    unmute: 'ミュート解除',
    managersOnly: `ミュートできるのは「${permissions.manageServer}」の権限がある人だけです。チャンネルの全員にこのアラートが届かなくなるためです。`,
    unknownButton: 'このボタンはもう使えません。',
  },
  channel: {
    full: (channel) =>
      `${channel}：表示 \`詳細\`。アラートごとに埋め込み1つ、数値をすべて表示します。`,
    compact: (channel) =>
      `${channel}：表示 \`コンパクト\`。アラートは1行ずつ、1つの埋め込みに複数まとめます。`,
    noConsensus: 'コンセンサスのアラートはオフです。',
    consensus: (wallets, time) =>
      `コンセンサスのアラート：${time}以内にこのチャンネルのウォレット${wallets}件が同じ結果を買ったとき。`,
    words: (words) => `アラートの対象：${words}。`,
    results: { on: '損益の返信はオンです。', off: '損益の返信はオフです。' },
    consensusOnly: {
      on: 'コンセンサスのみ：個別の取引、償還、入金、出金はここに**投稿しません**。抜けの可能性のお知らせと、以前に通知した購入の損益は引き続き届きます。',
      off: '個別のアラートも投稿します。',
    },
    quiet: {
      on: (from, to, zone) =>
        `消音時間：${from}～${to}（${zone}）。すべて通知音もメンションもなしで投稿します。`,
      off: '消音時間はありません。',
      takes: `\`22:00-07:00\` のような2つの時刻、または \`${names.typed.none}\``,
      zoneMissing:
        `タイムゾーンがわかりません。\`${names.options.quiet}\` と一緒に \`${names.options['time-zone']}\` ` +
        'も指定してください。何も変更していません。',
      hoursMissing:
        `\`${names.options['time-zone']}\` ` +
        `は消音時間のタイムゾーンですが、消音時間がありません。\`${names.options.quiet}\` も指定してください。何も変更していません。`,
    },
    delay: {
      on: (time) => `すべて${time}遅れて届きます。一時停止や設定変更も同じ遅れで反映されます。`,
      off: 'すべてすぐに届きます。',
    },
    consensusMissing:
      `\`${names.options['consensus-only']}\` はコンセンサスなしでは \`オン\` にできません。` +
      `\`${names.options.consensus}\` も指定してください。何も変更していません。`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` に \`${given}\` は指定できません。` +
      `使えるもの：ウォレット ${least}～${most}件、または 0（なし）。何も変更していません。`,
  },
  list: {
    range: (first, last, all) => `${all}行中 ${first}–${last}行目`,
    title: (wallets, channels) =>
      `ウォッチ中 ${wallets}件${channels === null ? '' : `（${channels}チャンネル）`}`,
    problems: (channels) => `問題のあるチャンネル ${channels}個`,
    nothing: `まだウォッチしているウォレットはありません。${slash.add} で追加できます。`,
    compactView: 'コンパクト表示',
    consensusOnly: 'コンセンサスのみ',
    noResults: '損益なし',
    quiet: (from, to, zone) => `消音 ${from}～${to}（${zone}）`,
    delay: (time) => `${time}遅れて届く`,
    undelivered: (count, lastReason) =>
      `ここに届けられなかったアラートが ${count}件あります。最後のもの：${lastReason}`,
    noReason: '理由なし',
    alertsWait: (since) => `アラートが待機中です。最も古いもの：${since}。`,
    since: (time) => `発生：${time}。`,
    lastTrade: (time) => `最後の取引 ${time}`,
    polled: (polls) => `取得：${polls}`,
    endpoints: { activity: '取引', 'deposits-withdrawals': '入出金' },
    lastPoll: (list, last) => `${list} ${last ?? '未取得'}`,
  },
});
