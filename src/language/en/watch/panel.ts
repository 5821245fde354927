import type { Terms } from '../../terms.ts';
import type { Translated } from '../../translated.ts';

/**
 * The settings panel of a watch and of a channel: its buttons, which are also titles of forms, and
 * the labels of fields. Discord accepts 45 characters for each, and shows no markdown there.
 */
export const panel = ({ slash, permissions }: Terms) => ({
  buttons: {
    settings: 'Settings',
    what: 'What to alert on',
    large: 'How large',
    markets: 'Which markets',
    often: 'How often',
    mention: 'Who is mentioned',
    name: 'Name',
    pause: 'Pause…',
    why: 'Why not posted?…',
    remove: 'Remove',
    look: 'Look',
    when: 'When',
    consensus: 'Consensus',
    words: 'Words',
    /** Under the answer to a new watch. */
    example: 'Show me how that looks',
    /** Under the first message in a server. */
    add: 'Add a wallet',
    again: 'Try again',
    /** Shown next to each other if two people have changed the same field. */
    mine: 'Use mine',
    theirs: 'Keep theirs',
    /** Shown with the last two: the other fields of a form whose list is too long for it. */
    rest: 'Open the other fields',
  },
  /** In a menu of watches. */
  menu: 'Settings of…',
  /** Labels of fields, by the option that each sets. */
  fields: {
    wallet: 'Address (0x…) or link of the wallet',
    label: 'Name',
    kinds: 'Alert on (nothing chosen: the usual)',
    liquidity: 'Maker or taker',
    style: 'Fills that belong together',
    'min-usdc': 'From, in $',
    size: 'Size of trades',
    'min-price': 'Price from, in ¢',
    'max-price': 'Price up to, in ¢',
    'silent-below-usdc': 'Without a sound below, in $',
    words: 'Words of the market or event',
    markets: 'Ids or slugs of markets',
    cooldown: 'One alert per market in',
    mention: 'Role',
    'mention-min-usdc': 'Mention from, in $',
    'mention-cooldown': 'Mention at most once in',
    view: 'View',
    language: 'Language',
    results: 'Results',
    quiet: 'Quiet hours, such as 22:00-07:00',
    'time-zone': 'Time zone, such as Europe/Berlin',
    delay: 'Delay',
    consensus: 'How many wallets (empty: no alerts)',
    'consensus-within': 'Within',
    'consensus-only': 'Single alerts',
    for: 'For how long (empty: until resumed)',
    transaction: 'Transaction (0x…)',
  },
  /** Label of a field next to a menu, for typing a different value. */
  otherTime: 'Or another time, such as 90s or 1h30m',
  newest: 'Or one of the newest',
  onePerLine: 'Which, one a line',
  modes: { all: 'all', only: 'only these', except: 'all but these' },

  /** Answers, shown above the settings. */
  managersOnly:
    `Only people with the permission ${permissions.manageServer} can use this. ` +
    `With ${slash.edit} and its options you can change settings.`,
  typeAgain: 'Please type it again: I only keep it for a while.',
  /** Shown after a failure; the person also gets a reference. */
  notDone: 'That didn’t work. I keep what you typed for a while.',
  otherForm: 'This form doesn’t fit any more. Open it again. Nothing changed.',
  /** @param fields labels, between backticks */
  tooLong: (fields: string) =>
    `${fields}: too long for a form, so it’s in a file. Set something else with ${slash.edit}, ` +
    `or change it in the file of ${slash.export} and send that with ${slash.import}.`,
  /**
   * @param field one of the labels
   * @param typed between backticks
   * @param thousands, decimal the two readings
   */
  either: (field: string, typed: string, thousands: string, decimal: string) =>
    `\`${field}\`: is ${typed} ${thousands} or ${decimal}? ` +
    'Type it without a separator. Nothing changed.',
  conflict: 'Someone else changed the same while your form was open. Nothing changed.',
  /**
   * @param field one of the labels
   * @param mine, theirs between backticks, or `unset`
   */
  bothValues: (field: string, mine: string, theirs: string) =>
    `${field}: ${mine} (yours), ${theirs} (theirs)`,
  unset: 'nothing',
  /** Values that the field accepts, in `settings.notAccepted`. */
  wallets: (least: number, most: number) => `${least} to ${most} wallets, or nothing for never`,
  /** Values that fields for lists accept, in `settings.notAccepted`. */
  accepted: {
    markets: (most: number) => `ids or slugs of up to ${most} markets, one a line`,
    words: (most: number) => `up to ${most} words or phrases, one a line`,
  },
  /** Below the field of a wallet; at most 100 characters. */
  walletHint: 'A profile’s name is no address: copy the address (0x…) from the profile’s page.',
  /** An example of an alert, for one person. */
  example: {
    /** @param time reads “3 minutes ago” */
    heading: (time: string) => `Example · ${time}`,
    madeUp: 'This wallet has no record yet, so this alert is made up.',
    /** A market’s name. */
    market: 'Will it rain tomorrow?',
  },
  undone: 'Undone, as far as nobody has changed it since.',
});
export type PanelWords = Translated<ReturnType<typeof panel>>;
