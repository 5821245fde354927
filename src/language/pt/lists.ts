import type { ListNames, ListWords } from '../en/lists.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('pt-BR');

const activity = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Atividade de ${wallet}`,
  nothing: `A ${venue.noun} não tem operações nem resgates desta carteira.`,
  file: (wallet, rows, n) =>
    `Atividade de ${wallet}, ${rows} ${form(n, { one: 'linha', other: 'linhas' })}.`,
  expired: `Esta lista expirou. Use ${slash.activity} de novo.`,
});
const flows = (venue: VenueForms, slash: Terms['slash']): ListNames => ({
  title: (wallet) => `Depósitos e saques de ${wallet}`,
  nothing: `A ${venue.noun} não tem depósitos nem saques desta carteira.`,
  file: (wallet, rows, n) =>
    `Depósitos e saques de ${wallet}, ${rows} ${form(n, { one: 'linha', other: 'linhas' })}.`,
  expired: `Esta lista expirou. Use ${slash.flows} de novo.`,
});

function recordsOf(records: string, n: number): string {
  return `${records} ${form(n, { one: 'registro', other: 'registros' })}`;
}

export const lists = (venue: VenueForms, { names, slash }: Terms): ListWords => ({
  activity: activity(venue, slash),
  flows: flows(venue, slash),
  gap: ' ',
  openWallet: 'abrir a carteira',
  only: (filters) => `Só ${filters}`,
  brokenOff: (why) => `${why} Isto é o que foi lido até ali.`,
  page: (page) => `Página ${page}, mais recentes primeiro`,
  unreadable: (records, n) =>
    `${recordsOf(records, n)} não ${form(n, { one: 'pôde ser lido', other: 'puderam ser lidos' })}`,
  didNotFit: (records) => `não exibidos: ${records}`,
  nothingYet: 'Ainda nada nesta página.',
  nothingMore: 'Não há mais registros.',
  nothingMatches: 'Nada corresponde aos filtros.',
  fileTooLarge: (records, n) =>
    form(n, {
      one: `O arquivo ficaria grande demais: ${records} registro mais antigo omitido.`,
      other: `O arquivo ficaria grande demais: ${records} registros mais antigos omitidos.`,
    }),
  buttons: { previous: 'Anterior', next: 'Próxima', further: 'Buscar mais' },
  reach: {
    all(records, n, isLess) {
      if (isLess) {
        return n === 1
          ? 'o único registro que pôde ser lido'
          : `todos os registros que puderam ser lidos (${records})`;
      }
      return n === 1 ? 'o único registro' : `todos os registros (${records})`;
    },
    newest: (records, n, since) =>
      n === 1
        ? `o registro mais recente, desde ${since}`
        : `os ${records} registros mais recentes, desde ${since}`,
    part: (records, n, newest, oldest) => `${recordsOf(records, n)}, de ${newest} até ${oldest}`,
    foundAmong: (found, reach) => `encontrados: ${found} entre ${reach}`,
    sentence: (reach) => `${reach.charAt(0).toUpperCase()}${reach.slice(1)}.`,
  },
  filters: {
    Buy: 'compras',
    Sell: 'vendas',
    Redeem: 'resgates',
    market: (name) => `mercado ${name}`,
    withoutName: 'sem nome',
    from: (time) => `de ${time}`,
    to: (time) => `até ${time}`,
    transaction: (hash) => `transação ${hash}`,
  },
  totals: {
    title: 'Totais',
    buys: (records, n, usdc) =>
      `${records} ${form(n, { one: 'compra', other: 'compras' })} ${usdc}`,
    sells: (records, n, usdc) => `${records} ${form(n, { one: 'venda', other: 'vendas' })} ${usdc}`,
    redemptions: (records, n, usdc) =>
      `${records} ${form(n, { one: 'resgate', other: 'resgates' })} ${usdc}`,
    otherKinds: (records, n) => `${recordsOf(records, n)} de outro tipo`,
    fees: (usdc) => `Taxas ${usdc}`,
    windows: { day: '24 h', week: '7 dias', month: '30 dias' },
    all: 'Total',
    read: 'Lido até agora',
    during: (windows, flows) => `**${windows}:** ${flows}`,
    deposited: (usdc, records) => `entradas ${usdc} (${records})`,
    withdrawn: (usdc, records) => `saídas ${usdc} (${records})`,
    net: (usdc) => `líquido **${usdc}**`,
    unknownDirection: (records) => `${records} de direção desconhecida`,
    notKnownFor: (windows) =>
      `Sem dados de ${windows.join(', ')}: os registros lidos até agora não vão tão longe.`,
  },
  market: {
    title: 'Mercados com posições aqui',
    wallets: (figure, n) => `${figure} ${form(n, { one: 'carteira', other: 'carteiras' })}`,
    since: (time) => `desde ${time}`,
    sold: (part, all) => `${part} de ${all} vendidas`,
    out: (time) => `saiu ${time}`,
    nobody: 'Que eu saiba, nenhuma carteira acompanhada aqui tem algo neste mercado.',
    nothing: (names) => `Sem posição: ${names}`,
    unknown: (names) => `Sem dados: ${names}`,
    notInRecords: 'Os registros não dizem o que elas têm.',
    limit: 'Consulto no máximo dez carteiras.',
    paused: (count) => `Em pausa, não contam: ${count}`,
    moreMarkets: (figure, n) =>
      `… e mais ${figure} ${form(n, { one: 'mercado', other: 'mercados' })}`,
    ended: (count) => `Mercados resolvidos omitidos: ${count}`,
    only:
      'Só posições conhecidas com certeza; as carteiras podem ter mais. ' +
      'Informe um mercado e eu consulto.',
    none:
      'Não conheço com certeza nenhuma posição aberta das carteiras acompanhadas aqui. ' +
      'Informe um mercado e eu consulto.',
    delayedChannel:
      `Este canal recebe tudo com atraso, e ${slash.market} diz o que as carteiras dele têm agora. ` +
      'Use o comando em outro canal.',
    allPaused: 'Todas as carteiras acompanhadas aqui estão em pausa. Não há nada para mostrar.',
    withId: (id) => `Mercado ${id}`,
  },
  refused: {
    action: (typed, actions) =>
      `\`${names.options.action}\` não pode ser ${typed}. Use uma destas: ${actions}.`,
    transaction: (typed) =>
      `${typed} não é um hash de transação. Use 0x seguido de 64 dígitos hexadecimais.`,
    market: (typed) =>
      `${typed} não é o ID nem o slug de um mercado. ` +
      'Comece a digitar um título e escolha um da lista.',
    fromAfterTo: (from, to) =>
      `\`${names.options.from}\` (${from}) é posterior a \`${names.options.to}\` (${to}). ` +
      'Troque os dois.',
    time: (why) =>
      `${why} Tente \`2h\`, \`${names.typed.yesterday}\` ou \`2026-11-01 14:30\` (UTC).`,
    milliseconds: (typed) =>
      `${typed} parece estar em milissegundos. Horários Unix são em segundos.`,
    unknownUnit: (typed) => `Não conheço a unidade de tempo de ${typed}.`,
    noTime: (typed) => `Não entendo ${typed} como data ou horário.`,
    noDay: (typed) => `${typed} não é um dia do calendário.`,
    noTimeOfDay: (typed) => `${typed} tem uma hora que não existe.`,
    before1970: (typed) => `${typed} é anterior a 1970.`,
    inFuture: (typed) => `${typed} é uma data futura.`,
  },
  chart: {
    netDeposits: (name) => `Depósito líquido: ${name}`,
    bought: 'Compras',
    sold: 'Vendas',
    redeemed: 'Resgates',
    per: {
      weeks: (n) => (n === 1 ? 'por semana' : `por ${n} semanas`),
      days: (n) => (n === 1 ? 'por dia' : `por ${n} dias`),
      hours: (n) => (n === 1 ? 'por hora' : `por ${n} h`),
      minutes: (n) => (n === 1 ? 'por minuto' : `por ${n} min`),
    },
    last: {
      days: (n) => `últimos ${n} dias`,
      hours: (n) => `últimas ${n} h`,
      minutes: (n) => (n === 1 ? 'último minuto' : `últimos ${n} min`),
    },
  },
});
