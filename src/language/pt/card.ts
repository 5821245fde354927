import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const card: CardWords = {
  fromList: (reach) => `Base: ${reach}.`,
  names: {
    cameBack: 'Recuperado',
    open: 'Em aberto',
    volume: 'Volume',
    usual: 'Operação habitual',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} por ${paid} pagos`,
    atLeast: (gain) => `pelo menos ${gain}`,
    markets: (markets, n, day) =>
      `${markets} ${form(n, { one: 'mercado', other: 'mercados' })}, primeira compra até ${day}`,
    withoutEnd: (count, n, paid) =>
      `${count} (${paid}) sem desfecho conhecido: ` +
      `${form(n, { one: 'conta', other: 'contam' })} como zero`,
    tooEarly: 'cedo demais para um total',
  },
  ofFew: (trades, n) => `só ${trades} ${form(n, { one: 'operação', other: 'operações' })}`,
  upTo: (p95) => `raramente acima de ${p95}`,
  positions: {
    all: (markets, n, paid) =>
      `${markets} ${form(n, { one: 'mercado', other: 'mercados' })} · ${paid} pagos`,
    withoutTitle: 'Mercado sem título',
    withoutSide: 'ações',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'linha não coube', other: 'linhas não couberam' })}`,
};
