import type { WatchSettingsWords } from '../../en/watch/settings.ts';
import type { Terms } from '../../terms.ts';

export const settings = ({ names }: Terms): WatchSettingsWords => ({
  kinds: {
    buy: 'compras',
    sell: 'ventas',
    redeem: 'canjes',
    deposit: 'depósitos',
    withdrawal: 'retiros',
    opens: 'aperturas',
    adds: 'ampliaciones',
    reduces: 'reducciones',
    closes: 'cierres',
    other: 'otros tipos',
  },
  kind: {
    buy: 'compra',
    sell: 'venta',
    redeem: 'canje',
    deposit: 'depósito',
    withdrawal: 'retiro',
    opens: 'apertura',
    adds: 'ampliación',
    reduces: 'reducción',
    closes: 'cierre',
    other: 'otros',
  },
  resetPrice: 'precio',
  time: { d: ' d', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: 'cada compra, venta, canje, depósito y retiro',
  nothingChanged: 'Sin cambios.',
  was: (before) => `(antes: ${before})`,
  kindsOnly: (kinds) => `solo ${kinds}`,
  minUsdc: (amount) => `desde ${amount}`,
  marketsOnly: (markets) => `solo en ${markets}`,
  marketsExcept: (markets) => `no en ${markets}`,
  unknownMarkets: (markets) =>
    `No conozco ninguna operación en ${markets}. Revisa el ID o el slug.`,
  wordsOnly: (words) => `solo mercados con ${words}`,
  wordsExcept: (words) => `sin mercados con ${words}`,
  unknownWords: (words) =>
    `No conozco ninguna operación en un mercado con ${words}. Revisa la ortografía.`,
  anyway: {
    button: 'Usar de todos modos',
    nothing: 'Sin cambios. Si es correcto, presiona el botón o envía otra vez el mismo comando.',
    notYours: 'Solo puede usar este botón quien envió el comando.',
  },
  unnamedMarket: 'un mercado sin nombre',
  priceUpTo: (price) => `operaciones a ${price} o menos`,
  priceFrom: (price) => `operaciones a ${price} o más`,
  priceExactly: (price) => `operaciones a ${price}`,
  priceBetween: (low, high) => `operaciones de ${low} a ${high}`,
  liquidity: { maker: 'solo operaciones maker', taker: 'solo operaciones taker' },
  cooldown: (time) => `como mucho una alerta por mercado cada ${time}`,
  eachFill: 'una alerta por ejecución',
  mention: (role, minUsdc, cooldown) =>
    `menciona a ${role}${minUsdc === null ? '' : ` desde ${minUsdc}`}` +
    (cooldown === null ? '' : `, como mucho una vez cada ${cooldown}`),
  unusualOnly: 'solo operaciones de tamaño inusual',
  silentBelow: (amount) => `en silencio por debajo de ${amount}`,
  sweeps: (price, cents) =>
    `Las ejecuciones a ${price} o más suelen ser compras casi seguras, ` +
    'justo antes de la resolución. ' +
    `Déjalas fuera con \`${names.options['max-price']}: ${cents}\`.`,

  notAccepted: (option, value, accepted) =>
    `\`${option}\` no puede ser ${value}. Usa ${accepted}. Sin cambios.`,
  accepted: {
    labelOfOne: 'una etiqueta para una sola wallet; varias conservan las que tienen aquí',
    kinds: (kinds) => `\`${names.typed.all}\`, o uno o varios de ${kinds}`,
    resets: (parts) => `uno o varios de ${parts}`,
    markets: (most) =>
      `\`${names.typed.only}: ID, SLUG\` o \`${names.typed.except}: ` +
      `ID, SLUG\` (hasta ${most} mercados), o \`${names.typed.any}\``,
    words: (most) =>
      `\`${names.typed.only}: PALABRA, DOS PALABRAS\` o \`${names.typed.except}: ` +
      `PALABRA\` (hasta ${most} palabras o frases), o \`${names.typed.any}\``,
    usdc: (most) => `dólares de 0 a ${most}, con dos decimales como mucho`,
    cents: 'centavos de 0 a 100, con dos decimales como mucho',
    time: (examples, least, most) => `una duración de ${least} a ${most} (${examples})`,
    cooldown: (examples, least, most) =>
      `una duración de ${least} a ${most} (${examples}) o \`${names.typed.none}\``,
    pause: (examples, least, most) =>
      `una duración de ${least} a ${most} (${examples}), o déjalo vacío para una pausa sin fin`,
  },
  bandWrong: (min, max) =>
    `\`${names.options['min-price']}\` (${min}) ` +
    `es mayor que \`${names.options['max-price']}\` (${max}). Intercámbialos. ` +
    'Sin cambios.',
  notEveryone:
    `\`${names.options.mention}\` no puede ser @everyone. ` +
    'Usa un rol que cada cual pueda elegir. Sin cambios.',
  needsRole: (option) =>
    `\`${option}\` necesita un rol que mencionar: ` +
    `indica también \`${names.options.mention}\`. Sin cambios.`,
});
