import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const scores: ScoreWords = {
  title: 'Rendimiento de las wallets',
  intro: (channel) =>
    `Primeras compras en ${channel} desde su alta, tras comisiones indicadas, a su precio`,
  silent: (count, n) =>
    `${count} ${form(n, { one: 'wallet demasiado nueva', other: 'wallets demasiado nuevas' })}`,
  more: (count) => `… y ${count} más`,
  nothing:
    'Aún no hay rendimiento que mostrar. ' +
    'Un mercado cuenta cuando su primera compra es lo bastante antigua, ' +
    'según el ritmo de la wallet; ' +
    'a partir de 20 mercados, comprados en 8 días distintos, ' +
    'la wallet entra en la clasificación.',
  hidden: (channel) => `No puedes ver ${channel}, así que no muestro su rendimiento.`,
  elsewhere: (channel) => `No todos aquí pueden ver ${channel}. Usa el comando en ese canal.`,
  chart: {
    title: 'Centavos por acción, gris: azar',
    beyond: 'Fuera del eje',
    alt: 'Centavos por acción de las wallets clasificadas, y lo que explica el puro azar',
  },
};
