import { names } from './names.ts';

/** What a watch rings for and how, and what options of `/watch` do not take. */
export const settings = {
  /** In sentences. */
  kinds: { buy: 'buys', sell: 'sells', redeem: 'redemptions', deposit: 'deposits', withdrawal: 'withdrawals' },
  /** As they are suggested, and typed: each one word, and none that means another kind in another language. */
  kind: { buy: 'buy', sell: 'sell', redeem: 'redeem', deposit: 'deposit', withdrawal: 'withdrawal' },
  /** What `reset` takes besides names of options, each one word. */
  resetPrice: 'price',
  /** A length of time: what stands after a figure, and between two. `parseDuration` reads it back. */
  time: { d: 'd', h: 'h', m: 'm', s: 's', between: '' },

  /** @param kinds a list with "and" */
  everything: (kinds: string) => `Everything rings: ${kinds}.`,
  kindsOnly: (kinds: string) => `${kinds} only`,
  minUsdc: (amount: string) => `from ${amount}`,
  /** @param markets ids and slugs */
  marketsOnly: (markets: string) => `only in ${markets}`,
  marketsExcept: (markets: string) => `not in ${markets}`,
  unnamedMarket: 'a market without a name',
  priceUpTo: (price: string) => `trades at ${price} or less`,
  priceFrom: (price: string) => `trades at ${price} or more`,
  priceExactly: (price: string) => `trades at ${price}`,
  priceBetween: (low: string, high: string) => `trades at ${low} to ${high}`,
  liquidity: { maker: 'maker trades only', taker: 'taker trades only' },
  cooldown: (time: string) => `at most one alert per market in ${time}`,
  eachFill: 'each fill on its own',
  /** @param minUsdc null: always @param cooldown null: every time */
  mention: (role: string, minUsdc: string | null, cooldown: string | null) =>
    `mentions ${role}${minUsdc === null ? '' : ` from ${minUsdc}`}${cooldown === null ? '' : `, at most once in ${cooldown}`}`,
  unusualOnly: 'trades of unusual size only',
  silentBelow: (amount: string) => `silent below ${amount}`,
  /** Advice. @param price from which on fills are such @param cents the figure to give */
  sweeps: (price: string, cents: number) =>
    `Fills at ${price} and more are mostly settlement sweeps: \`${names.options['max-price']}: ${cents}\` leaves them out.`,

  /** @param accepted from below */
  notAccepted: (option: string, value: string, accepted: string) =>
    `Option \`${option}\` does not accept ${value}. Accepted: ${accepted}. Nothing has changed.`,
  /** In the place of a value in which nothing is visible. */
  thatValue: 'that',
  accepted: {
    /** @param kinds from `kind` */
    kinds: (kinds: string) => `all, or some of ${kinds}`,
    markets: (most: number) => `"only: ID, SLUG", "except: ID, SLUG" (${most} markets at the most), or "any"`,
    liquidity: 'maker, taker or any',
    style: 'grouped or each',
    size: 'unusual or any',
    usdc: (most: string) => `dollars from 0 to ${most}, with two decimals at most`,
    cents: 'cents from 0 to 100, with two decimals at most',
    /** @param examples how times are typed */
    cooldown: (examples: string, most: string) => `a time such as ${examples} (${most} at the most), or none`,
    pause: (examples: string, least: string, most: string) =>
      `a time such as ${examples}, from ${least} to ${most}; leave it out for a pause without an end`,
  },
  bandWrong: (min: string, max: string) =>
    `Option \`${names.options['min-price']}\` (${min}) is more than \`${names.options['max-price']}\` (${max}). Accepted: the same or less. Nothing has changed.`,
  notEveryone: `Option \`${names.options.mention}\` does not accept @everyone. Accepted: any other role, so that those who want it can take it. Nothing has changed.`,
  needsRole: (option: string) =>
    `Option \`${option}\` needs a role to mention: give the option \`${names.options.mention}\` too. Nothing has changed.`,
};
export type WatchSettingsWords = typeof settings;
