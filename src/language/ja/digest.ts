import type { DigestWords } from '../en/digest.ts';
import type { Terms } from '../terms.ts';

const trades = (figure: string) => `取引 ${figure}件`;
const transfers = (figure: string) => `入出金 ${figure}件`;
const wallets = (figure: string) => `${figure}ウォレット`;
const nothing = (from: string, to: string, figure: string) =>
  `${from} – ${to} は動きなし：ウォッチ中の${wallets(figure)}に売買・償還・入出金はありませんでした。`;

export const digest = ({ names, permissions }: Terms): DigestWords => ({
  title: { day: 'デイリーダイジェスト', week: 'ウィークリーダイジェスト' },
  everyDay: (clock, zone) => `毎日 ${clock}（${zone}）`,
  everyWeek: (weekday, clock, zone) => `毎週${weekday} ${clock}（${zone}）`,

  behind: (figure) =>
    `${wallets(figure)}は、この期間の終了後に確認できていません。抜けがある可能性があります。`,

  total: {
    nothing,
    nothingKnown: (from, to, figure) =>
      `${nothing(from, to, figure)}期間全体は把握できていません。`,
    sinceWatched: 'それぞれウォッチ開始後',
    notAllKnown: '期間全体は把握できていません',
    wallets,
    lead: (figure, _count, usdc) => `**${trades(figure)}、取引高 ${usdc}**`,
    largest: (wallet, trade) => `最大：${wallet} ${trade}`,
  },

  settled: {
    title: (figure) => `${figure}件のマーケットが確定`,
    won: (side, wallets) => `${side} 的中 · ${wallets}`,
    lost: (side, wallets) => `${side} 外れ · ${wallets}`,
    paid: (side, price, wallets) => `${side} は ${price} で清算 · ${wallets}`,
  },
  verdicts: {
    began: (verdict) => `新たな判定：${verdict}`,
    ended: (verdict) => `判定取り消し：${verdict}`,
  },

  rest: {
    volume: (figure, _count, usdc) => `… ほか${wallets(figure)}：取引高 ${usdc}`,
    netFlow: (usdc) => `純入金額 ${usdc}`,
  },

  wallet: {
    traded: (figure, _count, usdc) => `${trades(figure)}、**${usdc}**`,
    transfers,
    netFlow: (usdc) => `純入金額 ${usdc}`,
    watchedSince: (since) => `ウォッチ開始後（${since}）`,
    tradesSince: (since) => `売買の記録が揃っているのは ${since} 以降のみ`,
    transfersSince: (since) => `入出金の記録が揃っているのは ${since} 以降のみ`,
    tradesMissing: (from, to) => `${from} から ${to} までの売買が抜けている可能性があります`,
    transfersMissing: (from, to) => `${from} から ${to} までの入出金が抜けている可能性があります`,
    transfersUnknown: '入出金は不明',
  },

  quiet: (walletNames) => `動きなし：${walletNames.join('、')}`,
  quietAndMore: (walletNames, figure) => `動きなし：${walletNames.join('、')}、ほか${figure}件`,

  chart: {
    volumePerHour: (zone) => `1時間ごとの取引高、${zone}`,
    volumePerDay: (zone) => `1日ごとの取引高、${zone}`,
    others: 'その他',
    altPerHour: '1時間ごとの取引高',
    altPerDay: '1日ごとの取引高',
    day: (day, month) => `${month}${day}日`,
    month: (month, year) => `${year}年${month}`,
    date: (day, month, year) => `${year}年${month}${day}日`,
  },

  answer: {
    hadNone: (channel) => `${channel} にダイジェストの設定はありません。`,
    ended: (channel) => `${channel} へのダイジェストを終了しました。`,
    shown: (channel, schedule, next, nextRelative) =>
      `${channel} にダイジェストを送信します。${schedule}。次回：${nextRelative}（${next}、現地時間）。`,
    noWallet: 'そのチャンネルではまだウォレットをウォッチしていません。追加後に送信を始めます。',
    waits: (why) => `前回分がまだ送信待ちです：${why}`,
    cannotAttach: `そのチャンネルで「${permissions.attachFiles}」の権限も付与すると、チャート付きで送信します。`,
    inUtc: `時刻は UTC です。\`${names.options['time-zone']}\` で変更できます。`,
  },

  errors: {
    none: (channel) =>
      `${channel} にダイジェストの設定はありません。` +
      `\`/${names.commands.watch} ${names.subcommands.digest} ` +
      `${names.options.every}:\` で設定できます。`,
    time: '`00:00`～`23:59` の時刻',
    zone: '`Europe/Berlin`、`America/New_York`、`UTC` のような名前',
  },
});
