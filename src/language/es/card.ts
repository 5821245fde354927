import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const card: CardWords = {
  fromList: (reach) => `Según ${reach}.`,
  knownFromFirst: 'Todas las operaciones desde la primera',
  knownSince: (time) => `Todas las operaciones desde el ${time}`,
  seen: (records, n) =>
    form(n, { one: `${records} operación o canje visto`, other: `${records} operaciones y canjes vistos` }),
  volume: (windows) => `**Volumen** ${windows}`,
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  realized: (parts) => `**Realizado** ${parts}`,
  onClosed: (gain, positions, n, won, percent) =>
    `${gain} en ${positions} ${form(n, { one: 'posición cerrada', other: 'posiciones cerradas' })}, ${won} con ganancia (${percent})`,
  onOpen: (gain) => `${gain} en posiciones abiertas`,
  maker: (percent) => `**Maker** ${percent}`,
  taker: (percent, fills, n) =>
    form(n, {
      one: `**taker** ${percent} de ${fills} ejecución vista en 30 días`,
      other: `**taker** ${percent} de ${fills} ejecuciones vistas en 30 días`,
    }),
  usualOfFew: (median, trades, n) =>
    `**Operación habitual** mediana ${median} de solo ${trades} ${form(n, { one: 'operación', other: 'operaciones' })}`,
  usual: (median, p95, trades) =>
    `**Operación habitual** mediana ${median}, 95\u00a0% hasta ${p95}, de las últimas ${trades} operaciones`,
  lastDeposit: (what) => `**Último depósito** ${what}`,
  lastWithdrawal: (what) => `**último retiro** ${what}`,
  noTransfer: 'ninguno',
  noTransferSince: (time) => `ninguno desde el ${time}`,
  transfer: (usdc, time) => `${usdc} ${time}`,
  transferBeforeGap: (usdc, time, since) => `${usdc} ${time} (completo desde el ${since})`,
  record: (record) => `**Historial** ${record}`,
  positions: {
    open: (positions) => `**Posiciones abiertas** ${positions}`,
    cost: (usdc) => `costó ${usdc}`,
    at: (shares, averageEntry) => `${shares} a ${averageEntry}`,
    withoutTitle: 'Mercado sin título',
    withoutSide: 'acciones',
    more: (positions) => `… y ${positions} más`,
  },
  didNotFit: (lines, n) => `${lines} ${form(n, { one: 'línea no cabía', other: 'líneas no cabían' })}`,
};
