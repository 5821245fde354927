import type { WatchWords } from '../../en/watch/watch.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Texts } from '../../texts.ts';
import type { VenueForms } from '../venue.ts';
import { panel } from './panel.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { why } from './why.ts';

const form = plural('es-ES');

const paused = (resume: string, end: Parameters<Texts['watch']['pause']['state']>[0]) =>
  end === null
    ? `en pausa hasta que alguien use ${resume}`
    : `en pausa (hasta: ${end.at}, ${end.in})`;

export const watch = (venue: VenueForms, { names, slash, permissions }: Terms): WatchWords => ({
  settings: settings({ names, permissions, slash }),
  panel: panel({ names, permissions, slash }),
  status: status(venue, { names, permissions, slash }),
  why: why(venue, { names, permissions, slash }),
  gap: ' ',
  comma: ', ',
  and: '',
  andMore: (shown, more) => `${shown} y ${more} más`,
  noName: 'sin nombre',
  nothingWatched: (channel) =>
    `No se sigue ninguna wallet en ${channel}. Empieza con ${slash.add}.`,
  notHere: (channel) => `Esta wallet no se sigue en ${channel}.`,
  notElsewhere:
    `Tampoco en ninguna otra parte de este servidor: ${slash.list} muestra las ` +
    'wallets seguidas.',
  elsewhere: (channels) =>
    `Se sigue en ${channels}: elige ese canal con \`${names.options.channel}\`.`,
  add: {
    watching: (name, channel) => `Ahora se sigue a ${name} en ${channel}.`,
    everything: 'Recibirás todo lo que haga.',
    withSettings: 'Desde ahora recibirás alertas:',
    latest: (line) => `Último: ${line}`,
    unknownWallet:
      `${venue.start} no tiene registros de esta wallet todavía. ` +
      '¿Es la dirección con la que opera (la proxy wallet)?',
    proxy: (address) =>
      `Esta wallet opera con otra dirección, su proxy wallet: \`${address}\`. ` +
      `${venue.start} muestra allí lo que hace: usa esa dirección.`,
    noAnswer: `${venue.start} no responde en este momento. Las alertas llegarán cuando responda.`,
    already: (channel, name) =>
      `Esta wallet ya se sigue en ${channel}, ` +
      `${name === null ? 'sin etiqueta' : `como ${name}`}. ` +
      `Cambia sus alertas con ${slash.edit}.`,
  },
  flood: {
    about: (trades, time) => `Unas ${trades} operaciones al día (según ${time}).`,
    cooldown: (time) => `Máx. 1 alerta por mercado cada ${time}`,
    minUsdc: (amount) => `Solo desde ${amount}, su tamaño habitual`,
    undo: (what) => `Deshacer: ${what}`,
    changed: (person, name, channel, what) =>
      `${person} cambió las alertas de ${name} en ${channel}: ${what}.`,
    undone: (person, name, channel, what) =>
      `${person} deshizo el cambio de ${name} en ${channel}. Ya no se aplica: ${what}.`,
    edited: `Alguien ya cambió este ajuste, así que lo dejo como está. Usa ${slash.edit}.`,
  },
  edit: {
    changed: (name) => `Cambios en ${name ?? 'una wallet'}`,
    settingsOf: (name) => `Ajustes de ${name ?? 'una wallet'}`,
    where: (address, channel) => `${address} en ${channel}`,
  },
  changes: {
    title: 'Quién cambió qué',
    kept: 'Los últimos 30 días, hasta 500 cambios',
    deeds: {
      added: 'añadida',
      paused: 'pausada',
      resumed: 'reanudada',
      removed: 'quitada',
      restored: 'recuperada',
    },
    edited: (names) => `cambio de ${names}`,
  },
  undo: {
    button: 'Deshacer',
    until: (time) => `Puedes deshacerlo hasta ${time}. Entonces llegarán las alertas que falten.`,
    done: (name, channel) =>
      `${name} se sigue otra vez en ${channel}. Las alertas de ese tiempo llegan ahora.`,
    over: `Ya no se puede deshacer. Vuelve a seguir la wallet con ${slash.add}.`,
  },
  managersOnly: `Solo puede usar este botón quien tiene el permiso «${permissions.manageServer}».`,
  removed: (address, name, channel) =>
    `${name === null ? address : `${name} (${address})`} ya no se sigue en ${channel}.`,
  pause: {
    state: (end) => paused(slash.resume, end),
    one: (name, channel, end) => `${name} en ${channel} está ${paused(slash.resume, end)}.`,
    only: (channel, end) =>
      `La única wallet seguida en ${channel} está ${paused(slash.resume, end)}.`,
    all: (count, channel, end) =>
      `Las ${count} wallets seguidas en ${channel} están ${paused(slash.resume, end)}.`,
    already: (name, end) => `${name} ya está ${paused(slash.resume, end)}.`,
    notPostedLater: 'Lo que pase durante la pausa no se publicará después.',
    resumeEnds: `Para terminarla antes, usa ${slash.resume}.`,
    resume: 'Reanudar',
  },
  resume: {
    one: (name, channel) => `Las alertas de ${name} en ${channel} vuelven a estar activas.`,
    only: (channel) =>
      `Las alertas de la única wallet en pausa de ${channel} vuelven a estar activas.`,
    all: (count, channel) =>
      `Las alertas de las ${count} wallets en pausa de ${channel} vuelven a estar activas.`,
    unmuted: (name, person) => `${person} reactivó las alertas de ${name}.`,
    nothingPaused: (channel) => `No hay nada en pausa en ${channel}.`,
    notPaused: (name, channel) => `${name} no está en pausa en ${channel}.`,
  },
  mute: {
    muted: (person, name, until) =>
      `${person} silenció a ${name} en este canal durante 1 h (hasta: ${until}). ` +
      'Lo que pase entretanto no se publicará después.',
    unmute: 'Reactivar',
    managersOnly:
      `Solo puede silenciar quien tiene el permiso «${permissions.manageServer}»: ` +
      'deja sin estas alertas a todo el canal.',
    unknownButton: 'Este botón ya no funciona.',
  },
  channel: {
    full: (channel) => `${channel}: vista \`completa\`, un embed por alerta, con todas sus cifras.`,
    compact: (channel) =>
      `${channel}: vista \`compacta\`, una línea por alerta, varias en un embed.`,
    noConsensus: 'Las alertas de consenso están desactivadas.',
    consensus: (wallets, time) =>
      'Alertas de consenso: ' +
      `cuando ${wallets} de sus wallets compren el mismo resultado en un plazo de ${time}.`,
    words: (words) => `Sus alertas: ${words}.`,
    results: {
      on: 'Ganancias y pérdidas: activadas.',
      off: 'Ganancias y pérdidas: desactivadas.',
    },
    consensusOnly: {
      on:
        'Solo consenso: ' +
        'aquí **no se publican** operaciones, canjes, depósitos ni retiros sueltos. ' +
        'Siguen llegando los avisos de que puede faltar algo y las ganancias y pérdidas de ' +
        'alertas anteriores.',
      off: 'También se publican las alertas sueltas.',
    },
    quiet: {
      on: (from, to, zone) =>
        `Horas de silencio de ${from} a ${to} (${zone}): ` +
        'todo se publica sin sonido y sin mencionar a nadie.',
      off: 'No hay horas de silencio.',
      takes: `dos horas como \`22:00-07:00\`, o \`${names.typed.none}\``,
      zoneMissing:
        `¿En qué zona horaria? Indica también \`${names.options['time-zone']}\` con ` +
        `\`${names.options.quiet}\`. Sin cambios.`,
      hoursMissing:
        `\`${names.options['time-zone']}\` es la zona de las horas de silencio, y no hay ` +
        `ninguna. Indica también \`${names.options.quiet}\`. ` +
        'Sin cambios.',
    },
    delay: {
      on: (time) =>
        `Aquí todo llega con ${time} de retraso, también el efecto de pausas y ajustes.`,
      off: 'Aquí todo llega sin retraso.',
    },
    consensusMissing:
      `\`${names.options['consensus-only']}\` no puede ser \`sí\` sin un consenso. ` +
      `Indica también \`${names.options.consensus}\`. Sin cambios.`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` no puede ser \`${given}\`. ` +
      `Usa de ${least} a ${most} wallets, o 0 para nunca. Sin cambios.`,
  },
  list: {
    range: (first, last, all) => `Líneas ${first}–${last} de ${all}`,
    title: (wallets, channels) =>
      `${wallets} ${form(wallets, { one: 'wallet seguida', other: 'wallets seguidas' })}` +
      `${channels === null ? '' : ` en ${channels} canales`}`,
    problems: (channels) =>
      `${channels} ${form(channels, { one: 'canal', other: 'canales' })} con problemas`,
    nothing: `Todavía no se sigue ninguna wallet. Empieza con ${slash.add}.`,
    compactView: 'vista compacta',
    consensusOnly: 'solo consenso',
    noResults: 'sin publicar ganancias ni pérdidas',
    quiet: (from, to, zone) => `silencio ${from}–${to} (${zone})`,
    delay: (time) => `con ${time} de retraso`,
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'alerta no se pudo', other: 'alertas no se pudieron' })} entregar aquí. La última: ${lastReason}`,
    noReason: 'sin motivo',
    alertsWait: (since) => `Hay alertas pendientes, la más antigua: ${since}.`,
    since: (time) => `Empezó ${time}.`,
    lastTrade: (time) => `última operación ${time}`,
    polled: (polls) => `comprobado: ${polls}`,
    endpoints: { activity: 'operaciones', 'deposits-withdrawals': 'transferencias' },
    lastPoll: (list, last) => `${list} ${last ?? 'aún no'}`,
  },
});
