import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import type { Terms } from '../terms.ts';

export const commands = ({ names }: Terms): CommandWords => ({
  lookUpWallets: 'ウォレットを調べる',
  languageName: '日本語',
  wallet: 'アドレス（0x…）、またはこのサーバーがウォッチするウォレットのラベル',
  walletOrAll: 'ウォレットのアドレスかラベル。省略するとチャンネルでウォッチ中のすべて',
  watchedIn: 'アラートが届くチャンネル。省略するとこのチャンネル',
  settings: {
    label: 'このサーバーでのウォレットの名前',
    kinds: 'アラートの対象。例：「購入、売却」/「新規、決済」',
    minUsdc: 'アラートの最小 USDC（約定をまとめる場合は合計）',
    style: 'まとまりのある約定を1件のアラートにするか、約定ごとにするか',
    styles: {
      grouped: 'まとめる：まとまりのある約定を1件のアラートに',
      each: '約定ごと：約定ごとに1件のアラート',
    },
    mention: 'アラートでメンションするロール',
    markets: `ID かスラッグで。「${names.typed.only}：…, …」または「${names.typed.except}：…, …」`,
    words:
      'マーケットかイベントの語句で。' +
      `「${names.typed.only}：nba, lakers」または「${names.typed.except}：up or down」`,
    minPrice: '取引の最低価格（セント）',
    maxPrice: '最高価格（セント）。94 で決着間際の買いをほぼ除外',
    liquidity: 'メイカーまたはテイカーの取引だけ',
    roles: {
      maker: 'メイカー',
      taker: 'テイカー',
      any: '指定なし',
    },
    size: '「大口」は、このウォレットの直近の取引の95%を超えるものだけ',
    sizes: {
      unusual: '大口',
      any: '指定なし',
    },
    cooldown: 'この時間内はマーケットごとに1件。残りは次のアラートと一緒に。10m、1h',
    mentionMinUsdc: 'この USDC 以上でロールにメンション',
    mentionCooldown: 'ロールへのメンションはこの時間に1回まで。30m、2h',
    silentBelowUsdc: 'この USDC 未満のアラートは通知音なし',
    reset: `初期値に戻す設定。例：「価格、メンション」。「${names.typed.all}」はラベル以外すべて`,
  },
  watch: 'どのウォレットのアラートをどのチャンネルに届けるかを選ぶ',
  add: {
    description: 'ウォレットのすべての取引、償還、入金、出金のアラートを受け取る',
    channel: 'アラートのチャンネル。省略するとこのチャンネル',
  },
  edit: 'ウォレットのアラートを変更。ほかのオプションがなければ設定を表示',
  remove: 'ウォレットのウォッチをやめる',
  pause: {
    description: 'ウォレットまたはチャンネル全体のアラートを一時停止。その間の分は後から届かない',
    for: `停止する時間。30m、2h、1d など。省略すると ${typedCommand(names, 'resume')} まで`,
  },
  resume: '一時停止を終え、今からまたアラートを受け取る',
  channel: {
    description: 'チャンネルのアラートの表示と言語、損益、コンセンサスのアラート',
    view: '詳細：アラートごとに1つの埋め込み。コンパクト：1件1行',
    views: {
      full: '詳細：アラートごとに1つの埋め込み、数値をすべて表示',
      compact: 'コンパクト：アラート1件に1行、1つの埋め込みに複数',
    },
    consensus: 'この数のウォレットが同じ結果を買ったらアラート',
    consensusWithin: '対象とする時間の幅。2h、1d など、3d まで',
    words: `チャンネル全体の語句。各ウォレットの設定に加えて適用。「${names.typed.except}：…」`,
    consensusOnly: 'コンセンサスだけを投稿し、個別のアラートを省く',
    consensusOnlyChoices: {
      on: 'オン：コンセンサスのみ、個別のアラートなし',
      off: 'オフ：個別のアラートも投稿',
    },
    results: 'ここで通知した購入の損益',
    resultChoices: {
      on: 'オン：通知したポジションが売却または償還されたら返信',
      off: 'オフ：なし',
    },
    quiet: '通知音もメンションもなしで届く時間帯。例：22:00-07:00',
    timeZone: '時間帯のタイムゾーン。例：Asia/Tokyo。省略するとダイジェストのもの',
    delay: '遅れて届ける時間。例：15m',
    language: 'チャンネルのアラートとダイジェストの言語',
    serverLanguage: 'サーバーの言語',
    channel: 'チャンネル。省略するとこのチャンネル',
    writtenIn: (language) => `アラートとダイジェストの言語：${language}。`,
  },
  digest: {
    description: 'チャンネルのウォレットの日次または週次ダイジェスト。オプションなしで予定を表示',
    every: '頻度',
    everies: { day: '毎日', week: '毎週', off: 'なし' },
    at: '時刻。例：18:00',
    timeZone: 'タイムゾーン。例：Asia/Tokyo',
    day: '週次ダイジェストの曜日',
    channel: '送り先のチャンネル。省略するとこのチャンネル',
  },
  scores: 'チャンネルのウォレットの成績を、良い順に表示',
  list: 'このサーバーでウォッチ中のすべてのウォレットと、問題があればその内容',
  why: {
    description: 'トランザクションがチャンネルに投稿された理由、されなかった理由',
    transaction: 'トランザクション（0x…）。最新のものが候補に出ます',
  },
  status: 'ボットの状態：接続、レート制限、遅延、待機中のアラート',
  export: {
    description: 'このサーバーでウォッチ中のウォレットと設定をファイルにエクスポート',
    format: 'CSV は表計算ソフト向け、JSON はプログラム向け。省略すると CSV',
  },
  import: {
    description: `${typedCommand(names, 'export')} のファイルかウォレットの一覧をインポート。先に変更点を表示`,
    file: 'CSV か JSON。1 MiB、1000件まで',
  },
  'delete-data': 'DM では自分のデータをすべて削除、サーバーではそこに残る自分の ID を削除',
  activity: {
    description: 'ウォレットの取引と償還、新しい順',
    market: 'このマーケットだけ。タイトル、ID、スラッグ',
    action: 'この種別だけ',
    actions: {
      Buy: '購入',
      Sell: '売却',
      Redeem: '償還',
    },
    from: `開始：2h、3日、${names.typed.yesterday}、2026-11-01 14:30（UTC）`,
    to: `終了：2h、3日、${names.typed.yesterday}、2026-11-01 14:30（UTC）`,
    transaction: 'このトランザクションだけ（0x…）',
  },
  flows: 'ウォレットの入金と出金、新しい順',
  market: {
    description: 'このチャンネルのウォレットがマーケットで何を保有しているか',
    market: 'タイトル、ID、スラッグ。省略すると金額の多いマーケット',
  },
});
