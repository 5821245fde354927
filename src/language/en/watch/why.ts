import type { Terms } from '../../terms.ts';
import type { Translated } from '../../translated.ts';
import type { VenueForms } from '../venue.ts';

/** Answers of `/watch why`: the fate of a transaction in each channel. */
export const why = (venue: VenueForms, { slash }: Terms) => ({
  nowhere:
    'This wallet isn’t watched in any channel that you can see. ' +
    `${slash.list} shows what is watched.`,
  /** @param read number of deposits and withdrawals that were searched */
  notListed: (read: number) =>
    `${venue.start} lists no trade or redemption of this wallet with this transaction, ` +
    `and it isn’t among the wallet’s ${read} newest deposits and withdrawals. ` +
    'Check the wallet and the transaction.',
  /** After a channel’s name; the first two are links to a message if it is known. */
  posted: 'posted',
  part: 'posted in one message with other records',
  /** @param time reads "5 minutes ago" */
  postedOnce: (time: string) => `posted ${time}`,
  waits: {
    sending: 'on its way to the channel',
    purchase: 'about to be added to the message of its purchase',
    meaning: 'waiting to learn what it did to the position',
    /** @param setting a phrase of `settings` */
    setting: (setting: string) => `waiting because of the setting “${setting}”`,
    /**
     * @param what one of the above
     * @param time a time of day
     */
    until: (what: string, time: string) => `${what}, until ${time} at the latest`,
  },
  /** @param reason from `reasons` */
  filtered: (reason: string) => `not posted: ${reason}`,
  reasons: {
    before: 'it happened before this wallet was watched here',
    pause: 'its alerts were paused',
    consensusOnly: 'only consensus alerts are posted here',
    backlog: 'too many alerts were waiting here; a notice says so',
    /** @param setting a phrase of `settings` */
    setting: (setting: string) => `the setting “${setting}”`,
    /** @param kind from `kind`, one that the option does not name */
    unnamedKind: (option: string, kind: string) =>
      `it’s none of the usual kinds, and \`${option}\` doesn’t name \`${kind}\``,
    channelWords: (words: string) => `the channel’s setting “${words}”`,
  },
  /** @param reason Discord’s own */
  rejected: (reason: string) => `not posted, because Discord doesn’t accept it. ${reason}`,
  /** A link to the notice if it is known. */
  later: 'not yet: this channel is delayed',
  missed: 'maybe missed: a notice covers that time',
  unseen: 'I haven’t seen it yet',
  today: {
    passes: 'I no longer know what happened then. Today it would be posted',
    filtered: (reason: string) =>
      `I no longer know what happened then. Today it wouldn’t be posted: ${reason}`,
    /** In small print. */
    unsure:
      'This ignores other fills of the same purchase, ' +
      'the wallet’s usual size and the effect on the position.',
  },
  /** In small print. */
  unconfirmed: 'There is one more record just like it: it’s posted once I’ve seen it twice more.',
});
export type WhyWords = Translated<ReturnType<typeof why>>;
