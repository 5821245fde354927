import type { DetailsWords } from '../../en/alert/details.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('pt-BR');

export const details = (venue: VenueForms, { slash }: Terms): DetailsWords => ({
  buttons: {
    openMarket: 'Mercado',
    details: 'Detalhes',
    menu: 'Detalhes ou silenciar…',
    mute: (wallet) => `Silenciar ${wallet === undefined ? '' : `${wallet} `}1 h`,
    activity: 'Atividade',
    flows: 'Movimentações',
  },
  headings: { buy: 'COMPRA', sell: 'VENDA', redeem: 'RESGATE', other: 'OUTRA' },
  title: (what) => `Detalhes: ${what}`,
  openWallet: 'abrir a carteira',
  marketWithoutTitle: 'Mercado sem título',
  unknownHash: 'transação desconhecida',
  money: {
    paid: (amount) => `Pagou **${amount}**`,
    received: (amount) => `Recebeu **${amount}**`,
    net: (amount) => `Líquido **${amount}**`,
    gross: (amount) => `bruto ${amount}`,
    fees: (amount) => `taxas ${amount}`,
    noFees: 'sem taxas',
  },
  prices: {
    average: (price) => `preço médio ${price}`,
    best: (price) => `melhor ${price}`,
    worst: (price) => `pior ${price}`,
    allAt: (price) => `tudo a ${price}`,
    range: (low, high) => `de ${low} a ${high}`,
  },
  roles: { maker: 'maker', taker: 'taker', unknown: 'maker ou taker desconhecido' },
  times: {
    traded: (time) => `Executado em ${time}`,
    tradedBetween: (from, to) => `Executado: ${from} – ${to}`,
    seen: (time) => `Visto pelo bot: ${time}`,
    posted: (time) => `Publicado: ${time}`,
    lastChange: (time) => `última alteração: ${time}`,
  },
  fills: {
    trades: (count, n) => `${count} ${form(n, { one: 'execução', other: 'execuções' })}`,
    redemptions: (count, n) => `${count} ${form(n, { one: 'resgate', other: 'resgates' })}`,
    inTransactions: (fills, count, n) =>
      `${fills} em ${count} ${form(n, { one: 'transação', other: 'transações' })}`,
    title: (fills) => `${fills}, mais recentes primeiro`,
    row: (quantity, price) => `${quantity} a ${price}`,
    gross: (amount) => `bruto ${amount}`,
    fee: (amount) => `taxa ${amount}`,
    inFile: (count) => `… e mais ${count}. Tudo está no arquivo.`,
    leftOut: (count) => `… e mais ${count}. O Discord não aceitou o arquivo aqui.`,
  },
  position: {
    atAlert: 'Posição no momento do alerta',
    asOfNow: 'Posição agora',
    holds: (shares) => `Tem ${shares}`,
    entry: (price) => `entrada média ${price}`,
    cost: (amount) => `custo ${amount}, taxas informadas incluídas`,
    realized: (gain, percent) =>
      `Realizado **${gain}**${percent === undefined ? '' : ` (${percent})`} por custo ` +
      'médio, após as taxas informadas',
    result: (gain, percent) =>
      'Resultado dos alertas deste canal: ' +
      `**${gain}**${percent === undefined ? '' : ` (${percent})`}`,
    boughtMeanwhile: (shares) => `comprou ${shares} nesse meio-tempo`,
    soldMeanwhile: (shares) => `vendeu ${shares} nesse meio-tempo`,
    otherSide: (shares) => `Também tem ${shares} de outros resultados do mercado`,
    firstInMarket: 'Primeira operação neste mercado',
    size: (usdc, trades, p95) =>
      `Operação de ${usdc} no total; 95% das últimas ${trades} operações foram de ${p95} ou menos`,
    unknownThen: 'Desconhecida na época.',
    unknownNow:
      'Desconhecida: ' +
      'a carteira não é acompanhada aqui, ou as operações anteriores não foram vistas.',
    laterNow: 'Não mostrada: este canal recebe tudo com atraso.',
  },
  record: {
    atAlert: 'Desempenho no momento do alerta',
    asOfNow: 'Desempenho agora',
    none: 'Nenhum mercado é antigo o bastante ainda.',
    onCard: (activity) => `O que foi recuperado está na ficha da carteira: **${activity}**, abaixo`,
  },
  notes: {
    title: 'Como ler isto',
    rounded: '≈ arredondado',
    asOfNow:
      'Os dados da hora do alerta são guardados por 30 dias e não existem mais: ' +
      'posição e desempenho são os de agora.',
    allOfTime:
      'Tudo deste mercado, resultado e tipo de operação naquele momento; ' +
      'parte pode ter estado em outro alerta.',
    missing: (count) =>
      `A ${venue.noun} não lista mais ${count} dos registros do alerta. Eles não contam aqui.`,
    cut: (count) => `Só os ${count} registros mais recentes foram lidos.`,
    skipped: (count, n) =>
      `${count} ${form(n, { one: 'registro não pôde ser lido', other: 'registros não puderam ser lidos' })}.`,
  },
  errors: {
    damaged: `Não consigo ler este botão. ${slash.activity} mostra as operações da carteira.`,
    tooOld:
      'Os detalhes deste alerta foram guardados por 30 dias e não existem mais. ' +
      `${slash.activity} mostra as operações da carteira.`,
    nothing:
      `As operações deste alerta não aparecem na ${venue.noun} no momento. ` +
      `Tente de novo mais tarde, ou veja em ${slash.activity}.`,
  },
});
