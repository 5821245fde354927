import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';
import { de } from './place.ts';

const form = plural('pt-BR');

export const scores: ScoreWords = {
  title: 'Desempenho das carteiras',
  intro: (channel) => `Primeiras compras das carteiras ${de(channel)}, desde que são acompanhadas`,
  method:
    'Depois das taxas informadas, ao preço da carteira. Ordem: centavos menos um erro padrão.',
  unranked: 'Ainda fora do ranking',
  silent: (count, n) =>
    'Nenhuma compra antiga o ' +
    `bastante: ${count} ${form(n, { one: 'carteira', other: 'carteiras' })}`,
  more: (count) => `… e mais ${count}`,
  nothing:
    'Ainda não há histórico. ' +
    'Um mercado conta quando a primeira compra é antiga o bastante, pelo ritmo da carteira; ' +
    'a partir de 20 mercados, comprados em 8 dias diferentes, a carteira entra no ranking.',
  hidden: (channel) => `Você não pode ver ${channel}, então não mostro o desempenho dele.`,
  elsewhere: (channel) => `Nem todos aqui podem ver ${channel}. Use o comando nesse canal.`,
  chart: {
    title: 'Centavos por ação das primeiras compras ± erro padrão',
    beyond: 'Além do eixo',
    alt: 'Centavos por ação das carteiras no ranking, com barras de erro',
  },
  digest: { all: 'Desempenho', best: (count) => `Melhores históricos de ${count}` },
};
