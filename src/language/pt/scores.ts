import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';
import { em } from './place.ts';

const form = plural('pt-BR');

export const scores: ScoreWords = {
  title: 'Desempenho das carteiras',
  intro: (channel) =>
    `Primeiras compras ${em(channel)} desde a inclusão, após taxas listadas, a seu preço`,
  silent: (count, n) =>
    `${count} ${form(n, { one: 'carteira nova', other: 'carteiras novas' })} demais`,
  more: (count) => `… e mais ${count}`,
  nothing:
    'Ainda não há desempenho para mostrar. ' +
    'Um mercado conta quando a primeira compra é antiga o bastante, pelo ritmo da carteira; ' +
    'a partir de 20 mercados, comprados em 8 dias diferentes, a carteira entra no ranking.',
  hidden: (channel) => `Você não pode ver ${channel}, então não mostro o desempenho dele.`,
  elsewhere: (channel) => `Nem todos aqui podem ver ${channel}. Use o comando nesse canal.`,
  chart: {
    title: 'Centavos por ação, cinza: acaso',
    beyond: 'Além do eixo',
    alt: 'Centavos por ação das carteiras no ranking, e o que o puro acaso explica',
  },
};
