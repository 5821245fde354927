import type { AlertWords } from '../en/alerts.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('pt-BR');

const at = (price: string | undefined) => (price === undefined ? '' : ` a ${price}`);

export const alerts: AlertWords = {
  titles: {
    buy: (wallet, what, price) => `${wallet} comprou ${what}${at(price)}`,
    sell: (wallet, what, price) => `${wallet} vendeu ${what}${at(price)}`,
    redeem: (wallet, what, paidOut) =>
      `${wallet} resgatou ${what}${paidOut === undefined ? '' : `, recebeu ${paidOut}`}`,
    other: (wallet, action, what, price) => `${wallet}: ${action} ${what}${at(price)}`,
    deposit: (wallet, amount) => `${wallet} depositou ${amount}`,
    bridgedDeposit: (wallet, amount) => `${wallet} depositou ${amount} via bridge`,
    withdrawal: (wallet, amount) => `${wallet} sacou ${amount}`,
    otherTransfer: (wallet, type, amount) => `${wallet}: ${type} ${amount}`,
    unknownAction: 'ação desconhecida',
    unknownTransfer: 'transferência desconhecida',
  },
  holdings: {
    of: (quantity, side) => `${quantity} ${side}`,
    ofUnknown: (quantity) => `${quantity} de um resultado desconhecido`,
  },
  prices: { average: (price) => `${price} em média` },
  money: {
    paid: (amount) => `Pagou **${amount}**`,
    received: (amount) => `Recebeu **${amount}**`,
    net: (amount) => `Líquido **${amount}**`,
    gross: (amount) => `bruto ${amount}`,
    fee: (amount) => `taxa ${amount}`,
    fees: (amount) => `taxas ${amount}`,
    noFee: 'sem taxa',
  },
  roles: { maker: 'maker', taker: 'taker', both: 'maker e taker', unknown: 'maker ou taker desconhecido' },
  marketWithoutTitle: 'Mercado sem título',
  span: (from, to) => `de ${from} a ${to}`,
  links: {
    openWallet: 'abrir a carteira',
    transaction: 'transação',
    hash: (hash) => `tx ${hash}`,
    unknownHash: 'desconhecida',
    short: 'tx',
    largest: 'maior tx',
  },
  transfers: {
    senderUnknown: 'A plataforma não informa o remetente de um depósito via bridge.',
    from: (address) => `de ${address}`,
    to: (address) => `para ${address}`,
    otherSide: (address) => `outra parte: ${address}`,
    unknownAddress: 'um endereço desconhecido',
  },

  delivered: {
    atOnce: 'Avisado na hora',
    clocksDisagree: (ahead) => `Atraso desconhecido, os relógios divergem: data ${ahead} à frente deste alerta`,
    after: {
      trade: (delay) => `Avisado ${delay} após a operação`,
      redemption: (delay) => `Avisado ${delay} após o resgate`,
      deposit: (delay) => `Avisado ${delay} após o depósito`,
      withdrawal: (delay) => `Avisado ${delay} após o saque`,
      event: (delay) => `Avisado ${delay} após o ocorrido`,
      fills: (delay) => `Avisado ${delay} após as execuções`,
      redemptions: (delay) => `Avisado ${delay} após os resgates`,
      lastFill: (delay) => `Avisado ${delay} após a última execução`,
      lastRedemption: (delay) => `Avisado ${delay} após o último resgate`,
      lastItem: (delay) => `Avisado ${delay} após o último evento`,
    },
    sinceFirst: {
      fill: (delivered, delay) => `${delivered}, ${delay} após a primeira`,
      redemption: (delivered, delay) => `${delivered}, ${delay} após o primeiro`,
      item: (delivered, delay) => `${delivered}, ${delay} após o primeiro`,
    },
  },

  gap: {
    titles: {
      trades: (wallet) => `${wallet}: podem faltar operações aqui`,
      transfers: (wallet) => `${wallet}: podem faltar transferências aqui`,
    },
    causes: {
      overflow: 'Entre duas consultas chegou mais do que uma página mostra',
      damage: 'O que o bot tinha guardado desta carteira estava danificado',
      backlog: 'Esperava por este canal mais do que o bot guarda',
    },
    missing: {
      trades: (cause, from, to) =>
        `${cause}, então algumas operações ou resgates entre ${from} e ${to} podem não ter sido avisados.`,
      transfers: (cause, from, to) =>
        `${cause}, então alguns depósitos ou saques entre ${from} e ${to} podem não ter sido avisados.`,
    },
    listed: {
      trades: (address) => `${slash.activity} mostra tudo, para ${address}`,
      transfers: (address) => `${slash.flows} mostra tudo, para ${address}`,
    },
    lines: {
      trades: (from, to) => `Podem faltar operações entre ${from} e ${to}.`,
      transfers: (from, to) => `Podem faltar transferências entre ${from} e ${to}.`,
    },
    notice: 'Aviso de lacuna',
  },

  fills: {
    counts: {
      fill: (count) => `**${count} execuções**`,
      redemption: (count) => `**${count} resgates**`,
    },
    inOneTransaction: (fills) => `${fills} em uma transação:`,
    inTransactions: (fills, transactions) => `${fills} em ${transactions} transações:`,
    row: (quantity, price) => `${quantity} a ${price}`,
    smaller: (count, n) => `… e mais ${count} ${form(n, { one: 'menor', other: 'menores' })}`,
    average: (price) => `média ${price}`,
    best: (price) => `melhor ${price}`,
    worst: (price) => `pior ${price}`,
    range: (low, high) => `de ${low} a ${high}`,
    allAt: (price) => `tudo a ${price}`,
  },

  lines: {
    buy: (what, price) => `**Comprou ${what}**${at(price)}`,
    sell: (what, price) => `**Vendeu ${what}**${at(price)}`,
    redeem: (what) => `**Resgatou ${what}**`,
    other: (action, what, price) => `**${action} ${what}**${at(price)}`,
    deposit: (amount) => `**Depositou ${amount}**`,
    withdrawal: (amount) => `**Sacou ${amount}**`,
    otherTransfer: (type, amount) => `**${type} ${amount}**`,
    unknownAction: 'Ação desconhecida',
    unknownTransfer: 'Transferência desconhecida',
    paid: (amount) => `pagou ${amount}`,
    received: (amount) => `recebeu ${amount}`,
    net: (amount) => `líquido ${amount}`,
    from: (address) => `de ${address}`,
    to: (address) => `para ${address}`,
    otherSide: (address) => `outra parte ${address}`,
    viaBridge: 'por bridge',
  },

  catchUp: {
    title: (wallet, count) => `${wallet}: ${count} alertas atrasados`,
    summary: (from, to, totals) => `De ${from} a ${to}. ${totals}.`,
    line: (count, from, to, totals) => `${count} alertas atrasados, de ${from} a ${to}: ${totals}.`,
    paid: (count, kind, amount) => `${count} × ${kind}, pagou **${amount}**`,
    received: (count, kind, amount) => `${count} × ${kind}, recebeu **${amount}**`,
    moved: (count, kind, amount) => `${count} × ${kind}, no total de **${amount}**`,
    kinds: { buy: 'compra', sell: 'venda', redeem: 'resgate', deposit: 'depósito', withdrawal: 'saque' },
    unknownKind: 'desconhecido',
    results: (count) => `${count} × resultado do que foi avisado aqui`,
    agreements: (count) => `${count} × consenso`,
    gaps: (count) => `${count} × pode faltar algo`,
    more: (count) => `… e mais ${count}. ${slash.activity} e ${slash.flows} mostram tudo.`,
    openWallet: 'Abrir a carteira',
    footer: (count) => `Resumo de ${count} atrasados`,
  },
};
