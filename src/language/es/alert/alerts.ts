import type { AlertWords } from '../../en/alert/alerts.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('es-ES');

const at = (price: string | undefined) => (price === undefined ? '' : ` a ${price}`);

const on = (outcome: string | undefined) => (outcome === undefined ? '' : ` con ${outcome}`);

export const alerts = (venue: VenueForms, { slash }: Terms): AlertWords => ({
  headline: {
    buy: 'COMPRA',
    sell: 'VENTA',
    redeem: 'CANJE',
    unknownAction: 'operación desconocida',
    unknownOutcome: 'resultado desconocido',
    trade: (action, outcome, amount, price) => `${action} **${outcome} ${amount}**${at(price)}`,
    partOf: (total) => `parte de ${total}`,
    deposit: (amount) => `DEPÓSITO ${amount}`,
    withdrawal: (amount) => `RETIRO ${amount}`,
    otherTransfer: (type, amount) => `${type} ${amount}`,
    unknownTransfer: 'transferencia desconocida',
    moved: (transfer, where) => `${transfer} ${where}`,
    closed: (gain, outcome) => `CIERRE ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    won: (gain, outcome) => `GANANCIA ${gain}${on(outcome)}`,
    lost: (gain, outcome) => `PÉRDIDA ${gain}${on(outcome)}`,
    of: (wallet, sentence) => `${wallet}: ${sentence}`,
    late: (figure, count) =>
      `${figure} ${form(count, { one: 'alerta con retraso', other: 'alertas con retraso' })}`,
    missing: {
      trades: 'aquí pueden faltar operaciones',
      transfers: 'aquí pueden faltar transferencias',
      watch: 'sin alertas por ahora, no puedo leer sus ajustes',
    },
    severalOf: (figure, count, wallet) =>
      `${figure} ${form(count, { one: 'alerta', other: 'alertas' })} de ${wallet}`,
    several: (figure, count, wallets) =>
      `${figure} ${form(count, { one: 'alerta', other: 'alertas' })} de ${wallets} wallets`,
    largest: (sentence) => `la mayor: ${sentence}`,
  },
  fills: (figure, count) => `${figure} ${form(count, { one: 'ejecución', other: 'ejecuciones' })}`,
  redemptions: (figure, count) => `${figure} ${form(count, { one: 'canje', other: 'canjes' })}`,
  roles: { maker: 'maker', taker: 'taker', both: 'maker y taker' },
  marketWithoutTitle: 'Mercado sin título',
  links: {
    transaction: 'transacción',
    hash: (hash) => `tx ${hash}`,
    unknownHash: 'desconocida',
    short: 'tx',
  },
  transfers: {
    unknownAddress: 'una dirección desconocida',
  },

  late: (delay) => `${delay} de retraso`,
  clocksDisagree: (ahead) => `Retraso desconocido: con fecha ${ahead} posterior a esta alerta`,

  amended: {
    trade: (wallet, change) =>
      `Operación${wallet === '' ? '' : ` de ${wallet}`} modificada: ${change}`,
    redemption: (wallet, change) =>
      `Canje${wallet === '' ? '' : ` de ${wallet}`} modificado: ${change}`,
    change: (outcome, before, after) => `**${outcome} ${before}** → **${after}**`,
    cause: `${venue.start} lo cambió. Las alertas ya publicadas conservan sus cifras`,
  },

  gap: {
    causes: {
      overflow: 'Pasó demasiado a la vez para leerlo todo',
      unclear: `${venue.start} mostró registros que no se pudieron leer o cambió otros antiguos`,
      damage: 'Los datos guardados de esta wallet estaban dañados',
      backlog: 'Aquí había demasiadas alertas pendientes',
      watch: 'Los ajustes guardados de esta wallet están dañados',
    },
    missing: {
      trades: (from, to) => `Pueden faltar operaciones o canjes (${from} – ${to}).`,
      transfers: (from, to) => `Pueden faltar depósitos o retiros (${from} – ${to}).`,
      watch: () =>
        'Las alertas de esta wallet están en pausa aquí. ' +
        'El responsable del bot puede reparar sus ajustes, ' +
        `o puedes volver a seguirla con ${slash.add}.`,
    },
  },

  lines: {
    buy: (what) => `**Compró ${what}**`,
    sell: (what) => `**Vendió ${what}**`,
    redeem: (what) => `**Canjeó ${what}**`,
    other: (action, what) => `**${action} ${what}**`,
    unknownAction: 'Acción desconocida',
    unknownTransfer: 'Transferencia desconocida',
    paid: (amount) => `pagó ${amount}`,
    received: (amount) => `recibió ${amount}`,
    net: (amount) => `neto ${amount}`,
    from: (address) => `desde ${address}`,
    to: (address) => `a ${address}`,
    otherSide: (address) => `contraparte ${address}`,
    viaBridge: 'vía bridge',
  },

  catchUp: {
    range: (from, to) => `${from} – ${to}`,
    paid: (what, amount) => `${what}, pagó **${amount}**`,
    received: (what, amount) => `${what}, recibió **${amount}**`,
    moved: (what, amount) => `${what}, **${amount}**`,
    kinds: {
      buy: (count, n) => `${count} ${form(n, { one: 'compra', other: 'compras' })}`,
      sell: (count, n) => `${count} ${form(n, { one: 'venta', other: 'ventas' })}`,
      redeem: (count, n) => `${count} ${form(n, { one: 'canje', other: 'canjes' })}`,
      deposit: (count, n) => `${count} ${form(n, { one: 'depósito', other: 'depósitos' })}`,
      withdrawal: (count, n) => `${count} ${form(n, { one: 'retiro', other: 'retiros' })}`,
    },
    other: (count, kind) => `${count} × ${kind}`,
    unknownKind: 'desconocido',
    results: (count, n) =>
      `${count} ${form(n, { one: 'resultado', other: 'resultados' })} de alertas de este canal`,
    agreements: (count, n) =>
      `${count} ${form(n, { one: 'alerta', other: 'alertas' })} de consenso`,
    amended: (count, n) =>
      `${count} ${form(n, { one: 'operación cambiada', other: 'operaciones cambiadas' })}`,
    gaps: (count, n) => `${count} ${form(n, { one: 'posible hueco', other: 'posibles huecos' })}`,
    more: (count) => `… y ${count} más. ${slash.activity} y ${slash.flows} lo muestran todo.`,
  },
});
