import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { Translated } from '../translated.ts';

const form = plural('en-US');

/** Returns a text without a figure for zero and one. */
function watched(watches: number): string {
  if (watches === 0) return 'your private settings';
  if (watches === 1) return 'your privately watched wallet';
  return `your ${watches} privately watched wallets`;
}

/**
 * Texts for people who use the bot for themselves: in a direct message with it, or in a place that
 * has not invited it.
 */
export const personal = ({ slash }: Terms) => ({
  /** Replaces the name of a channel. */
  here: 'this DM',
  /** The first message, before the first watch. */
  welcome:
    '👋 Your private alerts will arrive here. Only you can see what you watch. ' +
    `${slash.list} shows it, ${slash['delete-data']} deletes all your data.`,
  /** In a server without the bot, or in a private channel. */
  watchElsewhere:
    `${slash.watch} works in servers that have invited me, and in a direct message with me: ` +
    'open my profile and write to me there for private alerts.',
  /**
   * For a person who has also installed the bot for themselves, and may not manage the server.
   *
   * @param permission Discord's name for it
   */
  watchNotManager: (permission: string) =>
    `In a server, ${slash.watch} needs ${permission}. ` +
    'If an admin gave you access to it, remove me from your own apps first, ' +
    'so that Discord can check. For yourself it works in a direct message with me.',
  off: 'Private alerts are turned off here. Ask the bot’s operator.',
  notServed: 'This bot only works in servers that its operator has chosen.',
  /** @param option `channel` or `mention` */
  serversOnly: (option: string) =>
    `DMs have no channels or roles: leave out \`${option}\`. Nothing changed.`,
  notWatched: `You don’t watch this wallet here. ${slash.list} shows what you watch.`,
  /** @param typed between backticks */
  unknownWallet: (typed: string) =>
    `${typed} isn’t a wallet address (0x and 40 hex digits) ` +
    'or the label of one of your own wallets.',
  tooMany: (most: number, present: number, more: number) =>
    `You can watch ${most} ${form(most, { one: 'wallet', other: 'wallets' })} privately. ` +
    `You watch ${present}, so there’s no room for ${more === 1 ? 'another' : `${more} more`}. ` +
    `Nothing changed. Make room with ${slash.remove}.`,
  /** Number of lookups in a time such as `60 s` or `15 min`. */
  lookups: (most: number, time: string, when: string) =>
    `You have used up your lookups (${most} in ${time}). Try again ${when}. Alerts go on as usual.`,
  /** Replaces the server's language. */
  ownLanguage: 'your Discord language',
  /** Why a first message could not be sent. */
  refused: {
    closed:
      'I can’t send you direct messages (50007), so nothing was saved. ' +
      'Unblock me, or allow direct messages from a server that we share: ' +
      'its menu → Privacy Settings → Direct Messages. Then try again.',
    noSharedServer:
      'Discord doesn’t let me write to you, because we share no server (50278), ' +
      'so nothing was saved. Join a server that has me, or invite me to one of yours. ' +
      'Then try again.',
    later:
      'Discord isn’t taking my messages right now, so nothing was saved. Try again in a minute.',
    openedTooFast:
      'Discord lets me open only so many direct messages at a time (40003), and many people ' +
      'have pressed. Nothing was saved. Try again in a minute.',
    tooFast: (when: string) =>
      `Many people are starting right now. Nothing was saved. Try again ${when}.`,
  },
  /** Below the changes of a file. */
  leftOut: `Channels and roles of the file are left out: everything goes to this DM.`,
  /**
   * The button for a person's own alerts, and its answers. `dm` is the link of the direct message.
   */
  follow: {
    /** A button. */
    button: 'Alert me',
    done: (name: string, dm: string) =>
      `You’ll get alerts for ${name} in [our direct message](${dm}). Only you can see them:`,
    change: `Change them there with ${slash.edit}, or stop them with ${slash.remove}.`,
    already: (name: string, dm: string) =>
      `You already get alerts for ${name} in [our direct message](${dm}).`,
    /** @param words a phrase such as “no markets with `london`” */
    wordsLeftOut: (words: string) =>
      `The channel also has words for all its wallets: ${words}. Your alerts don’t go by them.`,
  },
  forget: {
    title: 'Delete all your data?',
    /** @param watches their number */
    question: (watches: number) =>
      `This deletes ${watched(watches)} with all settings, your digest, ` +
      'lists and everything else stored about you. ' +
      'Messages you already received stay in this DM, ' +
      'and wallets you added in servers stay there, with your id until you type this there. ' +
      'This can’t be undone. ' +
      `Run ${slash.export} first if you want a copy.`,
    yes: 'Delete everything',
    no: 'Keep it',
    done: 'All your data is deleted. You won’t get any more alerts here.',
    kept: 'Nothing was deleted.',
    /** Used in a server. */
    inServer:
      'Your id is deleted here: from the wallets you added and the changes you made. Both stay. ' +
      'What you change from now on is noted again. ' +
      `In a direct message with me, ${slash['delete-data']} deletes everything else.`,
  },
});
export type PersonalWords = Translated<ReturnType<typeof personal>>;
