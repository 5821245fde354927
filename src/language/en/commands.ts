import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

/**
 * What Discord shows of commands while they are typed: descriptions and choices, 100 characters at the most. What
 * people type themselves (between quotes, and words such as `full` before a colon) is the same in every language.
 */
export const commands = {
  /** The language's own name. */
  languageName: 'English',

  wallet: 'An address (0x…), or the label of a wallet that this server watches',
  walletOrAll: 'Which wallet: address or label; every watch of the channel if left out',
  ringsIn: 'Where it rings; this channel if left out',

  /** Options of `/watch add` and `/watch edit`. */
  settings: {
    label: 'What this server calls the wallet; "none" for no label',
    kinds: 'What rings, such as "buy, sell"; "all"',
    minUsdc: 'Least USDC of an alert (of the total where fills are grouped); 0: any',
    style: 'Fills that belong together as one alert, or each on its own',
    styles: {
      grouped: 'grouped: one alert for fills that belong together',
      each: 'each: an alert for every fill',
    },
    mention: 'A role to mention in alerts',
    markets: 'By id or slug: "only: …, …" or "except: …, …"; "any"',
    minPrice: 'Lowest price of a trade in cents; 0: any',
    maxPrice: 'Highest price in cents; 94 leaves out most settlement sweeps; 100: any',
    liquidity: 'Only trades in this role',
    roles: { maker: 'maker', taker: 'taker', any: 'any' },
    size: 'unusual: only trades beyond 95 % of the last ones of this wallet',
    sizes: { unusual: 'unusual', any: 'any' },
    cooldown: 'One alert per market in this time, the rest comes with the next: 10m, 1h; "none"',
    mentionMinUsdc: 'Mention the role from this much USDC on; 0: always',
    mentionCooldown: 'Mention the role at most once in this time: 30m, 2h; "none"',
    silentBelowUsdc: 'Alerts of less USDC make no sound; 0: all do',
    reset: 'Back to the default, such as "price, mention"; "all" leaves the label',
  },

  watch: 'Which wallets ring in which channels',
  add: {
    description: 'Ring here for every trade, redemption, deposit and withdrawal of a wallet',
    channel: 'Where to ring; this channel if left out',
  },
  edit: 'Change what rings of a wallet, and how; without further options: show it',
  remove: 'Stop ringing for a wallet',
  pause: {
    description: 'Keep silent about a wallet, or about all in a channel; nothing is made up for',
    for: `How long: 30m, 2h, 1d; until ${typedCommand(names, 'resume')} if left out`,
  },
  resume: 'End a pause: ring again from now on',
  channel: {
    description: 'How alerts look in a channel, and whether it is told when watched wallets agree',
    view: 'full: an embed each; compact: a line each',
    views: {
      full: 'full: an embed for each alert, with all its figures',
      compact: 'compact: one line an alert, several in one embed',
    },
    consensus: 'Tell when this many watched wallets take the same outcome; 0: never',
    consensusWithin: 'How close together in time: 2h, 1d, up to 3d',
    language: 'What alerts and digests of the channel are written in',
    /** A choice among the names of languages. */
    serverLanguage: 'the server’s language',
    channel: 'Which channel; this channel if left out',
    /** The answer. Languages are called by their own names. */
    writtenIn: (language: string) => `Alerts and digests are written in: ${language}.`,
  },
  digest: {
    description: 'A daily or weekly summary of a channel’s wallets; without options: show when it comes',
    every: 'How often',
    everies: { day: 'day: a summary every day', week: 'week: a summary every week', off: 'off: no summary' },
    at: 'The time of day, such as 18:00',
    timeZone: 'Whose clock that is, such as Europe/Berlin',
    day: 'On which day a weekly one comes',
    channel: 'Where it is sent; this channel if left out',
  },
  scores: 'What the alerts of a channel’s wallets came to, best wallet first',
  list: 'All watches of this server, and what is wrong with them',
  status: 'How the bot is doing: connections, request budget, delays, what waits',
  export: {
    description: 'All watches of this server with their settings, as a file',
    format: 'CSV opens in a spreadsheet; JSON is for programs. CSV if left out',
  },
  import: {
    description: `Watches from a file of ${typedCommand(names, 'export')}, or a list of wallets; says first what would change`,
    file: 'CSV or JSON, up to 1 MiB and 1000 watches',
  },

  activity: {
    description: 'Trades and redemptions of a wallet, newest first',
    market: 'Only this market: its number or its slug',
    action: 'Only these',
    actions: { Buy: 'Buy', Sell: 'Sell', Redeem: 'Redeem' },
    from: 'Not older: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    to: 'Not newer: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    transaction: 'Only this transaction (0x…)',
  },
  flows: 'Deposits and withdrawals of a wallet, newest first',
};
export type CommandWords = typeof commands;
