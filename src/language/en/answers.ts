import type { Terms } from '../terms.ts';
import type { Translated } from '../translated.ts';

/** Texts that accompany answers. */
export const answers = ({ slash }: Terms) => ({
  /** Why a text given as a wallet does not identify one. */
  wallet: {
    /** Answer to a message in which wallets are looked up. */
    noneInMessage: 'I found no wallet address in this message.',
    firstOf: (shown: string, all: string) =>
      `The first ${shown} of ${all} wallets in this message:`,
    /** @param addresses joined */
    several: (addresses: string) => `I found several addresses: ${addresses}. Use just one.`,
    andMore: (shown: string, more: string) => `${shown} and ${more} more`,
    /** @param hash its first characters */
    transaction: (hash: string) =>
      `${hash} is a transaction, not a wallet. ` +
      'Use a wallet’s address: 0x followed by 40 hex digits.',
  },
  /**
   * Parts that Discord did not accept, and the reason; the second part continues after the colon of
   * the first.
   */
  leftOut: {
    picture: (why: string) => `The chart is missing: ${why}`,
    file: (why: string) => `The file is missing: ${why}`,
    why: {
      permission: (permission: string) => `I need ${permission} in this channel.`,
      size: 'too large for Discord.',
      other: 'Discord didn’t take it.',
    },
  },
  /**
   * The first message in a server that has invited the bot.
   *
   * @param permission that the command needs, as below
   */
  welcome: (permission: string) =>
    'Hi! I post every buy, sell, redemption, ' +
    'deposit and withdrawal of the wallets you choose. ' +
    `To start, type ${slash.add} and a wallet’s address or link in the channel that should ` +
    `get the alerts; you need ${permission}. ${slash.activity} shows the trades of any wallet.`,
});
export type AnswerWords = Translated<ReturnType<typeof answers>>;
