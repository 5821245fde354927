import type { NewsWords } from '../en/news.ts';

const onAverage = (average: string | undefined) => (average === undefined ? '' : `、平均 ${average}`);
const inParentheses = (percent: string | undefined) => (percent === undefined ? '' : `（${percent}）`);

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${inParentheses(percent)}`,

  position: {
    opens: '新規ポジション',
    firstInMarket: 'この市場で初めての取引',
    adds: (shares) => `${shares}に追加`,
    now: (shares) => `現在 ${shares}`,
    reduces: (shares) => `${shares}に縮小`,
    closes: 'ポジションを決済',
    entry: (price) => `平均取得価格 ${price}`,
    realized: (gain) => `実現損益 ${gain}`,
    realizedOfSeen: (gain) => `購入を確認できた分の実現損益 ${gain}`,
    unseen: (shares) => `${shares}は購入を確認できず、結果は不明`,
    since: (time) => `${time} 以降に確認できた範囲`,
    otherSide: (shares) => `反対側も ${shares}保有`,
    unusual: (amount) => `**異例のサイズ**：${amount}`,
    usual: (trades, amount) => `直近 ${trades} 件の取引の 95 % は ${amount} 以下`,
  },
  brief: {
    opens: '新規',
    adds: '追加',
    reduces: '縮小',
    closes: '決済',
    unseen: '購入を確認できず、結果は不明',
    partlyUnseen: '一部は購入を確認できず',
    realized: (amount) => `実現損益 ${amount}`,
    unusual: '**異例のサイズ**',
    comma: '、',
    since: (texts, time) => `${texts}（${time} 以降を確認）`,
  },

  consensus: {
    took: (count, side) => `ウォッチ中の ${count} ウォレットが ${side} を購入`,
    nowTook: (count, side) => `ウォッチ中の ${count} ウォレットに拡大、${side} を購入`,
    disagree: (count, side, opposing, opposingSide) =>
      `ウォッチ中のウォレットの見方が対立：${side} に ${count}、${opposingSide ?? '反対側'} に ${opposing}`,
    side: (side, weight) => `${side}：${weight}`,
    otherOutcomes: '他のアウトカム',
    unknownSide: 'あるアウトカム',
    weight: (amount, shares, average) => `**${amount}** で ${shares}${onAverage(average)}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${onAverage(average)}`,
    more: (count) => `… ほか ${count} ウォレット`,
    hedged: (count) => `ほか ${count} ウォレットは両側を購入し、どちらにも数えません`,
    bought: (from, to) => `購入期間 ${from} から ${to}`,
    rule: (wallets, duration) => `${duration}以内に ${wallets} ウォレット以上が購入`,
    agreeLine: (count, side) => `**ウォッチ中の ${count} ウォレットが ${side}**`,
    disagreeLine: (count, side, opposing, opposingSide) =>
      `**ウォッチ中の ${count} ウォレットが ${side}、${opposing} ウォレットが ${opposingSide ?? '他のアウトカム'}**`,
    against: (amount, opposing) => `${amount} 対 ${opposing}`,
  },

  result: {
    title: (wallet, gain) => `${wallet}：ここで通知した購入を決済、${gain}`,
    line: (amount, percent) => `**ここで通知した購入を決済、${amount}**${inParentheses(percent)}`,
    paid: (amount) => `支払 ${amount}`,
    received: (amount) => `受取 ${amount}`,
    noFees: '手数料なし',
    fees: (amount) => `手数料 ${amount} を算入`,
    held: (from, to, duration) => `${from} から ${to}、${duration}`,
    footer: 'ここで通知した購入の結果',
  },
  score: {
    noneClosed: 'ここでのアラート：決済済みはまだありません',
    won: (won, markets, _n, low, high) =>
      `ここでのアラート：決済済み ${markets} 市場のうち ${won} 勝（95 % 区間 ${low}～${high} %）`,
    perDollar: (percent, error) => `1 ドルあたり ${percent}${error === undefined ? '' : ` ± ${error} %`}`,
    smallSample: '**サンプル少**',
    open: (count, _n, oldest) => `未決済 ${count} 件${oldest === undefined ? '' : `、最も古いものは ${oldest} から`}`,
    givenUp: (count) => `決済を確認できず追跡終了 ${count} 件`,
  },
};
