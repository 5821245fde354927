import type { WatchWords } from '../en/watch.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';
import { settings } from './watch-settings.ts';
import { status } from './watch-status.ts';

const form = plural('pt-BR');

const paused: WatchWords['pause']['state'] = (end) =>
  end === null ? `em pausa até alguém usar ${slash.resume}` : `em pausa até ${end.at} (${end.in})`;

export const watch: WatchWords = {
  settings,
  status,
  gap: ' ',
  comma: ', ',
  andMore: (shown, more) => `${shown} e mais ${more}`,
  noName: 'sem nome',
  nothingRings: (channel) => `Nada avisa em ${channel}. Comece com ${slash.add}.`,
  changedMeanwhile: `Outra pessoa alterou ou removeu esta vigilância no mesmo momento. Veja ${slash.list} e tente de novo.`,
  notHere: (channel) => `Esta carteira não avisa em ${channel}.`,
  norElsewhere: `Nem em outro lugar deste servidor: ${slash.list} mostra o que avisa.`,
  elsewhere: (channels) => `Ela avisa em ${channels}: indique esse canal na opção \`${names.options.channel}\`.`,
  add: {
    title: (name) => `Vigiando ${name ?? 'uma carteira'}`,
    rings: (address, channel) => `${address} avisa em ${channel} a partir de agora.`,
    latest: (line) => `Mais recente: ${line}`,
    unknownWallet: 'A plataforma ainda não sabe nada desta carteira. É este o endereço que negocia?',
    inPlace: 'A vigilância está ativa.',
    already: (channel, name) =>
      `Esta carteira já avisa em ${channel}, ${name === null ? 'sem rótulo' : `como ${name}`}. ${slash.edit} muda como.`,
  },
  edit: {
    changed: (name) => `Alterado: ${name ?? 'uma carteira'}`,
    settingsOf: (name) => `Configurações de ${name ?? 'uma carteira'}`,
    where: (address, channel) => `${address} em ${channel}`,
  },
  removed: (address, name, channel) => `${address}${name === null ? '' : ` (${name})`} não avisa mais em ${channel}.`,
  pause: {
    state: paused,
    one: (name, channel, end) => `${name} em ${channel} está ${paused(end)}.`,
    only: (channel, end) => `A única vigilância de ${channel} está ${paused(end)}.`,
    all: (count, channel, end) => `Todas as ${count} vigilâncias de ${channel} estão ${paused(end)}.`,
    already: (name, end) => `${name} já está ${paused(end)}.`,
    notMadeUpFor: 'O que acontecer enquanto isso não será recuperado.',
    resumeEnds: `${slash.resume} encerra a pausa.`,
  },
  resume: {
    one: (name, channel) => `${name} em ${channel}: volta a avisar a partir de agora.`,
    only: (channel) => `A única vigilância em pausa de ${channel}: volta a avisar a partir de agora.`,
    all: (count, channel) =>
      `Todas as ${count} vigilâncias de ${channel} que estavam em pausa voltam a avisar a partir de agora.`,
    unmuted: (name, person) => `${name} volta a avisar a partir de agora: ${person} encerrou o silêncio.`,
    nothingPaused: (channel) => `Nada está em pausa em ${channel}.`,
    notPaused: (name, channel) => `${name} não está em pausa em ${channel}: avisa.`,
  },
  mute: {
    muted: (person, name, until) => `${person} silenciou ${name} neste canal por 1 h, até ${until}.`,
    unmute: 'Reativar avisos',
    managersOnly:
      'Só pode silenciar quem tem a permissão “Gerenciar servidor”: isso deixa todo mundo aqui sem alertas.',
    unknownButton: 'Este botão não existe mais.',
  },
  channel: {
    full: (channel) => `${channel}: visão \`full\`, um embed por alerta, com todos os números.`,
    compact: (channel) => `${channel}: visão \`compact\`, uma linha por alerta, várias em um embed.`,
    noConsensus: 'O consenso entre carteiras não é avisado.',
    consensus: (wallets, time) =>
      `O consenso é avisado quando ${wallets} das carteiras daqui apostam no mesmo resultado em ${time}.`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` é ${given}. Aceito: de ${least} a ${most} carteiras, ou 0 para nunca.`,
    timeWrong: (examples) =>
      `\`${names.options['consensus-within']}\` não é uma duração. Aceito: ${examples}, de um minuto a 3 dias.`,
  },
  list: {
    range: (first, last, all) => `${first} a ${last} de ${all}`,
    title: (count) => `${count} ${form(count, { one: 'vigilância', other: 'vigilâncias' })}`,
    nothing: `Nada avisa neste servidor ainda. Comece com ${slash.add}.`,
    compactView: 'visão compacta',
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'alerta não pôde ser entregue', other: 'alertas não puderam ser entregues' })} aqui. O último: ${lastReason}`,
    noReason: 'sem motivo',
    alertsWait: (since) => `Os alertas esperam desde ${since}.`,
    since: (time) => `Desde ${time}.`,
    polled: (polls) => `consultado: ${polls}`,
    endpoints: { activity: 'operações', 'deposits-withdrawals': 'transferências' },
    lastPoll: (list, last) => `${list} ${last ?? 'ainda não'}`,
    nextPoll: (polled, next) => `${polled}, de novo ${next ?? 'já'}`,
  },
};
