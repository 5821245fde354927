import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const card: CardWords = {
  fromList: (reach) => `Com base em: ${reach}.`,
  knownFromFirst: 'Desde a primeira operação',
  names: {
    cameBack: 'Voltou',
    open: 'Em aberto',
    volume: 'Volume',
    usual: 'Operação usual',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} de ${paid}`,
    atLeast: (gain) => `pelo menos ${gain}`,
    markets: (markets, n, day) =>
      `${markets} ${form(n, { one: 'mercado comprado', other: 'mercados comprados' })} até ${day}`,
    withoutEnd: (count, n, paid) =>
      `${count} deles (${paid}) sem fim conhecido: nada é contado por ${form(n, { one: 'ele', other: 'eles' })}`,
    tooEarly: 'cedo demais para uma soma',
  },
  ofFew: (trades, n) => `só ${trades} ${form(n, { one: 'operação', other: 'operações' })}`,
  upTo: (p95) => `95% até ${p95}`,
  positions: {
    all: (markets, n, paid) =>
      `${markets} ${form(n, { one: 'mercado', other: 'mercados' })} · ${paid} pagos`,
    at: (paid, averageEntry) => `${paid} a ${averageEntry}`,
    withoutTitle: 'Mercado sem título',
    withoutSide: 'ações',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'linha não coube', other: 'linhas não couberam' })}`,
};
