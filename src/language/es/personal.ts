import type { PersonalWords } from '../en/personal.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('es-ES');

function watched(watches: number): string {
  if (watches === 0) return 'tus ajustes privados';
  if (watches === 1) return 'tu wallet seguida en privado';
  return `tus ${watches} wallets seguidas en privado`;
}

export const personal = ({ slash }: Terms): PersonalWords => ({
  here: 'este MD',
  welcome:
    '👋 Tus alertas privadas llegan aquí: nadie más ve lo que sigues. ' +
    `${slash.list} lo muestra, ${slash['delete-data']} borra todos tus datos.`,
  watchElsewhere:
    `${slash.watch} funciona en los servidores que me invitaron y en un mensaje directo ` +
    'conmigo: abre mi perfil y escríbeme ahí para recibir alertas privadas.',
  watchNotManager: (permission) =>
    `En un servidor, ${slash.watch} requiere el permiso «${permission}». ` +
    'Si un administrador te permitió el comando, ' +
    'quítame primero de tus propias aplicaciones: entonces lo comprueba Discord. ' +
    'Para uso personal funciona en un mensaje directo conmigo.',
  off: 'Las alertas privadas están desactivadas aquí. Pregunta al responsable del bot.',
  notServed: 'Este bot solo funciona en los servidores que eligió su responsable.',
  serversOnly: (option) =>
    `En un mensaje directo no hay canales ni roles: quita \`${option}\`. Sin cambios.`,
  notWatched: `No sigues esta wallet aquí. ${slash.list} muestra lo que sigues.`,
  unknownWallet: (typed) =>
    `${typed} no es una dirección de wallet (0x y 40 dígitos hexadecimales) ` +
    'ni la etiqueta de una de tus wallets.',
  tooMany: (most, present, more) =>
    `Puedes seguir ${most} ${form(most, { one: 'wallet', other: 'wallets' })} en privado. ` +
    `Sigues ${present}, ` +
    `así que no queda espacio para ${more === 1 ? 'una más' : `${more} más`}. ` +
    `Sin cambios. Libera espacio con ${slash.remove}.`,
  lookups: (most, time, when) =>
    `Agotaste tus consultas (${most} en ${time}). Inténtalo de nuevo ${when}. ` +
    'Las alertas siguen llegando.',
  ownLanguage: 'el de tu Discord',
  refused: {
    closed:
      'No puedo enviarte mensajes directos (50007), así que no se guardó nada. ' +
      'Desbloquéame o permite los mensajes directos de un servidor que compartamos: ' +
      'su menú → Ajustes de privacidad → Mensajes directos. Después, inténtalo de nuevo.',
    noSharedServer:
      'Discord no me deja escribirte porque no compartimos ningún servidor (50278), ' +
      'así que no se guardó nada. ' +
      'Únete a un servidor en el que esté o invítame a uno de los tuyos. ' +
      'Después, inténtalo de nuevo.',
    later:
      'Discord no acepta mis mensajes en este momento, así que no se guardó nada. ' +
      'Inténtalo de nuevo en un minuto.',
    openedTooFast:
      'Discord solo me deja abrir unos pocos mensajes directos a la vez (40003) ' +
      'y mucha gente pulsó el botón. No se guardó nada. Inténtalo de nuevo en un minuto.',
    tooFast: (when) =>
      `Mucha gente está empezando ahora mismo. No se guardó nada. Inténtalo de nuevo ${when}.`,
  },
  leftOut: 'Los canales y roles del archivo se omiten: todo llega a este MD.',
  follow: {
    button: 'Avisarme',
    done: (name, dm) =>
      `Recibirás las alertas de ${name} en [nuestro mensaje directo](${dm}). Solo tú las ves:`,
    change: `Ahí puedes cambiarlas con ${slash.edit} o terminarlas con ${slash.remove}.`,
    already: (name, dm) => `Ya recibes las alertas de ${name} en [nuestro mensaje directo](${dm}).`,
    wordsLeftOut: (words) =>
      `El canal tiene además palabras para todas sus wallets: ${words}. No se aplican a tus alertas.`,
  },
  forget: {
    title: '¿Borrar todos tus datos?',
    question: (watches) =>
      `Esto borra ${watched(watches)} con todos los ajustes, tu resumen, ` +
      'las listas y todo lo demás que se guarda sobre ti. ' +
      'Los mensajes que ya recibiste se quedan en este MD, ' +
      'y las wallets que elegiste en servidores siguen ahí, ' +
      'con tu ID hasta que uses este comando en el servidor. No se puede deshacer. ' +
      `Si quieres una copia, usa antes ${slash.export}.`,
    yes: 'Borrar todo',
    no: 'Conservar',
    done: 'Todos tus datos están borrados. Ya no llegarán más alertas aquí.',
    kept: 'No se borró nada.',
    inServer:
      'Aquí ya no está tu ID, ni con las wallets que elegiste ni con tus cambios, que siguen ahí. ' +
      'Lo que cambies desde ahora se anotará de nuevo. ' +
      `En un mensaje directo conmigo, ${slash['delete-data']} borra todo lo demás.`,
  },
});
