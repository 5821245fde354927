import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('es-ES');

export const errors = (venue: VenueForms, { slash, permissions }: Terms): ErrorWords => ({
  unknownCommand: 'Este comando ya no existe. Recarga Discord e inténtalo de nuevo.',
  unknownButton: 'Este botón ya no funciona. Usa el comando de nuevo.',
  notMember:
    'Todavía no soy miembro de este servidor. Invítame con el scope «bot» e inténtalo de nuevo.',
  internal: (reference) =>
    `Algo falló por mi parte. Indica al responsable del bot la referencia ${reference}.`,
  diskFull: (reference) =>
    'Mi disco está lleno. Sin cambios. ' +
    `Avisa al responsable del bot con la referencia ${reference}.`,
  inAMinute: 'dentro de un minuto',
  at: (clock) => `a las ${clock}`,

  venue: {
    rateLimited: (when) =>
      `El límite de solicitudes de ${venue.name} está agotado. ` +
      `Las alertas pueden llegar tarde; recibirás lo que todavía muestre. Inténtalo de nuevo ${when}.`,
    unauthorized:
      `${venue.start} rechaza la clave de API del bot (401). ` +
      'Las alertas están en pausa hasta que el responsable del bot la revise.',
    notInPlan:
      'El plan de la clave de API del bot no incluye esta lista (403). ' +
      'El responsable del bot necesita otro plan.',
    unreachable:
      `${venue.start} no responde en este momento. ` +
      'Cuando vuelva, recibirás lo que todavía muestre. ' +
      'Inténtalo de nuevo dentro de un minuto.',
    feedAway:
      'Mi fuente de datos no responde en este momento. ' +
      'Cuando vuelva, recibirás lo que todavía se muestre. ' +
      'Inténtalo de nuevo dentro de un minuto.',
    unreadable:
      `${venue.start} envió una respuesta que no puedo leer. ` +
      'Inténtalo de nuevo dentro de un minuto; si sigue igual, avisa al responsable del bot.',
  },

  admission: {
    notAllowed:
      'Este bot solo funciona en los servidores que eligió su responsable. ' +
      'Este no es uno de ellos.',
    serverBlocked: 'El responsable del bot bloqueó este servidor. Aquí no llegan alertas.',
    userBlocked: 'El responsable del bot te bloqueó. No puedes usar sus comandos.',
  },

  quota: {
    user: (when) => `Un poco más despacio: inténtalo de nuevo ${when}.`,
    server: (when) =>
      `Este servidor usó muchos comandos en el último minuto. Inténtalo de nuevo ${when}.`,
    lookups: (most, time, when) =>
      `Este servidor agotó sus consultas (${most} en ${time}). ` +
      `Inténtalo de nuevo ${when}. Las alertas siguen llegando.`,
    watches: (most, present, more) =>
      `Un servidor puede seguir ${most} ${form(most, { one: 'wallet', other: 'wallets' })}, ` +
      'contadas una vez por canal. ' +
      `Este sigue ${present}, ` +
      `así que no queda espacio para ${more === 1 ? 'una más' : `${more} más`}. ` +
      'Sin cambios. ' +
      `Libera espacio con ${slash.remove} o pide al responsable del bot que suba ` +
      'WATCHES_PER_GUILD.',
    total: (more) =>
      'Ya sigo tantas wallets como permite en total el responsable del bot, ' +
      `así que no queda espacio para ${more === 1 ? 'una más' : `${more} más`}. ` +
      'Sin cambios. Inténtalo más tarde o pídele que suba WATCHES_TOTAL.',
    leavingCount: (leaving) =>
      `${leaving === 1 ? 'Una de ellas se acaba de quitar' : `${leaving} de ellas se acaban de quitar`}: ` +
      'las quitadas cuentan diez minutos más, mientras se puede deshacer.',
    channels: (most) =>
      `Un servidor puede ajustar esto en ${most} canales como máximo. Sin cambios.`,
  },

  permissions,

  channel: {
    unseen: (channel, permission) =>
      `No puedo ver ${channel}. Dame «${permission}» en ese canal e inténtalo de nuevo.`,
    wrongKind: (channel) => `No puedo escribir en ${channel}. Elige un canal de texto o un hilo.`,
    closed: (channel, permissions) =>
      `No puedo escribir en ${channel}. Dame estos permisos en ese canal: ${permissions}. ` +
      'Luego inténtalo de nuevo.',
    locked: (channel) =>
      `No puedo escribir en ${channel}: el hilo está bloqueado. ` +
      `Desbloquéalo o dame el permiso «${permissions.manageThreads}».`,
    timedOut: (channel, until) =>
      `No puedo escribir en ${channel}: ` +
      `este servidor me aisló temporalmente hasta el ${until}.`,
    noEmbeds: (channel, permission) =>
      `Dame «${permission}» en ${channel}: ` +
      'sin ese permiso, las alertas solo muestran la primera línea.',
    noHistory: (permission) =>
      `Dame también «${permission}» en ese canal: ` +
      'sin él no puedo comprobar tras una caída si una alerta había llegado, ' +
      'y puede que la publique dos veces.',
    roleGone: `El rol que había que mencionar ya no existe. Elige otro con ${slash.edit}.`,
    notMentionable: (role, channel, permission) =>
      `No puedo mencionar a ${role} en ${channel}. ` +
      `Permite que se mencione el rol o dame «${permission}» en ese canal.`,
    notYours: (channel, permissions) =>
      `Te faltan estos permisos en ${channel}: ${permissions}. ` +
      'Solo publico donde tú también puedes escribir.',
    mentionNotYours: (role, channel, permission) =>
      `No puedes mencionar a ${role} en ${channel}. ` +
      `Elige un rol que todos puedan mencionar o pide el permiso «${permission}» en ese canal.`,
  },

  wallet: {
    ambiguous: (wallets) =>
      `Más de una wallet seguida tiene esta etiqueta: ${wallets}. Usa la dirección.`,
    unknown: (typed) =>
      `${typed} no es una dirección de wallet (0x y 40 dígitos hexadecimales) ` +
      'ni la etiqueta de una wallet que siga este servidor.',
    pasted: {
      profile: (typed) =>
        `${typed} no contiene ninguna dirección. El nombre de un perfil no lo es: copia la dirección (0x…) de su página.`,
      ens: (typed) =>
        `${typed} es un nombre ENS, y esos no los busco. Pega la dirección que representa (0x y 40 dígitos hexadecimales).`,
      bare: (typed) => `${typed} parece una dirección sin su comienzo. Pon 0x delante.`,
    },
    address: {
      shape: (typed) =>
        `${typed} no es una dirección de wallet. ` +
        'Usa 0x seguido de 40 dígitos hexadecimales (0–9, a–f).',
      checksum: (typed) =>
        `La suma de comprobación de ${typed} no es correcta (EIP-55): ` +
        'probablemente haya un error al escribirla. Copia la dirección de nuevo.',
      zero: (typed) =>
        `${typed} es la dirección cero, que no es de ninguna wallet. Copia la dirección de la wallet.`,
    },
  },

  file: {
    refused: (status) => `No pude obtener el archivo de Discord (${status}). Envíalo de nuevo.`,
    late: 'No pude obtener el archivo de Discord a tiempo. Envíalo de nuevo.',
    tooLarge: (kibibytes) =>
      `El archivo es demasiado grande. Usa uno de ${kibibytes} KiB como mucho.`,
  },
});
