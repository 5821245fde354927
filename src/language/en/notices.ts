import type { VenueForms } from './venue.ts';

/** Texts that a channel reads of the venue. Times are drawn by Discord. */
export const notices = (venue: VenueForms) => ({
  what: {
    activity: 'trades and redemptions',
    'deposits-withdrawals': 'deposits and withdrawals',
    both: 'trades, redemptions, deposits and withdrawals',
  },
  /** `what` is one of the above. */
  away: (what: string, since: string) =>
    `⚠️ ${venue.start} hasn’t answered since ${since}. ` +
    `Alerts for ${what} will be late: you’ll get them when it’s back.`,
  back: (what: string, from: string, to: string) =>
    `✅ ${venue.start} was down from ${from} to ${to}. ` +
    `Alerts for ${what} are back; what you missed comes now.`,
  footer: 'Notice',
});
