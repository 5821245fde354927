import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere:
    'Esta carteira não é acompanhada em nenhum canal que você vê. ' +
    `${slash.list} mostra as acompanhadas.`,
  notListed: (read) =>
    `${venue.label}: ` +
    'nenhuma operação nem resgate desta carteira com esta transação, ' +
    `e nenhum dos ${read} depósitos e saques mais recentes é dela. ` +
    'Confira a carteira e a transação.',
  posted: 'publicado',
  part: 'publicado em uma mensagem com outros registros',
  postedOnce: (time) => `publicado ${time}`,
  waits: {
    sending: 'a caminho do canal',
    purchase: 'prestes a entrar na mensagem da sua compra',
    meaning: `perguntando à ${venue.noun} o que mudou na posição`,
    setting: (setting) => `esperando por causa da configuração “${setting}”`,
    until: (what, time) => `${what} (no máximo até ${time})`,
  },
  held: (hold) => `não publicado: ${hold}`,
  holds: {
    before: 'foi antes do início destes alertas',
    pause: 'os alertas estavam pausados',
    consensusOnly: 'aqui só se publica um consenso',
    backlog: 'havia alertas demais na fila deste canal; um aviso diz isso',
    setting: (setting) => `configuração “${setting}”`,
    channelWords: (words) => `configuração do canal “${words}”`,
  },
  rejected: (reason) => `não publicado, porque o Discord não aceita. ${reason}`,
  missed: 'talvez nunca visto: há um aviso sobre esse momento',
  unseen: 'nenhuma consulta o mostrou ainda',
  today: {
    passes: 'não se sabe mais o que houve naquele momento. Hoje seria publicado',
    held: (hold) =>
      `não se sabe mais o que houve naquele momento. Hoje não seria publicado: ${hold}`,
    unsure:
      'Outras execuções de uma compra, o tamanho de costume e o efeito na posição não contam aqui.',
  },
  unconfirmed:
    'Mais um registro igual será publicado quando as duas próximas consultas também o mostrarem.',
});
