import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere:
    'Esta carteira não é acompanhada em nenhum canal que você vê. ' +
    `${slash.list} mostra as acompanhadas.`,
  notListed: (read) =>
    `A ${venue.noun} não tem operação nem resgate desta carteira com esta transação, ` +
    `e ela também não está entre os ${read} depósitos e saques mais recentes. ` +
    'Confira a carteira e a transação.',
  posted: 'publicado',
  part: 'publicado em uma mensagem com outros registros',
  postedOnce: (time) => `publicado ${time}`,
  waits: {
    sending: 'a caminho do canal',
    purchase: 'prestes a entrar na mensagem da sua compra',
    meaning: 'esperando para saber o que mudou na posição',
    setting: (setting) => `esperando por causa da configuração “${setting}”`,
    until: (what, time) => `${what} (no máximo até ${time})`,
  },
  filtered: (reason) => `não publicado: ${reason}`,
  reasons: {
    before: 'foi antes de a carteira ser acompanhada aqui',
    pause: 'os alertas estavam pausados',
    consensusOnly: 'aqui só se publica o consenso',
    backlog: 'havia alertas demais na fila aqui; um aviso diz isso',
    setting: (setting) => `configuração “${setting}”`,
    unnamedKind: (option, kind) =>
      `não é de um tipo habitual, e \`${option}\` não inclui \`${kind}\``,
    channelWords: (words) => `configuração do canal “${words}”`,
  },
  rejected: (reason) => `não publicado, porque o Discord não aceita. ${reason}`,
  later: 'ainda não: este canal recebe tudo com atraso',
  missed: 'talvez tenha se perdido: há um aviso sobre esse momento',
  unseen: 'ainda não vi',
  today: {
    passes: 'não sei mais o que houve naquele momento. Hoje seria publicado',
    filtered: (reason) =>
      `não sei mais o que houve naquele momento. Hoje não seria publicado: ${reason}`,
    unsure:
      'Sem considerar outras execuções da mesma compra, o tamanho habitual e o efeito na posição.',
  },
  unconfirmed:
    'Há mais um registro igual: será publicado quando mais duas verificações o mostrarem.',
});
