import type { ListNames, ListWords } from '../en/lists.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const activity = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `${wallet} の取引履歴`,
  nothing: `このウォレットの取引や償還は${venue.name}にありません。`,
  file: (wallet, rows) => `${wallet} の取引履歴、${rows}行。`,
  expired: `この一覧は期限切れです。${slash.activity} をもう一度実行してください。`,
});
const flows = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `${wallet} の入出金`,
  nothing: `このウォレットの入金や出金は${venue.name}にありません。`,
  file: (wallet, rows) => `${wallet} の入出金、${rows}行。`,
  expired: `この一覧は期限切れです。${slash.flows} をもう一度実行してください。`,
});

export const lists = (venue: VenueForms, { names, slash }: Terms): ListWords => ({
  activity: activity(venue, slash),
  flows: flows(venue, slash),
  gap: '',
  openWallet: 'ウォレットを開く',
  only: (filters) => `絞り込み：${filters}`,
  brokenOff: (why) => `${why}それまでに読み込んだ分を表示します。`,
  page: (page) => `${page}ページ目、新しい順`,
  unreadable: (records) => `読み取れない記録 ${records}件`,
  didNotFit: (records) => `ほか${records}件を省略`,
  nothingYet: 'このページに表示するものはまだありません。',
  nothingMore: 'これ以上の記録はありません。',
  nothingMatches: 'このウォレットに該当する記録はありません。',
  fileTooLarge: (records) => `ファイルが大きくなりすぎるため、古い記録 ${records}件を省きました。`,
  buttons: { previous: '前へ', next: '次へ', further: 'さらに探す' },
  reach: {
    all(records, n, isLess) {
      if (isLess) return n === 1 ? '読み取れた唯一の記録' : `読み取れた記録 ${records}件すべて`;
      return n === 1 ? '唯一の記録' : `記録 ${records}件すべて`;
    },
    newest: (records, _n, since) => `最新の記録 ${records}件（${since} まで遡る）`,
    part: (records, _n, newest, oldest) => `記録 ${records}件（${newest} から ${oldest} まで遡る）`,
    foundAmong: (found, reach) => `該当 ${found}件、対象：${reach}`,
    sentence: (reach) => `${reach}。`,
  },
  filters: {
    Buy: '購入',
    Sell: '売却',
    Redeem: '償還',
    market: (name) => `マーケット ${name}`,
    withoutName: '名前なし',
    from: (time) => `${time} から`,
    to: (time) => `${time} まで`,
    transaction: (hash) => `トランザクション ${hash}`,
  },
  totals: {
    title: '合計',
    buys: (records, _n, usdc) => `購入 ${records}件 ${usdc}`,
    sells: (records, _n, usdc) => `売却 ${records}件 ${usdc}`,
    redemptions: (records, _n, usdc) => `償還 ${records}件 ${usdc}`,
    otherKinds: (records) => `その他の記録 ${records}件`,
    fees: (usdc) => `手数料 ${usdc}`,
    windows: { day: '24時間', week: '7日', month: '30日' },
    all: '全期間',
    read: '読み込み済み',
    during: (windows, flows) => `**${windows}：**${flows}`,
    deposited: (usdc, records) => `入金 ${usdc}（${records}件）`,
    withdrawn: (usdc, records) => `出金 ${usdc}（${records}件）`,
    net: (usdc) => `純額 **${usdc}**`,
    unknownDirection: (records) => `入出金の区別が不明 ${records}件`,
    notKnownFor: (windows) =>
      `${windows.join('、')}は不明です。読み込んだ記録がそこまで遡っていません。`,
  },
  market: {
    title: 'このチャンネルのウォレットが保有するマーケット',
    wallets: (figure) => `${figure}ウォレット`,
    since: (time) => `${time} から保有`,
    sold: (part, all) => `${all}シェア中${part}シェアを売却`,
    out: (time) => `${time}に決済済み`,
    nobody: 'このマーケットでの保有が確認できたウォレットは、このチャンネルにはありません。',
    nothing: (names) => `保有なし：${names}`,
    unknown: (names) => `不明：${names}`,
    notInRecords: '記録からは保有数がわかりません。',
    limit: '調べるのは最大10ウォレットです。',
    paused: (count) => `一時停止中で対象外：${count}`,
    moreMarkets: (figure) => `… ほか${figure}件のマーケット`,
    ended: (count) => `確定済みで省いたマーケット：${count}`,
    only: '確実にわかるポジションのみです。ほかにも保有している場合があります。マーケットを指定すると調べます。',
    none: 'このチャンネルのウォレットの未決済ポジションで、確実にわかるものはありません。マーケットを指定すると調べます。',
    delayedChannel: `このチャンネルには遅れて届きますが、${slash.market} は今の保有を示します。別のチャンネルで使ってください。`,
    allPaused: 'このチャンネルのウォレットはすべて一時停止中です。表示するものがありません。',
    withId: (id) => `マーケット ${id}`,
  },
  refused: {
    action: (typed, actions) =>
      `\`${names.options.action}\` に ${typed} は指定できません。使えるもの：${actions}。`,
    transaction: (typed) =>
      `${typed} はトランザクションハッシュではありません。0x に続く64桁の16進数を入力してください。`,
    market: (typed) =>
      `${typed} はマーケットの ID でもスラッグでもありません。タイトルを入力して、一覧から選んでください。`,
    fromAfterTo: (from, to) =>
      `\`${names.options.from}\`（${from}）が \`${names.options.to}\`（${to}）より後です。入れ替えてください。`,
    time: (why) =>
      `${why}\`2h\`、\`${names.typed.yesterday}\`、\`2026-11-01 14:30\`（UTC）などをお試しください。`,
    milliseconds: (typed) => `${typed} はミリ秒のようです。Unix 時間は秒です。`,
    unknownUnit: (typed) => `${typed} の時間の単位が分かりません。`,
    noTime: (typed) => `${typed} を日時として読み取れません。`,
    noDay: (typed) => `${typed} は暦にない日です。`,
    noTimeOfDay: (typed) => `${typed} の時刻は存在しません。`,
    before1970: (typed) => `${typed} は1970年より前です。`,
    inFuture: (typed) => `${typed} は未来の日時です。`,
  },
  chart: {
    netDeposits: (name) => `${name} の純入金額`,
    bought: '購入',
    sold: '売却',
    redeemed: '償還',
    per: {
      weeks: (n) => `${n}週間ごと`,
      days: (n) => `${n}日ごと`,
      hours: (n) => `${n}時間ごと`,
      minutes: (n) => `${n}分ごと`,
    },
    last: {
      days: (n) => `過去${n}日`,
      hours: (n) => `過去${n}時間`,
      minutes: (n) => `過去${n}分`,
    },
  },
});
