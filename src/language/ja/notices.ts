import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: '取引と償還',
    'deposits-withdrawals': '入金と出金',
    both: '取引・償還・入金・出金',
  },
  away: (what, since) =>
    `⚠️ ${venue.name}が応答していません（${since} から）。現在、${what}を取得できません。復旧後にアラートをお届けします。`,
  back: (what, from, to) =>
    `✅ ${venue.name}は ${from} から ${to} まで応答しませんでした。${what}を再び取得できます。その間の分はこれからお届けします。`,
  footer: 'お知らせ',
});
