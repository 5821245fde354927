import type { NewsWords } from '../../en/alert/news.ts';

const inParentheses = (text: string | undefined) => (text === undefined ? '' : `（${text}）`);

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${inParentheses(percent)}`,

  position: {
    opens: (shares) => `新規ポジション ${shares}`,
    firstInMarket: 'このマーケットで初めての取引',
    now: (held) => `現在 ${held}`,
    closes: '決済完了',
    allSold: 'すべて売却',
    left: (shares) => `残り ${shares}`,
    bought: (figure) => `購入 ${figure}`,
    entry: (average) => `平均取得 ${average}`,
    otherSide: (shares) => `反対の結果も${shares}保有`,
    size: (factor) => `普段の${factor}倍`,
  },

  alsoHere: {
    line: (wallets) => `このチャンネルでは他に：${wallets}`,
    holds: (wallet, holdings) => `${wallet} ${holdings}`,
    at: (what, price) => `${what} @ ${price}`,
    out: (wallet) => `${wallet} は決済済み`,
  },

  consensus: {
    took: (count, side) => `${count}ウォレットが ${side} を購入`,
    nowTook: (count, side) => `${side} を購入したウォレットが${count}件に`,
    disagree: (count, side, opposing, opposingSide) =>
      `ウォレットの見方が対立：${side} ${count}件、${opposingSide ?? '反対側'} ${opposing}件`,
    otherOutcomes: '他の結果',
    unknownSide: '結果不明',
    priced: (amount, average) => `${amount}${average === undefined ? '' : ` @ ${average}`}`,
    allSold: (what) => `${what} を購入、すべて売却`,
    halfSold: '、半分売却',
    partSold: (percent) => `、${percent} 売却`,
    soldUnknown: '、その後売却した可能性あり',
    more: (count) => `… ほか${count}ウォレット`,
    hedged: (count) => `ほか${count}ウォレットは両方の結果を購入、どちらにも数えません`,
    within: (duration) => `すべて${duration}以内`,
    firstWithin: (wallet, duration) => `最初は ${wallet}、すべて${duration}以内`,
    against: (amount, opposing) => `${amount} 対 ${opposing}`,
  },

  result: {
    position: (gain) => `ポジション ${gain}`,
    ofAlerted: (paid, gain) => `ここでの通知分 ${paid}：${gain}`,
    paid: (amount) => `支払 ${amount}`,
    cost: (amount) => `支払 ${amount}`,
    received: (amount) => `受取 ${amount}`,
    fees: (amount) => `手数料 ${amount}`,
    cameTo: (amount) => `清算額 ${amount}`,
    settled: (outcome, payout) => `マーケットが確定：${outcome} は1シェア ${payout} で清算`,
    held: (duration) => `保有 ${duration}`,
    severalClosed: (count, gain) => `${count}件のポジションを決済：${gain}`,
    gained: (count, all) => `${all}件中${count}件が利益`,
    firstAlert: '最初のアラート',
  },
};
