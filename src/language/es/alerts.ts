import type { AlertWords } from '../en/alerts.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('es-ES');

const at = (price: string | undefined) => (price === undefined ? '' : ` a ${price}`);

export const alerts: AlertWords = {
  titles: {
    buy: (wallet, what, price) => `${wallet} compró ${what}${at(price)}`,
    sell: (wallet, what, price) => `${wallet} vendió ${what}${at(price)}`,
    redeem: (wallet, what, paidOut) => `${wallet} canjeó ${what}${paidOut === undefined ? '' : `, cobró ${paidOut}`}`,
    other: (wallet, action, what, price) => `${wallet}: ${action} ${what}${at(price)}`,
    deposit: (wallet, amount) => `${wallet} depositó ${amount}`,
    bridgedDeposit: (wallet, amount) => `${wallet} depositó ${amount} por un bridge`,
    withdrawal: (wallet, amount) => `${wallet} retiró ${amount}`,
    otherTransfer: (wallet, type, amount) => `${wallet}: ${type} ${amount}`,
    unknownAction: 'acción desconocida',
    unknownTransfer: 'transferencia desconocida',
  },
  holdings: {
    of: (quantity, side) => `${quantity} ${side}`,
    ofUnknown: (quantity) => `${quantity} de un resultado desconocido`,
  },
  prices: { average: (price) => `${price} de media` },
  money: {
    paid: (amount) => `Pagó **${amount}**`,
    received: (amount) => `Recibió **${amount}**`,
    net: (amount) => `Neto **${amount}**`,
    gross: (amount) => `bruto ${amount}`,
    fee: (amount) => `comisión ${amount}`,
    fees: (amount) => `comisiones ${amount}`,
    noFee: 'sin comisión',
  },
  roles: { maker: 'maker', taker: 'taker', both: 'maker y taker', unknown: 'maker o taker desconocido' },
  marketWithoutTitle: 'Mercado sin título',
  span: (from, to) => `de ${from} a ${to}`,
  links: {
    openWallet: 'abrir la wallet',
    transaction: 'transacción',
    hash: (hash) => `tx ${hash}`,
    unknownHash: 'desconocida',
    short: 'tx',
    largest: 'tx mayor',
  },
  transfers: {
    senderUnknown: 'La plataforma no indica quién envía un depósito por bridge.',
    from: (address) => `de ${address}`,
    to: (address) => `a ${address}`,
    otherSide: (address) => `la otra parte: ${address}`,
    unknownAddress: 'una dirección desconocida',
  },

  delivered: {
    atOnce: 'Avisado al instante',
    clocksDisagree: (ahead) => `Retraso desconocido, los relojes no coinciden: fecha ${ahead} posterior a esta alerta`,
    after: {
      trade: (delay) => `Avisado ${delay} después de la operación`,
      redemption: (delay) => `Avisado ${delay} después del canje`,
      deposit: (delay) => `Avisado ${delay} después del depósito`,
      withdrawal: (delay) => `Avisado ${delay} después del retiro`,
      event: (delay) => `Avisado ${delay} después de que ocurriera`,
      fills: (delay) => `Avisado ${delay} después de las ejecuciones`,
      redemptions: (delay) => `Avisado ${delay} después de los canjes`,
      lastFill: (delay) => `Avisado ${delay} después de la última ejecución`,
      lastRedemption: (delay) => `Avisado ${delay} después del último canje`,
      lastItem: (delay) => `Avisado ${delay} después de lo último`,
    },
    sinceFirst: {
      fill: (delivered, delay) => `${delivered}, ${delay} después de la primera`,
      redemption: (delivered, delay) => `${delivered}, ${delay} después del primero`,
      item: (delivered, delay) => `${delivered}, ${delay} después de lo primero`,
    },
  },

  gap: {
    titles: {
      trades: (wallet) => `${wallet}: aquí pueden faltar operaciones`,
      transfers: (wallet) => `${wallet}: aquí pueden faltar transferencias`,
    },
    causes: {
      overflow: 'Entre dos consultas llegó más de lo que muestra una página',
      damage: 'Lo que el bot tenía guardado de esta wallet estaba dañado',
      backlog: 'Para este canal esperaba más de lo que guarda el bot',
    },
    missing: {
      trades: (cause, from, to) =>
        `${cause}, así que puede que no se avisara de algunas operaciones o canjes entre ${from} y ${to}.`,
      transfers: (cause, from, to) =>
        `${cause}, así que puede que no se avisara de algunos depósitos o retiros entre ${from} y ${to}.`,
    },
    listed: {
      trades: (address) => `${slash.activity} los muestra, para ${address}`,
      transfers: (address) => `${slash.flows} los muestra, para ${address}`,
    },
    lines: {
      trades: (from, to) => `Pueden faltar operaciones entre ${from} y ${to}.`,
      transfers: (from, to) => `Pueden faltar transferencias entre ${from} y ${to}.`,
    },
    notice: 'Aviso de laguna',
  },

  fills: {
    counts: {
      fill: (count) => `**${count} ejecuciones**`,
      redemption: (count) => `**${count} canjes**`,
    },
    inOneTransaction: (fills) => `${fills} en una transacción:`,
    inTransactions: (fills, transactions) => `${fills} en ${transactions} transacciones:`,
    row: (quantity, price) => `${quantity} a ${price}`,
    smaller: (count, n) => `… y ${count} ${form(n, { one: 'menor', other: 'menores' })}`,
    average: (price) => `media ${price}`,
    best: (price) => `mejor ${price}`,
    worst: (price) => `peor ${price}`,
    range: (low, high) => `de ${low} a ${high}`,
    allAt: (price) => `todo a ${price}`,
  },

  lines: {
    buy: (what, price) => `**Compró ${what}**${at(price)}`,
    sell: (what, price) => `**Vendió ${what}**${at(price)}`,
    redeem: (what) => `**Canjeó ${what}**`,
    other: (action, what, price) => `**${action} ${what}**${at(price)}`,
    deposit: (amount) => `**Depositó ${amount}**`,
    withdrawal: (amount) => `**Retiró ${amount}**`,
    otherTransfer: (type, amount) => `**${type} ${amount}**`,
    unknownAction: 'Acción desconocida',
    unknownTransfer: 'Transferencia desconocida',
    paid: (amount) => `pagó ${amount}`,
    received: (amount) => `recibió ${amount}`,
    net: (amount) => `neto ${amount}`,
    from: (address) => `de ${address}`,
    to: (address) => `a ${address}`,
    otherSide: (address) => `la otra parte ${address}`,
    viaBridge: 'por un bridge',
  },

  catchUp: {
    title: (wallet, count) => `${wallet}: ${count} alertas que llegan tarde`,
    summary: (from, to, totals) => `De ${from} a ${to}. ${totals}.`,
    line: (count, from, to, totals) => `${count} alertas que llegan tarde, de ${from} a ${to}: ${totals}.`,
    paid: (count, kind, amount) => `${count} × ${kind}, pagó **${amount}**`,
    received: (count, kind, amount) => `${count} × ${kind}, recibió **${amount}**`,
    moved: (count, kind, amount) => `${count} × ${kind}, por **${amount}**`,
    kinds: { buy: 'compra', sell: 'venta', redeem: 'canje', deposit: 'depósito', withdrawal: 'retiro' },
    unknownKind: 'desconocido',
    results: (count) => `${count} × resultado de lo avisado aquí`,
    agreements: (count) => `${count} × consenso`,
    gaps: (count) => `${count} × puede faltar algo`,
    more: (count) => `… y ${count} más. ${slash.activity} y ${slash.flows} lo muestran todo.`,
    openWallet: 'Abrir la wallet',
    footer: (count) => `Resumen de ${count} atrasadas`,
  },
};
