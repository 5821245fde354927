import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const scores: ScoreWords = {
  title: 'Rendimiento de las wallets',
  intro: (channel) => `En qué acabaron las alertas de ${channel}`,
  method:
    'Rendimiento por dólar a los precios de las alertas, después de comisiones, ± un error estándar. Orden: el rendimiento menos ese error; los mercados abiertos desde hace más de 30 días cuentan como perdidos.',
  unranked: 'Sin puesto: menos de 20 mercados cerrados',
  won: (won, markets, n) =>
    `${won} de ${markets} ${form(n, { one: 'mercado cerrado ganado', other: 'mercados cerrados ganados' })}`,
  closedAlone: (figure) => `solo cerrados ${figure}`,
  open: (count, n) => `${count} ${form(n, { one: 'abierto', other: 'abiertos' })}`,
  openOldest: (count, n, oldest) =>
    `${count} ${form(n, { one: 'abierto', other: 'abiertos' })}, el más antiguo desde ${oldest}`,
  overdue: (count, n) =>
    `${count} de más de 30 días, ${form(n, { one: 'contado como perdido', other: 'contados como perdidos' })}`,
  givenUp: (count) => `${count} sin seguimiento`,
  noneClosed: 'ninguno cerrado aún',
  noAlerts: (count, n) => `Sin compras alertadas aún: ${count} ${form(n, { one: 'wallet', other: 'wallets' })}`,
  more: (count) => `… y ${count} más`,
  nothing:
    'Aún no hay rendimientos: aquí no se ha alertado ninguna compra de estas wallets. En cuanto haya una, su wallet aparecerá aquí; un mercado cuenta cuando la wallet ha vendido o canjeado todo lo alertado, y a partir de 20 mercados así la wallet tiene un puesto.',
  hidden: (channel) => `No puedes ver ${channel}, así que no muestro su rendimiento.`,
  elsewhere: (channel) => `No todos los que leen este canal pueden ver ${channel}. Pide su rendimiento allí.`,
  chart: {
    title: 'Rendimiento por dólar ± error estándar',
    ranked: 'Más de 30 días: perdido',
    closed: 'Solo cerrados',
    beyond: 'Fuera del eje',
    alt: 'Rendimiento por dólar de las wallets con puesto, con barras de error',
  },
  digest: { all: 'Rendimiento', ends: (count) => `Rendimiento: las mejores y peores de ${count}` },
};
