import type { WatchWords } from '../../en/watch/watch.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Texts } from '../../texts.ts';
import { de, em } from '../place.ts';
import type { VenueForms } from '../venue.ts';
import { panel } from './panel.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { why } from './why.ts';

const form = plural('pt-BR');

const paused = (resume: string, end: Parameters<Texts['watch']['pause']['state']>[0]) =>
  end === null ? `em pausa até alguém usar ${resume}` : `em pausa até ${end.at} (${end.in})`;

export const watch = (venue: VenueForms, { names, slash, permissions }: Terms): WatchWords => ({
  settings: settings({ names, permissions, slash }),
  panel: panel({ names, permissions, slash }),
  status: status(venue, { names, permissions, slash }),
  why: why(venue, { names, permissions, slash }),
  gap: ' ',
  comma: ', ',
  and: '',
  andMore: (shown, more) => `${shown} e mais ${more}`,
  noName: 'sem nome',
  nothingWatched: (channel) =>
    `Nenhuma carteira é acompanhada ${em(channel)}. Adicione uma com ${slash.add}.`,
  notHere: (channel) => `Esta carteira não é acompanhada ${em(channel)}.`,
  notElsewhere: `Nem em outro lugar deste servidor: ${slash.list} mostra as carteiras acompanhadas.`,
  elsewhere: (channels) =>
    `Ela é acompanhada em ${channels}: escolha esse canal com \`${names.options.channel}\`.`,
  add: {
    watching: (name, channel) => `Acompanhando ${name} ${em(channel)}.`,
    everything: 'Você recebe tudo o que ela fizer.',
    withSettings: 'A partir de agora você recebe alertas:',
    latest: (line) => `Última: ${line}`,
    unknownWallet:
      `A ${venue.noun} ainda não tem registros desta carteira. ` +
      'É este o endereço que opera (a proxy wallet)?',
    proxy: (address) =>
      `Esta carteira opera por outro endereço, a proxy wallet dela: \`${address}\`. ` +
      `A ${venue.noun} lista lá o que ela faz: use esse endereço.`,
    noAnswer: `A ${venue.noun} não responde no momento. Os alertas chegam quando ela responder.`,
    already: (channel, name) =>
      `Esta carteira já é acompanhada ${em(channel)}, ` +
      `${name === null ? 'sem apelido' : `como ${name}`}. ` +
      `Mude os alertas dela com ${slash.edit}.`,
  },
  flood: {
    about: (trades, time) => `Cerca de ${trades} operações por dia (em ${time}).`,
    cooldown: (time) => `No máximo um alerta por mercado a cada ${time}`,
    minUsdc: (amount) => `Só a partir de ${amount}, seu tamanho habitual`,
    undo: (what) => `Desfazer: ${what}`,
    changed: (person, name, channel, what) =>
      `${person} mudou os alertas de ${name} ${em(channel)}: ${what}.`,
    undone: (person, name, channel, what) =>
      `${person} desfez a mudança de ${name} ${em(channel)}. Não vale mais: ${what}.`,
    edited: `Alguém já mudou esta configuração, então deixo como está. Use ${slash.edit}.`,
  },
  edit: {
    changed: (name) => `Alterado: ${name ?? 'uma carteira'}`,
    settingsOf: (name) => `Configurações de ${name ?? 'uma carteira'}`,
    where: (address, channel) => `${address} ${em(channel)}`,
  },
  changes: {
    title: 'Quem alterou o quê',
    kept: 'Últimos 30 dias, até 500 alterações',
    deeds: {
      added: 'adicionada',
      paused: 'pausada',
      resumed: 'retomada',
      removed: 'removida',
      restored: 'restaurada',
    },
    edited: (names) => `alteração de ${names}`,
  },
  undo: {
    button: 'Desfazer',
    until: (time) => `Você pode desfazer isto até ${time}. Aí chegam os alertas que faltarem.`,
    done: (name, channel) =>
      `${name} é acompanhada de novo ${em(channel)}. Os alertas desse tempo chegam agora.`,
    over: `Não dá mais para desfazer. Adicione a carteira de novo com ${slash.add}.`,
  },
  managersOnly: `Só quem tem a permissão “${permissions.manageServer}” pode usar este botão.`,
  removed: (address, name, channel) =>
    `${name === null ? address : `${name} (${address})`} não é mais acompanhada ${em(channel)}.`,
  pause: {
    state: (end) => paused(slash.resume, end),
    one: (name, channel, end) => `${name} ${em(channel)} está ${paused(slash.resume, end)}.`,
    only: (channel, end) =>
      `A única carteira acompanhada ${em(channel)} está ${paused(slash.resume, end)}.`,
    all: (count, channel, end) =>
      `Todas as ${count} carteiras acompanhadas ${em(channel)} estão ${paused(slash.resume, end)}.`,
    already: (name, end) => `${name} já está ${paused(slash.resume, end)}.`,
    notPostedLater: 'O que acontecer durante a pausa não será publicado depois.',
    resumeEnds: `Para encerrar antes, use ${slash.resume}.`,
    resume: 'Retomar',
  },
  resume: {
    one: (name, channel) => `Os alertas de ${name} ${em(channel)} voltaram.`,
    only: (channel) => `Os alertas da única carteira em pausa ${de(channel)} voltaram.`,
    all: (count, channel) =>
      `Os alertas de todas as ${count} carteiras em pausa ${de(channel)} voltaram.`,
    unmuted: (name, person) => `${person} reativou ${name}. Os alertas voltaram.`,
    nothingPaused: (channel) => `Nada está em pausa ${em(channel)}.`,
    notPaused: (name, channel) => `${name} não está em pausa ${em(channel)}.`,
  },
  mute: {
    muted: (person, name, until) =>
      `${person} silenciou ${name} neste canal por 1 h (até ${until}). ` +
      'O que acontecer até lá não será publicado depois.',
    unmute: 'Reativar',
    managersOnly:
      `Só quem tem a permissão “${permissions.manageServer}” pode silenciar: ` +
      'isso deixa todo o canal sem estes alertas.',
    unknownButton: 'Este botão não funciona mais.',
  },
  channel: {
    full: (channel) =>
      `${channel}: exibição \`completa\`, um embed por alerta, com todos os números.`,
    compact: (channel) =>
      `${channel}: exibição \`compacta\`, uma linha por alerta, várias em um embed.`,
    noConsensus: 'Os alertas de consenso estão desativados.',
    consensus: (wallets, time) =>
      'Alertas de consenso: ' +
      `quando ${wallets} das carteiras deste canal comprarem o mesmo resultado em até ${time}.`,
    words: (words) => `Alertas deste canal: ${words}.`,
    results: {
      on: 'Lucros e prejuízos: ativados.',
      off: 'Lucros e prejuízos: desativados.',
    },
    consensusOnly: {
      on:
        'Só consenso: ' +
        'operações, resgates, depósitos e saques avulsos **não são publicados** aqui. ' +
        'Os avisos de que algo pode faltar e os lucros e prejuízos de alertas anteriores ' +
        'continuam chegando.',
      off: 'Os alertas avulsos também são publicados.',
    },
    quiet: {
      on: (from, to, zone) =>
        `Horas de silêncio das ${from} às ${to} (${zone}): ` +
        'tudo é publicado sem som e sem mencionar ninguém.',
      off: 'Não há horas de silêncio.',
      takes: `dois horários como \`22:00-07:00\`, ou \`${names.typed.none}\``,
      zoneMissing:
        `Em que fuso horário? Informe também \`${names.options['time-zone']}\` com ` +
        `\`${names.options.quiet}\`. Nada mudou.`,
      hoursMissing:
        `\`${names.options['time-zone']}\` é o fuso das horas de silêncio, e não há nenhuma. ` +
        `Informe também \`${names.options.quiet}\`. ` +
        'Nada mudou.',
    },
    delay: {
      on: (time) =>
        `Aqui tudo chega com ${time} de atraso, inclusive o efeito de pausas e configurações.`,
      off: 'Aqui tudo chega sem atraso.',
    },
    consensusMissing:
      `\`${names.options['consensus-only']}\` não pode ser \`sim\` sem um consenso. ` +
      `Informe também \`${names.options.consensus}\`. Nada mudou.`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` não pode ser \`${given}\`. ` +
      `Use de ${least} a ${most} carteiras, ou 0 para nunca. Nada mudou.`,
  },
  list: {
    range: (first, last, all) => `Linhas ${first} a ${last} de ${all}`,
    title: (wallets, channels) =>
      `${wallets} ${form(wallets, { one: 'carteira acompanhada', other: 'carteiras acompanhadas' })}` +
      `${channels === null ? '' : ` em ${channels} canais`}`,
    problems: (channels) =>
      `${channels} ${form(channels, { one: 'canal', other: 'canais' })} com problema`,
    nothing: `Nenhuma carteira é acompanhada ainda. Adicione uma com ${slash.add}.`,
    compactView: 'exibição compacta',
    consensusOnly: 'só consenso',
    noResults: 'sem publicar lucros e prejuízos',
    quiet: (from, to, zone) => `silêncio ${from} a ${to} (${zone})`,
    delay: (time) => `com ${time} de atraso`,
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'alerta não pôde ser entregue', other: 'alertas não puderam ser entregues' })} aqui. O último: ${lastReason}`,
    noReason: 'sem motivo',
    alertsWait: (since) => `Há alertas na fila, o mais antigo: ${since}.`,
    since: (time) => `Começou ${time}.`,
    lastTrade: (time) => `última operação ${time}`,
    polled: (polls) => `verificado: ${polls}`,
    endpoints: { activity: 'operações', 'deposits-withdrawals': 'transferências' },
    lastPoll: (list, last) => `${list} ${last ?? 'ainda não'}`,
  },
});
