import type { ListNames, ListWords } from '../en/lists.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('es-ES');

const activity = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Actividad de ${wallet}`,
  nothing: `${venue.start} no tiene operaciones ni canjes de esta wallet.`,
  file: (wallet, rows, n) =>
    `Actividad de ${wallet}, ${rows} ${form(n, { one: 'fila', other: 'filas' })}.`,
  expired: `Esta lista ya venció. Usa ${slash.activity} otra vez.`,
});
const flows = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Depósitos y retiros de ${wallet}`,
  nothing: `${venue.start} no tiene depósitos ni retiros de esta wallet.`,
  file: (wallet, rows, n) =>
    `Depósitos y retiros de ${wallet}, ${rows} ${form(n, { one: 'fila', other: 'filas' })}.`,
  expired: `Esta lista ya venció. Usa ${slash.flows} otra vez.`,
});

function recordsOf(records: string, n: number): string {
  return `${records} ${form(n, { one: 'registro', other: 'registros' })}`;
}

export const lists = (venue: VenueForms, { names, slash }: Terms): ListWords => ({
  activity: activity(venue, slash),
  flows: flows(venue, slash),
  gap: ' ',
  openWallet: 'abrir la wallet',
  only: (filters) => `Solo ${filters}`,
  brokenOff: (why) => `${why} Esto es lo que se leyó hasta ahí.`,
  page: (page) => `Página ${page}, más recientes primero`,
  unreadable: (records, n) =>
    `${recordsOf(records, n)} no se ${form(n, { one: 'pudo', other: 'pudieron' })} leer`,
  didNotFit: (records) => `sin mostrar: ${records}`,
  nothingYet: 'Aún no hay nada en esta página.',
  nothingMore: 'No hay más registros.',
  nothingMatches: 'Nada coincide con los filtros.',
  fileTooLarge: (records, n) =>
    form(n, {
      one: `El archivo sería demasiado grande: se omitió ${records} registro más antiguo.`,
      other: `El archivo sería demasiado grande: se omitieron ${records} registros más antiguos.`,
    }),
  buttons: { previous: 'Anterior', next: 'Siguiente', further: 'Buscar más' },
  reach: {
    all(records, n, isLess) {
      if (isLess) {
        return n === 1
          ? 'el único registro que se pudo leer'
          : `todos los registros que se pudieron leer (${records})`;
      }
      return n === 1 ? 'el único registro' : `todos los registros (${records})`;
    },
    newest: (records, n, since) =>
      n === 1
        ? `el registro más reciente, desde el ${since}`
        : `los ${records} registros más recientes, desde el ${since}`,
    part: (records, n, newest, oldest) =>
      `${recordsOf(records, n)}, del ${newest} hacia atrás hasta el ${oldest}`,
    foundAmong: (found, reach) => `encontrados: ${found} entre ${reach}`,
    sentence: (reach) => `${reach.charAt(0).toUpperCase()}${reach.slice(1)}.`,
  },
  filters: {
    Buy: 'compras',
    Sell: 'ventas',
    Redeem: 'canjes',
    market: (name) => `mercado ${name}`,
    withoutName: 'sin nombre',
    from: (time) => `desde el ${time}`,
    to: (time) => `hasta el ${time}`,
    transaction: (hash) => `transacción ${hash}`,
  },
  totals: {
    title: 'Totales',
    buys: (records, n, usdc) =>
      `${records} ${form(n, { one: 'compra', other: 'compras' })} ${usdc}`,
    sells: (records, n, usdc) => `${records} ${form(n, { one: 'venta', other: 'ventas' })} ${usdc}`,
    redemptions: (records, n, usdc) =>
      `${records} ${form(n, { one: 'canje', other: 'canjes' })} ${usdc}`,
    otherKinds: (records, n) =>
      form(n, {
        one: `${records} registro de otro tipo`,
        other: `${records} registros de otros tipos`,
      }),
    fees: (usdc) => `Comisiones ${usdc}`,
    windows: { day: '24 h', week: '7 días', month: '30 días' },
    all: 'Total',
    read: 'Leído hasta ahora',
    during: (windows, flows) => `**${windows}:** ${flows}`,
    deposited: (usdc, records) => `entradas ${usdc} (${records})`,
    withdrawn: (usdc, records) => `salidas ${usdc} (${records})`,
    net: (usdc) => `neto **${usdc}**`,
    unknownDirection: (records) => `${records} de sentido desconocido`,
    notKnownFor: (windows) =>
      `Sin datos de ${windows.join(', ')}: los registros leídos hasta ahora no llegan tan atrás.`,
  },
  market: {
    title: 'Mercados con posiciones aquí',
    wallets: (figure, n) => `${figure} ${form(n, { one: 'wallet', other: 'wallets' })}`,
    since: (time) => `desde el ${time}`,
    sold: (part, all) => `${part} de ${all} vendidas`,
    out: (time) => `salió ${time}`,
    nobody: 'Que yo sepa, ninguna wallet que se sigue aquí tiene nada en este mercado.',
    nothing: (names) => `Sin posición: ${names}`,
    unknown: (names) => `Sin datos: ${names}`,
    notInRecords: 'Los registros no dicen qué tienen.',
    limit: 'Consulto diez wallets como máximo.',
    paused: (count) => `En pausa, no cuentan: ${count}`,
    moreMarkets: (figure, n) =>
      `… y ${figure} ${form(n, { one: 'mercado', other: 'mercados' })} más`,
    ended: (count) => `Mercados resueltos omitidos: ${count}`,
    only:
      'Solo posiciones conocidas con certeza; las wallets pueden tener más. ' +
      'Indica un mercado y lo consulto.',
    none:
      'No conozco con certeza ninguna posición abierta de las wallets que se siguen aquí. ' +
      'Indica un mercado y lo consulto.',
    delayedChannel:
      `Este canal recibe todo con retraso, y ${slash.market} dice qué tienen ahora sus wallets. ` +
      'Usa el comando en otro canal.',
    allPaused: 'Todas las wallets que se siguen aquí están en pausa. No hay nada que mostrar.',
    withId: (id) => `Mercado ${id}`,
  },
  refused: {
    action: (typed, actions) =>
      `\`${names.options.action}\` no puede ser ${typed}. Usa una de estas: ${actions}.`,
    transaction: (typed) =>
      `${typed} no es un hash de transacción. Usa 0x seguido de 64 dígitos hexadecimales.`,
    market: (typed) =>
      `${typed} no es el ID ni el slug de un mercado. ` +
      'Empieza a escribir un título y elige uno de la lista.',
    fromAfterTo: (from, to) =>
      `\`${names.options.from}\` (${from}) es posterior a \`${names.options.to}\` (${to}). ` +
      'Intercámbialos.',
    time: (why) =>
      `${why} Prueba \`2h\`, \`${names.typed.yesterday}\` o \`2026-11-01 14:30\` (UTC).`,
    milliseconds: (typed) =>
      `${typed} parece estar en milisegundos. Las horas Unix van en segundos.`,
    unknownUnit: (typed) => `No conozco la unidad de tiempo de ${typed}.`,
    noTime: (typed) => `No entiendo ${typed} como fecha u hora.`,
    noDay: (typed) => `${typed} no es un día del calendario.`,
    noTimeOfDay: (typed) => `${typed} tiene una hora que no existe.`,
    before1970: (typed) => `${typed} es anterior a 1970.`,
    inFuture: (typed) => `${typed} es una fecha futura.`,
  },
  chart: {
    netDeposits: (name) => `Depósito neto: ${name}`,
    bought: 'Compras',
    sold: 'Ventas',
    redeemed: 'Canjes',
    per: {
      weeks: (n) => (n === 1 ? 'por semana' : `por ${n} semanas`),
      days: (n) => (n === 1 ? 'por día' : `por ${n} días`),
      hours: (n) => (n === 1 ? 'por hora' : `por ${n} h`),
      minutes: (n) => (n === 1 ? 'por minuto' : `por ${n} min`),
    },
    last: {
      days: (n) => `últimos ${n} días`,
      hours: (n) => `últimas ${n} h`,
      minutes: (n) => (n === 1 ? 'último minuto' : `últimos ${n} min`),
    },
  },
});
