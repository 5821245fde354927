import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const card: CardWords = {
  fromList: (reach) => `Com base em: ${reach}.`,
  knownFromFirst: 'Todas as operações desde a primeira',
  knownSince: (time) => `Todas as operações desde ${time}`,
  seen: (records, n) =>
    form(n, { one: `${records} operação ou resgate visto`, other: `${records} operações e resgates vistos` }),
  volume: (windows) => `**Volume** ${windows}`,
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  realized: (parts) => `**Realizado** ${parts}`,
  onClosed: (gain, positions, n, won, percent) =>
    `${gain} em ${positions} ${form(n, { one: 'posição fechada', other: 'posições fechadas' })}, ${won} com lucro (${percent})`,
  onOpen: (gain) => `${gain} em posições abertas`,
  maker: (percent) => `**Maker** ${percent}`,
  taker: (percent, fills, n) =>
    form(n, {
      one: `**taker** ${percent} de ${fills} execução vista em 30 dias`,
      other: `**taker** ${percent} de ${fills} execuções vistas em 30 dias`,
    }),
  usualOfFew: (median, trades, n) =>
    `**Operação usual** mediana ${median} de apenas ${trades} ${form(n, { one: 'operação', other: 'operações' })}`,
  usual: (median, p95, trades) =>
    `**Operação usual** mediana ${median}, 95% até ${p95}, das últimas ${trades} operações`,
  lastDeposit: (what) => `**Último depósito** ${what}`,
  lastWithdrawal: (what) => `**último saque** ${what}`,
  noTransfer: 'nenhum',
  noTransferSince: (time) => `nenhum desde ${time}`,
  transfer: (usdc, time) => `${usdc} ${time}`,
  transferBeforeGap: (usdc, time, since) => `${usdc} ${time} (completo desde ${since})`,
  record: (record) => `**Histórico** ${record}`,
  positions: {
    open: (positions) => `**Posições abertas** ${positions}`,
    cost: (usdc) => `custo ${usdc}`,
    at: (shares, averageEntry) => `${shares} a ${averageEntry}`,
    withoutTitle: 'Mercado sem título',
    withoutSide: 'ações',
    more: (positions) => `… e mais ${positions}`,
  },
  didNotFit: (lines, n) => `${lines} ${form(n, { one: 'linha não coube', other: 'linhas não couberam' })}`,
};
