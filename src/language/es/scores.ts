import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('es-ES');

export const scores: ScoreWords = {
  title: 'Rendimiento de las wallets',
  intro: (channel) => `Primeras compras de las wallets de ${channel}, desde que se siguen`,
  method:
    'Tras las comisiones indicadas, al precio de la wallet. Orden: centavos menos un error estándar.',
  unranked: 'Aún sin clasificar',
  silent: (count, n) =>
    `Sin compras lo bastante antiguas: ${count} ${form(n, { one: 'wallet', other: 'wallets' })}`,
  more: (count) => `… y ${count} más`,
  nothing:
    'Aún no hay historial. ' +
    'Un mercado cuenta cuando su primera compra es lo bastante antigua, ' +
    'según el ritmo de la wallet; ' +
    'a partir de 20 mercados, comprados en 8 días distintos, ' +
    'la wallet entra en la clasificación.',
  hidden: (channel) => `No puedes ver ${channel}, así que no muestro su rendimiento.`,
  elsewhere: (channel) => `No todos aquí pueden ver ${channel}. Usa el comando en ese canal.`,
  chart: {
    title: 'Centavos por acción de primeras compras ± error estándar',
    beyond: 'Fuera del eje',
    alt: 'Centavos por acción de las wallets clasificadas, con barras de error',
  },
  digest: { all: 'Rendimiento', best: (count) => `Mejores historiales de ${count}` },
};
