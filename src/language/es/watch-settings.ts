import type { WatchSettingsWords } from '../en/watch-settings.ts';
import { names } from './names.ts';

export const settings: WatchSettingsWords = {
  kinds: { buy: 'compras', sell: 'ventas', redeem: 'canjes', deposit: 'depósitos', withdrawal: 'retiros' },
  kind: { buy: 'compra', sell: 'venta', redeem: 'canje', deposit: 'depósito', withdrawal: 'retiro' },
  resetPrice: 'precio',
  time: { d: ' d', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: (kinds) => `Avisa de todo: ${kinds}.`,
  kindsOnly: (kinds) => `solo ${kinds}`,
  minUsdc: (amount) => `desde ${amount}`,
  marketsOnly: (markets) => `solo en ${markets}`,
  marketsExcept: (markets) => `no en ${markets}`,
  unnamedMarket: 'un mercado sin nombre',
  priceUpTo: (price) => `operaciones a ${price} o menos`,
  priceFrom: (price) => `operaciones a ${price} o más`,
  priceExactly: (price) => `operaciones a ${price}`,
  priceBetween: (low, high) => `operaciones de ${low} a ${high}`,
  liquidity: { maker: 'solo operaciones maker', taker: 'solo operaciones taker' },
  cooldown: (time) => `como mucho una alerta por mercado cada ${time}`,
  eachFill: 'cada ejecución por separado',
  mention: (role, minUsdc, cooldown) =>
    `menciona a ${role}${minUsdc === null ? '' : ` desde ${minUsdc}`}${cooldown === null ? '' : `, como mucho una vez cada ${cooldown}`}`,
  unusualOnly: 'solo operaciones de tamaño inusual',
  silentBelow: (amount) => `en silencio por debajo de ${amount}`,
  sweeps: (price, cents) =>
    `Las ejecuciones desde ${price} son casi siempre barridos de mercados ya decididos: \`${names.options['max-price']}: ${cents}\` las deja fuera.`,

  notAccepted: (option, value, accepted) =>
    `La opción \`${option}\` no acepta ${value}. Se acepta: ${accepted}. No ha cambiado nada.`,
  thatValue: 'eso',
  accepted: {
    kinds: (kinds) => `all, o algunos de ${kinds}`,
    markets: (most) => `"only: ID, SLUG", "except: ID, SLUG" (${most} mercados como mucho) o "any"`,
    liquidity: 'maker, taker o any',
    style: 'grouped o each',
    size: 'unusual o any',
    usdc: (most) => `dólares de 0 a ${most}, con dos decimales como mucho`,
    cents: 'centavos de 0 a 100, con dos decimales como mucho',
    cooldown: (examples, most) => `una duración como ${examples} (${most} como mucho) o none`,
    pause: (examples, least, most) =>
      `una duración como ${examples}, de ${least} a ${most}; déjala vacía para una pausa sin final`,
  },
  bandWrong: (min, max) =>
    `La opción \`${names.options['min-price']}\` (${min}) es mayor que \`${names.options['max-price']}\` (${max}). Se acepta: lo mismo o menos. No ha cambiado nada.`,
  notEveryone: `La opción \`${names.options.mention}\` no acepta @everyone. Se acepta: cualquier otro rol, para que lo tome quien quiera. No ha cambiado nada.`,
  needsRole: (option) =>
    `La opción \`${option}\` necesita un rol al que mencionar: indica también la opción \`${names.options.mention}\`. No ha cambiado nada.`,
};
