import type { DigestWords } from '../en/digest.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('es-ES');

const trades = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'operación', other: 'operaciones' })}`;
const transfers = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'transferencia', other: 'transferencias' })}`;
const wallets = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'wallet', other: 'wallets' })}`;
const nothing = (from: string, to: string, figure: string, count: number) =>
  `Sin actividad del ${from} al ${to}: ` +
  'ninguna operación, canje, ' +
  'depósito ni retiro ' +
  `de ${figure} ${form(count, { one: 'wallet seguida', other: 'wallets seguidas' })}`;
const at = (clock: string) => `${clock.startsWith('01:') ? 'a la' : 'a las'} ${clock}`;

export const digest = ({ names, permissions }: Terms): DigestWords => ({
  title: { day: 'Resumen diario', week: 'Resumen semanal' },
  everyDay: (clock, zone) => `Cada día ${at(clock)} (${zone})`,
  everyWeek: (weekday, clock, zone) => `Cada ${weekday} ${at(clock)} (${zone})`,

  behind: (figure, count) =>
    `${wallets(figure, count)} no se ${form(count, { one: 'pudo', other: 'pudieron' })} ` +
    'consultar desde el final de este periodo: puede faltar algo.',

  total: {
    nothing: (from, to, figure, count) => `${nothing(from, to, figure, count)}.`,
    nothingKnown: (from, to, figure, count) =>
      `${nothing(from, to, figure, count)}; faltan datos de parte de ese tiempo.`,
    sinceWatched: 'cada una desde que se sigue',
    notAllKnown: 'faltan datos de parte de ese tiempo',
    wallets,
    lead: (figure, count, usdc) => `**${trades(figure, count)}, ${usdc}** de volumen`,
    largest: (wallet, trade) => `la mayor: ${wallet} ${trade}`,
  },

  settled: {
    title: (figure, count) =>
      `${figure} ${form(count, { one: 'mercado resuelto', other: 'mercados resueltos' })}`,
    won: (side, wallets) => `Ganó ${side} · ${wallets}`,
    lost: (side, wallets) => `Perdió ${side} · ${wallets}`,
    paid: (side, price, wallets) => `Pago de ${price} para ${side} · ${wallets}`,
  },
  verdicts: {
    began: (verdict) => `nuevo: ${verdict}`,
    ended: (verdict) => `ya no es mejor que el azar: ${verdict}`,
  },

  rest: {
    volume: (figure, count, usdc) =>
      `… y ${figure} ${form(count, { one: 'wallet', other: 'wallets' })} más: volumen ${usdc}`,
    netFlow: (usdc) => `depósito neto ${usdc}`,
  },

  wallet: {
    traded: (figure, count, usdc) => `${trades(figure, count)}, **${usdc}**`,
    transfers,
    netFlow: (usdc) => `depósito neto ${usdc}`,
    watchedSince: (since) => `desde que se sigue (${since})`,
    tradesSince: (since) => `operaciones completas solo desde el ${since}`,
    transfersSince: (since) => `depósitos y retiros completos solo desde el ${since}`,
    tradesMissing: (from, to) => `pueden faltar operaciones: ${from} – ${to}`,
    transfersMissing: (from, to) => `pueden faltar depósitos y retiros: ${from} – ${to}`,
    transfersUnknown: 'depósitos y retiros desconocidos',
  },

  quiet: (walletNames) => `Sin actividad: ${walletNames.join(', ')}`,
  quietAndMore: (walletNames, figure) => `Sin actividad: ${walletNames.join(', ')} y ${figure} más`,

  chart: {
    volumePerHour: (zone) => `Volumen por hora, ${zone}`,
    volumePerDay: (zone) => `Volumen por día, ${zone}`,
    others: 'otras',
    altPerHour: 'Volumen negociado por hora',
    altPerDay: 'Volumen negociado por día',
    day: (day, month) => `${day} ${month}`,
    month: (month, year) => `${month} ${year}`,
    date: (day, month, year) => `${day} ${month} ${year}`,
  },

  answer: {
    hadNone: (channel) => `${channel} no tiene resumen.`,
    ended: (channel) => `${channel} ya no recibirá resúmenes.`,
    shown: (channel, schedule, next, nextRelative) =>
      `${channel} recibe un resumen. ${schedule}. El próximo: ${nextRelative} (${next}, tu hora).`,
    noWallet: 'Ahí todavía no se sigue ninguna wallet: el resumen llegará cuando haya alguna.',
    waits: (why) => `El último está pendiente: ${why}`,
    cannotAttach: `Dame también «${permissions.attachFiles}» en ese canal y vendrá con un gráfico.`,
    inUtc: `Las horas son UTC. Con \`${names.options['time-zone']}\` eliges tu zona horaria.`,
  },

  errors: {
    none: (channel) =>
      `${channel} no tiene resumen. ` +
      'Actívalo con ' +
      `\`/${names.commands.watch} ${names.subcommands.digest} ${names.options.every}:\`.`,
    time: 'una hora de `00:00` a `23:59`',
    zone: 'un nombre como `Europe/Berlin`, `America/New_York` o `UTC`',
  },
});
