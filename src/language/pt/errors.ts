import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('pt-BR');

export const errors = (venue: VenueForms, { slash, permissions }: Terms): ErrorWords => ({
  unknownCommand: 'Este comando não existe mais. Recarregue o Discord e tente de novo.',
  unknownButton: 'Este botão não funciona mais. Use o comando de novo.',
  notMember: 'Ainda não sou membro deste servidor. Me convide com o scope “bot” e tente de novo.',
  internal: (reference) =>
    `Algo deu errado do meu lado. Informe ao responsável pelo bot a referência ${reference}.`,
  diskFull: (reference) =>
    'Meu disco está cheio. Nada mudou. ' +
    `Avise o responsável pelo bot e informe a referência ${reference}.`,
  inAMinute: 'em um minuto',
  at: (clock) => `às ${clock}`,

  venue: {
    rateLimited: (when) =>
      `O limite de requisições da ${venue.noun} foi atingido. ` +
      `Os alertas podem atrasar; chega o que ainda estiver listado. Tente de novo ${when}.`,
    unauthorized:
      `A ${venue.noun} recusou a chave de API do bot (401). ` +
      'Os alertas ficam em pausa até o responsável pelo bot verificar a chave.',
    notInPlan:
      'O plano da chave de API do bot não inclui esta lista (403). ' +
      'O responsável pelo bot precisa de outro plano.',
    unreachable:
      `A ${venue.noun} não responde no momento. ` +
      'Quando ela voltar, chega o que ainda estiver listado. Tente de novo em um minuto.',
    feedAway:
      'Minha fonte de dados não responde no momento. ' +
      'Quando ela voltar, chega o que ainda estiver listado. Tente de novo em um minuto.',
    unreadable:
      `A ${venue.noun} enviou uma resposta que não consigo ler. ` +
      'Tente de novo em um minuto; se continuar assim, avise o responsável pelo bot.',
  },

  admission: {
    notAllowed:
      'Este bot só funciona nos servidores escolhidos pelo responsável. Este não é um deles.',
    serverBlocked: 'O responsável pelo bot bloqueou este servidor. Nenhum alerta chega aqui.',
    userBlocked: 'O responsável pelo bot bloqueou você. Você não pode usar os comandos dele.',
  },

  quota: {
    user: (when) => `Um pouco mais devagar: tente de novo ${when}.`,
    server: (when) => `Este servidor usou muitos comandos no último minuto. Tente de novo ${when}.`,
    lookups: (most, time, when) =>
      `Este servidor esgotou suas consultas (${most} em ${time}). Tente de novo ${when}. ` +
      'Os alertas continuam chegando.',
    watches: (most, present, more) =>
      'Um servidor pode ' +
      `acompanhar ${most} ${form(most, { one: 'carteira', other: 'carteiras' })}, ` +
      'contadas uma vez por canal. ' +
      `Este acompanha ${present}, então não há espaço para mais ${more === 1 ? 'uma' : more}. ` +
      'Nada mudou. ' +
      `Abra espaço com ${slash.remove} ou peça ao responsável pelo bot para aumentar ` +
      'WATCHES_PER_GUILD.',
    total: (more) =>
      'Já acompanho tantas carteiras quanto o responsável pelo bot permite no total, ' +
      `então não há espaço para mais ${more === 1 ? 'uma' : more}. Nada mudou. ` +
      'Tente de novo mais tarde ou peça ao responsável para aumentar WATCHES_TOTAL.',
    leavingCount: (leaving) =>
      `${leaving === 1 ? 'Uma delas acabou de ser removida' : `${leaving} delas acabaram de ser removidas`}: ` +
      'as removidas ainda contam por dez minutos, enquanto dá para desfazer.',
    channels: (most) => `Um servidor pode definir isso em ${most} canais, no máximo. Nada mudou.`,
  },

  permissions,

  channel: {
    unseen: (channel, permission) =>
      `Não consigo ver ${channel}. Me dê “${permission}” nesse canal e tente de novo.`,
    wrongKind: (channel) =>
      `Não consigo escrever em ${channel}. Escolha um canal de texto ou um tópico.`,
    closed: (channel, permissions) =>
      `Não consigo escrever em ${channel}. ` +
      `Me dê estas permissões nesse canal: ${permissions}. Depois tente de novo.`,
    locked: (channel) =>
      `Não consigo escrever em ${channel}: o tópico está trancado. ` +
      `Destranque-o ou me dê a permissão “${permissions.manageThreads}”.`,
    timedOut: (channel, until) =>
      `Não consigo escrever em ${channel}: este servidor me colocou de castigo até ${until}.`,
    noEmbeds: (channel, permission) =>
      `Me dê “${permission}” em ${channel}: ` +
      'sem essa permissão, os alertas mostram só a primeira linha.',
    noHistory: (permission) =>
      `Me dê também “${permission}” nesse canal: ` +
      'sem isso não consigo verificar, depois de uma queda, se um alerta chegou, ' +
      'e posso publicá-lo duas vezes.',
    roleGone: `O cargo a mencionar não existe mais. Escolha outro com ${slash.edit}.`,
    notMentionable: (role, channel, permission) =>
      `Não consigo mencionar ${role} em ${channel}. ` +
      `Permita mencionar o cargo ou me dê “${permission}” nesse canal.`,
    notYours: (channel, permissions) =>
      `Você não tem estas permissões em ${channel}: ${permissions}. ` +
      'Só publico onde você também pode escrever.',
    mentionNotYours: (role, channel, permission) =>
      `Você não pode mencionar ${role} em ${channel}. ` +
      `Escolha um cargo que todos possam mencionar ou peça “${permission}” nesse canal.`,
  },

  wallet: {
    ambiguous: (wallets) =>
      `Mais de uma carteira acompanhada tem esse apelido: ${wallets}. Use o endereço.`,
    unknown: (typed) =>
      `${typed} não é um endereço de carteira (0x e 40 dígitos hexadecimais) ` +
      'nem o apelido de uma carteira que este servidor acompanha.',
    pasted: {
      profile: (typed) =>
        `${typed} não contém um endereço. O nome de um perfil não é um: copie o endereço (0x…) da página dele.`,
      ens: (typed) =>
        `${typed} é um nome ENS, que eu não consulto. Cole o endereço que ele representa (0x e 40 dígitos hexadecimais).`,
      bare: (typed) => `${typed} parece um endereço sem o começo. Coloque 0x na frente.`,
    },
    address: {
      shape: (typed) =>
        `${typed} não é um endereço de carteira. ` +
        'Use 0x seguido de 40 dígitos hexadecimais (0–9, a–f).',
      checksum: (typed) =>
        `O checksum de ${typed} está errado (EIP-55): provavelmente há um erro de digitação. ` +
        'Copie o endereço de novo.',
      zero: (typed) =>
        `${typed} é o endereço zero, que não é de nenhuma carteira. Copie o endereço da carteira.`,
    },
  },

  file: {
    refused: (status) => `Não consegui buscar o arquivo no Discord (${status}). Envie-o de novo.`,
    late: 'Não consegui buscar o arquivo no Discord a tempo. Envie-o de novo.',
    tooLarge: (kibibytes) => `O arquivo é grande demais. Use um de até ${kibibytes} KiB.`,
  },
});
