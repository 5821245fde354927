import { plural } from '../plural.ts';
import { errors } from './errors.ts';
import { slash } from './names.ts';

const form = plural('en-US');

const { permissions } = errors;

/** `/watch status`, and what is wrong with the bot or its venue. A time is `<t:…>`, a length of time is written out. */
export const status = {
  works: 'The bot works',
  broken: 'Something is wrong',
  checks: { gateway: 'Discord', store: 'Store', venue: 'Venue', lastPoll: 'Polling', feed: 'Feed' },
  /** @param check from above */
  because: (check: string, reason: string) => `${check}: ${reason}`,
  /** Connections to Discord, by their numbers. @param here the one of this server; null: unknown */
  shards: (shards: string, here: number | null) =>
    `Shards: ${shards}${here === null ? '' : `. This server is on shard ${here}.`}`,
  fields: { budget: 'Request budget', polls: 'Polls', here: 'Alerts here', all: 'The whole bot' },
  polls: (succeeded: number, failed: number, minutes: number) =>
    `${succeeded} in the last ${minutes} minutes${failed > 0 ? `, and ${failed} failed` : ''}`,
  lastSucceeded: (time: string) => `The last succeeded ${time}`,
  watchesHere: (count: number) => `${count} here`,
  watchesInAll: (count: number, wallets: number) =>
    `${count} in all, of ${wallets} ${form(wallets, { one: 'wallet', other: 'wallets' })}`,
  waitInAll: (alerts: number) => `${alerts} ${form(alerts, { one: 'alert waits', other: 'alerts wait' })} in all`,
  upFor: (time: string) => `up for ${time}`,
  limitUnknown: 'The venue has not told its limit yet.',
  /** Requests. @param left null: unknown @param renewed when there are new ones; null: unknown */
  left: (left: number | null, limit: number, renewed: string | null) =>
    `${left ?? 'An unknown number'} of ${limit} left${renewed === null ? '' : `, new ${renewed}`}`,
  /** Requests. @param allowance null: unknown */
  used: (sent: number, allowance: number | null, polls: number, people: number) =>
    `${sent} used in this window${allowance === null ? '' : ` of ${allowance} that the bot may use`}: ${polls} by polls, ${people} by people`,
  venueAskedForPause: (end: string) => `The venue asked for a pause (429), which ends ${end}.`,
  noAlerts: 'None since the start of the bot.',
  delays: (count: number, median: string, most: string) =>
    `Delay of the last ${count}: median ${median}, 95 % within ${most}`,
  nothingWaits: 'Nothing waits.',
  waiting: (alerts: number, oldest: string) =>
    `${alerts} ${form(alerts, { one: 'waits', other: 'wait' })}, the oldest for ${oldest}`,
  cannotWrite: (channels: string) => `Cannot be written: ${channels}. ${slash.list} says why.`,
  undelivered: (alerts: number) => `${alerts} could not be delivered. ${slash.list} says why.`,

  gatewayDown: 'There is no connection to Discord’s gateway. It is being made.',
  /** @param shards their numbers @param count how many this process has */
  shardsDown: (shards: string, count: number) =>
    `Shards without a connection to Discord’s gateway: ${shards} (of ${count}). They are being connected.`,
  storeFailed: 'The store has failed, and has not taken a write since. The log says why.',
  /** @param since a date as computers write it */
  feedAway: (since: string) => `Nothing has been heard of the feed since ${since}. Alerts follow when it is back.`,
  nothingAsked: 'Nothing has been asked yet.',
  nothingWatched: 'Nothing is watched, so nothing is polled.',
  noPoll: 'No poll has succeeded yet.',
  /** @param since a date as computers write it; null: none ever has */
  noPollPlanned: (since: string | null) =>
    `No poll has succeeded ${since === null ? 'yet' : `since ${since}`}, although requests were planned.`,
  tickLate: (seconds: number) => `The tick of POLL_CRON is late by ${seconds} s.`,
  keyRefused:
    'The venue refused the key (401). Alerts are paused. Check VENUE_API_KEY; a lost key is replaced in the account’s settings.',
  notInPlan: {
    activity: 'The key’s plan does not include trades and redemptions (403). Use a plan that covers them.',
    'deposits-withdrawals':
      'The key’s plan does not include deposits and withdrawals (403). Use a plan that covers them.',
  },
  unreachable: 'The venue does not answer properly. Alerts will follow when it does.',
  /** @param until a date as computers write it */
  paused: (until: string) =>
    `The venue says that its rate limit is used up. It is asked again at ${until}; alerts follow when it answers.`,

  /** Why Discord does not take messages for a channel. The codes are Discord's, and so are the messages, in English. */
  delivery: {
    noAccess: `The bot cannot see the channel (50001). Give it ${permissions.viewChannel} there, or invite it again.`,
    noWriting: `The bot may not write in the channel (50013). Give it ${permissions.sendMessages} and ${permissions.embedLinks} there.`,
    noEmbeds: `Discord took the embeds out of the message (50006). Give the bot ${permissions.embedLinks} in the channel.`,
    noReplies: `The bot may not reply in the channel (160002). Give it ${permissions.readMessageHistory} there.`,
    noMessages: (code: number) => `The channel does not take messages (${code}). Choose a text channel.`,
    threadLocked: 'The thread is locked (160005). Unlock it, or choose another channel.',
    threadArchived: 'The thread is archived (50083). Open it again, or choose another channel.',
    channelGone: 'The channel no longer exists (10003).',
    serverGone: 'The server no longer exists, or the bot is not in it (10004).',
    rejected: (code: number, message: string) => `Discord rejected the message (${code}): ${message}`,
    forbidden: (code: number, message: string) => `Discord forbids it (${code}): ${message}`,
  },
};
export type WatchStatusWords = typeof status;
