import type { VenueForms } from './venue.ts';

/** Texts about the venue that are posted in a channel. Discord renders the times. */
export const notices = (venue: VenueForms) => ({
  what: {
    activity: 'trades and redemptions',
    'deposits-withdrawals': 'deposits and withdrawals',
    both: 'trades, redemptions, deposits and withdrawals',
  },
  /** `what` is one of the above. */
  away: (what: string, since: string) =>
    `⚠️ ${venue.start} hasn’t answered since ${since}. ` +
    `Alerts for ${what} will be late: you’ll get what it still lists when it’s back.`,
  back: (what: string, from: string, to: string) =>
    `✅ ${venue.start} was down from ${from} to ${to}. ` +
    `Alerts for ${what} are back; you’ll get what it still lists from that time.`,
  keyRefused: (since: string) =>
    `⚠️ No alerts since ${since}: ${venue.name} refuses the bot’s key. ` +
    `Its operator has to act. After that, you’ll get what ${venue.name} still lists.`,
  endpointRefused: (what: string, since: string) =>
    `⚠️ No alerts for ${what} since ${since}: ${venue.name} refuses them to the bot’s key. ` +
    `Its operator has to act. After that, you’ll get what ${venue.name} still lists.`,
  /** The venue accepts the key, or the key for an endpoint, again. */
  accepted: (what: string, from: string, to: string) =>
    `✅ No alerts for ${what} came from ${from} to ${to}: ${venue.name} refused the bot’s key. ` +
    'They’re back; you’ll get what it still lists from that time.',
  late: (what: string, since: string) =>
    `⚠️ ${venue.start} has been listing ${what} late since ${since}. Alerts are late with it.`,
  onTime: (what: string, from: string, to: string) =>
    `✅ ${venue.start} listed ${what} late from ${from} to ${to}. It lists them on time again.`,
  footer: 'Notice',
});
