import type { WatchStatusWords } from '../../en/watch/status.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('es-ES');

export const status = (venue: VenueForms, { slash, permissions }: Terms): WatchStatusWords => ({
  works: 'Todo funciona',
  slowed: `${venue.start} me está frenando`,
  silent: `${venue.start} no responde en este momento`,
  late: `${venue.start} muestra las operaciones con retraso`,
  broken: 'Algo falla',
  checks: {
    gateway: 'Discord',
    store: 'Almacenamiento',
    venue: venue.label,
    lastPoll: 'Comprobaciones',
    feed: 'Fuente de datos',
  },
  because: (check, reason) => `${check}: ${reason}`,
  shards: (shards, here) =>
    `Shards: ${shards}${here === null ? '' : `. Este servidor está en el shard ${here}.`}`,
  fields: {
    budget: 'Límite de solicitudes',
    polls: 'Comprobaciones',
    here: 'Alertas aquí',
    yours: 'Tus alertas',
    all: 'Todo el bot',
  },
  polls: (succeeded, failed, minutes) =>
    `${succeeded} en los últimos ${minutes} ` +
    `minutos${failed > 0 ? `, y ${failed} ${form(failed, { one: 'fallida', other: 'fallidas' })}` : ''}`,
  round: (minutes) => `Revisar todas las wallets lleva al menos ${minutes} minutos.`,
  lastAnswer: (time) => `última respuesta ${time}`,
  listsLate: (delay) => `muestra las operaciones con un retraso de ${delay}`,
  walletsHere: (count) =>
    `${count} ${form(count, { one: 'wallet seguida', other: 'wallets seguidas' })} aquí`,
  walletsInAll: (count) => `${count} en total`,
  upFor: (time) => `en marcha desde hace ${time}`,
  limitUnknown: `${venue.start} todavía no indica su límite de solicitudes.`,
  left: (left, limit, renewed) =>
    `${left} de ${limit} solicitudes ` +
    `disponibles${renewed === null ? '' : `, se renuevan ${renewed}`}`,
  allows: (limit) =>
    `${limit} ${form(limit, { one: 'solicitud permitida', other: 'solicitudes permitidas' })} por ventana`,
  used: (sent, allowance, polls, people, older) =>
    `${sent}${allowance === null ? '' : ` de mis ${allowance}`} usadas en esta ventana: ` +
    `${polls} en comprobaciones, ${people} en comandos, ${older} en operaciones anteriores`,
  venueAskedForPause: (end) => `Me pidió que espere (429). La espera termina ${end}.`,
  arrive: (median, most, latest) =>
    `Las alertas llegan ${median} después de la operación (el 95\u00a0% en ${most} o menos, ` +
    `la última en ${latest}).`,
  all: 'Todas las cifras',
  noAlerts: 'Ninguna desde que arranqué.',
  delays: (count, median, most, latest) =>
    `Retraso (últimas alertas: ${count}): mediana ${median}, el 95\u00a0% en ${most} o menos, ` +
    `la última en ${latest}`,
  withoutPosition: (count) => `Sin la posición de la wallet: ${count} de ellas`,
  nothingWaits: 'No hay alertas pendientes.',
  stillLoading: (wallets) =>
    `${form(wallets, { one: 'Todavía se está cargando', other: 'Todavía se están cargando' })} ` +
    `${wallets} ${form(wallets, { one: 'wallet', other: 'wallets' })} tras mi reinicio. ` +
    'Hasta entonces, las alertas de sus canales esperan.',
  delayedChannels: (channels) => `Canales con retraso: ${channels}.`,
  signedAlerts:
    'El responsable del bot también envía las alertas de este servidor a un servicio fuera de Discord.',
  waiting: (alerts, oldest) =>
    `${alerts} ${form(alerts, { one: 'alerta pendiente', other: 'alertas pendientes' })}, ` +
    `la más antigua desde hace ${oldest}.`,
  cannotWrite: (channels) => `No puedo escribir en ${channels}. ${slash.list} dice por qué.`,
  refused: (requests) =>
    `Discord rechazó ${requests} de mis solicitudes aquí en los últimos 10 ` +
    `minutos. ${slash.list} dice dónde no puedo escribir.`,
  undelivered: (alerts) =>
    `${alerts} ${form(alerts, { one: 'alerta no se pudo', other: 'alertas no se pudieron' })} entregar. ${slash.list} dice por qué.`,

  tokenShared:
    'Otro proceso usa el token de este bot y responde a algunos comandos en su lugar. Quien lleve el bot: ciérralo o genera un token nuevo.',
  gatewayDown: 'Sin conexión con el gateway de Discord. Conectando.',
  shardsDown: (shards, count) =>
    `Shards sin conexión con el gateway de Discord: ${shards} (de ${count}). Conectando.`,
  storeFailed: 'Falló y desde entonces no se guarda nada. El log dice por qué.',
  feedAway: (since) => `Sin datos desde ${since}. Las alertas llegarán cuando vuelva.`,
  nothingAsked: 'Todavía ninguna solicitud enviada.',
  nothingWatched: 'No se sigue ninguna wallet, así que no se comprueba nada.',
  noPoll: 'Ninguna comprobación con éxito todavía.',
  noPollPlanned: (since) =>
    since === null
      ? 'Ninguna comprobación con éxito todavía, aunque había solicitudes previstas.'
      : `Ninguna comprobación con éxito desde ${since}, aunque había solicitudes previstas.`,
  tickLate: (seconds) => `El ciclo de POLL_CRON llega con ${seconds} s de retraso.`,
  notInPlan: {
    activity:
      'El plan de la clave no incluye operaciones ni canjes (403). Usa un plan que los cubra.',
    'deposits-withdrawals':
      'El plan de la clave no incluye depósitos ni retiros (403). Usa un plan que los cubra.',
  },
  unreachable: `${venue.start} no responde bien. Las alertas llegarán cuando responda.`,
  paused: (until) =>
    `El límite de solicitudes de ${venue.name} está agotado. Próximo intento: ${until}. ` +
    'Las alertas llegarán cuando responda.',

  delivery: {
    noAccess:
      'No puedo ver el canal (50001). ' +
      `Dame ahí «${permissions.viewChannel}» o invítame de nuevo.`,
    noWriting:
      'No puedo escribir en el canal (50013). ' +
      `Dame ahí «${permissions.sendMessages}» e «${permissions.embedLinks}».`,
    noEmbeds:
      'Discord quitó los embeds del mensaje (50006). ' +
      `Dame «${permissions.embedLinks}» en el canal.`,
    noReplies: `No puedo responder en el canal (160002). Dame ahí «${permissions.readMessageHistory}».`,
    noMessages: (code) => `El canal no admite mensajes (${code}). Elige un canal de texto.`,
    threadLocked: 'El hilo está bloqueado (160005). Desbloquéalo o elige otro canal.',
    threadArchived: 'El hilo está archivado (50083). Ábrelo de nuevo o elige otro canal.',
    dmClosed: 'No puedo enviar mensajes directos (50007): estoy bloqueado o no están permitidos.',
    noSharedServer:
      'Discord no permite mensajes directos sin un servidor en común (50278). ' +
      'Únete a un servidor en el que esté yo.',
    channelGone: 'El canal ya no existe (10003).',
    serverGone: 'El servidor ya no existe, o no estoy en él (10004).',
    rejected: (code, message) => `Discord rechazó el mensaje (${code}): ${message}`,
    forbidden: (code, message) => `Discord lo prohíbe (${code}): ${message}`,
  },
});
