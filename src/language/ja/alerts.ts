import type { AlertWords } from '../en/alerts.ts';
import { slash } from './names.ts';

const at = (price: string | undefined) => (price === undefined ? '' : ` ${price} で`);
const priced = (price: string | undefined) => (price === undefined ? '' : `、${price}`);

export const alerts: AlertWords = {
  titles: {
    buy: (wallet, what, price) => `${wallet}：${what}を${at(price)}購入`,
    sell: (wallet, what, price) => `${wallet}：${what}を${at(price)}売却`,
    redeem: (wallet, what, paidOut) => `${wallet}：${what}を償還${paidOut === undefined ? '' : `、受取 ${paidOut}`}`,
    other: (wallet, action, what, price) => `${wallet}：${action} ${what}${priced(price)}`,
    deposit: (wallet, amount) => `${wallet}：${amount} を入金`,
    bridgedDeposit: (wallet, amount) => `${wallet}：ブリッジ経由で ${amount} を入金`,
    withdrawal: (wallet, amount) => `${wallet}：${amount} を出金`,
    otherTransfer: (wallet, type, amount) => `${wallet}：${type} ${amount}`,
    unknownAction: '不明なアクション',
    unknownTransfer: '不明な送金',
  },
  holdings: {
    of: (quantity, side) => `${side} ${quantity} シェア`,
    ofUnknown: (quantity) => `アウトカム不明 ${quantity} シェア`,
  },
  prices: { average: (price) => `平均 ${price}` },
  money: {
    paid: (amount) => `支払 **${amount}**`,
    received: (amount) => `受取 **${amount}**`,
    net: (amount) => `純額 **${amount}**`,
    gross: (amount) => `総額 ${amount}`,
    fee: (amount) => `手数料 ${amount}`,
    fees: (amount) => `手数料 ${amount}`,
    noFee: '手数料なし',
  },
  roles: { maker: 'メイカー', taker: 'テイカー', both: 'メイカーとテイカー', unknown: 'メイカー/テイカー不明' },
  marketWithoutTitle: '無題の市場',
  span: (from, to) => `${from} から ${to}`,
  links: {
    openWallet: 'ウォレットを開く',
    transaction: 'トランザクション',
    hash: (hash) => `Tx ${hash}`,
    unknownHash: '不明',
    short: 'Tx',
    largest: '最大の Tx',
  },
  transfers: {
    senderUnknown: 'ブリッジ経由の入金では、送金元は取引所から示されません。',
    from: (address) => `送金元 ${address}`,
    to: (address) => `送金先 ${address}`,
    otherSide: (address) => `相手先：${address}`,
    unknownAddress: '不明なアドレス',
  },

  delivered: {
    atOnce: '即時に通知',
    clocksDisagree: (ahead) => `遅延は不明、時計が一致しません：この通知より ${ahead}先の日時`,
    after: {
      trade: (delay) => `取引の ${delay}後に通知`,
      redemption: (delay) => `償還の ${delay}後に通知`,
      deposit: (delay) => `入金の ${delay}後に通知`,
      withdrawal: (delay) => `出金の ${delay}後に通知`,
      event: (delay) => `発生の ${delay}後に通知`,
      fills: (delay) => `約定の ${delay}後に通知`,
      redemptions: (delay) => `償還の ${delay}後に通知`,
      lastFill: (delay) => `最後の約定の ${delay}後に通知`,
      lastRedemption: (delay) => `最後の償還の ${delay}後に通知`,
      lastItem: (delay) => `最後の発生の ${delay}後に通知`,
    },
    sinceFirst: {
      fill: (delivered, delay) => `${delivered}、最初の約定から ${delay}`,
      redemption: (delivered, delay) => `${delivered}、最初の償還から ${delay}`,
      item: (delivered, delay) => `${delivered}、最初の発生から ${delay}`,
    },
  },

  gap: {
    titles: {
      trades: (wallet) => `${wallet}：一部の取引が抜けている可能性があります`,
      transfers: (wallet) => `${wallet}：一部の入出金が抜けている可能性があります`,
    },
    causes: {
      overflow: '2 回の確認の間に 1 ページに表示できる数を超えて届いたため',
      damage: 'このウォレットの保存データが壊れていたため',
      backlog: 'このチャンネル宛ての待ち件数がボットの保持上限を超えたため',
    },
    missing: {
      trades: (cause, from, to) =>
        `${cause}、${from} から ${to} までの取引または償還の一部が通知されていない可能性があります。`,
      transfers: (cause, from, to) =>
        `${cause}、${from} から ${to} までの入金または出金の一部が通知されていない可能性があります。`,
    },
    listed: {
      trades: (address) => `${slash.activity} で確認できます。対象：${address}`,
      transfers: (address) => `${slash.flows} で確認できます。対象：${address}`,
    },
    lines: {
      trades: (from, to) => `${from} から ${to} までの取引の一部が抜けている可能性があります。`,
      transfers: (from, to) => `${from} から ${to} までの入出金の一部が抜けている可能性があります。`,
    },
    notice: '欠落のお知らせ',
  },

  fills: {
    counts: {
      fill: (count) => `**${count} 件の約定**`,
      redemption: (count) => `**${count} 件の償還**`,
    },
    inOneTransaction: (fills) => `${fills}、1 トランザクション：`,
    inTransactions: (fills, transactions) => `${fills}、${transactions} トランザクション：`,
    row: (quantity, price) => `${quantity} シェア、${price}`,
    smaller: (count) => `… ほか小口 ${count} 件`,
    average: (price) => `平均 ${price}`,
    best: (price) => `最良 ${price}`,
    worst: (price) => `最悪 ${price}`,
    range: (low, high) => `${low} から ${high}`,
    allAt: (price) => `すべて ${price}`,
  },

  lines: {
    buy: (what, price) => `**${what}を購入**${priced(price)}`,
    sell: (what, price) => `**${what}を売却**${priced(price)}`,
    redeem: (what) => `**${what}を償還**`,
    other: (action, what, price) => `**${action} ${what}**${priced(price)}`,
    deposit: (amount) => `**${amount} を入金**`,
    withdrawal: (amount) => `**${amount} を出金**`,
    otherTransfer: (type, amount) => `**${type} ${amount}**`,
    unknownAction: '不明なアクション',
    unknownTransfer: '不明な送金',
    paid: (amount) => `支払 ${amount}`,
    received: (amount) => `受取 ${amount}`,
    net: (amount) => `純額 ${amount}`,
    from: (address) => `送金元 ${address}`,
    to: (address) => `送金先 ${address}`,
    otherSide: (address) => `相手先 ${address}`,
    viaBridge: 'ブリッジ経由',
  },

  catchUp: {
    title: (wallet, count) => `${wallet}：遅れて届いたアラート ${count} 件`,
    summary: (from, to, totals) => `${from} から ${to} まで。${totals}。`,
    line: (count, from, to, totals) => `遅れて届いたアラート ${count} 件、${from} から ${to} まで：${totals}。`,
    paid: (count, kind, amount) => `${kind} × ${count}、支払 **${amount}**`,
    received: (count, kind, amount) => `${kind} × ${count}、受取 **${amount}**`,
    moved: (count, kind, amount) => `${kind} × ${count}、計 **${amount}**`,
    kinds: { buy: '購入', sell: '売却', redeem: '償還', deposit: '入金', withdrawal: '出金' },
    unknownKind: '不明',
    results: (count) => `ここで通知した購入の結果 × ${count}`,
    agreements: (count) => `コンセンサス × ${count}`,
    gaps: (count) => `抜けの可能性 × ${count}`,
    more: (count) => `… ほか ${count} 件。${slash.activity} と ${slash.flows} ですべて確認できます。`,
    openWallet: 'ウォレットを開く',
    footer: (count) => `遅延分 ${count} 件`,
  },
};
