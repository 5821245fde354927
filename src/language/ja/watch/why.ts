import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere: `このウォレットは、閲覧できるどのチャンネルでもウォッチしていません。${slash.list} でウォッチ中のものを確認できます。`,
  notListed: (read) =>
    `${venue.name}には、このウォレットのこのトランザクションの取引も償還もありません。最新の入出金${read}件にも見つかりません。` +
    'ウォレットとトランザクションを確認してください。',
  posted: '投稿済み',
  part: 'ほかの記録と同じメッセージに投稿済み',
  postedOnce: (time) => `${time}に投稿`,
  waits: {
    sending: 'チャンネルに送信中',
    purchase: 'まもなく同じ購入のメッセージに追加',
    meaning: 'ポジションへの影響を確認中',
    setting: (setting) => `設定「${setting}」により待機中`,
    until: (what, time) => `${what}（遅くとも ${time} まで）`,
  },
  filtered: (reason) => `投稿なし：${reason}`,
  reasons: {
    before: 'ここでウォッチを始める前の記録',
    pause: 'アラートを一時停止していた',
    consensusOnly: 'ここではコンセンサスだけを投稿',
    backlog: 'ここへの送信待ちのアラートが多すぎた（お知らせあり）',
    setting: (setting) => `設定「${setting}」`,
    unnamedKind: (option, kind) => `通常の種類ではなく、\`${option}\` に \`${kind}\` がない`,
    channelWords: (words) => `チャンネルの設定「${words}」`,
  },
  rejected: (reason) => `Discord が受け付けないため投稿なし。${reason}`,
  later: 'まだです。このチャンネルには遅れて届きます',
  missed: '取得できなかった可能性あり（この時間帯のお知らせがあります）',
  unseen: 'まだ取得していません',
  today: {
    passes: '当時の扱いはもう分かりません。今なら投稿します',
    filtered: (reason) => `当時の扱いはもう分かりません。今なら投稿しません：${reason}`,
    unsure: '同じ購入のほかの約定、通常サイズ、ポジションへの影響は考慮していません。',
  },
  unconfirmed: '同じ内容の記録がもう1件あります。次の2回の取得でも確認できたら投稿します。',
});
