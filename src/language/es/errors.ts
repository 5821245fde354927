import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('es-ES');

export const errors: ErrorWords = {
  unknownCommand: 'Este comando ya no existe. Recarga Discord e inténtalo de nuevo.',
  unknownButton: 'Este botón ya no existe. Ejecuta el comando de nuevo.',
  notMember: 'Todavía no soy miembro de este servidor. Invítame con el scope «bot» e inténtalo de nuevo.',
  internal: (reference) => `Algo ha fallado en el bot. Está en el registro con la referencia ${reference}.`,
  inAMinute: 'dentro de un minuto',

  venue: {
    busy: (when) => `Demasiadas consultas en este momento. Inténtalo de nuevo ${when}.`,
    rateLimited: (when) =>
      `La plataforma pide una pausa: su límite de solicitudes está agotado. Inténtalo de nuevo ${when}.`,
    unauthorized:
      'La plataforma rechaza la clave de API del bot (401). Quien lleva el bot tiene que revisarla; hasta entonces no hay alertas.',
    notInPlan:
      'El plan de la clave de API del bot no incluye esta lista (403). Quien lleva el bot necesitaría otro plan.',
    unreachable:
      'La plataforma no responde en este momento. No se pierde nada: las alertas llegan cuando lo haga. Inténtalo de nuevo dentro de un minuto.',
    unreadable:
      'La plataforma ha enviado una respuesta ilegible. Inténtalo de nuevo dentro de un minuto; si sigue así, díselo a quien lleva el bot.',
  },

  admission: {
    notAllowed: 'Este bot solo atiende a los servidores que ha elegido quien lo administra. Este no es uno de ellos.',
    serverBlocked: 'Quien administra este bot ha bloqueado este servidor. Aquí no llegan alertas.',
    userBlocked: 'Quien administra este bot te ha bloqueado: no acepta comandos tuyos.',
  },

  quota: {
    user: (when) => `Han sido muchos comandos de golpe. Inténtalo de nuevo ${when}.`,
    server: (when) => `Este servidor ha pedido mucho en el último minuto. Inténtalo de nuevo ${when}.`,
    lookups: (most, time, when) =>
      `Este servidor ha agotado su parte de las consultas (${most} en ${time}). Inténtalo de nuevo ${when}. Mientras tanto las alertas siguen.`,
    watches: (most, present, more) =>
      `Un servidor puede tener ${most} ${form(most, { one: 'vigilancia', other: 'vigilancias' })}. Este tiene ${present}, así que no hay sitio para ${more === 1 ? 'una más' : `${more} más`}. ${slash.remove} hace sitio; quien lleva el bot puede subir WATCHES_PER_GUILD.`,
  },

  permissions: {
    viewChannel: 'Ver canal',
    sendMessages: 'Enviar mensajes',
    sendMessagesInThreads: 'Enviar mensajes en hilos',
    embedLinks: 'Insertar enlaces',
    readMessageHistory: 'Leer el historial de mensajes',
    mentionEveryone: 'Mencionar a todos',
  },

  channel: {
    unseen: (channel, permission) => `No puedo ver ${channel}. Dame «${permission}» ahí e inténtalo de nuevo.`,
    wrongKind: (channel) => `${channel} no admite mensajes. Elige un canal de texto o un hilo.`,
    closed: (channel, permissions) =>
      `No puedo avisar en ${channel}. Dame ahí estos permisos: ${permissions}. Luego inténtalo de nuevo.`,
    noHistory: (permission) =>
      `Dame ahí también «${permission}»: sin él no puedo comprobar tras una caída si una alerta había llegado, y puede que la repita.`,
    roleGone: `El rol que se debía mencionar ya no existe: indica otro con ${slash.edit}.`,
    notMentionable: (role, channel, permission) =>
      `No puedo mencionar ${role} en ${channel}. Permite que se mencione el rol o dame «${permission}» ahí.`,
    notYours: (channel, permissions) =>
      `Te faltan estos permisos en ${channel}: ${permissions}. Solo aviso donde tú también puedes escribir.`,
    mentionNotYours: (role, channel, permission) =>
      `Tú no puedes mencionar ${role} en ${channel}. Hace falta un rol que todos puedan mencionar, o el permiso «${permission}» ahí.`,
  },

  wallet: {
    ambiguous: (wallets) => `Más de una wallet vigilada se llama así: ${wallets}. Indica la dirección.`,
    unknown: (typed) =>
      `${typed} no es ni una dirección de wallet (0x y 40 cifras hexadecimales) ni la etiqueta de una wallet que vigile este servidor.`,
    typed: 'Eso',
    address: {
      shape: (typed) =>
        `«${typed}» no es una dirección de wallet. Una dirección es 0x seguido de 40 cifras hexadecimales (0–9, a–f).`,
      checksum: (typed) =>
        `La suma de comprobación de ${typed} no es correcta (EIP-55): lo más probable es que haya un carácter mal escrito. Copia la dirección de nuevo.`,
    },
  },

  file: {
    refused: (status) => `Discord no ha entregado el archivo (${status}). Envíalo de nuevo.`,
    late: 'No se ha podido obtener el archivo de Discord a tiempo. Envíalo de nuevo.',
    tooLarge: (kibibytes) => `El archivo es demasiado grande. Se admiten hasta ${kibibytes} KiB.`,
  },
};
