import type { NewsWords } from '../en/news.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: (shares) => `Posición nueva: ${shares}`,
    opensSeen: (shares) => `Primera compra vista: ${shares}`,
    firstInMarket: 'primera operación en este mercado',
    now: (shares, average) => `Ahora ${shares}${average === undefined ? '' : `, media ${average}`}`,
    was: (shares) => `antes ${shares}`,
    closes: 'posición cerrada',
    left: (shares) => `quedan ${shares}`,
    bought: (shares, average) => `${shares}${average === undefined ? '' : ` compradas a ${average} de media`}`,
    unseen: (part, shares) => `${part} de ${shares} sin compra vista`,
    allUnseen: (shares) => `${shares} sin compra vista`,
    unknownGain: 'ganancia desconocida',
    otherSide: (shares) => `también tiene ${shares} del lado contrario`,
    size: (factor) => `${factor} × lo habitual`,
  },
  brief: {
    opens: 'posición nueva',
    adds: 'amplía',
    reduces: 'reduce',
    closes: 'posición cerrada',
    unseen: 'compra no vista, ganancia desconocida',
    partlyUnseen: 'compra no vista en parte',
    size: (factor) => `**${factor} × el tamaño habitual**`,
  },

  consensus: {
    took: (count, side) => `${count} wallets seguidas compraron ${side}`,
    nowTook: (count, side) => `Ya son ${count} las wallets seguidas que compraron ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Las wallets seguidas discrepan: ${count} en ${side}, ${opposing} ${opposingSide === undefined ? 'en contra' : `en ${opposingSide}`}`,
    otherOutcomes: 'otros resultados',
    unknownSide: 'un resultado',
    weight: (side, amount, shares, average) =>
      `${side} ${amount} · ${shares}${average === undefined ? '' : `, media ${average}`}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${average === undefined ? '' : ` a ${average} de media`}`,
    more: (count) => `… y ${count} más`,
    hedged: (count, n) =>
      form(n, {
        one: `${count} más compró ambos lados y no cuenta en ninguno`,
        other: `${count} más compraron ambos lados y no cuentan en ninguno`,
      }),
    within: (duration) => `compras en ${duration}`,
    rule: (wallets, duration) => `${wallets} wallets o más en ${duration}`,
    against: (amount, opposing) => `${amount} contra ${opposing}`,
  },

  result: {
    paid: (amount) => `Pagó ${amount}`,
    received: (amount) => `recibió ${amount}`,
    fees: (amount) => `comisiones de ${amount} incluidas`,
    held: (duration) => `mantenida ${duration}`,
    footer: 'Cierre',
  },
  score: {
    noneClosed: 'alertas aquí: ninguna cerrada aún',
    won: (won, markets) => `alertas aquí: ${won} de ${markets} cerradas ganadas`,
    open: (count, n, age) =>
      `${count} ${form(n, { one: 'abierta', other: 'abiertas' })}${age === undefined ? '' : ` (hasta ${age})`}`,
    givenUp: (count) => `${count} sin seguimiento: no se vio el cierre`,
    comma: ', ',
    perDollar: (percent, error) => `${percent}${error === undefined ? '' : ` ± ${error}`}`,
    smallSample: 'muestra pequeña',
  },
};
