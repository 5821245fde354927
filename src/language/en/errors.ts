import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { Translated } from '../translated.ts';
import type { VenueForms } from './venue.ts';

const form = plural('en-US');

/** Texts shown if something cannot be done: the reason, then what to do. */
export const errors = (venue: VenueForms, { slash, permissions }: Terms) => ({
  unknownCommand: 'This command no longer exists. Reload Discord and try again.',
  unknownButton: 'This button no longer works. Run the command again.',
  notMember: 'I’m not a member of this server yet. Invite me with the scope “bot”, then try again.',
  /** The reference is a short code that also appears in the log. */
  internal: (reference: string) =>
    `Something went wrong on my side. Give the bot’s operator the reference ${reference}.`,
  /** Nothing can be stored. */
  diskFull: (reference: string) =>
    `My disk is full, so nothing was changed. Give the bot’s operator the reference ${reference}.`,
  /** Replaces Discord's "in 5 minutes" in the parameters `when`. */
  inAMinute: 'in a minute',
  /** Like `inAMinute`. `clock` is a time of day with seconds. */
  at: (clock: string) => `at ${clock}`,

  venue: {
    rateLimited: (when: string) =>
      `${venue.start}’s rate limit is used up. Alerts may be late. ` +
      `You’ll get what it still lists. Try again ${when}.`,
    unauthorized:
      `${venue.start} rejected the bot’s API key (401). ` +
      'Alerts are paused until the bot’s operator has checked the key.',
    notInPlan:
      'The plan of the bot’s API key doesn’t include this list (403). ' +
      'The bot’s operator needs another plan.',
    unreachable:
      `${venue.start} isn’t responding right now. ` +
      'You’ll get what it still lists when it’s back. Try again in a minute.',
    /** Used if the feed is a separate process, and away. */
    feedAway:
      'My data feed isn’t responding right now. ' +
      'You’ll get what is still listed when it’s back. Try again in a minute.',
    unreadable:
      `${venue.start} sent a response that I can’t read. ` +
      'Try again in a minute; if that doesn’t help, contact the bot’s operator.',
  },

  /** Answers of a bot that does nothing there, whatever the command is. */
  admission: {
    notAllowed:
      'This bot only works in servers that its operator has chosen. This server isn’t one of them.',
    serverBlocked: 'The bot’s operator has blocked this server. There are no alerts here.',
    userBlocked: 'The bot’s operator has blocked you. You can’t use its commands.',
  },

  quota: {
    user: (when: string) => `Slow down a little: try again ${when}.`,
    server: (when: string) =>
      `This server has used a lot of commands in the last minute. Try again ${when}.`,
    /** Number of lookups in a time such as `60 s` or `15 min`. */
    lookups: (most: number, time: string, when: string) =>
      `This server has used up its lookups (${most} in ${time}). Try again ${when}. ` +
      'Alerts go on as usual.',
    watches: (most: number, present: number, more: number) =>
      `A server can have ${most} watched ${form(most, { one: 'wallet', other: 'wallets' })}, ` +
      `counted once in each channel. This one has ${present}, ` +
      `so there’s no room for ${more === 1 ? 'another' : `${more} more`}. Nothing changed. ` +
      `Make room with ${slash.remove}, or ask the bot’s operator to raise WATCHES_PER_GUILD.`,
    /** The total limit is reached; says nothing about other servers. */
    total: (more: number) =>
      'I’m watching as many wallets as my operator allows in all, ' +
      `so there’s no room for ${more === 1 ? 'another' : `${more} more`}. Nothing changed. ` +
      'Try again later, or ask the bot’s operator to raise WATCHES_TOTAL.',
    /** About the existing watches. */
    leavingCount: (leaving: number) =>
      `${leaving === 1 ? 'One of them was' : `${leaving} of them were`} just removed: ` +
      'removed wallets count for ten minutes, while that can be undone.',
    /** @param most the limit of watches */
    channels: (most: number) =>
      `A server can set this for up to ${most} channels. Nothing changed.`,
  },

  permissions,

  channel: {
    unseen: (channel: string, permission: string) =>
      `I can’t see ${channel}. Give me ${permission} there, then try again.`,
    wrongKind: (channel: string) =>
      `I can’t post in ${channel}. Choose a text channel or a thread.`,
    /** The permissions are a list of one or more. */
    closed: (channel: string, permissions: string) =>
      `I can’t post in ${channel}. Give me ${permissions} there, then try again.`,
    locked: (channel: string) =>
      `I can’t post in ${channel}: the thread is locked. ` +
      `Unlock it, or give me ${permissions.manageThreads}.`,
    timedOut: (channel: string, until: string) =>
      `I can’t post in ${channel}: this server has timed me out until ${until}.`,
    noEmbeds: (channel: string, permission: string) =>
      `Give me ${permission} in ${channel}: without it, alerts show only their first line.`,
    noHistory: (permission: string) =>
      `Give me ${permission} there too: ` +
      'without it I can’t check after an outage whether an alert arrived, ' +
      'and may post it twice.',
    roleGone: `The role to mention no longer exists. Choose another one with ${slash.edit}.`,
    notMentionable: (role: string, channel: string, permission: string) =>
      `I can’t mention ${role} in ${channel}. ` +
      `Make the role mentionable, or give me ${permission} there.`,
    /** Permissions that the person lacks; a list of one or more. */
    notYours: (channel: string, permissions: string) =>
      `You need ${permissions} in ${channel}: I only post where you can post yourself.`,
    mentionNotYours: (role: string, channel: string, permission: string) =>
      `You can’t mention ${role} in ${channel}. ` +
      `Choose a role that everyone can mention, or get ${permission} there.`,
  },

  wallet: {
    /** Several wallets, by their addresses. */
    ambiguous: (wallets: string) =>
      `More than one watched wallet has this label: ${wallets}. Use the address.`,
    /** @param typed between backticks */
    unknown: (typed: string) =>
      `${typed} isn’t a wallet address (0x and 40 hex digits) ` +
      'or the label of a wallet watched in this server.',
    /**
     * Texts entered instead of an address: a link or a name of a profile, an ENS name, 40 digits.
     *
     * @param typed between backticks
     */
    pasted: {
      profile: (typed: string) =>
        `${typed} has no address in it. A profile’s name is none: copy the address (0x…) from the profile’s page.`,
      ens: (typed: string) =>
        `${typed} is an ENS name, which I don’t look up. Paste the address that it stands for (0x and 40 hex digits).`,
      bare: (typed: string) =>
        `${typed} looks like an address without its beginning. Put 0x before it.`,
    },
    /** Faults of a text typed as an address. */
    address: {
      shape: (typed: string) =>
        `${typed} isn’t a wallet address. Use 0x followed by 40 hex digits (0–9, a–f).`,
      checksum: (typed: string) =>
        `The checksum of ${typed} is wrong (EIP-55), so there’s probably a typo. ` +
        'Copy the address again.',
      zero: (typed: string) =>
        `${typed} is the zero address, which no wallet has. Copy the wallet’s own address.`,
    },
  },

  file: {
    refused: (status: number) => `I couldn’t get the file from Discord (${status}). Send it again.`,
    late: 'I couldn’t get the file from Discord in time. Send it again.',
    tooLarge: (kibibytes: number) => `The file is too large. Use up to ${kibibytes} KiB.`,
  },
});
export type ErrorWords = Translated<ReturnType<typeof errors>>;
