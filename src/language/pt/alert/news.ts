import type { NewsWords } from '../../en/alert/news.ts';
import { plural } from '../../plural.ts';

const form = plural('pt-BR');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: (shares) => `Nova posição: ${shares}`,
    firstInMarket: 'primeira operação neste mercado',
    now: (held) => `Agora ${held}`,
    closes: 'fechada',
    allSold: 'tudo vendido',
    left: (shares) => `restam ${shares}`,
    bought: (figure) => `comprou ${figure}`,
    entry: (average) => `entrada ${average}`,
    otherSide: (shares) => `também tem ${shares} do lado oposto`,
    size: (factor) => `${factor}\u00a0× o habitual`,
  },

  alsoHere: {
    line: (wallets) => `também aqui: ${wallets}`,
    holds: (wallet, holdings) => `${wallet} ${holdings}`,
    at: (what, price) => `${what} a ${price}`,
    out: (wallet) => `${wallet} já saiu`,
  },

  consensus: {
    took: (count, side) => `${count} carteiras compraram ${side}`,
    nowTook: (count, side) => `Agora são ${count} carteiras que compraram ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Carteiras divergem: ${count} em ${side}, ` +
      `${opposing} ${opposingSide === undefined ? 'contra' : `em ${opposingSide}`}`,
    otherOutcomes: 'outros resultados',
    unknownSide: 'resultado desconhecido',
    priced: (amount, average) => `${amount}${average === undefined ? '' : ` a ${average}`}`,
    allSold: (what) => `comprou ${what}, tudo vendido`,
    halfSold: ', metade vendida',
    partSold: (percent) => `, ${percent} vendido`,
    soldUnknown: ', pode ter vendido depois',
    more: (count) => `… e mais ${count}`,
    hedged: (count, n) =>
      form(n, {
        one: 'outra comprou os dois lados e não conta em nenhum',
        other: `outras ${count} compraram os dois lados e não contam em nenhum`,
      }),
    within: (duration) => `todas em até ${duration}`,
    firstWithin: (wallet, duration) => `${wallet} primeiro, todas em até ${duration}`,
    against: (amount, opposing) => `${amount} contra ${opposing}`,
  },

  result: {
    position: (gain) => `posição ${gain}`,
    ofAlerted: (paid, gain) => `de ${paid} com alerta aqui: ${gain}`,
    paid: (amount) => `Pagou ${amount}`,
    cost: (amount) => `pagou ${amount}`,
    received: (amount) => `recebeu ${amount}`,
    fees: (amount) => `taxas ${amount}`,
    cameTo: (amount) => `ficou em ${amount}`,
    settled: (outcome, payout) =>
      `Mercado resolvido: pagamento de ${payout} por ação para ${outcome}`,
    held: (duration) => `durou ${duration}`,
    severalClosed: (count, gain) => `${count} posições fechadas: ${gain}`,
    gained: (count, all) => `${count} de ${all} com lucro`,
    firstAlert: 'primeiro alerta',
  },
};
