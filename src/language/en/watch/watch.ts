import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Translated } from '../../translated.ts';
import type { VenueForms } from '../venue.ts';
import { panel } from './panel.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { why } from './why.ts';

const form = plural('en-US');

/**
 * End of a pause: two timestamps rendered by Discord, a date and a countdown. Null if a person has
 * to end it.
 */
type PauseEnd = { readonly at: string; readonly in: string } | null;

const paused = (resume: string, end: PauseEnd) =>
  end === null ? `paused until someone uses ${resume}` : `paused until ${end.at} (${end.in})`;

/**
 * Answers of `/watch` except for its digest. A channel is `<#…>`, a person `<@…>`, a time `<t:…>`;
 * an address is between backticks; a name is a label, bold in some places, or an address.
 */
export const watch = (venue: VenueForms, { names, slash, permissions }: Terms) => ({
  settings: settings({ names, permissions, slash }),
  panel: panel({ names, permissions, slash }),
  status: status(venue, { names, permissions, slash }),
  why: why(venue, { names, permissions, slash }),
  /** Between two sentences. */
  gap: ' ',
  /** Between the parts of a list without "and". */
  comma: ', ',
  /**
   * "And" as people type it between two names without a space: one character; empty in languages
   * that use spaces.
   */
  and: '',
  /** Items shown in a list, and the number of the others. */
  andMore: (shown: string, more: number) => `${shown} and ${more} more`,
  /** Replaces a label without visible characters. */
  noName: 'no name',
  nothingWatched: (channel: string) =>
    `No wallets are watched in ${channel}. Add one with ${slash.add}.`,
  notHere: (channel: string) => `This wallet isn’t watched in ${channel}.`,
  notElsewhere: `It isn’t watched anywhere else in this server either: ${slash.list} shows what is.`,
  elsewhere: (channels: string) =>
    `It’s watched in ${channels}: choose that channel with \`${names.options.channel}\`.`,
  add: {
    /** @param name a bold label, or an address */
    watching: (name: string, channel: string) => `Watching ${name} in ${channel}.`,
    everything: 'You’ll get an alert for everything it does.',
    /** Before a list of settings. */
    withSettings: 'You’ll get alerts from now on:',
    /** @param line a trade or a transfer in words */
    latest: (line: string) => `Latest: ${line}`,
    unknownWallet:
      `${venue.start} has no records of this wallet yet. ` +
      'Is this the address that trades (the proxy wallet)?',
    /** @param address the address that it trades under */
    proxy: (address: string) =>
      `This wallet trades under another address, its proxy wallet: \`${address}\`. ` +
      `${venue.start} lists what it does there, so use that one.`,
    noAnswer: `${venue.start} isn’t answering right now. You’ll get the alerts when it does.`,
    already: (channel: string, name: string | null) =>
      `This wallet is already watched in ${channel}, ` +
      `${name === null ? 'without a label' : `as ${name}`}. ` +
      `Change its alerts with ${slash.edit}.`,
  },
  /** Expectation for a new watch, and buttons to reduce its alerts. */
  flood: {
    /** @param time period of the trades on which the estimate is based: `8 h` */
    about: (trades: string, time: string) => `About ${trades} trades a day, by its last ${time}.`,
    /** Buttons, at most 60 characters. */
    cooldown: (time: string) => `Max 1 alert per market every ${time}`,
    minUsdc: (amount: string) => `Only from ${amount}, its usual size`,
    /**
     * A button.
     *
     * @param what one of the two above
     */
    undo: (what: string) => `Undo: ${what}`,
    /** @param what a phrase of `settings` */
    changed: (person: string, name: string, channel: string, what: string) =>
      `${person} changed the alerts for ${name} in ${channel}: ${what}.`,
    undone: (person: string, name: string, channel: string, what: string) =>
      `${person} undid this for ${name} in ${channel}. No longer: ${what}.`,
    edited: `This setting was changed in the meantime. Use ${slash.edit}. Nothing changed.`,
  },
  edit: {
    changed: (name: string | null) => `Changed: ${name ?? 'a wallet'}`,
    settingsOf: (name: string | null) => `Settings of ${name ?? 'a wallet'}`,
    where: (address: string, channel: string) => `${address} in ${channel}`,
  },
  /** List of people's changes, for 30 days. */
  changes: {
    /** Also a button. */
    title: 'Who changed what',
    /** In the footer. */
    kept: 'The last 30 days, up to 500 changes',
    /** `restored`: a removal was undone. */
    deeds: {
      added: 'added',
      paused: 'paused',
      resumed: 'resumed',
      removed: 'removed',
      restored: 'restored',
    },
    /**
     * Also part of the list.
     *
     * @param names of options, between backticks
     */
    edited: (names: string) => `${names} changed`,
  },
  /** Button and answers that undo a removal, for ten minutes. */
  undo: {
    button: 'Undo',
    until: (time: string) =>
      `You can undo this until ${time}. You’ll then get the alerts you missed.`,
    done: (name: string, channel: string) =>
      `${name} is watched in ${channel} again. You’ll get the alerts you missed.`,
    over: `This can’t be undone any more. Add the wallet again with ${slash.add}.`,
  },
  /** Answer of buttons that change watches. Manage Server: Discord's name for the permission. */
  managersOnly: `Only people with the permission ${permissions.manageServer} can use this button.`,
  removed: (address: string, name: string | null, channel: string) =>
    `${name === null ? address : `${name} (${address})`} is no longer watched in ${channel}.`,
  pause: {
    /** After a watch. */
    state: (end: PauseEnd) => paused(slash.resume, end),
    one: (name: string, channel: string, end: PauseEnd) =>
      `${name} in ${channel} is ${paused(slash.resume, end)}.`,
    only: (channel: string, end: PauseEnd) =>
      `The only watched wallet in ${channel} is ${paused(slash.resume, end)}.`,
    all: (count: number, channel: string, end: PauseEnd) =>
      `All ${count} watched wallets in ${channel} are ${paused(slash.resume, end)}.`,
    already: (name: string, end: PauseEnd) => `${name} is already ${paused(slash.resume, end)}.`,
    notPostedLater: 'Anything that happens during the pause won’t be posted later.',
    resumeEnds: `To end it sooner, use ${slash.resume}.`,
    resume: 'Resume',
  },
  resume: {
    one: (name: string, channel: string) => `Alerts for ${name} in ${channel} are on again.`,
    only: (channel: string) => `Alerts for the one paused wallet in ${channel} are on again.`,
    all: (count: number, channel: string) =>
      `Alerts for all ${count} paused wallets in ${channel} are on again.`,
    unmuted: (name: string, person: string) => `${person} unmuted ${name}. Alerts are on again.`,
    nothingPaused: (channel: string) => `Nothing is paused in ${channel}.`,
    notPaused: (name: string, channel: string) => `${name} isn’t paused in ${channel}.`,
  },
  mute: {
    muted: (person: string, name: string, until: string) =>
      `${person} muted ${name} in this channel for 1 h (until ${until}). ` +
      'Anything that happens until then won’t be posted later.',
    /** A button. */
    unmute: 'Unmute',
    /** Manage Server: Discord's name for the permission. */
    managersOnly:
      `Only people with the permission ${permissions.manageServer} can mute: ` +
      'a mute stops these alerts for everyone in the channel.',
    unknownButton: 'This button no longer works.',
  },
  channel: {
    full: (channel: string) => `${channel}: view \`full\`, one embed per alert with all figures.`,
    compact: (channel: string) =>
      `${channel}: view \`compact\`, one line per alert, several in one embed.`,
    noConsensus: 'Consensus alerts are off.',
    consensus: (wallets: number, time: string) =>
      `Consensus alerts: when ${wallets} of its wallets buy the same outcome within ${time}.`,
    /** @param words from `settings` */
    words: (words: string) => `Its alerts: ${words}.`,
    results: { on: 'Results are on.', off: 'Results are off.' },
    consensusOnly: {
      on:
        'Consensus only: ' +
        'single trades, redemptions, deposits and withdrawals are **not posted** here. ' +
        'You still get notices that something may be missing, and results of earlier alerts.',
      off: 'Single alerts are posted too.',
    },
    /**
     * Times have the form `22:00`. `takes`: values that the option accepts, in
     * `settings.notAccepted`.
     */
    quiet: {
      on: (from: string, to: string, zone: string) =>
        `Quiet from ${from} to ${to} (${zone}): ` +
        'everything is posted without a sound and mentions nobody.',
      off: 'There are no quiet hours.',
      takes: `two times such as \`22:00-07:00\`, or \`${names.typed.none}\``,
      zoneMissing:
        `Which time zone? Use \`${names.options['time-zone']}\` together with ` +
        `\`${names.options.quiet}\`. Nothing changed.`,
      hoursMissing:
        `\`${names.options['time-zone']}\` is the zone of quiet hours, and there are none. ` +
        `Use it together with \`${names.options.quiet}\`. ` +
        'Nothing changed.',
    },
    delay: {
      on: (time: string) =>
        `Alerts here are delayed by ${time}. Pauses and settings that you change here are delayed, too.`,
      off: 'Alerts here aren’t delayed.',
    },
    consensusMissing:
      `\`${names.options['consensus-only']}\` can’t be \`on\` without a consensus. ` +
      `Use it together with \`${names.options.consensus}\`. Nothing changed.`,
    walletsWrong: (given: number, least: number, most: number) =>
      `\`${names.options.consensus}\` can’t be \`${given}\`. ` +
      `Use ${least} to ${most} wallets, or 0 for never. Nothing changed.`,
  },
  list: {
    /** Lines of a list that a page shows: a wallet has one in each channel. */
    range: (first: number, last: number, all: number) => `Lines ${first}–${last} of ${all}`,
    /** @param channels number of channels with them; null: omitted */
    title: (wallets: number, channels: number | null) =>
      `${wallets} ${form(wallets, { one: 'watched wallet', other: 'watched wallets' })}` +
      `${channels === null ? '' : ` in ${channels} channels`}`,
    /** After the title. */
    problems: (channels: number) =>
      `${channels} ${form(channels, { one: 'channel has', other: 'channels have' })} a problem`,
    nothing: `No wallets watched yet. Add one with ${slash.add}.`,
    compactView: 'compact view',
    consensusOnly: 'consensus only',
    noResults: 'no results',
    quiet: (from: string, to: string, zone: string) => `quiet ${from}–${to} (${zone})`,
    delay: (time: string) => `delayed by ${time}`,
    undelivered: (count: number, lastReason: string) =>
      `${count} ${form(count, { one: 'alert', other: 'alerts' })} couldn’t be delivered here. ` +
      `The last one: ${lastReason}`,
    noReason: 'no reason',
    /** @param since a time that reads "5 minutes ago" */
    alertsWait: (since: string) => `Alerts are waiting, the oldest from ${since}.`,
    /**
     * Start of a problem.
     *
     * @param time reads "5 minutes ago"
     */
    since: (time: string) => `Started ${time}.`,
    /** @param time reads "5 minutes ago" */
    lastTrade: (time: string) => `last trade ${time}`,
    /** @param polls the late ones, from below */
    polled: (polls: string) => `polled: ${polls}`,
    /** The venue's lists. */
    endpoints: { activity: 'trades', 'deposits-withdrawals': 'transfers' },
    /** @param last time of its last poll; null: never */
    lastPoll: (list: string, last: string | null) => `${list} ${last ?? 'not yet'}`,
  },
});
export type WatchWords = Translated<ReturnType<typeof watch>>;
