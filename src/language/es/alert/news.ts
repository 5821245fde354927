import type { NewsWords } from '../../en/alert/news.ts';
import { plural } from '../../plural.ts';

const form = plural('es-ES');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: (shares) => `Posición nueva: ${shares}`,
    firstInMarket: 'primera operación en este mercado',
    now: (held) => `Ahora ${held}`,
    closes: 'cerrada',
    allSold: 'todo vendido',
    left: (shares) => `quedan ${shares}`,
    bought: (figure) => `compró ${figure}`,
    entry: (average) => `entrada ${average}`,
    otherSide: (shares) => `también tiene ${shares} del lado contrario`,
    size: (factor) => `${factor}\u00a0× lo habitual`,
  },

  alsoHere: {
    line: (wallets) => `también aquí: ${wallets}`,
    holds: (wallet, holdings) => `${wallet} ${holdings}`,
    at: (what, price) => `${what} a ${price}`,
    out: (wallet) => `${wallet} ya salió`,
  },

  consensus: {
    took: (count, side) => `${count} wallets compraron ${side}`,
    nowTook: (count, side) => `Ya son ${count} las wallets que compraron ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Wallets en desacuerdo: ${count} en ${side}, ` +
      `${opposing} ${opposingSide === undefined ? 'en contra' : `en ${opposingSide}`}`,
    otherOutcomes: 'otros resultados',
    unknownSide: 'resultado desconocido',
    priced: (amount, average) => `${amount}${average === undefined ? '' : ` a ${average}`}`,
    allSold: (what) => `compró ${what}, todo vendido`,
    halfSold: ', mitad vendida',
    partSold: (percent) => `, ${percent} vendido`,
    soldUnknown: ', quizá vendió después',
    more: (count) => `… y ${count} más`,
    hedged: (count, n) =>
      form(n, {
        one: `otra compró ambos lados y no cuenta en ninguno`,
        other: `${count} más compraron ambos lados y no cuentan en ninguno`,
      }),
    within: (duration) => `todas en ${duration} como máximo`,
    firstWithin: (wallet, duration) => `la primera, ${wallet}; todas en ${duration} como máximo`,
    against: (amount, opposing) => `${amount} contra ${opposing}`,
  },

  result: {
    position: (gain) => `posición ${gain}`,
    ofAlerted: (paid, gain) => `de ${paid} con alerta aquí: ${gain}`,
    paid: (amount) => `Pagó ${amount}`,
    cost: (amount) => `pagó ${amount}`,
    received: (amount) => `recibió ${amount}`,
    fees: (amount) => `comisiones ${amount}`,
    cameTo: (amount) => `se quedó en ${amount}`,
    settled: (outcome, payout) => `Mercado resuelto: pago de ${payout} por acción para ${outcome}`,
    held: (duration) => `duró ${duration}`,
    severalClosed: (count, gain) => `${count} posiciones cerradas: ${gain}`,
    gained: (count, all) => `${count} de ${all} con ganancia`,
    firstAlert: 'primera alerta',
  },
};
