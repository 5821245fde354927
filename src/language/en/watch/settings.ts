import type { Terms } from '../../terms.ts';
import type { Translated } from '../../translated.ts';

/** Settings of a watch: what it alerts on and how, and what options of `/watch` reject. */
export const settings = ({ names }: Terms) => ({
  /** Used in sentences. */
  kinds: {
    buy: 'buys',
    sell: 'sells',
    redeem: 'redemptions',
    deposit: 'deposits',
    withdrawal: 'withdrawals',
    opens: 'openings',
    adds: 'additions',
    reduces: 'reductions',
    closes: 'closings',
    other: 'other actions',
  },
  /**
   * As suggested and typed: one word each, and none that means a different kind in another
   * language.
   */
  kind: {
    buy: 'buy',
    sell: 'sell',
    redeem: 'redeem',
    deposit: 'deposit',
    withdrawal: 'withdrawal',
    opens: 'opens',
    adds: 'adds',
    reduces: 'reduces',
    closes: 'closes',
    other: 'other',
  },
  /** Value that `reset` accepts besides names of options; one word. */
  resetPrice: 'price',
  /** A duration: the text after a figure, and between two figures. `parseDuration` reads it. */
  time: { d: 'd', h: 'h', m: 'm', s: 's', between: '' },

  /** A watch without its own settings. */
  everything: 'every buy, sell, redemption, deposit and withdrawal',
  /** Also used for an import that is cancelled. */
  nothingChanged: 'Nothing changed.',
  /** After a setting that has just been changed. */
  was: (before: string) => `(was ${before})`,
  kindsOnly: (kinds: string) => `only ${kinds}`,
  minUsdc: (amount: string) => `from ${amount}`,
  /** @param markets ids and slugs */
  marketsOnly: (markets: string) => `only in ${markets}`,
  marketsExcept: (markets: string) => `not in ${markets}`,
  /** @param markets one or more, between backticks */
  unknownMarkets: (markets: string) =>
    `I don’t know any trade in ${markets}. Check the id or slug.`,
  /**
   * @param words between backticks; a market’s title or its event’s slug must, or must not, contain
   *   them
   */
  wordsOnly: (words: string) => `only markets with ${words}`,
  wordsExcept: (words: string) => `no markets with ${words}`,
  /** @param words one or more, between backticks */
  unknownWords: (words: string) =>
    `I don’t know any trade in a market with ${words}. Check the spelling.`,
  /** A market or words that may be wrong; the change waits for a confirmation. */
  anyway: {
    /** A button. */
    button: 'Use it anyway',
    nothing:
      'Nothing changed. If it’s right, press the button, or send the same command once more.',
    notYours: 'Only the person who sent the command can press this button.',
  },
  unnamedMarket: 'a market without a name',
  priceUpTo: (price: string) => `trades at ${price} or less`,
  priceFrom: (price: string) => `trades at ${price} or more`,
  priceExactly: (price: string) => `trades at ${price}`,
  priceBetween: (low: string, high: string) => `trades at ${low} to ${high}`,
  liquidity: { maker: 'only maker trades', taker: 'only taker trades' },
  cooldown: (time: string) => `at most one alert per market every ${time}`,
  eachFill: 'one alert per fill',
  /**
   * @param minUsdc null: always
   * @param cooldown null: every time
   */
  mention: (role: string, minUsdc: string | null, cooldown: string | null) =>
    `mentions ${role}${minUsdc === null ? '' : ` from ${minUsdc}`}` +
    (cooldown === null ? '' : `, at most once every ${cooldown}`),
  unusualOnly: 'only trades of unusual size',
  silentBelow: (amount: string) => `silent below ${amount}`,
  /**
   * Advice.
   *
   * @param price from which fills are of this kind
   * @param cents the value to enter
   */
  sweeps: (price: string, cents: number) =>
    `Fills at ${price} or more are mostly near-certain buys shortly before settlement. ` +
    `Leave them out with \`${names.options['max-price']}: ${cents}\`.`,

  /**
   * @param value between backticks
   * @param accepted from below
   */
  notAccepted: (option: string, value: string, accepted: string) =>
    `\`${option}\` can’t be ${value}. Use ${accepted}. Nothing changed.`,
  /**
   * Values that can be typed. A duration is a figure with its unit, and examples are given as
   * typed.
   */
  accepted: {
    labelOfOne: 'a label for a single wallet; several keep the labels they have here',
    /** @param kinds from `kind` */
    kinds: (kinds: string) => `\`${names.typed.all}\`, or any of ${kinds}`,
    /** @param names of settings */
    resets: (names: string) => `one or more of ${names}`,
    markets: (most: number) =>
      `\`${names.typed.only}: ID, SLUG\` or \`${names.typed.except}: ` +
      `ID, SLUG\` (up to ${most} markets), or \`${names.typed.any}\``,
    words: (most: number) =>
      `\`${names.typed.only}: WORD, TWO WORDS\` or \`${names.typed.except}: ` +
      `WORD\` (up to ${most} words or phrases), or \`${names.typed.any}\``,
    usdc: (most: string) => `dollars from 0 to ${most}, with up to two decimals`,
    cents: 'cents from 0 to 100, with up to two decimals',
    time: (examples: string, least: string, most: string) =>
      `a time from ${least} to ${most} (${examples})`,
    cooldown: (examples: string, least: string, most: string) =>
      `a time from ${least} to ${most} (${examples}) or \`${names.typed.none}\``,
    pause: (examples: string, least: string, most: string) =>
      `a time from ${least} to ${most} (${examples}), or leave it out to pause without an end`,
  },
  bandWrong: (min: string, max: string) =>
    `\`${names.options['min-price']}\` (${min}) ` +
    `is above \`${names.options['max-price']}\` (${max}). Swap them. Nothing changed.`,
  notEveryone:
    `\`${names.options.mention}\` can’t be @everyone. Use a role that people can opt in to. ` +
    'Nothing changed.',
  needsRole: (option: string) =>
    `\`${option}\` needs a role to mention: set \`${names.options.mention}\` too. Nothing changed.`,
});
export type WatchSettingsWords = Translated<ReturnType<typeof settings>>;
