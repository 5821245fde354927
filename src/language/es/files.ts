import type { FileWords } from '../en/files.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('es-ES');

function errorsOf(errors: string, n: number): string {
  return `${errors} ${form(n, { one: 'error', other: 'errores' })}`;
}

export const files = ({ names, slash }: Terms): FileWords => ({
  export: {
    nothing: 'Todavía no se sigue ninguna wallet: no hay nada que exportar.',
    done: (watches, n) =>
      `${watches} ${form(n, { one: 'wallet seguida', other: 'wallets seguidas' })}. ` +
      `Importa el archivo con ${slash.import}, aquí o en otro servidor.`,
  },
  import: {
    notYours:
      'Solo puede decidirlo quien haya enviado el archivo y pueda usar ' +
      `\`/${names.commands.watch}\`.`,
    counted: (added, changed, same) => `Nuevas: ${added}, cambiadas: ${changed}, iguales: ${same}`,
    faultsTitle: (errors, n) => `${errorsOf(errors, n)}: sin cambios`,
    faults: (counted, errors, n) =>
      `${counted}, **${errorsOf(errors, n)}**. ` +
      'Un archivo se importa entero o no se importa: corrígelo y envíalo otra vez.',
    more: (left) => `… y ${left} más`,
    nothingToDo: 'Nada que cambiar: todo está ya como en el archivo.',
    ask:
      'Todavía no hay cambios. Aplica los cambios antes de una hora o cancela. ' +
      'Las wallets que no están en el archivo se quedan como están.',
    askTyped: 'Todavía no hay cambios. Aplica los cambios antes de una hora o cancela.',
    nothingToAdd: 'Nada que cambiar: todas se siguen ya en ese canal.',
    apply: 'Aplicar',
    cancel: 'Cancelar',
    added: (watch, channel) => `nueva: ${watch} en ${channel}`,
    changed: (watch, channel, columns) => `cambia (${columns}): ${watch} en ${channel}`,
    noName: 'sin nombre',
    cancelledTitle: 'Cancelado',
    appliedTitle: (added, changed) => `Importado (nuevas: ${added}, cambiadas: ${changed})`,
    applied: `Desde ahora recibes alertas de las wallets nuevas. ${slash.list} las muestra todas.`,
    busy: 'Aquí hay otra importación en curso. Inténtalo de nuevo en un minuto.',
    brokenOff: 'Esta importación se interrumpió. Pulsa Aplicar otra vez para terminarla.',
    leftAsTheyAre: (count) =>
      `Otra persona las cambió mientras tanto y quedan como están: ${count}.`,
    overtaken:
      'Las wallets seguidas cambiaron desde esta vista previa. ' +
      'No se importó nada: envía el archivo otra vez.',
    over:
      'Esta importación terminó: ' +
      'se aplicó, se canceló, otra posterior la reemplazó o pasó más de una hora. ' +
      `${slash.list} muestra las wallets seguidas.`,
  },
  places: {
    file: 'El archivo',
    line: (line) => `Línea ${line}`,
    entry: (entry) => `Entrada ${entry}`,
    before: (place, fault) => `**${place}**: ${fault}`,
  },
  faults: {
    notUtf8: 'no es texto UTF-8. Usa CSV o JSON, guardado como UTF-8.',
    empty: 'no contiene ninguna wallet. Pon una por línea.',
    noCsv: (isOpenQuote) =>
      `no es CSV: ${isOpenQuote ? 'una comilla no se cierra' : 'hay una comilla donde no puede haberla'}.`,
    noJson: (why) => `no es JSON (${why}).`,
    notList: 'es JSON, pero no una lista. Usa una lista de direcciones o de entradas.',
    notEntry:
      'no es ni una dirección ni un objeto con una wallet. Usa `"0x…"` o `{"wallet": "0x…"}`.',
    noColumn: (column, columns) => `no tiene la columna ${column}. Usa ${columns}.`,
    unknownColumn: (column, columns) => `tiene una columna desconocida ${column}. Usa ${columns}.`,
    columnTwice: (column) => `tiene la columna ${column} dos veces. Deja solo una.`,
    unknownKey: (key, columns) => `tiene una clave desconocida ${key}. Usa ${columns}.`,
    keyTwice: (key) => `tiene la clave ${key} dos veces. Deja solo una.`,
    object: (key) => `${key} es un objeto. Usa un texto, un número o una lista de ellos.`,
    list: (key) => `${key} es una lista. Usa un solo texto o número.`,
    cells: (cells, accepted) =>
      `tiene ${cells} ${form(cells, { one: 'celda', other: 'celdas' })}. ` +
      `Debe tener ${accepted}, como la primera línea.`,
    tooManyNames: (count, columns) => `tiene ${count} nombres. Usa ${columns}.`,
    tooMuch: (accepted) =>
      `es demasiado largo. Usa hasta ${accepted} entradas; divídelo en dos archivos.`,
    tooLong: (column, characters) =>
      `${column} es demasiado largo. Usa hasta ${characters} caracteres.`,
    repeated: (place) => `repite la wallet y el canal de ${place}. Deja solo una.`,
    noWallet: 'falta wallet. Usa 0x seguido de 40 dígitos hexadecimales.',
    bothListed: (only, except) => `${only} y ${except} están rellenas las dos. Deja solo una.`,
    tooManyListed: (column, listed, accepted) =>
      `${column} tiene ${listed}. Usa hasta ${accepted}.`,
    bandReversed: (min, max) =>
      `minPriceCents ${min} es mayor que maxPriceCents ${max}. Intercámbialos.`,
    noChannel: (given) =>
      `channel no puede ser ${given}. Usa un canal de este servidor, por nombre o ID; si es un hilo archivado, ábrelo antes.`,
    manyChannels: (given) => `channel es ${given}. Hay más de uno con ese nombre: usa su ID.`,
    noRole: (given) =>
      `mentionRole no puede ser ${given}. Usa un rol de este servidor, por nombre o ID.`,
    manyRoles: (given) => `mentionRole es ${given}. Hay más de uno con ese nombre: usa su ID.`,
    value: (column, given, accepted) => `${column} no puede ser ${given}. Usa ${accepted}.`,
  },
  accepted: {
    usdc: 'USDC desde 0, como 100 o 0.5',
    cents: 'centavos de 0 a 100, como 5 o 99.5',
    seconds: (max) => `segundos enteros de 0 a ${max}`,
    oneOf: (tokens) => `${tokens.join(' o ')}, o nada`,
    kinds: (tokens) => `${tokens}, o nada para todos menos other`,
    label: (max, length) => `hasta ${max} caracteres, aquí hay ${length}`,
    words: (max) => `palabras o frases de hasta ${max} caracteres, con alguna letra o cifra`,
    marketNames: (max) => `ID o slugs de hasta ${max} caracteres`,
    paused: 'yes, no o hasta cuándo, como 2026-11-30T18:00:00Z',
    unspoiltId: (sign) => `${sign}nombre, un ID o una mención: una hoja de cálculo recortó este ID`,
    names: 'nombres separados por espacios o una lista como `["one","two"]`',
  },
});
