import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: '取引と償還',
    'deposits-withdrawals': '入金と出金',
    both: '取引・償還・入金・出金',
  },
  away: (what, since) =>
    `⚠️ ${venue.name}が応答していません（${since} から）。現在、${what}を取得できません。復旧後、まだ掲載されている分をお届けします。`,
  back: (what, from, to) =>
    `✅ ${venue.name}は ${from} から ${to} まで応答しませんでした。${what}を再び取得できます。その間の分のうち、まだ掲載されているものをこれからお届けします。`,
  keyRefused: (since) =>
    `⚠️ ${since} からアラートが止まっています。${venue.name}がボットの API キーを拒否しています。ボットの運営者の対応が必要です。その後、まだ掲載されている分をお届けします。`,
  endpointRefused: (what, since) =>
    `⚠️ ${since} から${what}のアラートが止まっています。${venue.name}がボットの API キーにこの一覧を許可していません。ボットの運営者の対応が必要です。その後、まだ掲載されている分をお届けします。`,
  accepted: (what, from, to) =>
    `✅ ${venue.name}は ${from} から ${to} までボットの API キーを拒否していました。${what}を再び取得できます。その間の分のうち、まだ掲載されているものをこれからお届けします。`,
  late: (what, since) =>
    `⚠️ ${venue.name}で${what}の掲載が遅れています（${since} から）。その分、アラートも遅れて届きます。`,
  onTime: (what, from, to) =>
    `✅ ${venue.name}では ${from} から ${to} まで${what}の掲載が遅れていました。現在は通常どおり掲載されています。`,
  footer: 'お知らせ',
});
