import type { PersonalWords } from '../en/personal.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('es-ES');

export const personal: PersonalWords = {
  here: 'este MD',
  welcome: `👋 Tus alertas privadas llegan aquí: nadie más ve lo que sigues. ${slash.list} lo muestra, ${slash.forget} borra todo lo que se guarda sobre ti.`,
  watchElsewhere: `${slash.watch} funciona en los servidores que me han invitado y en un mensaje directo conmigo: abre mi perfil y escríbeme ahí para recibir alertas privadas.`,
  watchNotManager: (permission) =>
    `En un servidor, ${slash.watch} requiere ${permission}. Si un administrador te ha permitido el comando, quítame primero de tus propias aplicaciones: entonces lo comprueba Discord. Para ti funciona en un mensaje directo conmigo.`,
  forgetElsewhere: `${slash.forget} funciona en un mensaje directo conmigo: abre mi perfil y escríbelo ahí.`,
  off: 'Los seguimientos privados están desactivados aquí. Pregunta al administrador del bot.',
  notServed: 'Este bot solo funciona en los servidores que su administrador ha elegido.',
  serversOnly: (option) => `En un mensaje directo no hay canales ni roles: quita \`${option}\`. No ha cambiado nada.`,
  notWatched: `No sigues esta wallet aquí. ${slash.list} muestra lo que sigues.`,
  unknownWallet: (typed) =>
    `${typed} no es una dirección de wallet (0x y 40 dígitos hexadecimales) ni la etiqueta de una de tus propias wallets.`,
  tooMany: (most, present, more) =>
    `Puedes tener ${most} ${form(most, { one: 'seguimiento privado', other: 'seguimientos privados' })}. Tienes ${present}, así que ${more === 1 ? 'no cabe uno más' : `no caben ${more} más`}. No ha cambiado nada. Haz sitio con ${slash.remove}.`,
  lookups: (most, time, when) =>
    `Has agotado tus consultas (${most} en ${time}). Inténtalo de nuevo ${when}. Las alertas siguen como siempre.`,
  ownLanguage: 'el de tu Discord',
  refused: {
    closed:
      'No puedo enviarte mensajes directos (50007), así que no se ha guardado nada. Desbloquéame o permite los mensajes directos de un servidor que compartamos: su menú → Ajustes de privacidad → Mensajes directos. Después, inténtalo de nuevo.',
    noSharedServer:
      'Discord no me deja escribirte porque no compartimos ningún servidor (50278), así que no se ha guardado nada. Únete a un servidor en el que esté o invítame a uno de los tuyos. Después, inténtalo de nuevo.',
    later:
      'Discord no acepta mis mensajes en este momento, así que no se ha guardado nada. Inténtalo de nuevo en un minuto.',
    tooFast: (when) => `Mucha gente está empezando ahora mismo. No se ha guardado nada. Inténtalo de nuevo ${when}.`,
  },
  leftOut: 'Los canales y roles del archivo se omiten: todo llega a este MD.',
  forget: {
    title: '¿Borrar todo sobre ti?',
    question: (watches) =>
      `Esto borra ${form(watches, { one: `tu ${watches} seguimiento privado con sus`, other: `tus ${watches} seguimientos privados con sus` })} ajustes, tu resumen, las listas y todo lo demás que se guarda sobre ti. Los mensajes que has recibido se quedan en este MD. Los seguimientos que añadiste en servidores son de ellos. No se puede deshacer: ${slash.export} hace una copia.`,
    yes: 'Borrar todo',
    no: 'Conservar',
    done: 'Todo sobre ti está borrado. Ya no llegarán más alertas aquí.',
    kept: 'No se ha borrado nada.',
  },
};
