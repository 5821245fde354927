import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

export const commands: CommandWords = {
  languageName: '日本語',
  wallet: 'アドレス（0x…）、またはこのサーバーがウォッチするウォレットのラベル',
  walletOrAll: 'ウォレットのアドレスかラベル。省略するとチャンネルのすべてのウォッチ',
  watchedIn: 'アラートが届くチャンネル。省略するとこのチャンネル',
  settings: {
    label: 'このサーバーでのウォレットの名前。"none" でラベルなし',
    kinds: 'アラートの対象。例："buy, sell"。"all" ですべて',
    minUsdc: 'アラートの最小 USDC（約定をまとめる場合は合計）。0 は下限なし',
    style: 'まとまりのある約定を1件のアラートにするか、約定ごとにするか',
    styles: {
      grouped: 'grouped：まとまりのある約定を 1件のアラートに',
      each: 'each：約定ごとに 1件のアラート',
    },
    mention: 'アラートでメンションするロール',
    markets: 'ID かスラッグで。"only: …, …" または "except: …, …"。"any" ですべて',
    minPrice: '取引の最低価格（セント）。0 は下限なし',
    maxPrice: '最高価格（セント）。94 で決着間際の買いをほぼ除外。100 は上限なし',
    liquidity: 'この立場の取引だけ',
    roles: {
      maker: 'メイカー',
      taker: 'テイカー',
      any: '指定なし',
    },
    size: '「異例」は、このウォレットの直近の取引の 95% を超えるものだけ',
    sizes: {
      unusual: '異例',
      any: '指定なし',
    },
    cooldown: 'この時間内は市場ごとに 1件。残りは次のアラートと一緒に。10m、1h、"none"',
    mentionMinUsdc: 'この USDC 以上でロールにメンション。0 は常に',
    mentionCooldown: 'ロールへのメンションはこの時間に 1回まで。30m、2h、"none"',
    silentBelowUsdc: 'この USDC 未満のアラートは無音。0 はすべて音あり',
    reset: '初期値に戻す設定。例："price, mention"。"all" はラベル以外すべて',
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
    for: `止める時間。30m、2h、1d など。省略すると ${typedCommand(names, 'resume')} まで`,
  },
  resume: '一時停止を終え、今からまたアラートを受け取る',
  channel: {
    description: 'チャンネルのアラートの表示と言語、コンセンサスのアラート',
    view: 'full：アラートごとに1つの埋め込み。compact：1件1行',
    views: {
      full: 'full：アラートごとに 1つの埋め込み、数値をすべて表示',
      compact: 'compact：アラート 1件に 1行、1つの埋め込みに複数',
    },
    consensus: 'この数のウォレットが同じ結果を買ったらアラート。0 はなし',
    consensusWithin: 'どれだけ近い時間内か。2h、1d など、3d まで',
    language: 'チャンネルのアラートとダイジェストの言語',
    serverLanguage: 'サーバーの言語',
    channel: 'チャンネル。省略するとこのチャンネル',
    writtenIn: (language) => `アラートとダイジェストの言語：${language}。`,
  },
  digest: {
    description: 'チャンネルのウォレットの日次または週次ダイジェスト。オプションなしで予定を表示',
    every: '頻度',
    everies: {
      day: 'day：毎日 1回',
      week: 'week：毎週 1回',
      off: 'off：なし',
    },
    at: '時刻。例：18:00',
    timeZone: 'その時刻のタイムゾーン。例：Asia/Tokyo',
    day: '週次ダイジェストの曜日',
    channel: '送り先のチャンネル。省略するとこのチャンネル',
  },
  scores: 'チャンネルのウォレットのアラートの成績を、良い順に表示',
  list: 'このサーバーのすべてのウォッチと、問題があればその内容',
  status: 'ボットの状態：接続、レート制限、遅延、待機中のアラート',
  export: {
    description: 'このサーバーのウォッチと設定をファイルにエクスポート',
    format: 'CSV は表計算ソフト向け、JSON はプログラム向け。省略すると CSV',
  },
  import: {
    description: `${typedCommand(names, 'export')} のファイルかウォレットの一覧をインポート。先に変更点を表示`,
    file: 'CSV か JSON。1 MiB、1000件まで',
  },
  activity: {
    description: 'ウォレットの取引と償還、新しい順',
    market: 'この市場だけ。タイトル、ID、スラッグ',
    action: 'この種類だけ',
    actions: {
      Buy: '購入',
      Sell: '売却',
      Redeem: '償還',
    },
    from: '開始：2h、3 days、yesterday、2026-11-01 14:30（UTC）',
    to: '終了：2h、3 days、yesterday、2026-11-01 14:30（UTC）',
    transaction: 'このトランザクションだけ（0x…）',
  },
  flows: 'ウォレットの入金と出金、新しい順',
};
