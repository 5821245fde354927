import type { FileWords } from '../en/files.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';

const form = plural('pt-BR');

function errorsOf(errors: string, n: number): string {
  return `${errors} ${form(n, { one: 'erro', other: 'erros' })}`;
}

export const files: FileWords = {
  export: {
    nothing: 'Nada avisa ainda neste servidor: não há nada para exportar.',
    done: (watches, n) =>
      `${watches} ${form(n, { one: 'vigilância', other: 'vigilâncias' })}. ${slash.import} aceita o arquivo de volta, aqui ou em outro servidor.`,
  },
  import: {
    notYours: `Só quem pode usar \`/${names.commands.watch}\` e enviou o arquivo pode decidir isto.`,
    counted: (added, changed, same) => `Novas: ${added}, alteradas: ${changed}, iguais: ${same}`,
    faultsTitle: (errors, n) => `${errorsOf(errors, n)}: nada foi alterado`,
    faults: (counted, errors, n) =>
      `${counted}, **${errorsOf(errors, n)}**. Um arquivo é aceito por inteiro ou não é: corrija-o e envie de novo.`,
    more: (left) => `… e mais ${left}`,
    unreadable: 'não pode ser lido',
    nothingToDo: 'As vigilâncias já estão como o arquivo quer.',
    ask: 'Nada foi alterado ainda. Aplique dentro de uma hora ou cancele. As vigilâncias que o arquivo não cita ficam como estão.',
    apply: 'Aplicar',
    cancel: 'Cancelar',
    added: (watch, channel) => `nova: ${watch} em ${channel}`,
    changed: (watch, channel, columns) => `alterada (${columns}): ${watch} em ${channel}`,
    noName: 'sem nome',
    cancelledTitle: 'Cancelado',
    cancelled: 'Nada foi alterado.',
    appliedTitle: (added, changed) => `Aplicado (novas: ${added}, alteradas: ${changed})`,
    applied: `As vigilâncias novas avisam o que acontecer a partir de agora. ${slash.list} mostra todas.`,
    busy: 'Uma importação está em andamento neste servidor. Tente de novo em um minuto.',
    brokenOff: 'Esta importação começou e foi interrompida. Pressione Aplicar de novo para concluí-la.',
    overtaken: 'As vigilâncias mudaram desde a simulação. Envie o arquivo de novo: nada foi alterado.',
    over: `Esta importação acabou: foi aplicada, cancelada, substituída por outra posterior ou tem mais de uma hora. ${slash.list} mostra o que avisa.`,
  },
  places: {
    file: 'O arquivo',
    line: (line) => `Linha ${line}`,
    entry: (entry) => `Entrada ${entry}`,
    before: (place, fault) => `**${place}**: ${fault}`,
  },
  faults: {
    notUtf8: 'não é texto UTF-8. Aceito: CSV ou JSON, salvo como UTF-8.',
    empty: 'não contém nenhuma vigilância. Aceito: uma carteira em cada linha.',
    noCsv: (_why, isOpenQuote) =>
      `não é CSV: ${isOpenQuote ? 'uma aspa não foi fechada' : 'há uma aspa onde não pode haver'}.`,
    noJson: (why) => `não é JSON (${why}).`,
    notList: 'é JSON, mas não uma lista. Aceito: uma lista de endereços ou de vigilâncias.',
    notEntry: 'não é endereço nem vigilância. Aceito: "0x…" ou {"wallet": "0x…"}.',
    noColumn: (column, columns) => `não tem a coluna ${column}. Aceito: ${columns}.`,
    unknownColumn: (column, columns) => `cita a coluna "${column}". Aceito: ${columns}.`,
    columnTwice: (column) => `tem a coluna ${column} duas vezes. Aceito: uma vez.`,
    unknownKey: (key, columns) => `tem a chave "${key}". Aceito: ${columns}.`,
    keyTwice: (key) => `tem a chave ${key} duas vezes. Aceito: uma vez.`,
    object: (key) => `${key} é um objeto. Aceito: um texto, um número ou uma lista deles.`,
    list: (key) => `${key} é uma lista. Aceito: um só texto ou número.`,
    cells: (cells, accepted) =>
      `tem ${cells} ${form(cells, { one: 'célula', other: 'células' })}. Aceito: ${accepted}, como na primeira linha.`,
    tooManyNames: (count, columns) => `tem ${count} nomes. Aceito: ${columns}.`,
    tooMuch: (accepted) => `contém coisas demais. Aceito: até ${accepted} vigilâncias; divida em dois arquivos.`,
    tooLong: (column, characters) => `${column} é longo demais. Aceito: até ${characters} caracteres.`,
    repeated: (place) => `cita de novo a carteira e o canal de ${place}. Aceito: uma vez.`,
    noWallet: 'falta wallet. Aceito: 0x seguido de 40 dígitos hexadecimais.',
    bothMarkets: 'onlyMarkets e exceptMarkets estão ambos preenchidos. Aceito: um deles.',
    tooManyMarkets: (column, markets, accepted) => `${column} cita ${markets} mercados. Aceito: até ${accepted}.`,
    bandReversed: (min, max) => `minPriceCents ${min} é maior que maxPriceCents ${max}. Aceito: o contrário.`,
    noChannel: (given) => `channel é "${given}". Aceito: um canal deste servidor, por nome ou ID.`,
    manyChannels: (given) => `channel é "${given}". Há mais de um com esse nome: informe o ID.`,
    noRole: (given) => `mentionRole é "${given}". Aceito: um cargo deste servidor, por nome ou ID.`,
    manyRoles: (given) => `mentionRole é "${given}". Há mais de um com esse nome: informe o ID.`,
    value: (column, given, accepted) => `${column} é "${given}". Aceito: ${accepted}.`,
  },
  accepted: {
    usdc: 'USDC a partir de 0, como 100 ou 0.5',
    cents: 'centavos de 0 a 100, como 5 ou 99.5',
    seconds: (max) => `segundos inteiros de 0 a ${max}`,
    oneOf: (tokens) => `${tokens.join(' ou ')}, ou nada`,
    kinds: (tokens) => `${tokens}, ou nada para todos`,
    label: (max, length) => `até ${max} caracteres, aqui são ${length}`,
    marketNames: (max) => `IDs ou slugs de até ${max} caracteres`,
    paused: 'yes, no ou até quando, como 2026-11-30T18:00:00Z',
    unspoiltId: (sign) => `${sign}nome, um ID ou uma menção: este ID foi cortado por uma planilha`,
    names: 'nomes separados por espaços ou uma lista como ["one","two"]',
  },
};
