import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: '交易和赎回',
    'deposits-withdrawals': '充值和提现',
    both: '交易、赎回、充值和提现',
  },
  away: (what, since) =>
    `⚠️ ${venue.start}自 ${since} 起没有响应，暂时无法获取${what}。恢复后会补发提醒。`,
  back: (what, from, to) =>
    `✅ ${venue.start}在 ${from} 至 ${to} 期间没有响应。现在可以重新获取${what}，这段时间的提醒将陆续发出。`,
  footer: '通知',
});
