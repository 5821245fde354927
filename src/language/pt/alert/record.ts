import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('pt-BR');

export const record: RecordWords = {
  won: (percent, markets, price) => `ganhou ${percent} de ${markets} a ${price}`,
  edge: (edge) => `${edge}/ação`,
  edgeAndError: (edge, error) => `${edge} ± ${error} por ação`,
  betterThanLuck: 'melhor que o acaso',
  withoutEnd: (count, markets, n) =>
    `${count} de ${markets} sem fim conhecido, ${form(n, { one: 'contado como perdido', other: 'contados como perdidos' })}`,
  upTo: (day) => `compras até ${day}`,
  oneIn: (n) => `conta-se um mercado em cada ${n}`,
  before: (figures) => `antes de você acompanhar: ${figures}`,
  tooEarly: (markets, needed) => `cedo demais: ${markets} de ${needed} mercados`,
  fromAbout: (tooEarly, day) => `${tooEarly}, o bastante por volta de ${day}`,
  tooFewDays: (days, needed) => `cedo demais: comprou em ${days} de ${needed} dias`,
  tooCheap: 'cedo demais: apostas improváveis precisam de mais mercados',
};
