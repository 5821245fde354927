import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const scores: ScoreWords = {
  title: 'Desempenho das carteiras',
  intro: (channel) => `No que deram os alertas de ${channel}`,
  method:
    'Retorno por dólar aos preços dos alertas, depois das taxas, ± um erro padrão. Ordem: o retorno menos esse erro; mercados abertos há mais de 30 dias contam como perdidos.',
  unranked: 'Sem posição: menos de 20 mercados fechados',
  won: (won, markets, n) =>
    `${won} de ${markets} ${form(n, { one: 'mercado fechado ganho', other: 'mercados fechados ganhos' })}`,
  closedAlone: (figure) => `só fechados ${figure}`,
  open: (count, n) => `${count} ${form(n, { one: 'aberto', other: 'abertos' })}`,
  openOldest: (count, n, oldest) =>
    `${count} ${form(n, { one: 'aberto', other: 'abertos' })}, o mais antigo desde ${oldest}`,
  overdue: (count, n) =>
    `${count} há mais de 30 dias, ${form(n, { one: 'contado como perdido', other: 'contados como perdidos' })}`,
  givenUp: (count) => `${count} sem acompanhamento`,
  noneClosed: 'nenhum fechado ainda',
  noAlerts: (count, n) => `Nenhuma compra alertada ainda: ${count} ${form(n, { one: 'carteira', other: 'carteiras' })}`,
  more: (count) => `… e mais ${count}`,
  nothing:
    'Ainda não há desempenho: nenhuma compra destas carteiras foi alertada aqui. Assim que houver uma, a carteira aparece aqui; um mercado conta quando a carteira vendeu ou resgatou tudo o que foi alertado, e a partir de 20 mercados assim a carteira ganha uma posição.',
  hidden: (channel) => `Você não pode ver ${channel}, então não mostro o desempenho dele.`,
  elsewhere: (channel) => `Nem todos que leem este canal podem ver ${channel}. Peça o desempenho nesse canal.`,
  chart: {
    title: 'Retorno por dólar ± erro padrão',
    ranked: 'Mais de 30 dias: perdido',
    closed: 'Só fechados',
    beyond: 'Além do eixo',
    alt: 'Retorno por dólar das carteiras com posição, com barras de erro',
  },
  digest: { all: 'Desempenho', ends: (count) => `Desempenho: as melhores e piores de ${count}` },
};
