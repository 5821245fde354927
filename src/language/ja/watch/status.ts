import type { WatchStatusWords } from '../../en/watch/status.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const status = (venue: VenueForms, { slash, permissions }: Terms): WatchStatusWords => ({
  works: '正常に動作しています',
  slowed: `${venue.name}の制限で遅れています`,
  silent: `${venue.name}が応答していません`,
  late: `${venue.name}での取引の掲載が遅れています`,
  broken: '問題があります',
  checks: {
    gateway: 'Discord',
    store: 'ストレージ',
    venue: venue.label,
    lastPoll: 'ポーリング',
    feed: 'フィード',
  },
  because: (check, reason) => `${check}：${reason}`,
  shards: (shards, here) =>
    `シャード：${shards}${here === null ? '' : `。このサーバーはシャード ${here} です。`}`,
  fields: {
    budget: 'レート制限',
    polls: 'ポーリング',
    here: 'このサーバーのアラート',
    yours: 'DM のアラート',
    all: 'ボット全体',
  },
  polls: (succeeded, failed, minutes) =>
    `直近 ${minutes}分間に成功 ${succeeded}回${failed > 0 ? `、失敗 ${failed}回` : ''}`,
  round: (minutes) => `すべてのウォレットを一巡するのに${minutes}分以上かかります。`,
  lastAnswer: (time) => `最後の応答は${time}`,
  listsLate: (delay) => `取引の掲載が${delay}遅れています`,
  walletsHere: (count) => `ここでウォッチ中 ${count}件`,
  walletsInAll: (count) => `全体で ${count}件`,
  upFor: (time) => `稼働時間 ${time}`,
  limitUnknown: `${venue.name}のレート制限はまだ分かりません。`,
  left: (left, limit, renewed) =>
    `残りリクエスト ${left} / ${limit}${renewed === null ? '' : `、リセットは${renewed}`}`,
  allows: (limit) => `期間ごとの上限は ${limit}件`,
  used: (sent, allowance, polls, people, older) =>
    `この期間の使用 ${sent}${allowance === null ? '' : `（使える上限 ${allowance}）`}：` +
    `ポーリング ${polls}、コマンド ${people}、過去の取引の読み取り ${older}`,
  venueAskedForPause: (end) => `待つよう求められました（429）。${end}に終わります。`,
  arrive: (median, most, latest) =>
    `アラートは取引の${median}後に届きます（95% は${most}以内、最新は${latest}後）。`,
  all: '詳しい数値',
  noAlerts: '起動してからまだありません。',
  delays: (count, median, most, latest) =>
    `直近 ${count}件の遅延：中央値 ${median}、95% は${most}以内、最新 ${latest}`,
  withoutPosition: (count) => `うち保有状況なし：${count}件`,
  nothingWaits: '待機中のアラートはありません。',
  stillLoading: (wallets) =>
    `再起動後、ウォレット ${wallets}件を読み込んでいます。終わるまで、そのチャンネルのアラートは待機します。`,
  delayedChannels: (channels) => `遅れて届くチャンネル：${channels}。`,
  signedAlerts:
    'このサーバーのアラートは、ボットの運営者が Discord 外のサービスにも送信しています。',
  waiting: (alerts, oldest) =>
    `アラート ${alerts}件が待機中です。最も古いものは${oldest}前から待っています。`,
  cannotWrite: (channels) => `${channels} に書き込めません。理由は ${slash.list} で確認できます。`,
  refused: (requests) =>
    `この10分間に、ここへのリクエスト ${requests}件が Discord に拒否されました。書き込めないチャンネルは ${slash.list} で確認できます。`,
  undelivered: (alerts) =>
    `アラート ${alerts}件を届けられませんでした。理由は ${slash.list} で確認できます。`,

  tokenShared:
    '別のプロセスがこのボットのトークンを使い、一部のコマンドに代わりに応答しています。ボットの管理者は、そのプロセスを終了するか、トークンを再発行してください。',
  gatewayDown: 'Discord のゲートウェイに接続していません。接続しているところです。',
  shardsDown: (shards, count) =>
    `Discord のゲートウェイに接続していないシャード：${shards}（全${count}個中）。接続しているところです。`,
  storeFailed: '障害があり、それ以降は何も保存できていません。理由はログにあります。',
  feedAway: (since) => `${since} からデータが届いていません。復旧後にアラートが届きます。`,
  nothingAsked: 'まだリクエストを送っていません。',
  nothingWatched: 'ウォッチしているウォレットがないため、ポーリングしていません。',
  noPoll: 'まだ一度もポーリングに成功していません。',
  noPollPlanned: (since) =>
    since === null
      ? 'リクエストの予定があったのに、まだ一度もポーリングに成功していません。'
      : `リクエストの予定があったのに、${since} 以降ポーリングに成功していません。`,
  tickLate: (seconds) => `POLL_CRON の実行が ${seconds}秒遅れています。`,
  notInPlan: {
    activity:
      'キーのプランには取引と償還が含まれていません（403）。含まれているプランを使ってください。',
    'deposits-withdrawals':
      'キーのプランには入金と出金が含まれていません（403）。含まれているプランを使ってください。',
  },
  unreachable: `${venue.name}が正しく応答していません。復旧後にアラートが届きます。`,
  paused: (until) =>
    `${venue.name}のレート制限に達しました。次の問い合わせは ${until} です。復旧後にアラートが届きます。`,

  delivery: {
    noAccess: `チャンネルが見えません（50001）。そのチャンネルで「${permissions.viewChannel}」の権限を付与するか、もう一度招待してください。`,
    noWriting:
      'チャンネルに書き込めません（50013）。' +
      `そのチャンネルで「${permissions.sendMessages}」と「${permissions.embedLinks}」の権限を付与してください。`,
    noEmbeds:
      'Discord がメッセージから埋め込みを取り除きました（50006）。' +
      `そのチャンネルで「${permissions.embedLinks}」の権限を付与してください。`,
    noReplies: `チャンネルで返信できません（160002）。そのチャンネルで「${permissions.readMessageHistory}」の権限を付与してください。`,
    noMessages: (code) =>
      `このチャンネルにはメッセージを送れません（${code}）。テキストチャンネルを選んでください。`,
    threadLocked:
      'スレッドがロックされています（160005）。ロックを解除するか、別のチャンネルを選んでください。',
    threadArchived:
      'スレッドがアーカイブされています（50083）。開き直すか、別のチャンネルを選んでください。',
    dmClosed: 'DM を送信できません（50007）。ブロックされているか、DM が許可されていません。',
    noSharedServer:
      '共通のサーバーがないと、Discord では DM を送信できません（50278）。このボットがいるサーバーに参加してください。',
    channelGone: 'チャンネルはもうありません（10003）。',
    serverGone: 'サーバーがもうないか、このボットが参加していません（10004）。',
    rejected: (code, message) => `Discord がメッセージを拒否しました（${code}）：${message}`,
    forbidden: (code, message) => `Discord が許可していません（${code}）：${message}`,
  },
});
