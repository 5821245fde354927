import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Translated } from '../../translated.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('en-US');

/**
 * `/watch status`, and problems of the bot or its venue. A time is `<t:…>`, a duration is written
 * out.
 */
export const status = (venue: VenueForms, { slash, permissions }: Terms) => ({
  works: 'I’m up and running',
  /** The venue asked for a pause. */
  slowed: `${venue.start} is slowing me down`,
  /** For longer than the interval between polls. */
  silent: `${venue.start} isn’t answering`,
  /** The venue says that its lists are late. */
  late: `${venue.start} lists trades late`,
  broken: 'Something is wrong',
  checks: {
    gateway: 'Discord',
    store: 'Storage',
    venue: venue.label,
    lastPoll: 'Polling',
    feed: 'Feed',
  },
  /** @param check from above */
  because: (check: string, reason: string) => `${check}: ${reason}`,
  /**
   * Connections to Discord, by their numbers.
   *
   * @param here this server's connection; null if unknown
   */
  shards: (shards: string, here: number | null) =>
    `Shards: ${shards}${here === null ? '' : `. This server is on shard ${here}.`}`,
  /** `yours` replaces `here` in a direct message. */
  fields: {
    budget: 'Rate limit',
    polls: 'Polls',
    here: 'Alerts here',
    yours: 'Your alerts',
    all: 'Whole bot',
  },
  polls: (succeeded: number, failed: number, minutes: number) =>
    `${succeeded} in the last ${minutes} minutes${failed > 0 ? `, and ${failed} failed` : ''}`,
  /** @param minutes minimum, 2 or more */
  round: (minutes: number) => `Checking every wallet once takes at least ${minutes} minutes.`,
  /** @param time reads "5 seconds ago" */
  lastAnswer: (time: string) => `last answer ${time}`,
  /** @param delay a duration */
  listsLate: (delay: string) => `lists trades ${delay} late`,
  walletsHere: (count: number) =>
    `${count} watched ${form(count, { one: 'wallet', other: 'wallets' })} here`,
  walletsInAll: (count: number) => `${count} in all`,
  upFor: (time: string) => `up for ${time}`,
  limitUnknown: `${venue.start} hasn’t reported its rate limit yet.`,
  /**
   * Requests.
   *
   * @param renewed when there are new ones; null if unknown
   */
  left: (left: number, limit: number, renewed: string | null) =>
    `${left} of ${limit} requests left${renewed === null ? '' : `, resets ${renewed}`}`,
  /** Requests, if it is unknown how many are left. */
  allows: (limit: number) =>
    `${limit} ${form(limit, { one: 'request', other: 'requests' })} allowed per window`,
  /**
   * Requests.
   *
   * @param allowance null if unknown
   * @param older requests by the bot itself, to read older trades
   */
  used: (sent: number, allowance: number | null, polls: number, people: number, older: number) =>
    `${sent}${allowance === null ? '' : ` of my ${allowance}`} used in this window: ` +
    `${polls} for polling, ${people} for commands, ${older} for older trades`,
  venueAskedForPause: (end: string) => `Asked me to wait (429). The wait ends ${end}.`,
  /**
   * Used within a line; half of the alerts come within the first time.
   *
   * @param latest delay of the last one
   */
  arrive: (median: string, most: string, latest: string) =>
    `Alerts come ${median} after the trade (95% within ${most}, the latest ${latest}).`,
  /** A button. */
  all: 'All figures',
  noAlerts: 'None since I started.',
  delays: (count: number, median: string, most: string, latest: string) =>
    `Delay of the last ${count}: median ${median}, 95% within ${most}, latest ${latest}`,
  /** @param count number of the alerts whose delay is given above */
  withoutPosition: (count: number) => `Without the wallet’s position: ${count} of them`,
  nothingWaits: 'No alerts are waiting.',
  /** Wallets that the start has not read yet. */
  stillLoading: (wallets: number) =>
    `${wallets} ${form(wallets, { one: 'wallet is', other: 'wallets are' })} still being loaded ` +
    'after my restart. Until then alerts in their channels wait.',
  delayedChannels: (channels: string) => `Delayed channels: ${channels}.`,
  signedAlerts: 'The bot’s operator also sends this server’s alerts to a service outside Discord.',
  waiting: (alerts: number, oldest: string) =>
    `${alerts} ${form(alerts, { one: 'alert is waiting', other: 'alerts are waiting' })}, ` +
    `the oldest for ${oldest}.`,
  cannotWrite: (channels: string) => `I can’t write in ${channels}. ${slash.list} says why.`,
  /** @param requests their number, at least 20 */
  refused: (requests: string) =>
    `Discord has refused ${requests} of my requests here in the last 10 minutes. ` +
    `${slash.list} says where I can’t write.`,
  undelivered: (alerts: number) =>
    `${alerts} ${form(alerts, { one: 'alert', other: 'alerts' })} couldn’t be delivered. ` +
    `${slash.list} says why.`,

  tokenShared:
    'Another process uses this bot’s token and answers some commands in its place. Whoever runs the bot: end it, or make a new token.',
  gatewayDown: 'Not connected to Discord’s gateway. Connecting.',
  /**
   * @param shards their numbers
   * @param count number of this process's shards
   */
  shardsDown: (shards: string, count: number) =>
    `Shards not connected to Discord’s gateway: ${shards} (of ${count}). Connecting.`,
  storeFailed: 'Failed; nothing has been saved since. The log says why.',
  /** @param since a date in ISO format */
  feedAway: (since: string) => `No data since ${since}. You’ll get the alerts when it’s back.`,
  nothingAsked: 'No request has been sent yet.',
  nothingWatched: 'No wallets are watched, so nothing is polled.',
  noPoll: 'No poll has succeeded yet.',
  /** @param since null if there was none */
  noPollPlanned: (since: string | null) =>
    `No poll has succeeded ${since === null ? 'yet' : `since ${since}`}, ` +
    'although requests were planned.',
  tickLate: (seconds: number) => `The tick of POLL_CRON is ${seconds} s late.`,
  notInPlan: {
    activity:
      'The key’s plan doesn’t include trades and redemptions (403). Use a plan that covers them.',
    'deposits-withdrawals':
      'The key’s plan doesn’t include deposits and withdrawals (403). Use a plan that covers them.',
  },
  unreachable: `${venue.start} doesn’t answer properly. You’ll get the alerts when it does.`,
  /** @param until a date in ISO format */
  paused: (until: string) =>
    `${venue.start}’s rate limit is used up. Next try: ${until}. ` +
    'You’ll get the alerts when it answers.',

  /**
   * Why Discord does not accept messages for a channel. The codes and the English messages are
   * Discord's.
   */
  delivery: {
    noAccess:
      'I can’t see the channel (50001). ' +
      `Give me ${permissions.viewChannel} there, or invite me again.`,
    noWriting:
      'I can’t write in the channel (50013). ' +
      `Give me ${permissions.sendMessages} and ${permissions.embedLinks} there.`,
    noEmbeds:
      'Discord removed the embeds from the message (50006). ' +
      `Give me ${permissions.embedLinks} in the channel.`,
    noReplies:
      'I can’t reply in the channel (160002). ' +
      `Give me ${permissions.readMessageHistory} there.`,
    noMessages: (code: number) =>
      `The channel doesn’t accept messages (${code}). Choose a text channel.`,
    threadLocked: 'The thread is locked (160005). Unlock it, or choose another channel.',
    threadArchived: 'The thread is archived (50083). Open it again, or choose another channel.',
    dmClosed: 'I can’t send direct messages (50007): I’m blocked, or they aren’t allowed.',
    noSharedServer:
      'Discord doesn’t allow DMs without a shared server (50278). Join a server that I’m in.',
    channelGone: 'The channel no longer exists (10003).',
    serverGone: 'The server no longer exists, or I’m not in it (10004).',
    rejected: (code: number, message: string) =>
      `Discord rejected the message (${code}): ${message}`,
    forbidden: (code: number, message: string) => `Discord doesn’t allow it (${code}): ${message}`,
  },
});
export type WatchStatusWords = Translated<ReturnType<typeof status>>;
