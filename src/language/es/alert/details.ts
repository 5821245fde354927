import type { DetailsWords } from '../../en/alert/details.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('es-ES');

export const details = (venue: VenueForms, { slash }: Terms): DetailsWords => ({
  buttons: {
    openMarket: 'Mercado',
    details: 'Detalles',
    menu: 'Detalles o silenciar…',
    mute: (wallet) => `Silenciar ${wallet === undefined ? '' : `${wallet} `}1 h`,
    activity: 'Actividad',
    flows: 'Movimientos',
  },
  headings: { buy: 'COMPRA', sell: 'VENTA', redeem: 'CANJE', other: 'OTRA' },
  title: (what) => `Detalles: ${what}`,
  openWallet: 'abrir la wallet',
  marketWithoutTitle: 'Mercado sin título',
  unknownHash: 'transacción desconocida',
  money: {
    paid: (amount) => `Pagó **${amount}**`,
    received: (amount) => `Recibió **${amount}**`,
    net: (amount) => `Neto **${amount}**`,
    gross: (amount) => `bruto ${amount}`,
    fees: (amount) => `comisiones ${amount}`,
    noFees: 'sin comisiones',
  },
  prices: {
    average: (price) => `precio medio ${price}`,
    best: (price) => `mejor ${price}`,
    worst: (price) => `peor ${price}`,
    allAt: (price) => `todo a ${price}`,
    range: (low, high) => `de ${low} a ${high}`,
  },
  roles: { maker: 'maker', taker: 'taker', unknown: 'maker o taker desconocido' },
  times: {
    traded: (time) => `Ejecutado el ${time}`,
    tradedBetween: (from, to) => `Ejecutado: ${from} – ${to}`,
    seen: (time) => `Visto por el bot: ${time}`,
    posted: (time) => `Publicado: ${time}`,
    lastChange: (time) => `último cambio: ${time}`,
  },
  fills: {
    trades: (count, n) => `${count} ${form(n, { one: 'ejecución', other: 'ejecuciones' })}`,
    redemptions: (count, n) => `${count} ${form(n, { one: 'canje', other: 'canjes' })}`,
    inTransactions: (fills, count, n) =>
      `${fills} en ${count} ${form(n, { one: 'transacción', other: 'transacciones' })}`,
    title: (fills) => `${fills}, más recientes primero`,
    row: (quantity, price) => `${quantity} a ${price}`,
    gross: (amount) => `bruto ${amount}`,
    fee: (amount) => `comisión ${amount}`,
    inFile: (count) => `… y ${count} más. Todo está en el archivo.`,
    leftOut: (count) => `… y ${count} más. Discord no aceptó el archivo aquí.`,
  },
  position: {
    atAlert: 'Posición en el momento de la alerta',
    asOfNow: 'Posición ahora',
    holds: (shares) => `Tiene ${shares}`,
    entry: (price) => `entrada media ${price}`,
    cost: (amount) => `costó ${amount}, comisiones indicadas incluidas`,
    realized: (gain, percent) =>
      `Realizado **${gain}**${percent === undefined ? '' : ` (${percent})`} a precio medio de ` +
      'compra, tras las comisiones indicadas',
    result: (gain, percent) =>
      'Resultado de las alertas de este canal: ' +
      `**${gain}**${percent === undefined ? '' : ` (${percent})`}`,
    boughtMeanwhile: (shares) => `entretanto compró ${shares}`,
    soldMeanwhile: (shares) => `entretanto vendió ${shares}`,
    otherSide: (shares) => `También tiene ${shares} de otros resultados del mercado`,
    firstInMarket: 'Primera operación en este mercado',
    size: (usdc, trades, p95) =>
      `Operación de ${usdc} en total; ` +
      `el 95\u00a0% de sus últimas ${trades} operaciones fue de ${p95} o menos`,
    unknownThen: 'Desconocida en ese momento.',
    unknownNow:
      'Desconocida: la wallet no se sigue aquí, o no se vieron sus operaciones anteriores.',
    laterNow: 'No se muestra: este canal recibe todo con retraso.',
  },
  record: {
    atAlert: 'Rendimiento en el momento de la alerta',
    asOfNow: 'Rendimiento ahora',
    none: 'Ningún mercado es aún lo bastante antiguo.',
    onCard: (activity) => `Lo recuperado está en la ficha de la wallet: **${activity}**, abajo`,
  },
  notes: {
    title: 'Cómo leerlo',
    rounded: '≈ redondeado',
    asOfNow:
      'Los datos del momento de la alerta se guardan 30 días y ya no están: ' +
      'la posición y el rendimiento son los de ahora.',
    allOfTime:
      'Todo lo de este mercado, resultado y tipo de operación en ese momento; ' +
      'una parte pudo estar en otra alerta.',
    missing: (count) =>
      `Ya no aparecen en ${venue.name} ${count} de los registros de la alerta. No cuentan aquí.`,
    cut: (count) => `Solo se leyeron los ${count} registros más recientes.`,
    skipped: (count, n) =>
      `No se ${form(n, { one: 'pudo leer', other: 'pudieron leer' })} ${count} ` +
      `${form(n, { one: 'registro', other: 'registros' })}.`,
  },
  errors: {
    damaged: `No puedo leer este botón. ${slash.activity} muestra las operaciones de la wallet.`,
    tooOld:
      'Los detalles de esta alerta se guardaron 30 días y ya no están. ' +
      `${slash.activity} muestra las operaciones de la wallet.`,
    nothing:
      `Las operaciones de esta alerta no aparecen en ${venue.name} en este momento. ` +
      `Inténtalo más tarde, o mira en ${slash.activity}.`,
  },
});
