import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const card: CardWords = {
  fromList: (reach) => `Según ${reach}.`,
  knownFromFirst: 'Todas las operaciones desde la primera',
  names: {
    realized: 'Realizado',
    volume: 'Volumen',
    usual: 'Operación habitual',
    lastDeposit: 'Último depósito',
    lastWithdrawal: 'Último retiro',
    record: 'Historial',
    positions: 'Posiciones abiertas',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  won: (won, all) => `${won} de ${all} con ganancia`,
  onOpen: (gain) => `${gain} en abiertas`,
  taker: (percent) => `taker ${percent}`,
  ofFew: (trades, n) => `solo ${trades} ${form(n, { one: 'operación', other: 'operaciones' })}`,
  upTo: (p95) => `95\u00a0% hasta ${p95}`,
  noTransfer: 'ninguno',
  since: (time) => `desde el ${time}`,
  completeSince: (time) => `completo desde el ${time}`,
  positions: {
    all: (positions, _n, cost) => `${positions} · costó ${cost}`,
    at: (paid, averageEntry) => `${paid} a ${averageEntry}`,
    withoutTitle: 'Mercado sin título',
    withoutSide: 'acciones',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'línea no cabía', other: 'líneas no cabían' })}`,
};
