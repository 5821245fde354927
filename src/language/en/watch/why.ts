import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

/** Answers of `/watch why`: what became of a transaction in each channel. */
export const why = (venue: VenueForms, { slash }: Terms) => ({
  nowhere:
    'This wallet isn’t watched in any channel that you can see. ' +
    `${slash.list} shows what is watched.`,
  /** @param read how many deposits and withdrawals were looked through */
  notListed: (read: number) =>
    `${venue.start} lists no trade or redemption of this wallet with this transaction, ` +
    `and none of its ${read} newest deposits and withdrawals has it. ` +
    'Check the wallet and the transaction.',
  /** Stand after a channel’s name; the first two are links to a message where it is known. */
  posted: 'posted',
  part: 'posted in one message with other records',
  /** @param time reads "5 minutes ago" */
  postedOnce: (time: string) => `posted ${time}`,
  waits: {
    sending: 'on its way to the channel',
    purchase: 'about to be added to the message of its purchase',
    meaning: `waiting for ${venue.name} to say what it did to the position`,
    /** @param setting a phrase of `settings` */
    setting: (setting: string) => `waiting because of the setting “${setting}”`,
    /** @param what one of the above @param time a time of day */
    until: (what: string, time: string) => `${what}, until ${time} at the latest`,
  },
  /** @param hold from `holds` */
  held: (hold: string) => `not posted: ${hold}`,
  holds: {
    before: 'it happened before the watch began',
    pause: 'its alerts were paused',
    consensusOnly: 'only consensus alerts are posted here',
    backlog: 'too many alerts were waiting for this channel; a notice says so',
    /** @param setting a phrase of `settings` */
    setting: (setting: string) => `the setting “${setting}”`,
    channelWords: (words: string) => `the channel’s setting “${words}”`,
  },
  /** @param reason Discord’s own */
  rejected: (reason: string) => `not posted, because Discord doesn’t accept it. ${reason}`,
  /** A link to the notice where it is known. */
  missed: 'maybe never seen: a notice covers that time',
  unseen: 'no poll has shown it yet',
  today: {
    passes: 'what happened then is no longer known. Today it would be posted',
    held: (hold: string) =>
      `what happened then is no longer known. Today it would not be posted: ${hold}`,
    /** In small print. */
    unsure:
      'Other fills of a purchase, ' +
      'its usual size and the effect on the position aren’t considered here.',
  },
  /** In small print. */
  unconfirmed: 'One more record just like it is posted once two more polls have shown it.',
});
export type WhyWords = ReturnType<typeof why>;
