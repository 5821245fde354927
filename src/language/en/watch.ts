import { plural } from '../plural.ts';
import { names, slash } from './names.ts';
import { settings } from './watch-settings.ts';
import { status } from './watch-status.ts';

const form = plural('en-US');

/** When a pause ends: two timestamps that Discord draws, a date and a countdown. Null: when somebody ends it. */
type PauseEnd = { readonly at: string; readonly in: string } | null;

const paused = (end: PauseEnd) =>
  end === null ? `paused until somebody uses ${slash.resume}` : `paused until ${end.at} (${end.in})`;

/**
 * Answers of `/watch` but for its digest. A channel is `<#…>`, a person `<@…>`, a time `<t:…>`; an address stands
 * between backticks; a name is a label, bold in some places, or an address.
 */
export const watch = {
  settings,
  status,
  /** Between two sentences. */
  gap: ' ',
  /** Between the parts of a list without "and". */
  comma: ', ',
  /** What a list shows, and how many more it has. */
  andMore: (shown: string, more: number) => `${shown} and ${more} more`,
  /** In the place of a label in which nothing is visible. */
  noName: 'no name',
  nothingRings: (channel: string) => `Nothing rings in ${channel}. ${slash.add} begins.`,
  changedMeanwhile: `Somebody else changed or removed this watch at the same moment. Look at ${slash.list}, then try again.`,
  notHere: (channel: string) => `This wallet does not ring in ${channel}.`,
  norElsewhere: `Nor anywhere else in this server: ${slash.list} shows what does.`,
  elsewhere: (channels: string) =>
    `It rings in ${channels}: name that channel in the option \`${names.options.channel}\`.`,
  add: {
    title: (name: string | null) => `Watching ${name ?? 'a wallet'}`,
    rings: (address: string, channel: string) => `${address} rings in ${channel} from now on.`,
    /** @param line a trade or a transfer in words */
    latest: (line: string) => `Latest: ${line}`,
    unknownWallet: 'The venue knows nothing of this wallet yet. Is it the address that trades?',
    /** After what kept the bot from asking the venue. */
    inPlace: 'The watch is in place.',
    already: (channel: string, name: string | null) =>
      `This wallet rings in ${channel} already, ${name === null ? 'without a label' : `as ${name}`}. ${slash.edit} changes how.`,
  },
  edit: {
    changed: (name: string | null) => `Changed: ${name ?? 'a wallet'}`,
    settingsOf: (name: string | null) => `Settings of ${name ?? 'a wallet'}`,
    where: (address: string, channel: string) => `${address} in ${channel}`,
  },
  removed: (address: string, name: string | null, channel: string) =>
    `${address}${name === null ? '' : ` (${name})`} no longer rings in ${channel}.`,
  pause: {
    /** Beside a watch. */
    state: paused,
    one: (name: string, channel: string, end: PauseEnd) => `${name} in ${channel} is ${paused(end)}.`,
    only: (channel: string, end: PauseEnd) => `The only watch of ${channel} is ${paused(end)}.`,
    all: (count: number, channel: string, end: PauseEnd) => `All ${count} watches of ${channel} are ${paused(end)}.`,
    already: (name: string, end: PauseEnd) => `${name} is ${paused(end)} already.`,
    notMadeUpFor: 'What happens meanwhile is not made up for.',
    resumeEnds: `${slash.resume} ends it.`,
  },
  resume: {
    one: (name: string, channel: string) => `${name} in ${channel}: rings again from now on.`,
    only: (channel: string) => `The one watch that was paused in ${channel}: rings again from now on.`,
    all: (count: number, channel: string) =>
      `All ${count} watches that were paused in ${channel} ring again from now on.`,
    unmuted: (name: string, person: string) => `${name} rings again from now on: ${person} has ended the mute.`,
    nothingPaused: (channel: string) => `Nothing in ${channel} is paused.`,
    notPaused: (name: string, channel: string) => `${name} is not paused in ${channel}: it rings.`,
  },
  mute: {
    muted: (person: string, name: string, until: string) =>
      `${person} has muted ${name} in this channel for 1 h, until ${until}.`,
    /** A button. */
    unmute: 'Unmute',
    /** Manage Server: as Discord calls the permission. */
    managersOnly: 'Muting is for people with the permission Manage Server: it keeps alerts from everybody here.',
    unknownButton: 'This button is not known any more.',
  },
  channel: {
    full: (channel: string) => `${channel}: view \`full\`, an embed for each alert, with all its figures.`,
    compact: (channel: string) => `${channel}: view \`compact\`, one line an alert, several in one embed.`,
    noConsensus: 'Consensus among wallets is not told.',
    consensus: (wallets: number, time: string) =>
      `Consensus is told when ${wallets} of its wallets take the same outcome within ${time}.`,
    walletsWrong: (given: number, least: number, most: number) =>
      `\`${names.options.consensus}\` is ${given}. Accepted: ${least} to ${most} wallets, or 0 for never.`,
    /** @param examples how times are typed */
    timeWrong: (examples: string) =>
      `\`${names.options['consensus-within']}\` is not a time. Accepted: ${examples}, from a minute to 3 days.`,
  },
  list: {
    /** Which of the server's watches a page shows. */
    range: (first: number, last: number, all: number) => `${first}–${last} of ${all}`,
    title: (count: number) => `${count} ${form(count, { one: 'watch', other: 'watches' })}`,
    nothing: `Nothing rings in this server yet. ${slash.add} begins.`,
    compactView: 'compact view',
    undelivered: (count: number, lastReason: string) =>
      `${count} ${form(count, { one: 'alert', other: 'alerts' })} could not be delivered here. The last: ${lastReason}`,
    noReason: 'no reason',
    alertsWait: (since: string) => `Alerts wait since ${since}.`,
    since: (time: string) => `Since ${time}.`,
    /** @param polls of each of the venue's lists, from below */
    polled: (polls: string) => `polled: ${polls}`,
    /** The venue's lists. */
    endpoints: { activity: 'trades', 'deposits-withdrawals': 'transfers' },
    /** @param last when it was polled; null: never */
    lastPoll: (list: string, last: string | null) => `${list} ${last ?? 'not yet'}`,
    /** @param polled from `lastPoll` @param next null: it is due */
    nextPoll: (polled: string, next: string | null) => `${polled}, next ${next ?? 'at once'}`,
  },
};
export type WatchWords = typeof watch;
