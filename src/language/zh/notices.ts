import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: '交易和赎回',
    'deposits-withdrawals': '充值和提现',
    both: '交易、赎回、充值和提现',
  },
  away: (what, since) =>
    `⚠️ ${venue.start}自 ${since} 起没有响应，暂时无法获取${what}。恢复后会补发平台上仍能查到的记录。`,
  back: (what, from, to) =>
    `✅ ${venue.start}在 ${from} 至 ${to} 期间没有响应。现在可以重新获取${what}，这段时间里仍能查到的记录将陆续补发。`,
  keyRefused: (since) =>
    `⚠️ 自 ${since} 起没有提醒：${venue.name}拒绝了机器人的 API 密钥，需要机器人的运营者处理。之后会补发平台上仍能查到的记录。`,
  endpointRefused: (what, since) =>
    `⚠️ 自 ${since} 起没有${what}的提醒：${venue.name}不再向机器人的 API 密钥提供这些记录，需要机器人的运营者处理。之后会补发平台上仍能查到的记录。`,
  accepted: (what, from, to) =>
    `✅ ${venue.start}在 ${from} 至 ${to} 期间拒绝了机器人的 API 密钥。现在可以重新获取${what}，这段时间里仍能查到的记录将陆续补发。`,
  late: (what, since) => `⚠️ 自 ${since} 起，${venue.name}上${what}的更新有延迟，提醒也会相应推迟。`,
  onTime: (what, from, to) =>
    `✅ ${from} 至 ${to} 期间，${venue.name}上${what}的更新有延迟，现已恢复正常。`,
  footer: '通知',
});
