import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere:
    'Esta wallet no se sigue en ningún canal que veas. ' +
    `${slash.list} muestra las que se siguen.`,
  notListed: (read) =>
    `${venue.start} no tiene ninguna operación ni canje de esta wallet con esta transacción, ` +
    `y tampoco está entre sus ${read} depósitos y retiros más recientes. ` +
    'Comprueba la wallet y la transacción.',
  posted: 'publicado',
  part: 'publicado en un mensaje con otros registros',
  postedOnce: (time) => `publicado ${time}`,
  waits: {
    sending: 'en camino al canal',
    purchase: 'a punto de sumarse al mensaje de su compra',
    meaning: 'a la espera de saber qué cambió en la posición',
    setting: (setting) => `en espera por el ajuste «${setting}»`,
    until: (what, time) => `${what} (como muy tarde: ${time})`,
  },
  filtered: (reason) => `no publicado: ${reason}`,
  reasons: {
    before: 'fue antes de que se siguiera esta wallet aquí',
    pause: 'sus alertas estaban en pausa',
    consensusOnly: 'aquí solo se publica el consenso',
    backlog: 'aquí había demasiadas alertas en espera; un aviso lo dice',
    setting: (setting) => `ajuste «${setting}»`,
    unnamedKind: (option, kind) =>
      `no es de los tipos habituales, y \`${option}\` no incluye \`${kind}\``,
    channelWords: (words) => `ajuste del canal «${words}»`,
  },
  rejected: (reason) => `no publicado, porque Discord no lo acepta. ${reason}`,
  later: 'aún no: este canal recibe todo con retraso',
  missed: 'quizá se perdió: hay un aviso sobre ese momento',
  unseen: 'aún no visto',
  today: {
    passes: 'ya no sé qué pasó entonces. Hoy se publicaría',
    filtered: (reason) => `ya no sé qué pasó entonces. Hoy no se publicaría: ${reason}`,
    unsure:
      'Sin contar otras ejecuciones de la misma compra, ' +
      'el tamaño habitual ni el efecto en la posición.',
  },
  unconfirmed: 'Hay otro registro igual: se publicará cuando lo muestren dos comprobaciones más.',
});
