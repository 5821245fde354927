import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

export const commands: CommandWords = {
  languageName: 'Español',
  wallet: 'Una dirección (0x…) o la etiqueta de una wallet que vigila este servidor',
  walletOrAll: 'Qué wallet: dirección o etiqueta; si se omite, todas las vigilancias del canal',
  ringsIn: 'Dónde avisa; si se omite, este canal',
  settings: {
    label: 'Cómo llama este servidor a la wallet; "none" para ninguna etiqueta',
    kinds: 'Qué avisa, por ejemplo "buy, sell"; "all" para todo',
    minUsdc: 'USDC mínimos de una alerta (del total si las ejecuciones se agrupan); 0: cualquiera',
    style: 'Las ejecuciones que van juntas en una alerta, o cada una por separado',
    styles: {
      grouped: 'grouped: una alerta para las ejecuciones que van juntas',
      each: 'each: una alerta por ejecución',
    },
    mention: 'Un rol que se menciona en las alertas',
    markets: 'Por id o slug: "only: …, …" o "except: …, …"; "any" para todos',
    minPrice: 'Precio mínimo de una operación en centavos; 0: cualquiera',
    maxPrice: 'Precio máximo en centavos; 94 deja fuera casi todos los barridos finales; 100: cualquiera',
    liquidity: 'Solo operaciones con este papel',
    roles: {
      maker: 'maker',
      taker: 'taker',
      any: 'cualquiera',
    },
    size: 'inusual: solo operaciones por encima del 95 % de las últimas de esta wallet',
    sizes: {
      unusual: 'inusual',
      any: 'cualquiera',
    },
    cooldown: 'Una alerta por mercado en este tiempo, el resto va con la siguiente: 10m, 1h; "none"',
    mentionMinUsdc: 'Mencionar el rol a partir de estos USDC; 0: siempre',
    mentionCooldown: 'Mencionar el rol como mucho una vez en este tiempo: 30m, 2h; "none"',
    silentBelowUsdc: 'Las alertas de menos USDC no suenan; 0: suenan todas',
    reset: 'Volver al valor por defecto, por ejemplo "price, mention"; "all" conserva la etiqueta',
  },
  watch: 'Qué wallets avisan en qué canales',
  add: {
    description: 'Avisar aquí de cada operación, canje, depósito y retiro de una wallet',
    channel: 'Dónde avisar; si se omite, este canal',
  },
  edit: 'Cambiar qué avisa de una wallet y cómo; sin más opciones: mostrarlo',
  remove: 'Dejar de avisar de una wallet',
  pause: {
    description: 'Silenciar una wallet o todo un canal; lo que pase entretanto no se recupera',
    for: `Cuánto tiempo: 30m, 2h, 1d; si se omite, hasta ${typedCommand(names, 'resume')}`,
  },
  resume: 'Terminar una pausa: avisar otra vez desde ahora',
  channel: {
    description: 'Cómo se ven las alertas de un canal, y si se le dice cuándo coinciden las wallets',
    view: 'full: un embed por alerta; compact: una línea por alerta',
    views: {
      full: 'full: un embed por alerta, con todas sus cifras',
      compact: 'compact: una línea por alerta, varias en un embed',
    },
    consensus: 'Decir cuándo tantas wallets vigiladas toman el mismo resultado; 0: nunca',
    consensusWithin: 'Con qué cercanía en el tiempo: 2h, 1d, hasta 3d',
    language: 'En qué idioma se escriben las alertas y los resúmenes del canal',
    serverLanguage: 'el idioma del servidor',
    channel: 'Qué canal; si se omite, este',
    writtenIn: (language) => `Idioma de las alertas y los resúmenes: ${language}.`,
  },
  digest: {
    description: 'Un resumen diario o semanal de las wallets de un canal; sin opciones: cuándo llega',
    every: 'Con qué frecuencia',
    everies: {
      day: 'day: un resumen cada día',
      week: 'week: un resumen cada semana',
      off: 'off: ningún resumen',
    },
    at: 'La hora del día, por ejemplo 18:00',
    timeZone: 'De qué zona es esa hora, por ejemplo Europe/Madrid',
    day: 'Qué día llega el semanal',
    channel: 'Adónde se envía; si se omite, a este canal',
  },
  scores: 'En qué acabaron las alertas de las wallets de un canal, la mejor primero',
  list: 'Todas las vigilancias de este servidor, y qué les pasa',
  status: 'Cómo está el bot: conexiones, solicitudes, retrasos y lo que espera',
  export: {
    description: 'Todas las vigilancias de este servidor con sus ajustes, en un archivo',
    format: 'CSV se abre en una hoja de cálculo; JSON es para programas. Si se omite, CSV',
  },
  import: {
    description: `Vigilancias de un archivo de ${typedCommand(names, 'export')} o una lista de wallets; primero dice qué cambiaría`,
    file: 'CSV o JSON, hasta 1 MiB y 1000 vigilancias',
  },
  activity: {
    description: 'Operaciones y canjes de una wallet, los más recientes primero',
    market: 'Solo este mercado: su número o su slug',
    action: 'Solo estas',
    actions: {
      Buy: 'Compra',
      Sell: 'Venta',
      Redeem: 'Canje',
    },
    from: 'No más antiguo: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    to: 'No más reciente: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    transaction: 'Solo esta transacción (0x…)',
  },
  flows: 'Depósitos y retiros de una wallet, los más recientes primero',
};
