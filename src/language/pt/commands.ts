import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import type { Terms } from '../terms.ts';

export const commands = ({ names }: Terms): CommandWords => ({
  lookUpWallets: 'Consultar carteiras',
  languageName: 'Português (Brasil)',
  wallet: 'Endereço (0x…) ou apelido de uma carteira que este servidor acompanha',
  walletOrAll: 'Endereço ou apelido de uma carteira. Padrão: todas as que o canal acompanha',
  watchedIn: 'Canal que recebe os alertas. Padrão: este canal',
  settings: {
    label: 'Nome da carteira neste servidor',
    kinds: 'O que gera alertas, por exemplo “compra, venda” ou “abertura, fechamento”',
    minUsdc: 'Mínimo de USDC de um alerta (a soma, se as execuções são agrupadas)',
    style: 'Um alerta para as execuções que vão juntas, ou um por execução',
    styles: {
      grouped: 'agrupadas: um alerta para as execuções que vão juntas',
      each: 'separadas: um alerta por execução',
    },
    mention: 'Cargo a mencionar nos alertas',
    markets: `IDs ou slugs de mercados: “${names.typed.only}: …, …” ou “${names.typed.except}: …, …”`,
    words:
      `Palavras do mercado ou evento: “${names.typed.only}: ` +
      `nba, lakers” ou “${names.typed.except}: up or down”`,
    minPrice: 'Preço mínimo de uma operação em centavos',
    maxPrice: 'Preço máximo em centavos; 94 exclui quase todas as compras de fim de mercado',
    liquidity: 'Só operações como maker ou taker',
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
    cooldown: 'Um alerta por mercado neste tempo, o resto vem com o próximo: 10m, 1h',
    mentionMinUsdc: 'Mencionar o cargo a partir deste valor em USDC',
    mentionCooldown: 'Mencionar o cargo no máximo uma vez neste tempo: 30m, 2h',
    silentBelowUsdc: 'Alertas abaixo deste valor em USDC chegam sem som',
    reset:
      `Configurações a redefinir, como “preço, menção”; “${names.typed.all}”: ` +
      'todas menos o apelido',
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
    description: 'Aparência, idioma, lucros e alertas de consenso de um canal',
    view: 'completa: um embed por alerta; compacta: uma linha por alerta',
    views: {
      full: 'completa: um embed por alerta, com todos os números',
      compact: 'compacta: uma linha por alerta, vários em um embed',
    },
    consensus: 'Alertar quando este número de carteiras comprar o mesmo resultado',
    consensusWithin: 'Em quanto tempo: 2h, 1d, até 3d',
    words: `O mesmo para o canal inteiro, além das de cada carteira: “${names.typed.except}: …”`,
    consensusOnly: 'Publicar só o consenso e omitir os alertas avulsos',
    consensusOnlyChoices: {
      on: 'sim: só consenso, sem alertas avulsos',
      off: 'não: alertas avulsos também',
    },
    results: 'Publicar o lucro ou prejuízo das posições destes alertas',
    resultChoices: {
      on: 'sim: uma resposta quando a posição de um alerta é vendida ou resgatada',
      off: 'não: nenhuma',
    },
    quiet: 'Horas em que tudo chega sem som, por exemplo 22:00-07:00',
    timeZone: 'Fuso dessas horas, por exemplo America/Sao_Paulo. Padrão: o do resumo',
    delay: 'Atrasar tudo o que é postado aqui, por exemplo 15m',
    language: 'Idioma dos alertas e resumos do canal',
    serverLanguage: 'o idioma do servidor',
    channel: 'Qual canal. Padrão: este canal',
    writtenIn: (language) => `Idioma dos alertas e resumos: ${language}.`,
  },
  digest: {
    description: 'Um resumo diário ou semanal das carteiras de um canal; sem opções: o horário',
    every: 'Com que frequência',
    everies: { day: 'todo dia', week: 'toda semana', off: 'sem resumo' },
    at: 'Hora do dia, por exemplo 18:00',
    timeZone: 'Fuso horário, por exemplo America/Sao_Paulo',
    day: 'Dia do resumo semanal',
    channel: 'Onde é enviado. Padrão: este canal',
  },
  scores: 'O desempenho das carteiras de um canal, a melhor primeiro',
  list: 'Todas as carteiras que este servidor acompanha, e os problemas',
  why: {
    description: 'Por que uma transação foi publicada em um canal, ou não',
    transaction: 'Transação (0x…); as mais recentes são sugeridas',
  },
  status: 'Como está o bot: conexões, limite de requisições, atrasos e alertas na fila',
  export: {
    description: 'Exportar as carteiras que este servidor acompanha com as configurações',
    format: 'CSV para planilhas, JSON para programas. Padrão: CSV',
  },
  import: {
    description:
      `Importar arquivo de ${typedCommand(names, 'export')} ou lista de carteiras; ` +
      'antes mostra as mudanças',
    file: 'CSV ou JSON, até 1 MiB e 1000 carteiras',
  },
  'delete-data': 'Apagar todos os seus dados (em uma mensagem direta) ou seu ID neste servidor',
  activity: {
    description: 'Operações e resgates de uma carteira, mais recentes primeiro',
    market: 'Só este mercado: título, ID ou slug',
    action: 'Só este tipo',
    actions: {
      Buy: 'Compra',
      Sell: 'Venda',
      Redeem: 'Resgate',
    },
    from: `Início: 2h, 3 dias, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    to: `Fim: 2h, 3 dias, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    transaction: 'Só esta transação (0x…)',
  },
  flows: 'Depósitos e saques de uma carteira, mais recentes primeiro',
  market: {
    description: 'O que cada carteira deste canal tem em um mercado',
    market: 'Título, ID ou slug. Padrão: os mercados com mais dinheiro',
  },
});
