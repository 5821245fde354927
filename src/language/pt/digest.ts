import type { DigestWords } from '../en/digest.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('pt-BR');

const trades = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'operação', other: 'operações' })}`;
const transfers = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'transferência', other: 'transferências' })}`;
const wallets = (figure: string, count: number) =>
  `${figure} ${form(count, { one: 'carteira', other: 'carteiras' })}`;
const nothing = (from: string, to: string, figure: string, count: number) =>
  `Sem atividade de ${from} a ${to}: ` +
  'nenhuma operação, resgate, ' +
  'depósito ou saque ' +
  `de ${figure} ` +
  `${form(count, { one: 'carteira acompanhada', other: 'carteiras acompanhadas' })}`;
const at = (clock: string) => `${clock.startsWith('01:') ? 'à' : 'às'} ${clock}`;

export const digest = ({ names, permissions }: Terms): DigestWords => ({
  title: { day: 'Resumo diário', week: 'Resumo semanal' },
  everyDay: (clock, zone) => `Todo dia ${at(clock)} (${zone})`,
  everyWeek: (weekday, clock, zone) =>
    `${weekday.endsWith('-feira') ? 'Toda' : 'Todo'} ${weekday} ${at(clock)} (${zone})`,

  behind: (figure, count) =>
    `${wallets(figure, count)} ` +
    `não ${form(count, { one: 'pôde ser consultada', other: 'puderam ser consultadas' })} ` +
    'desde o fim deste período: pode faltar algo.',

  total: {
    nothing: (from, to, figure, count) => `${nothing(from, to, figure, count)}.`,
    nothingKnown: (from, to, figure, count) =>
      `${nothing(from, to, figure, count)}; faltam dados de parte desse período.`,
    sinceWatched: 'cada uma desde que é acompanhada',
    notAllKnown: 'faltam dados de parte desse período',
    wallets,
    lead: (figure, count, usdc) => `**${trades(figure, count)}, ${usdc}** de volume`,
    largest: (wallet, trade) => `a maior: ${wallet} ${trade}`,
  },

  settled: {
    title: (figure, count) =>
      `${figure} ${form(count, { one: 'mercado resolvido', other: 'mercados resolvidos' })}`,
    won: (side, wallets) => `Venceu ${side} · ${wallets}`,
    lost: (side, wallets) => `Perdeu ${side} · ${wallets}`,
    paid: (side, price, wallets) => `Pagamento de ${price} para ${side} · ${wallets}`,
  },
  verdicts: {
    began: (verdict) => `novo: ${verdict}`,
    ended: (verdict) => `deixou de ser melhor que o acaso: ${verdict}`,
  },

  rest: {
    volume: (figure, count, usdc) =>
      `… e mais ${figure} ${form(count, { one: 'carteira', other: 'carteiras' })}: volume ${usdc}`,
    netFlow: (usdc) => `depósito líquido ${usdc}`,
  },

  wallet: {
    traded: (figure, count, usdc) => `${trades(figure, count)}, **${usdc}**`,
    transfers,
    netFlow: (usdc) => `depósito líquido ${usdc}`,
    watchedSince: (since) => `desde que é acompanhada (${since})`,
    tradesSince: (since) => `operações completas só desde ${since}`,
    transfersSince: (since) => `depósitos e saques completos só desde ${since}`,
    tradesMissing: (from, to) => `podem faltar operações: ${from} – ${to}`,
    transfersMissing: (from, to) => `podem faltar depósitos e saques: ${from} – ${to}`,
    transfersUnknown: 'depósitos e saques desconhecidos',
  },

  quiet: (walletNames) => `Sem atividade: ${walletNames.join(', ')}`,
  quietAndMore: (walletNames, figure) =>
    `Sem atividade: ${walletNames.join(', ')} e mais ${figure}`,

  chart: {
    volumePerHour: (zone) => `Volume por hora, ${zone}`,
    volumePerDay: (zone) => `Volume por dia, ${zone}`,
    others: 'outras',
    altPerHour: 'Volume negociado por hora',
    altPerDay: 'Volume negociado por dia',
    day: (day, month) => `${day} ${month}`,
    month: (month, year) => `${month} ${year}`,
    date: (day, month, year) => `${day} ${month} ${year}`,
  },

  answer: {
    hadNone: (channel) => `${channel} não tem resumo.`,
    ended: (channel) => `${channel} não receberá mais resumos.`,
    shown: (channel, schedule, next, nextRelative) =>
      `${channel} recebe um resumo. ${schedule}. Próximo: ${nextRelative} (${next}, seu horário).`,
    noWallet: 'Ali ainda não se acompanha nenhuma carteira: o resumo chega quando houver alguma.',
    waits: (why) => `O último está na fila: ${why}`,
    cannotAttach: `Me dê também “${permissions.attachFiles}” nesse canal, e ele virá com um gráfico.`,
    inUtc: `Os horários são em UTC. Escolha seu fuso com \`${names.options['time-zone']}\`.`,
  },

  errors: {
    none: (channel) =>
      `${channel} não tem resumo. ` +
      `Ative com \`/${names.commands.watch} ${names.subcommands.digest} ` +
      `${names.options.every}:\`.`,
    time: 'um horário de `00:00` a `23:59`',
    zone: 'um nome como `Europe/Berlin`, `America/New_York` ou `UTC`',
  },
});
