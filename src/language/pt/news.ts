import type { NewsWords } from '../en/news.ts';
import { plural } from '../plural.ts';

const form = plural('pt-BR');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: (shares) => `Nova posição: ${shares}`,
    opensSeen: (shares) => `Primeira compra vista: ${shares}`,
    firstInMarket: 'primeira operação neste mercado',
    now: (shares, average) => `Agora ${shares}${average === undefined ? '' : `, média ${average}`}`,
    was: (shares) => `antes ${shares}`,
    closes: 'posição fechada',
    left: (shares) => `restam ${shares}`,
    bought: (shares, average) => `${shares}${average === undefined ? '' : ` compradas a ${average} em média`}`,
    unseen: (part, shares) => `${part} de ${shares} sem compra vista`,
    allUnseen: (shares) => `${shares} sem compra vista`,
    unknownGain: 'lucro desconhecido',
    otherSide: (shares) => `também tem ${shares} do lado oposto`,
    size: (factor) => `${factor} × o habitual`,
  },
  brief: {
    opens: 'nova posição',
    adds: 'aumenta',
    reduces: 'reduz',
    closes: 'posição fechada',
    unseen: 'compra não vista, lucro desconhecido',
    partlyUnseen: 'compra não vista em parte',
    size: (factor) => `**${factor} × o tamanho habitual**`,
  },

  consensus: {
    took: (count, side) => `${count} carteiras acompanhadas compraram ${side}`,
    nowTook: (count, side) => `Agora ${count} carteiras acompanhadas compraram ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Carteiras acompanhadas divergem: ${count} em ${side}, ${opposing} ${opposingSide === undefined ? 'contra' : `em ${opposingSide}`}`,
    otherOutcomes: 'outros resultados',
    unknownSide: 'um resultado',
    weight: (side, amount, shares, average) =>
      `${side} ${amount} · ${shares}${average === undefined ? '' : `, média ${average}`}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${average === undefined ? '' : ` a ${average} em média`}`,
    more: (count) => `… e mais ${count}`,
    hedged: (count, n) =>
      form(n, {
        one: `Mais ${count} comprou os dois lados e não conta em nenhum`,
        other: `Mais ${count} compraram os dois lados e não contam em nenhum`,
      }),
    within: (duration) => `compras em ${duration}`,
    rule: (wallets, duration) => `${wallets} ou mais carteiras em ${duration}`,
    against: (amount, opposing) => `${amount} contra ${opposing}`,
  },

  result: {
    paid: (amount) => `Pagou ${amount}`,
    received: (amount) => `recebeu ${amount}`,
    fees: (amount) => `taxas de ${amount} incluídas`,
    held: (duration) => `mantida por ${duration}`,
    footer: 'Fechamento',
  },
  score: {
    noneClosed: 'alertas aqui: nenhum fechado ainda',
    won: (won, markets) => `alertas aqui: ${won} de ${markets} fechados ganhos`,
    open: (count, n, age) =>
      `${count} ${form(n, { one: 'aberto', other: 'abertos' })}${age === undefined ? '' : ` (até ${age})`}`,
    givenUp: (count) => `${count} sem acompanhamento: fechamento não visto`,
    comma: ', ',
    perDollar: (percent, error) => `${percent}${error === undefined ? '' : ` ± ${error}`}`,
    smallSample: 'amostra pequena',
  },
};
