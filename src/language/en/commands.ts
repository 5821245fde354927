import { typedCommand } from '../slash.ts';
import type { Terms } from '../terms.ts';
import type { Translated } from '../translated.ts';

/**
 * Texts that Discord shows for commands while they are typed: descriptions and choices, at most 100
 * characters. Text that people type themselves (in quotes, and words such as `full` before a colon)
 * is the same in every language.
 */
export const commands = ({ names }: Terms) => ({
  /** Under Apps on a message; at most 32 characters. */
  lookUpWallets: 'Look up wallets',
  /** The language's own name. */
  languageName: 'English',

  wallet: 'Address (0x…) or label of a wallet watched in this server',
  walletOrAll: 'Address or label of a wallet. Default: all watched wallets of the channel',
  watchedIn: 'Channel that gets the alerts. Default: this channel',

  /** Options of `/watch add` and `/watch edit`. */
  settings: {
    label: 'Name of the wallet in this server',
    kinds: 'What to alert on, such as “buy, sell” or “opens, closes”',
    minUsdc: 'Smallest alert in USDC (the sum if fills are grouped)',
    style: 'One alert for fills that belong together, or one per fill',
    styles: {
      grouped: 'grouped: one alert for fills that belong together',
      each: 'each: one alert per fill',
    },
    mention: 'Role to mention in alerts',
    markets: `Market ids or slugs: “${names.typed.only}: …, …” or “${names.typed.except}: …, …”`,
    words:
      `Words of the market or event: “${names.typed.only}: ` +
      `nba, lakers” or “${names.typed.except}: up or down”`,
    minPrice: 'Lowest price of a trade, in cents',
    maxPrice: 'Highest price, in cents; 94 skips most near-certain buys',
    liquidity: 'Only trades in this role',
    roles: { maker: 'maker', taker: 'taker', any: 'any' },
    size: 'unusual: only trades bigger than 95% of its recent ones',
    sizes: { unusual: 'unusual', any: 'any' },
    cooldown: 'One alert per market in this time; the rest comes with the next: 10m, 1h',
    mentionMinUsdc: 'Mention the role from this many USDC',
    mentionCooldown: 'Mention the role at most once in this time: 30m, 2h',
    silentBelowUsdc: 'Alerts below this many USDC make no sound',
    reset:
      'Settings to reset, such as “price, mention”; ' +
      `“${names.typed.all}” resets everything but the label`,
  },

  watch: 'Choose which channels get alerts for which wallets',
  add: {
    description: 'Get alerts for every trade, redemption, deposit and withdrawal of a wallet',
    channel: 'Channel for the alerts. Default: this channel',
  },
  edit: 'Change the alerts of a wallet; without other options, show its settings',
  remove: 'Stop watching a wallet',
  pause: {
    description: 'Pause alerts for a wallet or the whole channel; nothing is posted later',
    for: `How long: 30m, 2h, 1d. Default: until ${typedCommand(names, 'resume')}`,
  },
  resume: 'End a pause and get alerts again from now on',
  channel: {
    description:
      'How a channel’s alerts look, their language, results, and alerts when wallets agree',
    view: 'full: one embed per alert; compact: one line per alert',
    views: {
      full: 'full: one embed per alert, with all figures',
      compact: 'compact: one line per alert, several in one embed',
    },
    consensus: 'Alert when this many watched wallets buy the same outcome',
    consensusWithin: 'How close together in time: 2h, 1d, up to 3d',
    words:
      `The same for the whole channel, beside each wallet’s own: “${names.typed.except}: ` +
      `up or down”`,
    consensusOnly: 'Post only a consensus, and leave single alerts out',
    consensusOnlyChoices: {
      on: 'on: only consensus, no single alerts',
      off: 'off: single alerts too',
    },
    results: 'Post how the alerts here turned out',
    resultChoices: {
      on: 'on: a reply when a posted position is sold or redeemed',
      off: 'off: no results',
    },
    quiet: 'Hours in which everything comes silently, such as 22:00-07:00',
    timeZone: 'Time zone of these hours, such as Europe/Berlin. Default: the digest’s',
    delay: 'Delay everything posted here, e.g. 15m',
    language: 'Language of the channel’s alerts and digests',
    /** A choice besides the names of languages. */
    serverLanguage: 'the server’s language',
    channel: 'Which channel. Default: this channel',
    /** The answer. Languages appear under their own names. */
    writtenIn: (language: string) => `Language of alerts and digests: ${language}.`,
  },
  digest: {
    description:
      'Daily or weekly summary of a channel’s wallets; without options, show the schedule',
    every: 'How often',
    everies: { day: 'daily', week: 'weekly', off: 'no digest' },
    at: 'Time of day, such as 18:00',
    timeZone: 'Time zone, such as Europe/Berlin',
    day: 'Day of a weekly digest',
    channel: 'Channel for the digest. Default: this channel',
  },
  scores: 'How a channel’s watched wallets have done, best first',
  list: 'All watched wallets of this server, and any problems',
  why: {
    description: 'Why a transaction was or wasn’t posted',
    transaction: 'Transaction hash (0x…); recent ones are suggested',
  },
  status: 'How the bot is doing: connections, rate limit, delays, waiting alerts',
  export: {
    description: 'Export the watched wallets of this server with their settings',
    format: 'CSV for spreadsheets, JSON for programs. Default: CSV',
  },
  import: {
    description:
      `Import a file of ${typedCommand(names, 'export')} or a list of wallets; ` +
      'shows the changes first',
    file: 'CSV or JSON, up to 1 MiB and 1000 wallets',
  },
  'delete-data': 'Delete all data stored about you (in a DM), or your id in this server',

  activity: {
    description: 'Trades and redemptions of a wallet, newest first',
    market: 'Only this market: its title, id or slug',
    action: 'Only this kind',
    actions: { Buy: 'Buy', Sell: 'Sell', Redeem: 'Redeem' },
    from: `Start: 2h, 3 days, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    to: `End: 2h, 3 days, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    transaction: 'Only this transaction (0x…)',
  },
  flows: 'Deposits and withdrawals of a wallet, newest first',
  market: {
    description: 'Which of this channel’s wallets hold what in a market',
    market: 'A market by title, id or slug. Default: the markets with the most money in them',
  },
});
export type CommandWords = Translated<ReturnType<typeof commands>>;
