import type { RecordWords } from '../../en/alert/record.ts';
import { plural } from '../../plural.ts';

const form = plural('pt-BR');

export const record: RecordWords = {
  verdicts: {
    better: 'Melhor que o acaso',
    luck: 'Pode ser mero acaso',
    noEdge: 'Nenhuma vantagem visível',
    tooEarly: 'Cedo demais para dizer',
  },
  betterThanLuck: 'melhor que o acaso',
  share: (cents) => `${cents} por ação`,
  luckExplains: (share, cents) => `${share}, por puro acaso até ${cents}`,
  moreCompared: 'agora há mais carteiras na comparação',
  beyondLuck: (cents) =>
    `${cents} por ação vão além do acaso. ` +
    'Se você pagar mais que isso acima do preço da carteira, não sobra vantagem demonstrada.',
  markets: (markets, n) => `${markets} ${form(n, { one: 'mercado', other: 'mercados' })}`,
  noKnownEnd: (count) => `${count} sem desfecho conhecido`,
  won: (percent, paidFor) => `ganhou ${percent}, pagou por ${paidFor}`,
  withoutEnd: (count, markets, n) =>
    `${count} de ${markets} sem desfecho conhecido, ` +
    `${form(n, { one: 'conta', other: 'contam' })} como zero`,
  upTo: (day) => `compras até ${day}`,
  oneIn: (n) => `conta-se um mercado em cada ${n}`,
  before: (figures) => `antes de ser acompanhada aqui: ${figures}`,
  boughtOn: (days, n) => `só comprou em ${days} ${form(n, { one: 'dia', other: 'dias' })}`,
  tooCheap: (markets) => `apostas improváveis demais para julgar com ${markets} mercados`,
  unknownPace: 'ainda não se sabe quanto duram os mercados dela',
  firstVerdict: (day) => `primeiro veredito por volta de ${day}`,
};
