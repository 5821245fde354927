import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('es-ES');

export const record: RecordWords = {
  verdicts: {
    better: 'Mejor que el azar',
    luck: 'Podría deberse al azar',
    noEdge: 'Sin ventaja visible',
    tooEarly: 'Demasiado pronto para saberlo',
  },
  betterThanLuck: 'mejor que el azar',
  share: (cents) => `${cents} por acción`,
  luckReaches: (share, cents) => `${share}, por puro azar hasta ${cents}`,
  moreCompared: 'ahora se comparan más wallets',
  beyondLuck: (cents) =>
    `${cents} por acción van más allá del azar: ` +
    'si se paga más que eso por encima de su precio, no queda ninguna ventaja demostrada',
  markets: (markets, n) => `${markets} ${form(n, { one: 'mercado', other: 'mercados' })}`,
  noKnownEnd: (count) => `${count} sin desenlace conocido`,
  won: (percent, markets, n, price) =>
    `ganó el ${percent} de ${markets} ${form(n, { one: 'mercado', other: 'mercados' })}, ` +
    `media ${price}`,
  withoutEnd: (count, markets, n) =>
    `${count} de ${markets} sin desenlace conocido, ` +
    `${form(n, { one: 'contado como perdido', other: 'contados como perdidos' })}`,
  upTo: (day) => `compras hasta el ${day}`,
  oneIn: (n) => `se cuenta un mercado de cada ${n}`,
  before: (figures) => `antes de seguirla aquí: ${figures}`,
  boughtOn: (days, n) => `solo compró en ${days} ${form(n, { one: 'día', other: 'días' })}`,
  tooCheap: (markets) => `precios demasiado bajos para juzgar con ${markets} mercados`,
  unknownPace: 'aún no se sabe cuánto duran sus mercados',
  firstWord: (day) => `primer veredicto hacia el ${day}`,
};
