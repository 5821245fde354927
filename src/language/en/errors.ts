import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('en-US');

/** What a person is told when something cannot be done. */
export const errors = {
  unknownCommand: 'This command is not known any more. Reload Discord and try again.',
  unknownButton: 'This button is not known any more. Run the command again.',
  notMember: 'I am not a member of this server yet. Invite me with the scope "bot", then try again.',
  /** The reference is a short code that also stands in the log. */
  internal: (reference: string) => `Something went wrong in the bot. It is logged under the reference ${reference}.`,
  /** Stands where otherwise Discord's "in 5 minutes" stands: the parameters `when`. */
  inAMinute: 'in a minute',

  venue: {
    busy: (when: string) => `Too many look-ups at the moment. Try again ${when}.`,
    rateLimited: (when: string) => `The venue asks for a pause: its rate limit is used up. Try again ${when}.`,
    unauthorized:
      'The venue refuses the bot’s API key (401). Whoever runs the bot has to check it; alerts are paused until then.',
    notInPlan:
      'The plan of the bot’s API key does not include this list (403). Whoever runs the bot would need another plan.',
    unreachable:
      'The venue does not answer at the moment. Nothing is lost: alerts follow when it does. Try again in a minute.',
    unreadable:
      'The venue sent an answer that cannot be read. Try again in a minute; if it stays so, tell whoever runs the bot.',
  },

  /** Where the bot does nothing, whatever is asked. */
  admission: {
    notAllowed: 'This bot serves only servers that whoever runs it has chosen. This one is not among them.',
    serverBlocked: 'Whoever runs this bot has blocked this server. Nothing rings here.',
    userBlocked: 'Whoever runs this bot does not take commands from you.',
  },

  quota: {
    user: (when: string) => `That was a lot at once. Try again ${when}.`,
    server: (when: string) => `This server has asked a lot in the last minute. Try again ${when}.`,
    /** So many look-ups in a time such as `60 s` or `15 min`. */
    lookups: (most: number, time: string, when: string) =>
      `This server has used its share of look-ups (${most} in ${time}). Try again ${when}. Alerts go on meanwhile.`,
    watches: (most: number, present: number, more: number) =>
      `A server may have ${most} ${form(most, { one: 'watch', other: 'watches' })}. This one has ${present}, so there is no room for ${more === 1 ? 'one more' : `${more} more`}. ${slash.remove} makes room; whoever runs the bot can raise WATCHES_PER_GUILD.`,
  },

  /** As Discord itself names them. */
  permissions: {
    viewChannel: 'View Channel',
    sendMessages: 'Send Messages',
    sendMessagesInThreads: 'Send Messages in Threads',
    embedLinks: 'Embed Links',
    readMessageHistory: 'Read Message History',
    mentionEveryone: 'Mention Everyone',
  },

  channel: {
    unseen: (channel: string, permission: string) =>
      `I cannot see ${channel}. Give me ${permission} there, then try again.`,
    wrongKind: (channel: string) => `${channel} does not take messages. Choose a text channel or a thread.`,
    /** The permissions are a list of one or more. */
    closed: (channel: string, permissions: string) =>
      `I cannot ring in ${channel}. Give me ${permissions} there, then try again.`,
    noHistory: (permission: string) =>
      `Give me ${permission} there too: without it I cannot check after an outage whether an alert had arrived, and may repeat it.`,
    roleGone: `The role to mention is gone: name another one in ${slash.edit}.`,
    notMentionable: (role: string, channel: string, permission: string) =>
      `I may not mention ${role} in ${channel}. Make the role mentionable, or give me ${permission} there.`,
    /** Of whoever asks; the permissions are a list of one or more. */
    notYours: (channel: string, permissions: string) =>
      `You lack ${permissions} in ${channel}: I ring only where you may write yourself.`,
    mentionNotYours: (role: string, channel: string, permission: string) =>
      `You may not mention ${role} in ${channel} yourself. It takes a role that everybody may mention, or ${permission} there.`,
  },

  wallet: {
    /** Several wallets, by their addresses. */
    ambiguous: (wallets: string) => `More than one watched wallet is called that: ${wallets}. Give the address.`,
    unknown: (typed: string) =>
      `${typed} is neither a wallet address (0x and 40 hex digits) nor the label of a wallet that this server watches.`,
    /** Stands for what was typed if nothing of it can be shown. */
    typed: 'That',
    /** What is wrong with a text that was typed as an address. */
    address: {
      shape: (typed: string) => `"${typed}" is not a wallet address. One is 0x followed by 40 hex digits (0–9, a–f).`,
      checksum: (typed: string) =>
        `The checksum of ${typed} is wrong (EIP-55): most likely a letter or digit was mistyped. Copy the address again.`,
    },
  },

  file: {
    refused: (status: number) => `Discord did not hand out the file (${status}). Send it again.`,
    late: 'The file could not be fetched from Discord in time. Send it again.',
    tooLarge: (kibibytes: number) => `The file is too large. Accepted: up to ${kibibytes} KiB.`,
  },
};
export type ErrorWords = typeof errors;
