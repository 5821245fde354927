import type { NewsWords } from '../en/news.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const news: NewsWords = {
  gain: (amount, percent) => `${amount}${percent === undefined ? '' : ` (${percent})`}`,

  position: {
    opens: 'Abre una posición',
    firstInMarket: 'primera operación en este mercado',
    adds: (shares) => `Amplía una posición de ${shares}`,
    now: (shares) => `ahora ${shares}`,
    reduces: (shares) => `Reduce a ${shares}`,
    closes: 'Cierra la posición',
    entry: (price) => `entrada media ${price}`,
    realized: (gain) => `realizado ${gain}`,
    realizedOfSeen: (gain) => `Realizado ${gain} en lo que se vio comprar`,
    unseen: (shares) => `${shares} sin compra vista: resultado desconocido`,
    since: (time) => `según lo visto desde ${time}`,
    otherSide: (shares) => `También tiene ${shares} del lado contrario`,
    unusual: (amount) => `**Tamaño inusual**: ${amount}`,
    usual: (trades, amount) => `el 95 % de sus últimas ${trades} operaciones fue de ${amount} o menos`,
  },
  brief: {
    opens: 'abre',
    adds: 'amplía',
    reduces: 'reduce',
    closes: 'cierra',
    unseen: 'compra no vista, resultado desconocido',
    partlyUnseen: 'compra no vista en parte',
    realized: (amount) => `realizado ${amount}`,
    unusual: '**tamaño inusual**',
    comma: ', ',
    since: (texts, time) => `${texts} (visto desde ${time})`,
  },

  consensus: {
    took: (count, side) => `${count} wallets vigiladas compraron ${side}`,
    nowTook: (count, side) => `Ya son ${count} las wallets vigiladas que compraron ${side}`,
    disagree: (count, side, opposing, opposingSide) =>
      `Las wallets vigiladas discrepan: ${count} en ${side}, ${opposing} ${opposingSide === undefined ? 'en contra' : `en ${opposingSide}`}`,
    side: (side, weight) => `${side}: ${weight}`,
    otherOutcomes: 'Otros resultados',
    unknownSide: 'un resultado',
    weight: (amount, shares, average) =>
      `**${amount}** por ${shares}${average === undefined ? '' : `, ${average} de media`}`,
    stake: (wallet, amount, average) => `${wallet} ${amount}${average === undefined ? '' : `, ${average} de media`}`,
    more: (count) => `… y ${count} más`,
    hedged: (count, n) =>
      form(n, {
        one: `${count} más compró ambos lados y no cuenta en ninguno`,
        other: `${count} más compraron ambos lados y no cuentan en ninguno`,
      }),
    bought: (from, to) => `Compras entre ${from} y ${to}`,
    rule: (wallets, duration) => `Compras de ${wallets} wallets o más en ${duration}`,
    agreeLine: (count, side) => `**${count} wallets vigiladas en ${side}**`,
    disagreeLine: (count, side, opposing, opposingSide) =>
      `**${count} wallets vigiladas en ${side}, ${opposing} en ${opposingSide ?? 'otros resultados'}**`,
    against: (amount, opposing) => `${amount} contra ${opposing}`,
  },

  result: {
    title: (wallet, gain) => `${wallet} cerró lo avisado aquí: ${gain}`,
    line: (amount, percent) => `**Cerró lo avisado aquí, ${amount}**${percent === undefined ? '' : ` (${percent})`}`,
    paid: (amount) => `Pagó ${amount}`,
    received: (amount) => `recibió ${amount}`,
    noFees: 'sin comisiones',
    fees: (amount) => `comisiones de ${amount} incluidas`,
    held: (from, to, duration) => `De ${from} a ${to}, ${duration}`,
    footer: 'Resultado de las compras avisadas aquí',
  },
  score: {
    noneClosed: 'Alertas aquí: ninguna cerrada aún',
    won: (won, markets, n, low, high) =>
      `Alertas aquí: ${won} de ${markets} ${form(n, { one: 'mercado cerrado', other: 'mercados cerrados' })} con ganancia (intervalo del 95 %: ${low} a ${high} %)`,
    perDollar: (percent, error) => `${percent}${error === undefined ? '' : ` ± ${error} %`} por dólar`,
    smallSample: '**muestra pequeña**',
    open: (count, n, oldest) =>
      `${count} aún ${form(n, { one: 'abierta', other: 'abiertas' })}${oldest === undefined ? '' : `, la más antigua desde ${oldest}`}`,
    givenUp: (count, n) => `${count} ${form(n, { one: 'abandonada', other: 'abandonadas' })} sin ver el cierre`,
  },
};
