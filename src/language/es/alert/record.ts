import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('es-ES');

export const record: RecordWords = {
  won: (percent, markets, price) => `ganó el ${percent} de ${markets} a ${price}`,
  edge: (edge) => `${edge}/acción`,
  edgeAndError: (edge, error) => `${edge} ± ${error} por acción`,
  betterThanLuck: 'mejor que el azar',
  withoutEnd: (count, markets, n) =>
    `${count} de ${markets} sin final conocido, ${form(n, { one: 'contado como perdido', other: 'contados como perdidos' })}`,
  upTo: (day) => `compras hasta el ${day}`,
  oneIn: (n) => `se cuenta un mercado de cada ${n}`,
  before: (figures) => `antes de que la siguieras: ${figures}`,
  tooEarly: (markets, needed) => `demasiado pronto: ${markets} de ${needed} mercados`,
  fromAbout: (tooEarly, day) => `${tooEarly}, suficientes hacia el ${day}`,
  tooFewDays: (days, needed) => `demasiado pronto: compró en ${days} de ${needed} días`,
  tooCheap: 'demasiado pronto: las apuestas improbables necesitan más mercados',
};
