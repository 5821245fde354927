import type { WatchWords } from '../en/watch.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';
import { settings } from './watch-settings.ts';
import { status } from './watch-status.ts';

const form = plural('es-ES');

const paused: WatchWords['pause']['state'] = (end) =>
  end === null ? `en pausa hasta que alguien use ${slash.resume}` : `en pausa hasta el ${end.at} (${end.in})`;

export const watch: WatchWords = {
  settings,
  status,
  gap: ' ',
  comma: ', ',
  andMore: (shown, more) => `${shown} y ${more} más`,
  noName: 'sin nombre',
  nothingRings: (channel) => `Nada avisa en ${channel}. Empieza con ${slash.add}.`,
  changedMeanwhile: `Otra persona ha cambiado o quitado esta vigilancia en el mismo momento. Mira ${slash.list} e inténtalo de nuevo.`,
  notHere: (channel) => `Esta wallet no avisa en ${channel}.`,
  norElsewhere: `Ni en ninguna otra parte de este servidor: ${slash.list} muestra lo que avisa.`,
  elsewhere: (channels) => `Avisa en ${channels}: indica ese canal en la opción \`${names.options.channel}\`.`,
  add: {
    title: (name) => `Vigilando ${name ?? 'una wallet'}`,
    rings: (address, channel) => `${address} avisa en ${channel} a partir de ahora.`,
    latest: (line) => `Lo último: ${line}`,
    unknownWallet: 'La plataforma no sabe nada de esta wallet todavía. ¿Es la dirección que opera?',
    inPlace: 'La vigilancia queda activa.',
    already: (channel, name) =>
      `Esta wallet ya avisa en ${channel}, ${name === null ? 'sin etiqueta' : `como ${name}`}. ${slash.edit} cambia cómo.`,
  },
  edit: {
    changed: (name) => `Cambios en ${name ?? 'una wallet'}`,
    settingsOf: (name) => `Ajustes de ${name ?? 'una wallet'}`,
    where: (address, channel) => `${address} en ${channel}`,
  },
  removed: (address, name, channel) => `${address}${name === null ? '' : ` (${name})`} ya no avisa en ${channel}.`,
  pause: {
    state: paused,
    one: (name, channel, end) => `${name} en ${channel} está ${paused(end)}.`,
    only: (channel, end) => `La única vigilancia de ${channel} está ${paused(end)}.`,
    all: (count, channel, end) => `Las ${count} vigilancias de ${channel} están ${paused(end)}.`,
    already: (name, end) => `${name} ya está ${paused(end)}.`,
    notMadeUpFor: 'Lo que pase mientras tanto no se recupera después.',
    resumeEnds: `${slash.resume} la termina.`,
  },
  resume: {
    one: (name, channel) => `${name} en ${channel}: vuelve a avisar a partir de ahora.`,
    only: (channel) => `La única vigilancia en pausa de ${channel}: vuelve a avisar a partir de ahora.`,
    all: (count, channel) =>
      `Las ${count} vigilancias de ${channel} que estaban en pausa vuelven a avisar a partir de ahora.`,
    unmuted: (name, person) => `${name} vuelve a avisar a partir de ahora: ${person} ha quitado el silencio.`,
    nothingPaused: (channel) => `No hay nada en pausa en ${channel}.`,
    notPaused: (name, channel) => `${name} no está en pausa en ${channel}: avisa.`,
  },
  mute: {
    muted: (person, name, until) => `${person} ha silenciado ${name} en este canal durante 1 h, hasta las ${until}.`,
    unmute: 'Quitar silencio',
    managersOnly:
      'Solo puede silenciar quien tiene el permiso «Gestionar servidor»: deja sin alertas a todo el mundo aquí.',
    unknownButton: 'Este botón ya no existe.',
  },
  channel: {
    full: (channel) => `${channel}: vista \`full\`, un embed por alerta, con todas sus cifras.`,
    compact: (channel) => `${channel}: vista \`compact\`, una línea por alerta, varias en un embed.`,
    noConsensus: 'No se avisa del consenso entre wallets.',
    consensus: (wallets, time) =>
      `Se avisa del consenso cuando ${wallets} de sus wallets apuestan por el mismo resultado en ${time}.`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` es ${given}. Se acepta: de ${least} a ${most} wallets, o 0 para nunca.`,
    timeWrong: (examples) =>
      `\`${names.options['consensus-within']}\` no es una duración. Se acepta: ${examples}, de un minuto a 3 días.`,
  },
  list: {
    range: (first, last, all) => `${first}–${last} de ${all}`,
    title: (count) => `${count} ${form(count, { one: 'vigilancia', other: 'vigilancias' })}`,
    nothing: `Todavía no avisa nada en este servidor. Empieza con ${slash.add}.`,
    compactView: 'vista compacta',
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'alerta no se ha podido', other: 'alertas no se han podido' })} entregar aquí. La última: ${lastReason}`,
    noReason: 'sin motivo',
    alertsWait: (since) => `Las alertas esperan desde ${since}.`,
    since: (time) => `Desde ${time}.`,
    polled: (polls) => `consultado: ${polls}`,
    endpoints: { activity: 'operaciones', 'deposits-withdrawals': 'transferencias' },
    lastPoll: (list, last) => `${list} ${last ?? 'aún no'}`,
    nextPoll: (polled, next) => `${polled}, de nuevo ${next ?? 'ya'}`,
  },
};
