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
  luckExplains: (share, cents) => `${share}, por puro azar hasta ${cents}`,
  moreCompared: 'ahora se comparan más wallets',
  beyondLuck: (cents) =>
    `${cents} por acción van más allá del azar. ` +
    'Si pagas más que eso por encima del precio de la wallet, no queda ninguna ventaja demostrada.',
  markets: (markets, n) => `${markets} ${form(n, { one: 'mercado', other: 'mercados' })}`,
  noKnownEnd: (count) => `${count} sin desenlace conocido`,
  won: (percent, paidFor) => `ganó el ${percent}, pagó por el ${paidFor}`,
  withoutEnd: (count, markets, n) =>
    `${count} de ${markets} sin desenlace conocido, ` +
    `${form(n, { one: 'cuenta', other: 'cuentan' })} como cero`,
  upTo: (day) => `compras hasta el ${day}`,
  oneIn: (n) => `se cuenta un mercado de cada ${n}`,
  before: (figures) => `antes de seguirla aquí: ${figures}`,
  boughtOn: (days, n) => `solo compró en ${days} ${form(n, { one: 'día', other: 'días' })}`,
  tooCheap: (markets) => `demasiadas apuestas improbables para juzgar con ${markets} mercados`,
  unknownPace: 'aún no se sabe cuánto duran sus mercados',
  firstVerdict: (day) => `primer veredicto hacia el ${day}`,
};
