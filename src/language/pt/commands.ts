import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

export const commands: CommandWords = {
  languageName: 'Português (Brasil)',
  wallet: 'Endereço (0x…) ou rótulo de uma carteira que este servidor acompanha',
  walletOrAll: 'Endereço ou rótulo de uma carteira. Padrão: todas as que o canal acompanha',
  watchedIn: 'Canal que recebe os alertas. Padrão: este canal',
  settings: {
    label: 'Nome da carteira neste servidor; "none" para nenhum',
    kinds: 'O que gera alertas, por exemplo "buy, sell"; "all" para tudo',
    minUsdc: 'Mínimo de USDC de um alerta (a soma, se as execuções são agrupadas); 0: qualquer',
    style: 'Um alerta para as execuções que vão juntas, ou um por execução',
    styles: {
      grouped: 'grouped: um alerta para as execuções que vão juntas',
      each: 'each: um alerta por execução',
    },
    mention: 'Cargo a mencionar nos alertas',
    markets: 'IDs ou slugs de mercados: "only: …, …" ou "except: …, …"; "any" para todos',
    minPrice: 'Preço mínimo de uma operação em centavos; 0: qualquer',
    maxPrice: 'Preço máximo em centavos; 94 exclui quase todas as compras de fim de mercado; 100: qualquer',
    liquidity: 'Só operações neste papel',
    roles: {
      maker: 'maker',
      taker: 'taker',
      any: 'qualquer',
    },
    size: 'incomum: só operações maiores que 95% das últimas desta carteira',
    sizes: {
      unusual: 'incomum',
      any: 'qualquer',
    },
    cooldown: 'Um alerta por mercado neste tempo, o resto vem com o próximo: 10m, 1h; "none"',
    mentionMinUsdc: 'Mencionar o cargo a partir deste valor em USDC; 0: sempre',
    mentionCooldown: 'Mencionar o cargo no máximo uma vez neste tempo: 30m, 2h; "none"',
    silentBelowUsdc: 'Alertas de menos USDC chegam sem som; 0: todos com som',
    reset: 'Configurações a redefinir, como "price, mention"; "all": todas menos o rótulo',
  },
  watch: 'Escolher quais canais recebem alertas de quais carteiras',
  add: {
    description: 'Receber alertas de cada operação, resgate, depósito e saque de uma carteira',
    channel: 'Canal para os alertas. Padrão: este canal',
  },
  edit: 'Mudar os alertas de uma carteira; sem outras opções: mostrar as configurações',
  remove: 'Parar de acompanhar uma carteira',
  pause: {
    description: 'Pausar os alertas de uma carteira ou do canal inteiro; nada é publicado depois',
    for: `Por quanto tempo: 30m, 2h, 1d. Padrão: até ${typedCommand(names, 'resume')}`,
  },
  resume: 'Encerrar uma pausa e voltar a receber alertas a partir de agora',
  channel: {
    description: 'Aparência e idioma dos alertas de um canal, e alertas de consenso',
    view: 'full: um embed por alerta; compact: uma linha por alerta',
    views: {
      full: 'full: um embed por alerta, com todos os números',
      compact: 'compact: uma linha por alerta, vários em um embed',
    },
    consensus: 'Alertar quando este número de carteiras comprar o mesmo resultado; 0: nunca',
    consensusWithin: 'Em quanto tempo: 2h, 1d, até 3d',
    language: 'Idioma dos alertas e resumos do canal',
    serverLanguage: 'o idioma do servidor',
    channel: 'Qual canal. Padrão: este canal',
    writtenIn: (language) => `Idioma dos alertas e resumos: ${language}.`,
  },
  digest: {
    description: 'Um resumo diário ou semanal das carteiras de um canal; sem opções: o horário',
    every: 'Com que frequência',
    everies: {
      day: 'day: um resumo por dia',
      week: 'week: um resumo por semana',
      off: 'off: nenhum resumo',
    },
    at: 'Hora do dia, por exemplo 18:00',
    timeZone: 'Fuso horário, por exemplo America/Sao_Paulo',
    day: 'Dia do resumo semanal',
    channel: 'Onde é enviado. Padrão: este canal',
  },
  scores: 'No que deram os alertas das carteiras de um canal, a melhor primeiro',
  list: 'Todas as carteiras que este servidor acompanha, e os problemas',
  status: 'Como está o bot: conexões, limite de requisições, atrasos, alertas em espera',
  export: {
    description: 'Exportar as carteiras que este servidor acompanha com as configurações',
    format: 'CSV para planilhas, JSON para programas. Padrão: CSV',
  },
  import: {
    description: `Importar arquivo de ${typedCommand(names, 'export')} ou lista de carteiras; antes mostra as mudanças`,
    file: 'CSV ou JSON, até 1 MiB e 1000 acompanhamentos',
  },
  activity: {
    description: 'Operações e resgates de uma carteira, os mais recentes primeiro',
    market: 'Só este mercado: título, ID ou slug',
    action: 'Só este tipo',
    actions: {
      Buy: 'Compra',
      Sell: 'Venda',
      Redeem: 'Resgate',
    },
    from: 'Início: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    to: 'Fim: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    transaction: 'Só esta transação (0x…)',
  },
  flows: 'Depósitos e saques de uma carteira, os mais recentes primeiro',
};
