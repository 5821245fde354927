import type { WatchSettingsWords } from '../en/watch-settings.ts';
import { names } from './names.ts';

export const settings: WatchSettingsWords = {
  kinds: {
    buy: 'Käufe',
    sell: 'Verkäufe',
    redeem: 'Einlösungen',
    deposit: 'Einzahlungen',
    withdrawal: 'Auszahlungen',
  },
  kind: { buy: 'Kauf', sell: 'Verkauf', redeem: 'Einlösung', deposit: 'Einzahlung', withdrawal: 'Auszahlung' },
  resetPrice: 'preis',
  time: { d: ' d', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: (kinds) => `Alles meldet sich: ${kinds}.`,
  kindsOnly: (kinds) => `nur ${kinds}`,
  minUsdc: (amount) => `ab ${amount}`,
  marketsOnly: (markets) => `nur in ${markets}`,
  marketsExcept: (markets) => `nicht in ${markets}`,
  unnamedMarket: 'ein Markt ohne Namen',
  priceUpTo: (price) => `Trades zu ${price} oder weniger`,
  priceFrom: (price) => `Trades zu ${price} oder mehr`,
  priceExactly: (price) => `Trades zu ${price}`,
  priceBetween: (low, high) => `Trades zu ${low} bis ${high}`,
  liquidity: { maker: 'nur Maker-Trades', taker: 'nur Taker-Trades' },
  cooldown: (time) => `höchstens eine Meldung je Markt in ${time}`,
  eachFill: 'jede Ausführung für sich',
  mention: (role, minUsdc, cooldown) =>
    `erwähnt ${role}${minUsdc === null ? '' : ` ab ${minUsdc}`}${cooldown === null ? '' : `, höchstens einmal in ${cooldown}`}`,
  unusualOnly: 'nur Trades ungewöhnlicher Größe',
  silentBelow: (amount) => `stumm unter ${amount}`,
  sweeps: (price, cents) =>
    `Ausführungen ab ${price} räumen meist nur so gut wie entschiedene Märkte ab: \`${names.options['max-price']}: ${cents}\` lässt sie weg.`,

  notAccepted: (option, value, accepted) =>
    `Die Option \`${option}\` nimmt ${value} nicht an. Möglich: ${accepted}. Es hat sich nichts geändert.`,
  thatValue: 'das',
  accepted: {
    kinds: (kinds) => `all oder einige von ${kinds}`,
    markets: (most) => `"only: ID, SLUG", "except: ID, SLUG" (höchstens ${most} Märkte) oder "any"`,
    liquidity: 'maker, taker oder any',
    style: 'grouped oder each',
    size: 'unusual oder any',
    usdc: (most) => `Dollar von 0 bis ${most}, mit höchstens zwei Nachkommastellen`,
    cents: 'Cent von 0 bis 100, mit höchstens zwei Nachkommastellen',
    cooldown: (examples, most) => `eine Zeitspanne wie ${examples} (höchstens ${most}) oder none`,
    pause: (examples, least, most) =>
      `eine Zeitspanne wie ${examples}, von ${least} bis ${most}; lass sie weg für eine Pause ohne Ende`,
  },
  bandWrong: (min, max) =>
    `Die Option \`${names.options['min-price']}\` (${min}) ist höher als \`${names.options['max-price']}\` (${max}). Möglich: gleich viel oder weniger. Es hat sich nichts geändert.`,
  notEveryone: `Die Option \`${names.options.mention}\` nimmt @everyone nicht an. Möglich: jede andere Rolle, damit sie nehmen kann, wer sie will. Es hat sich nichts geändert.`,
  needsRole: (option) =>
    `Die Option \`${option}\` braucht eine Rolle, die erwähnt wird: Gib auch die Option \`${names.options.mention}\` an. Es hat sich nichts geändert.`,
};
