import type { WatchSettingsWords } from '../../en/watch/settings.ts';
import type { Terms } from '../../terms.ts';

export const settings = ({ names }: Terms): WatchSettingsWords => ({
  kinds: {
    buy: '購入',
    sell: '売却',
    redeem: '償還',
    deposit: '入金',
    withdrawal: '出金',
    opens: '新規',
    adds: '買い増し',
    reduces: '一部売却',
    closes: '全決済',
    other: 'その他の操作',
  },
  kind: {
    buy: '購入',
    sell: '売却',
    redeem: '償還',
    deposit: '入金',
    withdrawal: '出金',
    opens: '新規',
    adds: '買い増し',
    reduces: '一部売却',
    closes: '全決済',
    other: 'その他',
  },
  resetPrice: '価格',
  time: { d: '日', h: '時間', m: '分', s: '秒', between: '' },

  everything: 'すべての購入、売却、償還、入金、出金',
  nothingChanged: '何も変更していません。',
  was: (before) => `（変更前：${before}）`,
  kindsOnly: (kinds) => `${kinds}のみ`,
  minUsdc: (amount) => `${amount} 以上`,
  marketsOnly: (markets) => `対象は ${markets} のみ`,
  marketsExcept: (markets) => `${markets} を除く`,
  unknownMarkets: (markets) =>
    `${markets} の取引は見つかりません。ID かスラッグを確認してください。`,
  wordsOnly: (words) => `${words} を含むマーケットのみ`,
  wordsExcept: (words) => `${words} を含むマーケットを除く`,
  unknownWords: (words) =>
    `${words} を含むマーケットの取引は見つかりません。つづりを確認してください。`,
  anyway: {
    button: 'このまま使う',
    nothing:
      '何も変更していません。このままでよければ、ボタンを押すか、同じコマンドをもう一度送信してください。',
    notYours: 'このボタンを使えるのは、コマンドを送信した人だけです。',
  },
  unnamedMarket: '名前のないマーケット',
  priceUpTo: (price) => `${price} 以下の取引`,
  priceFrom: (price) => `${price} 以上の取引`,
  priceExactly: (price) => `${price} の取引`,
  priceBetween: (low, high) => `${low}～${high} の取引`,
  liquidity: { maker: 'メイカーの取引のみ', taker: 'テイカーの取引のみ' },
  cooldown: (time) => `マーケットごとに${time}に1件まで`,
  eachFill: '約定ごとに1件のアラート',
  mention: (role, minUsdc, cooldown) =>
    `${minUsdc === null ? '' : `${minUsdc} 以上で `}${role} ` +
    `にメンション${cooldown === null ? '' : `、${cooldown}に1回まで`}`,
  unusualOnly: '普段より大口の取引のみ',
  silentBelow: (amount) => `${amount} 未満は通知音なし`,
  sweeps: (price, cents) =>
    `${price} 以上の約定は、ほとんどが決着間際の買いです。\`${names.options['max-price']}: ${cents}\` で除外できます。`,

  notAccepted: (option, value, accepted) =>
    `\`${option}\` に ${value} は指定できません。使えるもの：${accepted}。何も変更していません。`,
  accepted: {
    labelOfOne: '1つのウォレットのラベル。複数の場合はここでのラベルのままです',
    kinds: (kinds) => `\`${names.typed.all}\`、または ${kinds} のうち1つ以上`,
    resets: (parts) => `${parts} のうち1つ以上`,
    markets: (most) =>
      `\`${names.typed.only}：ID, SLUG\` か \`${names.typed.except}：` +
      `ID, SLUG\`（マーケットは ${most}件まで）、または \`${names.typed.any}\``,
    words: (most) =>
      `\`${names.typed.only}：語句, 語句\` か \`${names.typed.except}：` +
      `語句\`（${most}件まで）、または \`${names.typed.any}\``,
    usdc: (most) => `0 から ${most} までのドル（小数は2桁まで）`,
    cents: '0 から 100 までのセント（小数は2桁まで）',
    time: (examples, least, most) => `${least}～${most}の時間（${examples}）`,
    cooldown: (examples, least, most) =>
      `${least}～${most}の時間（${examples}）、または \`${names.typed.none}\``,
    pause: (examples, least, most) =>
      `${least}～${most}の時間（${examples}）、省略すると終わりのない一時停止`,
  },
  bandWrong: (min, max) =>
    `\`${names.options['min-price']}\`（${min}）が ` +
    `\`${names.options['max-price']}\`（${max}）を上回っています。入れ替えてください。何も変更していません。`,
  notEveryone:
    `\`${names.options.mention}\` に @everyone は指定できません。` +
    '希望する人だけが付けられるロールを指定してください。何も変更していません。',
  needsRole: (option) =>
    `\`${option}\` にはメンションするロールが必要です。\`${names.options.mention}\` も指定してください。何も変更していません。`,
});
