import type { AlertWords } from '../../en/alert/alerts.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('pt-BR');

const at = (price: string | undefined) => (price === undefined ? '' : ` a ${price}`);

const on = (outcome: string | undefined) => (outcome === undefined ? '' : ` em ${outcome}`);

export const alerts = (venue: VenueForms, { slash }: Terms): AlertWords => ({
  headline: {
    buy: 'COMPRA',
    sell: 'VENDA',
    redeem: 'RESGATE',
    unknownAction: 'operação desconhecida',
    unknownOutcome: 'resultado desconhecido',
    trade: (action, outcome, amount, price) => `${action} **${outcome} ${amount}**${at(price)}`,
    partOf: (total) => `parte de ${total}`,
    deposit: (amount) => `DEPÓSITO ${amount}`,
    withdrawal: (amount) => `SAQUE ${amount}`,
    otherTransfer: (type, amount) => `${type} ${amount}`,
    unknownTransfer: 'transferência desconhecida',
    moved: (transfer, where) => `${transfer} ${where}`,
    closed: (gain, outcome) => `FECHAMENTO ${outcome === undefined ? '' : `${outcome} `}${gain}`,
    won: (gain, outcome) => `GANHO ${gain}${on(outcome)}`,
    lost: (gain, outcome) => `PERDA ${gain}${on(outcome)}`,
    of: (wallet, sentence) => `${wallet}: ${sentence}`,
    late: (figure, count) =>
      `${figure} ${form(count, { one: 'alerta atrasado', other: 'alertas atrasados' })}`,
    missing: {
      trades: 'podem faltar operações aqui',
      transfers: 'podem faltar transferências aqui',
      watch: 'sem alertas por enquanto, não consigo ler as configurações dela',
    },
    severalOf: (figure, count, wallet) =>
      `${figure} ${form(count, { one: 'alerta', other: 'alertas' })} de ${wallet}`,
    several: (figure, count, wallets) =>
      `${figure} ${form(count, { one: 'alerta', other: 'alertas' })} de ${wallets} carteiras`,
    largest: (sentence) => `o maior: ${sentence}`,
  },
  fills: (figure, count) => `${figure} ${form(count, { one: 'execução', other: 'execuções' })}`,
  redemptions: (figure, count) => `${figure} ${form(count, { one: 'resgate', other: 'resgates' })}`,
  roles: { maker: 'maker', taker: 'taker', both: 'maker e taker' },
  marketWithoutTitle: 'Mercado sem título',
  links: {
    transaction: 'transação',
    hash: (hash) => `tx ${hash}`,
    unknownHash: 'desconhecida',
    short: 'tx',
  },
  transfers: {
    unknownAddress: 'um endereço desconhecido',
  },

  late: (delay) => `${delay} de atraso`,
  clocksDisagree: (ahead) => `Atraso desconhecido: com data ${ahead} à frente deste alerta`,

  amended: {
    trade: (wallet, change) =>
      `Operação${wallet === '' ? '' : ` de ${wallet}`} alterada: ${change}`,
    redemption: (wallet, change) =>
      `Resgate${wallet === '' ? '' : ` de ${wallet}`} alterado: ${change}`,
    change: (outcome, before, after) => `**${outcome} ${before}** → **${after}**`,
    cause: `Alteração da ${venue.noun}. Os alertas já publicados mantêm os valores`,
  },

  gap: {
    causes: {
      overflow: 'Houve movimento demais de uma vez para ler tudo',
      unclear: `A ${venue.noun} mostrou registros que não puderam ser lidos ou alterou antigos`,
      damage: 'Os dados guardados desta carteira estavam danificados',
      backlog: 'Havia alertas demais na fila aqui',
      watch: 'As configurações salvas desta carteira estão danificadas',
    },
    missing: {
      trades: (from, to) => `Podem faltar operações ou resgates (${from} – ${to}).`,
      transfers: (from, to) => `Podem faltar depósitos ou saques (${from} – ${to}).`,
      watch: () =>
        'Os alertas desta carteira estão em pausa aqui. ' +
        'O responsável pelo bot pode recuperar as configurações, ' +
        `ou você a adiciona de novo com ${slash.add}.`,
    },
  },

  lines: {
    buy: (what) => `**Comprou ${what}**`,
    sell: (what) => `**Vendeu ${what}**`,
    redeem: (what) => `**Resgatou ${what}**`,
    other: (action, what) => `**${action} ${what}**`,
    unknownAction: 'Ação desconhecida',
    unknownTransfer: 'Transferência desconhecida',
    paid: (amount) => `pagou ${amount}`,
    received: (amount) => `recebeu ${amount}`,
    net: (amount) => `líquido ${amount}`,
    from: (address) => `de ${address}`,
    to: (address) => `para ${address}`,
    otherSide: (address) => `contraparte ${address}`,
    viaBridge: 'via bridge',
  },

  catchUp: {
    range: (from, to) => `${from} – ${to}`,
    paid: (what, amount) => `${what}, pagou **${amount}**`,
    received: (what, amount) => `${what}, recebeu **${amount}**`,
    moved: (what, amount) => `${what}, **${amount}**`,
    kinds: {
      buy: (count, n) => `${count} ${form(n, { one: 'compra', other: 'compras' })}`,
      sell: (count, n) => `${count} ${form(n, { one: 'venda', other: 'vendas' })}`,
      redeem: (count, n) => `${count} ${form(n, { one: 'resgate', other: 'resgates' })}`,
      deposit: (count, n) => `${count} ${form(n, { one: 'depósito', other: 'depósitos' })}`,
      withdrawal: (count, n) => `${count} ${form(n, { one: 'saque', other: 'saques' })}`,
    },
    other: (count, kind) => `${count} × ${kind}`,
    unknownKind: 'desconhecido',
    results: (count, n) =>
      `${count} ${form(n, { one: 'resultado', other: 'resultados' })} de alertas deste canal`,
    agreements: (count, n) =>
      `${count} ${form(n, { one: 'alerta', other: 'alertas' })} de consenso`,
    amended: (count, n) =>
      `${count} ${form(n, { one: 'operação alterada', other: 'operações alteradas' })}`,
    gaps: (count, n) =>
      `${count} ${form(n, { one: 'possível omissão', other: 'possíveis omissões' })}`,
    more: (count) => `… e mais ${count}. ${slash.activity} e ${slash.flows} mostram tudo.`,
  },
});
