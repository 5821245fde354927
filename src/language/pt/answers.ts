import type { AnswerWords } from '../en/answers.ts';
import type { Terms } from '../terms.ts';

export const answers = ({ slash }: Terms): AnswerWords => ({
  wallet: {
    noneInMessage: 'Não encontrei nenhum endereço de carteira nesta mensagem.',
    firstOf: (shown, all) => `As primeiras ${shown} das ${all} carteiras desta mensagem:`,
    several: (addresses) => `Há vários endereços: ${addresses}. Informe só um.`,
    andMore: (shown, more) => `${shown} e mais ${more}`,
    transaction: (hash) =>
      `${hash} é uma transação, não uma carteira. ` +
      'Informe o endereço de uma carteira: 0x seguido de 40 dígitos hexadecimais.',
  },
  leftOut: {
    picture: (why) => `Falta o gráfico: ${why}`,
    file: (why) => `Falta o arquivo: ${why}`,
    why: {
      permission: (permission) => `preciso de “${permission}” neste canal.`,
      size: 'grande demais para o Discord.',
      other: 'o Discord não aceitou.',
    },
  },
  welcome: (permission) =>
    'Olá! Publico cada compra, venda, resgate, ' +
    'depósito e saque das carteiras que você escolher. ' +
    'Para começar, ' +
    `digite ${slash.add} e o endereço ou o link de uma carteira no canal que deve receber os ` +
    `alertas; você precisa da permissão “${permission}”. ` +
    `${slash.activity} mostra as operações de qualquer carteira.`,
});
