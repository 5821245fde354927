import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const card: CardWords = {
  fromList: (reach) => `Según ${reach}.`,
  names: {
    cameBack: 'Recuperado',
    open: 'Abierto',
    volume: 'Volumen',
    usual: 'Operación habitual',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} por ${paid} pagados`,
    atLeast: (gain) => `al menos ${gain}`,
    markets: (markets, n, day) =>
      `${markets} ${form(n, { one: 'mercado', other: 'mercados' })}, ` +
      `primera compra hasta el ${day}`,
    withoutEnd: (count, n, paid) =>
      `${count} (${paid}) sin desenlace conocido: ` +
      `${form(n, { one: 'cuenta', other: 'cuentan' })} como cero`,
    tooEarly: 'demasiado pronto para un total',
  },
  ofFew: (trades, n) => `solo ${trades} ${form(n, { one: 'operación', other: 'operaciones' })}`,
  upTo: (p95) => `rara vez más de ${p95}`,
  positions: {
    all: (markets, n, paid) =>
      `${markets} ${form(n, { one: 'mercado', other: 'mercados' })} · ${paid} pagados`,
    withoutTitle: 'Mercado sin título',
    withoutSide: 'acciones',
  },
  didNotFit: (lines, n) =>
    `${lines} ${form(n, { one: 'línea no cabía', other: 'líneas no cabían' })}`,
};
