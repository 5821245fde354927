import type { PersonalWords } from '../en/personal.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import { DIRECT_MESSAGE } from './place.ts';

const form = plural('pt-BR');

function watched(watches: number): string {
  if (watches === 0) return 'suas configurações privadas';
  if (watches === 1) return 'sua carteira acompanhada em particular';
  return `suas ${watches} carteiras acompanhadas em particular`;
}

export const personal = ({ slash }: Terms): PersonalWords => ({
  here: DIRECT_MESSAGE,
  welcome:
    '👋 Seus alertas privados chegam aqui: ninguém mais vê o que você acompanha. ' +
    `${slash.list} mostra, ${slash['delete-data']} apaga todos os seus dados.`,
  watchElsewhere:
    `${slash.watch} funciona em servidores que me convidaram e em uma mensagem direta comigo: ` +
    'abra meu perfil e me escreva lá para receber alertas privados.',
  watchNotManager: (permission) =>
    `Em um servidor, ${slash.watch} exige a permissão “${permission}”. ` +
    'Se um admin permitiu o comando a você, primeiro me remova dos seus próprios apps: ' +
    'aí o Discord verifica isso. Para uso pessoal, funciona em uma mensagem direta comigo.',
  off: 'Os alertas privados estão desligados aqui. Fale com o responsável pelo bot.',
  notServed: 'Este bot só funciona nos servidores escolhidos pelo responsável.',
  serversOnly: (option) =>
    `Não há canais nem cargos em uma mensagem direta: tire \`${option}\`. Nada mudou.`,
  notWatched: `Você não acompanha esta carteira aqui. ${slash.list} mostra o que você acompanha.`,
  unknownWallet: (typed) =>
    `${typed} não é um endereço de carteira (0x e 40 dígitos hexadecimais) ` +
    'nem o apelido de uma das suas carteiras.',
  tooMany: (most, present, more) =>
    `Você pode acompanhar ${most} ${form(most, { one: 'carteira', other: 'carteiras' })} em ` +
    'particular. ' +
    `Você acompanha ${present}, então não há espaço para mais ${more === 1 ? 'uma' : more}. ` +
    `Nada mudou. Abra espaço com ${slash.remove}.`,
  lookups: (most, time, when) =>
    `Você esgotou suas consultas (${most} em ${time}). Tente de novo ${when}. ` +
    'Os alertas continuam chegando.',
  ownLanguage: 'o do seu Discord',
  refused: {
    closed:
      'Não consigo te enviar mensagens diretas (50007), então nada foi salvo. ' +
      'Me desbloqueie ou permita mensagens diretas de um servidor que temos em comum: ' +
      'menu do servidor → Config. de privacidade → Mensagens diretas. Depois tente de novo.',
    noSharedServer:
      'O Discord não me deixa te escrever porque não temos nenhum servidor em comum (50278), ' +
      'então nada foi salvo. Entre em um servidor onde estou ou me convide para um dos seus. ' +
      'Depois tente de novo.',
    later:
      'O Discord não está aceitando minhas mensagens agora, então nada foi salvo. ' +
      'Tente de novo em um minuto.',
    openedTooFast:
      'O Discord só me deixa abrir algumas mensagens diretas por vez (40003), ' +
      'e muita gente apertou o botão. Nada foi salvo. Tente de novo em um minuto.',
    tooFast: (when) => `Muita gente está começando agora. Nada foi salvo. Tente de novo ${when}.`,
  },
  leftOut: 'Os canais e cargos do arquivo ficam de fora: tudo chega nesta DM.',
  follow: {
    button: 'Me avisar',
    done: (name, dm) =>
      `Você vai receber os alertas de ${name} na [nossa mensagem direta](${dm}). Só você os vê:`,
    change: `Lá você pode mudá-los com ${slash.edit} ou encerrá-los com ${slash.remove}.`,
    already: (name, dm) =>
      `Você já recebe os alertas de ${name} na [nossa mensagem direta](${dm}).`,
    wordsLeftOut: (words) =>
      `O canal também tem palavras para todas as suas carteiras: ${words}. Elas não valem para os seus alertas.`,
  },
  forget: {
    title: 'Apagar todos os seus dados?',
    question: (watches) =>
      `Isso apaga ${watched(watches)} com todas as configurações, seu resumo, ` +
      'as listas e tudo o mais que está guardado sobre você. ' +
      'As mensagens que você já recebeu ficam nesta DM, ' +
      'e as carteiras que você adicionou em servidores continuam lá, ' +
      'com seu ID até você usar este comando lá. Não dá para desfazer. ' +
      `Se quiser uma cópia, use antes ${slash.export}.`,
    yes: 'Apagar tudo',
    no: 'Manter',
    done: 'Todos os seus dados foram apagados. Não chegarão mais alertas aqui.',
    kept: 'Nada foi apagado.',
    inServer:
      'Seu ID foi apagado aqui: das carteiras que você adicionou e das suas alterações, ' +
      'que continuam. O que você alterar a partir de agora será registrado de novo. ' +
      `Em uma mensagem direta comigo, ${slash['delete-data']} apaga todo o resto.`,
  },
});
