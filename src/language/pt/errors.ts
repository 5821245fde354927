import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('pt-BR');

export const errors: ErrorWords = {
  unknownCommand: 'Este comando não existe mais. Recarregue o Discord e tente de novo.',
  unknownButton: 'Este botão não existe mais. Execute o comando de novo.',
  notMember: 'Ainda não sou membro deste servidor. Convide-me com o scope “bot” e tente de novo.',
  internal: (reference) => `Algo deu errado no bot. Está registrado no log com a referência ${reference}.`,
  inAMinute: 'em um minuto',

  venue: {
    busy: (when) => `Consultas demais no momento. Tente de novo ${when}.`,
    rateLimited: (when) => `A plataforma pede uma pausa: o limite de requisições dela acabou. Tente de novo ${when}.`,
    unauthorized:
      'A plataforma recusa a chave de API do bot (401). Quem mantém o bot precisa verificá-la; até lá não há alertas.',
    notInPlan:
      'O plano da chave de API do bot não inclui esta lista (403). Quem mantém o bot precisaria de outro plano.',
    unreachable:
      'A plataforma não responde no momento. Nada se perde: os alertas vêm quando ela responder. Tente de novo em um minuto.',
    unreadable:
      'A plataforma enviou uma resposta ilegível. Tente de novo em um minuto; se continuar assim, avise quem mantém o bot.',
  },

  admission: {
    notAllowed: 'Este bot só atende os servidores escolhidos por quem o administra. Este não é um deles.',
    serverBlocked: 'Quem administra este bot bloqueou este servidor. Nenhum alerta chega aqui.',
    userBlocked: 'Quem administra este bot bloqueou você: ele não aceita seus comandos.',
  },

  quota: {
    user: (when) => `Foi muita coisa de uma vez. Tente de novo ${when}.`,
    server: (when) => `Este servidor pediu muito no último minuto. Tente de novo ${when}.`,
    lookups: (most, time, when) =>
      `Este servidor usou a sua parte das consultas (${most} em ${time}). Tente de novo ${when}. Os alertas continuam enquanto isso.`,
    watches: (most, present, more) =>
      `Um servidor pode ter ${most} ${form(most, { one: 'vigilância', other: 'vigilâncias' })}. Este tem ${present}, então não há espaço para mais ${more === 1 ? 'uma' : more}. ${slash.remove} abre espaço; quem mantém o bot pode aumentar WATCHES_PER_GUILD.`,
  },

  permissions: {
    viewChannel: 'Ver canal',
    sendMessages: 'Enviar mensagens',
    sendMessagesInThreads: 'Enviar mensagens em tópicos',
    embedLinks: 'Inserir links',
    readMessageHistory: 'Ver histórico de mensagens',
    mentionEveryone: 'Mencionar todos',
  },

  channel: {
    unseen: (channel, permission) => `Não consigo ver ${channel}. Dê-me “${permission}” lá e tente de novo.`,
    wrongKind: (channel) => `${channel} não aceita mensagens. Escolha um canal de texto ou um tópico.`,
    closed: (channel, permissions) =>
      `Não consigo avisar em ${channel}. Dê-me lá estas permissões: ${permissions}. Depois tente de novo.`,
    noHistory: (permission) =>
      `Dê-me também “${permission}” lá: sem isso não consigo verificar, depois de uma queda, se um alerta tinha chegado, e posso repeti-lo.`,
    roleGone: `O cargo a mencionar não existe mais: indique outro com ${slash.edit}.`,
    notMentionable: (role, channel, permission) =>
      `Não posso mencionar ${role} em ${channel}. Permita mencionar o cargo ou dê-me “${permission}” lá.`,
    notYours: (channel, permissions) =>
      `Faltam-lhe estas permissões em ${channel}: ${permissions}. Só aviso onde você também pode escrever.`,
    mentionNotYours: (role, channel, permission) =>
      `Você não pode mencionar ${role} em ${channel}. É preciso um cargo que todos possam mencionar, ou “${permission}” lá.`,
  },

  wallet: {
    ambiguous: (wallets) => `Mais de uma carteira vigiada tem esse nome: ${wallets}. Informe o endereço.`,
    unknown: (typed) =>
      `${typed} não é nem um endereço de carteira (0x e 40 dígitos hexadecimais) nem o rótulo de uma carteira que este servidor vigia.`,
    typed: 'Isso',
    address: {
      shape: (typed) =>
        `“${typed}” não é um endereço de carteira. Um endereço é 0x seguido de 40 dígitos hexadecimais (0–9, a–f).`,
      checksum: (typed) =>
        `O checksum de ${typed} está errado (EIP-55): provavelmente há um caractere digitado errado. Copie o endereço de novo.`,
    },
  },

  file: {
    refused: (status) => `O Discord não entregou o arquivo (${status}). Envie-o de novo.`,
    late: 'Não foi possível buscar o arquivo no Discord a tempo. Envie-o de novo.',
    tooLarge: (kibibytes) => `O arquivo é grande demais. Aceito: até ${kibibytes} KiB.`,
  },
};
