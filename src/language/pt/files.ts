import type { FileWords } from '../en/files.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import { em } from './place.ts';

const form = plural('pt-BR');

function errorsOf(errors: string, n: number): string {
  return `${errors} ${form(n, { one: 'erro', other: 'erros' })}`;
}

export const files = ({ names, slash }: Terms): FileWords => ({
  export: {
    nothing: 'Nenhuma carteira é acompanhada ainda: não há nada para exportar.',
    done: (watches, n) =>
      `${watches} ${form(n, { one: 'carteira acompanhada', other: 'carteiras acompanhadas' })}. Importe o arquivo com ${slash.import}, aqui ou em outro servidor.`,
  },
  import: {
    notYours: `Só quem enviou o arquivo e pode usar \`/${names.commands.watch}\` pode decidir isto.`,
    counted: (added, changed, same) => `Novas: ${added}, alteradas: ${changed}, iguais: ${same}`,
    faultsTitle: (errors, n) => `${errorsOf(errors, n)}: nada mudou`,
    faults: (counted, errors, n) =>
      `${counted}, **${errorsOf(errors, n)}**. ` +
      'Um arquivo é importado por inteiro ou não é: corrija-o e envie de novo.',
    more: (left) => `… e mais ${left}`,
    nothingToDo: 'Nada a mudar: tudo já está como no arquivo.',
    ask:
      'Nada mudou ainda. Aplique em até uma hora ou cancele. ' +
      'As carteiras que não estão no arquivo ficam como estão.',
    askTyped: 'Nada mudou ainda. Aplique em até uma hora ou cancele.',
    nothingToAdd: 'Nada a mudar: todas já são acompanhadas nesse canal.',
    apply: 'Aplicar',
    cancel: 'Cancelar',
    added: (watch, channel) => `nova: ${watch} ${em(channel)}`,
    changed: (watch, channel, columns) => `muda (${columns}): ${watch} ${em(channel)}`,
    noName: 'sem nome',
    cancelledTitle: 'Cancelado',
    appliedTitle: (added, changed) => `Importado (novas: ${added}, alteradas: ${changed})`,
    applied: `Os alertas das novas carteiras chegam a partir de agora. ${slash.list} mostra todas.`,
    busy: 'Outra importação está em andamento aqui. Tente de novo em um minuto.',
    brokenOff: 'Esta importação foi interrompida. Pressione Aplicar de novo para concluí-la.',
    leftAsTheyAre: (count) =>
      `Outra pessoa as alterou nesse meio-tempo, por isso ficam como estão: ${count}.`,
    overtaken:
      'As carteiras acompanhadas mudaram desde esta prévia. ' +
      'Nada foi importado: envie o arquivo de novo.',
    over:
      'Esta importação acabou: ' +
      'foi aplicada, cancelada, substituída por outra posterior ou tem mais de uma hora. ' +
      `${slash.list} mostra as carteiras acompanhadas.`,
  },
  places: {
    file: 'O arquivo',
    line: (line) => `Linha ${line}`,
    entry: (entry) => `Entrada ${entry}`,
    before: (place, fault) => `**${place}**: ${fault}`,
  },
  faults: {
    notUtf8: 'não é texto UTF-8. Use CSV ou JSON, salvo como UTF-8.',
    empty: 'não contém nenhuma carteira. Coloque uma por linha.',
    noCsv: (isOpenQuote) =>
      `não é CSV: ${isOpenQuote ? 'uma aspa não foi fechada' : 'há uma aspa onde não pode haver'}.`,
    noJson: (why) => `não é JSON (${why}).`,
    notList: 'é JSON, mas não uma lista. Use uma lista de endereços ou de entradas.',
    notEntry: 'não é endereço nem objeto com uma carteira. Use `"0x…"` ou `{"wallet": "0x…"}`.',
    noColumn: (column, columns) => `não tem a coluna ${column}. Use ${columns}.`,
    unknownColumn: (column, columns) => `tem uma coluna desconhecida ${column}. Use ${columns}.`,
    columnTwice: (column) => `tem a coluna ${column} duas vezes. Deixe só uma.`,
    unknownKey: (key, columns) => `tem uma chave desconhecida ${key}. Use ${columns}.`,
    keyTwice: (key) => `tem a chave ${key} duas vezes. Deixe só uma.`,
    object: (key) => `${key} é um objeto. Use um texto, um número ou uma lista deles.`,
    list: (key) => `${key} é uma lista. Use um só texto ou número.`,
    cells: (cells, accepted) =>
      `tem ${cells} ${form(cells, { one: 'célula', other: 'células' })}. ` +
      `Precisa ter ${accepted}, como a primeira linha.`,
    tooManyNames: (count, columns) => `tem ${count} nomes. Use ${columns}.`,
    tooMuch: (accepted) => `é longo demais. Use até ${accepted} entradas; divida em dois arquivos.`,
    tooLong: (column, characters) => `${column} é longo demais. Use até ${characters} caracteres.`,
    repeated: (place) => `repete a carteira e o canal de ${place}. Deixe só uma.`,
    noWallet: 'falta wallet. Use 0x seguido de 40 dígitos hexadecimais.',
    bothListed: (only, except) => `${only} e ${except} estão preenchidas as duas. Deixe só uma.`,
    tooManyListed: (column, listed, accepted) => `${column} tem ${listed}. Use até ${accepted}.`,
    bandReversed: (min, max) =>
      `minPriceCents ${min} é maior que maxPriceCents ${max}. Troque os dois.`,
    noChannel: (given) =>
      `channel não pode ser ${given}. Use um canal deste servidor, por nome ou ID; se for um tópico arquivado, abra-o antes.`,
    manyChannels: (given) => `channel é ${given}. Há mais de um com esse nome: use o ID.`,
    noRole: (given) =>
      `mentionRole não pode ser ${given}. Use um cargo deste servidor, por nome ou ID.`,
    manyRoles: (given) => `mentionRole é ${given}. Há mais de um com esse nome: use o ID.`,
    value: (column, given, accepted) => `${column} não pode ser ${given}. Use ${accepted}.`,
  },
  accepted: {
    usdc: 'USDC a partir de 0, como 100 ou 0.5',
    cents: 'centavos de 0 a 100, como 5 ou 99.5',
    seconds: (max) => `segundos inteiros de 0 a ${max}`,
    oneOf: (tokens) => `${tokens.join(' ou ')}, ou nada`,
    kinds: (tokens) => `${tokens}, ou nada para todos menos other`,
    label: (max, length) => `até ${max} caracteres, aqui são ${length}`,
    words: (max) => `palavras ou frases de até ${max} caracteres, com alguma letra ou algarismo`,
    marketNames: (max) => `IDs ou slugs de até ${max} caracteres`,
    paused: 'yes, no ou até quando, como 2026-11-30T18:00:00Z',
    unspoiltId: (sign) => `${sign}nome, um ID ou uma menção: este ID foi cortado por uma planilha`,
    names: 'nomes separados por espaços ou uma lista como `["one","two"]`',
  },
});
