import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import type { Terms } from '../terms.ts';

export const commands = ({ names }: Terms): CommandWords => ({
  lookUpWallets: 'Consultar wallets',
  languageName: 'Español',
  wallet: 'Dirección (0x…) o etiqueta de una wallet que sigue este servidor',
  walletOrAll: 'Dirección o etiqueta de una wallet. Por defecto: todas las que sigue el canal',
  watchedIn: 'Canal que recibe las alertas. Por defecto: este canal',
  settings: {
    label: 'Nombre de la wallet en este servidor',
    kinds: 'De qué recibir alertas, por ejemplo «compra, venta» o «apertura, cierre»',
    minUsdc: 'Mínimo de USDC de una alerta (la suma si se agrupan ejecuciones)',
    style: 'Una alerta para las ejecuciones que van juntas, o una por ejecución',
    styles: {
      grouped: 'agrupadas: una alerta para las ejecuciones que van juntas',
      each: 'separadas: una alerta por ejecución',
    },
    mention: 'Rol que se menciona en las alertas',
    markets: `ID o slugs de mercados: «${names.typed.only}: …, …» o «${names.typed.except}: …, …»`,
    words:
      `Palabras del mercado o evento: «${names.typed.only}: ` +
      `nba, lakers» o «${names.typed.except}: up or down»`,
    minPrice: 'Precio mínimo de una operación en centavos',
    maxPrice: 'Precio máximo en centavos; 94 descarta las compras casi seguras del final',
    liquidity: 'Solo operaciones como maker o taker',
    roles: {
      maker: 'maker',
      taker: 'taker',
      any: 'cualquiera',
    },
    size: 'inusual: solo operaciones mayores que el 95\u00a0% de las últimas de la wallet',
    sizes: {
      unusual: 'inusual',
      any: 'cualquiera',
    },
    cooldown: 'Una alerta por mercado en este tiempo, el resto va con la siguiente: 10m, 1h',
    mentionMinUsdc: 'Mencionar el rol a partir de esta cantidad en USDC',
    mentionCooldown: 'Mencionar el rol como mucho una vez en este tiempo: 30m, 2h',
    silentBelowUsdc: 'Las alertas por debajo de esta cantidad en USDC llegan sin sonido',
    reset:
      `Ajustes que se restablecen, como «precio, mencionar»; «${names.typed.all}»: ` +
      'todos menos la etiqueta',
  },
  watch: 'Elegir qué canales reciben alertas de qué wallets',
  add: {
    description: 'Recibir alertas de cada operación, canje, depósito y retiro de una wallet',
    channel: 'Canal para las alertas. Por defecto: este canal',
  },
  edit: 'Cambiar las alertas de una wallet; sin más opciones: mostrar sus ajustes',
  remove: 'Dejar de seguir una wallet',
  pause: {
    description: 'Pausar las alertas de una wallet o de todo el canal; nada se publica después',
    for: `Cuánto tiempo: 30m, 2h, 1d. Por defecto: hasta ${typedCommand(names, 'resume')}`,
  },
  resume: 'Terminar una pausa y recibir alertas otra vez desde ahora',
  channel: {
    description: 'Aspecto, idioma, ganancias y alertas de consenso de un canal',
    view: 'completa: un embed por alerta; compacta: una línea por alerta',
    views: {
      full: 'completa: un embed por alerta, con todas sus cifras',
      compact: 'compacta: una línea por alerta, varias en un embed',
    },
    consensus: 'Avisar cuando este número de wallets seguidas compre el mismo resultado',
    consensusWithin: 'En cuánto tiempo: 2h, 1d, hasta 3d',
    words: `Lo mismo para todo el canal, además de las de cada wallet: «${names.typed.except}: …»`,
    consensusOnly: 'Publicar solo el consenso y omitir las alertas sueltas',
    consensusOnlyChoices: {
      on: 'sí: solo consenso, sin alertas sueltas',
      off: 'no: también alertas sueltas',
    },
    results: 'Publicar la ganancia o pérdida de las posiciones de estas alertas',
    resultChoices: {
      on: 'sí: una respuesta cuando la posición de una alerta se vende o se canjea',
      off: 'no: ninguna',
    },
    quiet: 'Horas en que todo llega sin sonido, por ejemplo 22:00-07:00',
    timeZone: 'Zona horaria de esas horas, por ejemplo Europe/Madrid. Por defecto: la del resumen',
    delay: 'Retrasar todas las alertas, por ejemplo 15m',
    language: 'Idioma de las alertas y los resúmenes del canal',
    serverLanguage: 'el idioma del servidor',
    channel: 'Qué canal. Por defecto: este canal',
    writtenIn: (language) => `Idioma de las alertas y los resúmenes: ${language}.`,
  },
  digest: {
    description: 'Un resumen diario o semanal de las wallets de un canal; sin opciones: el horario',
    every: 'Con qué frecuencia',
    everies: { day: 'cada día', week: 'cada semana', off: 'sin resumen' },
    at: 'Hora del día, por ejemplo 18:00',
    timeZone: 'Zona horaria, por ejemplo Europe/Madrid',
    day: 'Día del resumen semanal',
    channel: 'Canal para el resumen. Por defecto: este canal',
  },
  scores: 'El rendimiento de las wallets de un canal, la mejor primero',
  list: 'Todas las wallets que sigue este servidor, y sus problemas',
  why: {
    description: 'Por qué una transacción se publicó en un canal, o no',
    transaction: 'Transacción (0x…); se sugieren las más recientes',
  },
  status: 'Cómo está el bot: conexiones, límite de solicitudes, retrasos y alertas pendientes',
  export: {
    description: 'Exportar las wallets que sigue este servidor con sus ajustes',
    format: 'CSV para hojas de cálculo, JSON para programas. Por defecto: CSV',
  },
  import: {
    description:
      `Importar un archivo de ${typedCommand(names, 'export')} o una lista de wallets; ` +
      'antes muestra los cambios',
    file: 'CSV o JSON, hasta 1 MiB y 1000 wallets',
  },
  'delete-data': 'Borrar todos tus datos (en un mensaje directo) o tu ID en este servidor',
  activity: {
    description: 'Operaciones y canjes de una wallet, más recientes primero',
    market: 'Solo este mercado: título, ID o slug',
    action: 'Solo este tipo',
    actions: {
      Buy: 'Compra',
      Sell: 'Venta',
      Redeem: 'Canje',
    },
    from: `Desde: 2h, 3 días, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    to: `Hasta: 2h, 3 días, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    transaction: 'Solo esta transacción (0x…)',
  },
  flows: 'Depósitos y retiros de una wallet, más recientes primero',
  market: {
    description: 'Qué tiene cada wallet de este canal en un mercado',
    market: 'Título, ID o slug. Por defecto: los mercados con más dinero',
  },
});
