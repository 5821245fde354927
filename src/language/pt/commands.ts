import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

export const commands: CommandWords = {
  languageName: 'Português (Brasil)',
  wallet: 'Um endereço (0x…) ou o rótulo de uma carteira que este servidor vigia',
  walletOrAll: 'Qual carteira: endereço ou rótulo; se omitido, todas as vigilâncias do canal',
  ringsIn: 'Onde avisa; se omitido, este canal',
  settings: {
    label: 'Como este servidor chama a carteira; "none" para nenhum rótulo',
    kinds: 'O que avisa, por exemplo "buy, sell"; "all" para tudo',
    minUsdc: 'Mínimo de USDC de um alerta (do total se as execuções são agrupadas); 0: qualquer',
    style: 'Execuções que vão juntas em um alerta só, ou cada uma separada',
    styles: {
      grouped: 'grouped: um alerta para as execuções que vão juntas',
      each: 'each: um alerta por execução',
    },
    mention: 'Um cargo a mencionar nos alertas',
    markets: 'Por id ou slug: "only: …, …" ou "except: …, …"; "any" para todos',
    minPrice: 'Preço mínimo de uma operação em centavos; 0: qualquer',
    maxPrice: 'Preço máximo em centavos; 94 exclui quase todas as compras de fim de mercado; 100: qualquer',
    liquidity: 'Só operações neste papel',
    roles: {
      maker: 'maker',
      taker: 'taker',
      any: 'qualquer',
    },
    size: 'incomum: só operações acima de 95 % das últimas desta carteira',
    sizes: {
      unusual: 'incomum',
      any: 'qualquer',
    },
    cooldown: 'Um alerta por mercado neste tempo, o resto vem com o próximo: 10m, 1h; "none"',
    mentionMinUsdc: 'Mencionar o cargo a partir deste valor em USDC; 0: sempre',
    mentionCooldown: 'Mencionar o cargo no máximo uma vez neste tempo: 30m, 2h; "none"',
    silentBelowUsdc: 'Alertas de menos USDC não fazem som; 0: todos fazem',
    reset: 'Voltar ao padrão, por exemplo "price, mention"; "all" mantém o rótulo',
  },
  watch: 'Quais carteiras avisam em quais canais',
  add: {
    description: 'Avisar aqui sobre cada operação, resgate, depósito e saque de uma carteira',
    channel: 'Onde avisar; se omitido, este canal',
  },
  edit: 'Mudar o que avisa de uma carteira e como; sem outras opções: mostrar',
  remove: 'Parar de avisar sobre uma carteira',
  pause: {
    description: 'Silenciar uma carteira ou um canal inteiro; o que passar não é recuperado',
    for: `Por quanto tempo: 30m, 2h, 1d; se omitido, até ${typedCommand(names, 'resume')}`,
  },
  resume: 'Terminar uma pausa: avisar de novo a partir de agora',
  channel: {
    description: 'Como os alertas aparecem em um canal, e se ele sabe quando as carteiras concordam',
    view: 'full: um embed para cada um; compact: uma linha para cada um',
    views: {
      full: 'full: um embed por alerta, com todos os números',
      compact: 'compact: uma linha por alerta, vários em um embed',
    },
    consensus: 'Dizer quando tantas carteiras vigiadas tomam o mesmo resultado; 0: nunca',
    consensusWithin: 'Quão perto no tempo: 2h, 1d, até 3d',
    language: 'Em que idioma são escritos os alertas e resumos do canal',
    serverLanguage: 'o idioma do servidor',
    channel: 'Qual canal; se omitido, este',
    writtenIn: (language) => `Idioma dos alertas e resumos: ${language}.`,
  },
  digest: {
    description: 'Um resumo diário ou semanal das carteiras de um canal; sem opções: quando vem',
    every: 'Com que frequência',
    everies: {
      day: 'day: um resumo por dia',
      week: 'week: um resumo por semana',
      off: 'off: nenhum resumo',
    },
    at: 'A hora do dia, por exemplo 18:00',
    timeZone: 'De que fuso é essa hora, por exemplo America/Sao_Paulo',
    day: 'Em que dia vem o semanal',
    channel: 'Aonde é enviado; se omitido, a este canal',
  },
  scores: 'No que deram os alertas das carteiras de um canal, a melhor primeiro',
  list: 'Todas as vigilâncias deste servidor, e o que há de errado com elas',
  status: 'Como está o bot: conexões, limite de requisições, atrasos, o que espera',
  export: {
    description: 'Todas as vigilâncias deste servidor com as configurações, em um arquivo',
    format: 'CSV abre em uma planilha; JSON é para programas. Se omitido, CSV',
  },
  import: {
    description: `Vigilâncias de um arquivo de ${typedCommand(names, 'export')} ou lista de carteiras; antes diz o que mudaria`,
    file: 'CSV ou JSON, até 1 MiB e 1000 vigilâncias',
  },
  activity: {
    description: 'Operações e resgates de uma carteira, os mais recentes primeiro',
    market: 'Só este mercado: o número ou o slug',
    action: 'Só estas',
    actions: {
      Buy: 'Compra',
      Sell: 'Venda',
      Redeem: 'Resgate',
    },
    from: 'Não mais antigo: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    to: 'Não mais recente: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    transaction: 'Só esta transação (0x…)',
  },
  flows: 'Depósitos e saques de uma carteira, os mais recentes primeiro',
};
