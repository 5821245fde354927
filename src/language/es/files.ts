import type { FileWords } from '../en/files.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';

const form = plural('es-ES');

function errorsOf(errors: string, n: number): string {
  return `${errors} ${form(n, { one: 'error', other: 'errores' })}`;
}

export const files: FileWords = {
  export: {
    nothing: 'En este servidor aún no avisa nada: no hay nada que exportar.',
    done: (watches, n) =>
      `${watches} ${form(n, { one: 'vigilancia', other: 'vigilancias' })}. ${slash.import} vuelve a aceptar el archivo, aquí o en otro servidor.`,
  },
  import: {
    notYours: `Solo puede decidirlo quien pueda usar \`/${names.commands.watch}\` y haya enviado el archivo.`,
    counted: (added, changed, same) => `Nuevas: ${added}, cambiadas: ${changed}, iguales: ${same}`,
    faultsTitle: (errors, n) => `${errorsOf(errors, n)}: no se cambió nada`,
    faults: (counted, errors, n) =>
      `${counted}, **${errorsOf(errors, n)}**. Un archivo se acepta entero o nada: corrígelo y envíalo otra vez.`,
    more: (left) => `… y ${left} más`,
    unreadable: 'no se puede leer',
    nothingToDo: 'Las vigilancias ya están como quiere el archivo.',
    ask: 'Aún no se ha cambiado nada. Aplica en el plazo de una hora, o cancela. Las vigilancias que el archivo no nombra quedan como están.',
    apply: 'Aplicar',
    cancel: 'Cancelar',
    added: (watch, channel) => `nueva: ${watch} en ${channel}`,
    changed: (watch, channel, columns) => `cambiada (${columns}): ${watch} en ${channel}`,
    noName: 'sin nombre',
    cancelledTitle: 'Cancelado',
    cancelled: 'No se cambió nada.',
    appliedTitle: (added, changed) => `Aplicado (nuevas: ${added}, cambiadas: ${changed})`,
    applied: `Las vigilancias nuevas avisan de lo que ocurra desde ahora. ${slash.list} las muestra todas.`,
    busy: 'Hay una importación en curso en este servidor. Inténtalo de nuevo en un minuto.',
    brokenOff: 'Esta importación empezó y se interrumpió. Pulsa Aplicar otra vez para terminarla.',
    overtaken: 'Las vigilancias han cambiado desde la prueba. Envía el archivo otra vez: no se cambió nada.',
    over: `Esta importación terminó: se aplicó, se canceló, otra posterior la reemplazó o tiene más de una hora. ${slash.list} muestra lo que avisa.`,
  },
  places: {
    file: 'El archivo',
    line: (line) => `Línea ${line}`,
    entry: (entry) => `Entrada ${entry}`,
    before: (place, fault) => `**${place}**: ${fault}`,
  },
  faults: {
    notUtf8: 'no es texto UTF-8. Se acepta: CSV o JSON, guardado como UTF-8.',
    empty: 'no contiene ninguna vigilancia. Se acepta: una wallet en cada línea.',
    noCsv: (_why, isOpenQuote) =>
      `no es CSV: ${isOpenQuote ? 'una comilla no se cierra' : 'hay una comilla donde no puede haberla'}.`,
    noJson: (why) => `no es JSON (${why}).`,
    notList: 'es JSON, pero no una lista. Se acepta: una lista de direcciones o de vigilancias.',
    notEntry: 'no es ni una dirección ni una vigilancia. Se acepta: "0x…" o {"wallet": "0x…"}.',
    noColumn: (column, columns) => `no tiene la columna ${column}. Se acepta: ${columns}.`,
    unknownColumn: (column, columns) => `nombra la columna "${column}". Se acepta: ${columns}.`,
    columnTwice: (column) => `tiene la columna ${column} dos veces. Se acepta: una vez.`,
    unknownKey: (key, columns) => `tiene la clave "${key}". Se acepta: ${columns}.`,
    keyTwice: (key) => `tiene la clave ${key} dos veces. Se acepta: una vez.`,
    object: (key) => `${key} es un objeto. Se acepta: un texto, un número o una lista de ellos.`,
    list: (key) => `${key} es una lista. Se acepta: un solo texto o número.`,
    cells: (cells, accepted) =>
      `tiene ${cells} ${form(cells, { one: 'celda', other: 'celdas' })}. Se acepta: ${accepted}, como en la primera línea.`,
    tooManyNames: (count, columns) => `tiene ${count} nombres. Se acepta: ${columns}.`,
    tooMuch: (accepted) => `contiene demasiado. Se acepta: hasta ${accepted} vigilancias; divídelo en dos archivos.`,
    tooLong: (column, characters) => `${column} es demasiado largo. Se acepta: hasta ${characters} caracteres.`,
    repeated: (place) => `nombra otra vez la wallet y el canal de ${place}. Se acepta: una vez.`,
    noWallet: 'falta wallet. Se acepta: 0x seguido de 40 dígitos hexadecimales.',
    bothMarkets: 'onlyMarkets y exceptMarkets están ambos rellenos. Se acepta: uno de ellos.',
    tooManyMarkets: (column, markets, accepted) =>
      `${column} nombra ${markets} mercados. Se acepta: hasta ${accepted}.`,
    bandReversed: (min, max) => `minPriceCents ${min} es mayor que maxPriceCents ${max}. Se acepta: al revés.`,
    noChannel: (given) => `channel es "${given}". Se acepta: un canal de este servidor, por nombre o ID.`,
    manyChannels: (given) => `channel es "${given}". Hay más de uno con ese nombre: indica su ID.`,
    noRole: (given) => `mentionRole es "${given}". Se acepta: un rol de este servidor, por nombre o ID.`,
    manyRoles: (given) => `mentionRole es "${given}". Hay más de uno con ese nombre: indica su ID.`,
    value: (column, given, accepted) => `${column} es "${given}". Se acepta: ${accepted}.`,
  },
  accepted: {
    usdc: 'USDC desde 0, como 100 o 0.5',
    cents: 'centavos de 0 a 100, como 5 o 99.5',
    seconds: (max) => `segundos enteros de 0 a ${max}`,
    oneOf: (tokens) => `${tokens.join(' o ')}, o nada`,
    kinds: (tokens) => `${tokens}, o nada para todos`,
    label: (max, length) => `hasta ${max} caracteres, aquí hay ${length}`,
    marketNames: (max) => `ID o slugs de hasta ${max} caracteres`,
    paused: 'yes, no o hasta cuándo, como 2026-11-30T18:00:00Z',
    unspoiltId: (sign) => `${sign}nombre, un ID o una mención: una hoja de cálculo recortó este ID`,
    names: 'nombres separados por espacios o una lista como ["one","two"]',
  },
};
