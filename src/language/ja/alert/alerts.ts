import type { AlertWords } from '../../en/alert/alerts.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const at = (price: string | undefined) => (price === undefined ? '' : ` @ ${price}`);

const on = (outcome: string | undefined) => (outcome === undefined ? '' : `${outcome} で`);

export const alerts = (venue: VenueForms, { slash }: Terms): AlertWords => ({
  headline: {
    buy: '購入',
    sell: '売却',
    redeem: '償還',
    unknownAction: '不明なアクション',
    unknownOutcome: '結果不明',
    trade: (action, outcome, amount, price) => `${action} **${outcome} ${amount}**${at(price)}`,
    partOf: (total) => `計 ${total} の一部`,
    deposit: (amount) => `入金 ${amount}`,
    withdrawal: (amount) => `出金 ${amount}`,
    otherTransfer: (type, amount) => `${type} ${amount}`,
    unknownTransfer: '不明な送金',
    moved: (transfer, where) => `${transfer}（${where}）`,
    closed: (gain, outcome) => `決済 ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    won: (gain, outcome) => `${on(outcome)}利益 ${gain}`,
    lost: (gain, outcome) => `${on(outcome)}損失 ${gain}`,
    of: (wallet, sentence) => `${wallet}：${sentence}`,
    late: (figure) => `遅れて届いたアラート ${figure}件`,
    missing: {
      trades: '一部の取引が抜けている可能性があります',
      transfers: '一部の入出金が抜けている可能性があります',
      watch: 'アラートは停止中です（設定を読み取れません）',
    },
    severalOf: (figure, _count, wallet) => `${wallet} のアラート ${figure}件`,
    several: (figure, _count, wallets) => `${wallets}ウォレットのアラート ${figure}件`,
    largest: (sentence) => `最大：${sentence}`,
  },
  fills: (figure) => `約定 ${figure}件`,
  redemptions: (figure) => `償還 ${figure}件`,
  roles: { maker: 'メイカー', taker: 'テイカー', both: 'メイカーとテイカー' },
  marketWithoutTitle: 'タイトルのないマーケット',
  links: {
    transaction: 'トランザクション',
    hash: (hash) => `Tx ${hash}`,
    unknownHash: '不明',
    short: 'Tx',
  },
  transfers: {
    unknownAddress: '不明なアドレス',
  },

  late: (delay) => `${delay}遅れ`,
  clocksDisagree: (ahead) => `遅延不明：このアラートより${ahead}後の日時`,

  amended: {
    trade: (wallet, change) =>
      `${venue.name}が${wallet === '' ? '' : `${wallet} の`}取引を変更：${change}`,
    redemption: (wallet, change) =>
      `${venue.name}が${wallet === '' ? '' : `${wallet} の`}償還を変更：${change}`,
    change: (outcome, before, after) => `**${outcome} ${before}** → **${after}**`,
    cause: '投稿済みのアラートの数値は当時のままです',
  },

  gap: {
    causes: {
      overflow: '短時間に集中し、すべては取得できませんでした',
      unclear: `${venue.name}が読み取れない記録を返したか、古い記録を変更しました`,
      damage: 'このウォレットの保存データが破損していました',
      backlog: 'ここへの送信待ちのアラートが多すぎました',
      watch: 'このウォレットの保存された設定が破損しています',
    },
    missing: {
      trades: (from, to) =>
        `${from} から ${to} までの取引または償還の一部が抜けている可能性があります。`,
      transfers: (from, to) =>
        `${from} から ${to} までの入金または出金の一部が抜けている可能性があります。`,
      watch: () =>
        `ここでは、このウォレットのアラートを停止しています。ボットの運営者が設定を修復できます。${slash.add} で追加し直すこともできます。`,
    },
  },

  lines: {
    buy: (what) => `**${what}を購入**`,
    sell: (what) => `**${what}を売却**`,
    redeem: (what) => `**${what}を償還**`,
    other: (action, what) => `**${action} ${what}**`,
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
    range: (from, to) => `${from} – ${to}`,
    paid: (what, amount) => `${what}、支払 **${amount}**`,
    received: (what, amount) => `${what}、受取 **${amount}**`,
    moved: (what, amount) => `${what}、計 **${amount}**`,
    kinds: {
      buy: (count) => `購入 ${count}件`,
      sell: (count) => `売却 ${count}件`,
      redeem: (count) => `償還 ${count}件`,
      deposit: (count) => `入金 ${count}件`,
      withdrawal: (count) => `出金 ${count}件`,
    },
    other: (count, kind) => `${kind} × ${count}`,
    unknownKind: '不明',
    results: (count) => `このチャンネルのアラートの結果 ${count}件`,
    agreements: (count) => `コンセンサス ${count}件`,
    amended: (count) => `変更された取引 ${count}件`,
    gaps: (count) => `抜けの可能性 ${count}件`,
    more: (count) => `… ほか${count}件。${slash.activity} と ${slash.flows} ですべて確認できます。`,
  },
});
