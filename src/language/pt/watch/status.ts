import type { WatchStatusWords } from '../../en/watch/status.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('pt-BR');

export const status = (venue: VenueForms, { slash, permissions }: Terms): WatchStatusWords => ({
  works: 'Tudo funcionando',
  slowed: `A ${venue.noun} está me limitando`,
  silent: `A ${venue.noun} não responde no momento`,
  late: `A ${venue.noun} está listando as operações com atraso`,
  broken: 'Algo está falhando',
  checks: {
    gateway: 'Discord',
    store: 'Armazenamento',
    venue: venue.label,
    lastPoll: 'Verificações',
    feed: 'Fonte de dados',
  },
  because: (check, reason) => `${check}: ${reason}`,
  shards: (shards, here) =>
    `Shards: ${shards}${here === null ? '' : `. Este servidor está no shard ${here}.`}`,
  fields: {
    budget: 'Limite de requisições',
    polls: 'Verificações',
    here: 'Alertas aqui',
    yours: 'Seus alertas',
    all: 'O bot inteiro',
  },
  polls: (succeeded, failed, minutes) =>
    `${succeeded} nos últimos ${minutes} minutos${failed > 0 ? `, e ${failed} com falha` : ''}`,
  round: (minutes) => `Verificar todas as carteiras leva pelo menos ${minutes} minutos.`,
  lastAnswer: (time) => `última resposta ${time}`,
  listsLate: (delay) => `as operações aparecem com ${delay} de atraso`,
  walletsHere: (count) =>
    `${count} ${form(count, { one: 'carteira acompanhada', other: 'carteiras acompanhadas' })} aqui`,
  walletsInAll: (count) => `${count} no total`,
  upFor: (time) => `no ar há ${time}`,
  limitUnknown: `A ${venue.noun} ainda não informou seu limite de requisições.`,
  left: (left, limit, renewed) =>
    `${left} de ${limit} requisições disponíveis${renewed === null ? '' : `, renovação ${renewed}`}`,
  allows: (limit) =>
    `${limit} ${form(limit, { one: 'requisição permitida', other: 'requisições permitidas' })} por janela`,
  used: (sent, allowance, polls, people, older) =>
    `${sent}${allowance === null ? '' : ` das minhas ${allowance}`} usadas nesta janela: ` +
    `${polls} em verificações, ${people} em comandos, ${older} em operações mais antigas`,
  venueAskedForPause: (end) => `Pediu que eu espere (429). A espera termina ${end}.`,
  arrive: (median, most, latest) =>
    `Os alertas chegam ${median} depois da operação (95% em até ${most}, o último em ${latest}).`,
  all: 'Todos os números',
  noAlerts: 'Nenhum desde que iniciei.',
  delays: (count, median, most, latest) =>
    `Atraso (últimos alertas: ${count}): mediana ${median}, 95% em até ${most}, o último em ${latest}`,
  withoutPosition: (count) => `Sem a posição da carteira: ${count} deles`,
  nothingWaits: 'Nenhum alerta na fila.',
  stillLoading: (wallets) =>
    `${wallets} ${form(wallets, { one: 'carteira ainda está sendo carregada', other: 'carteiras ainda estão sendo carregadas' })} ` +
    'depois que reiniciei. Até lá, os alertas dos respectivos canais esperam.',
  delayedChannels: (channels) => `Canais com atraso: ${channels}.`,
  signedAlerts:
    'O responsável pelo bot também envia os alertas deste servidor a um serviço fora do Discord.',
  waiting: (alerts, oldest) =>
    `${alerts} ${form(alerts, { one: 'alerta na fila', other: 'alertas na fila' })}, ` +
    `o mais antigo há ${oldest}.`,
  cannotWrite: (channels) => `Não consigo escrever em ${channels}. ${slash.list} diz por quê.`,
  refused: (requests) =>
    `O Discord recusou ${requests} das minhas requisições aqui nos últimos 10 ` +
    `minutos. ${slash.list} diz onde não consigo escrever.`,
  undelivered: (alerts) =>
    `${alerts} ${form(alerts, { one: 'alerta não pôde ser entregue', other: 'alertas não puderam ser entregues' })}. ${slash.list} diz por quê.`,

  tokenShared:
    'Outro processo usa o token deste bot e responde a alguns comandos no lugar dele. Quem cuida do bot: encerre-o ou gere um token novo.',
  gatewayDown: 'Sem conexão com o gateway do Discord. Conectando.',
  shardsDown: (shards, count) =>
    `Shards sem conexão com o gateway do Discord: ${shards} (de ${count}). Conectando.`,
  storeFailed: 'Falhou, e nada foi salvo desde então. O log diz por quê.',
  feedAway: (since) => `Sem dados desde ${since}. Os alertas chegam quando ela voltar.`,
  nothingAsked: 'Nenhuma requisição foi enviada ainda.',
  nothingWatched: 'Nenhuma carteira é acompanhada, então nada é verificado.',
  noPoll: 'Nenhuma verificação deu certo ainda.',
  noPollPlanned: (since) =>
    since === null
      ? 'Nenhuma verificação deu certo ainda, embora houvesse requisições planejadas.'
      : `Nenhuma verificação deu certo desde ${since}, embora houvesse requisições planejadas.`,
  tickLate: (seconds) => `O ciclo de POLL_CRON está ${seconds} s atrasado.`,
  notInPlan: {
    activity: 'O plano da chave não inclui operações e resgates (403). Use um plano que os cubra.',
    'deposits-withdrawals':
      'O plano da chave não inclui depósitos e saques (403). Use um plano que os cubra.',
  },
  unreachable: `A ${venue.noun} não responde direito. Os alertas chegam quando ela responder.`,
  paused: (until) =>
    `O limite de requisições da ${venue.noun} foi atingido. Próxima tentativa: ${until}. ` +
    'Os alertas chegam quando ela responder.',

  delivery: {
    noAccess:
      'Não consigo ver o canal (50001). ' +
      `Me dê “${permissions.viewChannel}” nesse canal ou me convide de novo.`,
    noWriting:
      'Não consigo escrever no canal (50013). ' +
      `Me dê “${permissions.sendMessages}” e “${permissions.embedLinks}” nesse canal.`,
    noEmbeds:
      'O Discord tirou os embeds da mensagem (50006). ' +
      `Me dê “${permissions.embedLinks}” no canal.`,
    noReplies:
      'Não consigo responder no canal (160002). ' +
      `Me dê “${permissions.readMessageHistory}” nesse canal.`,
    noMessages: (code) => `O canal não aceita mensagens (${code}). Escolha um canal de texto.`,
    threadLocked: 'O tópico está trancado (160005). Destranque-o ou escolha outro canal.',
    threadArchived: 'O tópico está arquivado (50083). Abra-o de novo ou escolha outro canal.',
    dmClosed:
      'Não consigo enviar mensagens diretas (50007): fui bloqueado ou elas não são permitidas.',
    noSharedServer:
      'O Discord não permite mensagens diretas sem um servidor em comum (50278). ' +
      'Entre em um servidor onde estou.',
    channelGone: 'O canal não existe mais (10003).',
    serverGone: 'O servidor não existe mais, ou não estou nele (10004).',
    rejected: (code, message) => `O Discord rejeitou a mensagem (${code}): ${message}`,
    forbidden: (code, message) => `O Discord não permite (${code}): ${message}`,
  },
});
