import type { AnswerWords } from '../en/answers.ts';
import type { Terms } from '../terms.ts';

export const answers = ({ slash }: Terms): AnswerWords => ({
  wallet: {
    noneInMessage: 'このメッセージにウォレットのアドレスはありません。',
    firstOf: (shown, all) => `このメッセージのウォレット${all}件のうち、最初の${shown}件：`,
    several: (addresses) =>
      `複数のアドレスが含まれています：${addresses}。1つだけ指定してください。`,
    andMore: (shown, more) => `${shown}、ほか${more}件`,
    transaction: (hash) =>
      `${hash} はウォレットではなくトランザクションです。ウォレットのアドレス（0x に続く16進数40桁）を指定してください。`,
  },
  leftOut: {
    picture: (why) => `チャートを添付できませんでした：${why}`,
    file: (why) => `ファイルを添付できませんでした：${why}`,
    why: {
      permission: (permission) => `このチャンネルで「${permission}」の権限が必要です。`,
      size: 'Discord には大きすぎます。',
      other: 'Discord が受け付けませんでした。',
    },
  },
  welcome: (permission) =>
    'こんにちは！選んだウォレットの購入、売却、償還、入金、出金をすべて投稿します。' +
    `始めるには、アラートを受け取るチャンネルで ${slash.add} とウォレットのアドレスまたはリンクを入力してください（「${permission}」の権限が必要です）。` +
    `${slash.activity} では、どのウォレットの取引も見られます。`,
});
