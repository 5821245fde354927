import type { DetailsWords } from '../../en/alert/details.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const details = (venue: VenueForms, { slash }: Terms): DetailsWords => ({
  buttons: {
    openMarket: 'マーケット',
    details: '詳細',
    menu: '詳細・ミュート…',
    mute: (wallet) => `${wallet === undefined ? '' : `${wallet}を`}1時間ミュート`,
    activity: '取引履歴',
    flows: '入出金',
  },
  headings: { buy: '購入', sell: '売却', redeem: '償還', other: 'その他' },
  title: (what) => `詳細：${what}`,
  openWallet: 'ウォレット',
  marketWithoutTitle: 'タイトルのないマーケット',
  unknownHash: '不明なトランザクション',
  money: {
    paid: (amount) => `支払 **${amount}**`,
    received: (amount) => `受取 **${amount}**`,
    net: (amount) => `純額 **${amount}**`,
    gross: (amount) => `総額 ${amount}`,
    fees: (amount) => `手数料 ${amount}`,
    noFees: '手数料なし',
  },
  prices: {
    average: (price) => `平均 ${price}`,
    best: (price) => `最良 ${price}`,
    worst: (price) => `最悪 ${price}`,
    allAt: (price) => `すべて ${price}`,
    range: (low, high) => `${low}～${high}`,
  },
  roles: { maker: 'メイカー', taker: 'テイカー', unknown: 'メイカーかテイカーか不明' },
  times: {
    traded: (time) => `取引 ${time}`,
    tradedBetween: (from, to) => `取引 ${from}～${to}`,
    seen: (time) => `ボットが確認 ${time}`,
    posted: (time) => `投稿 ${time}`,
    lastChange: (time) => `最終更新 ${time}`,
  },
  fills: {
    trades: (count) => `約定 ${count}件`,
    redemptions: (count) => `償還 ${count}件`,
    inTransactions: (fills, count) => `${fills}、トランザクション ${count}件`,
    title: (fills) => `${fills}（新しい順）`,
    row: (quantity, price) => `${quantity} @ ${price}`,
    gross: (amount) => `総額 ${amount}`,
    fee: (amount) => `手数料 ${amount}`,
    inFile: (count) => `… ほか${count}件。すべてファイルにあります。`,
    leftOut: (count) => `… ほか${count}件。ここでは Discord がファイルを受け付けませんでした。`,
  },
  position: {
    atAlert: 'アラート時のポジション',
    asOfNow: '現在のポジション',
    holds: (shares) => `保有 ${shares}`,
    entry: (price) => `平均取得価格 ${price}`,
    cost: (amount) => `取得額 ${amount}（記載の手数料込み）`,
    realized: (gain, percent) =>
      `実現損益 **${gain}**${percent === undefined ? '' : `（${percent}）`}、平均取得価格で計算、記載の手数料控除後`,
    result: (gain, percent) =>
      `このチャンネルで通知した購入の損益 **${gain}**${percent === undefined ? '' : `（${percent}）`}`,
    boughtMeanwhile: (shares) => `その間に${shares}を購入`,
    soldMeanwhile: (shares) => `その間に${shares}を売却`,
    otherSide: (shares) => `同じマーケットの他の結果も${shares}保有`,
    firstInMarket: 'このマーケットでの最初の取引',
    size: (usdc, trades, p95) => `取引全体で ${usdc}。直近 ${trades}件の取引の95% は ${p95} 以下`,
    unknownThen: 'アラートの時点では不明。',
    unknownNow: '不明です。ここでウォッチしていないか、以前の取引を取得できていません。',
    laterNow: '表示しません。このチャンネルには遅れて届きます。',
  },
  record: {
    atAlert: '成績（アラート時）',
    asOfNow: '成績（現在）',
    none: '集計できるほど時間がたったマーケットはまだありません。',
    onCard: (activity) => `回収額などはウォレットのカードに：下の **${activity}**`,
  },
  notes: {
    title: '数字の見方',
    rounded: '≈ は丸めた値',
    asOfNow:
      'アラート時の情報は、保存期間（30日）が過ぎたためありません。ポジションと成績は現在のものです。',
    allOfTime:
      'この時刻の、同じマーケット・結果・種別の約定すべてです。一部は別のアラートに含まれていた可能性があります。',
    missing: (count) =>
      `アラートの記録のうち ${count}件は${venue.name}に表示されなくなり、ここには含まれません。`,
    cut: (count) => `最新の ${count}件だけを読み込みました。`,
    skipped: (count) => `${count}件の記録を読み取れませんでした。`,
  },
  errors: {
    damaged: `このボタンを読み取れません。ウォレットの取引は ${slash.activity} で確認できます。`,
    tooOld: `このアラートの詳細は、保存期間（30日）が過ぎたためありません。ウォレットの取引は ${slash.activity} で確認できます。`,
    nothing: `このアラートの取引は現在、${venue.name}に表示されていません。後でもう一度試すか、${slash.activity} で確認してください。`,
  },
});
