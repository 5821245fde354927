import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const card: CardWords = {
  fromList: (reach) => `Com base em: ${reach}.`,
  knownFromFirst: 'Desde a primeira operação',
  names: {
    realized: 'Realizado',
    volume: 'Volume',
    usual: 'Operação usual',
    lastDeposit: 'Último depósito',
    lastWithdrawal: 'Último saque',
    record: 'Histórico',
    positions: 'Posições abertas',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  won: (won, all) => `${won} de ${all} com lucro`,
  onOpen: (gain) => `${gain} em abertas`,
  taker: (percent) => `taker ${percent}`,
  ofFew: (trades, n) => `só ${trades} ${form(n, { one: 'operação', other: 'operações' })}`,
  upTo: (p95) => `95% até ${p95}`,
  noTransfer: 'nenhum',
  since: (time) => `desde ${time}`,
  completeSince: (time) => `completo desde ${time}`,
  positions: {
    all: (positions, _n, cost) => `${positions} · custo ${cost}`,
    at: (paid, averageEntry) => `${paid} a ${averageEntry}`,
    withoutTitle: 'Mercado sem título',
    withoutSide: 'ações',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'linha não coube', other: 'linhas não couberam' })}`,
};
