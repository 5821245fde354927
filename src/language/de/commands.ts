import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

export const commands: CommandWords = {
  languageName: 'Deutsch',
  wallet: 'Adresse (0x…) oder Name eines Wallets, das dieser Server beobachtet',
  walletOrAll: 'Adresse oder Name eines Wallets. Standard: alle beobachteten Wallets des Kanals',
  watchedIn: 'Kanal, der die Meldungen bekommt. Standard: dieser Kanal',
  settings: {
    label: 'Name des Wallets auf diesem Server; "none" für keinen',
    kinds: 'Was gemeldet wird, etwa "buy, sell"; "all" für alles',
    minUsdc: 'Kleinste Meldung in USDC (gebündelt: die Summe der Ausführungen); 0: egal',
    style: 'Zusammengehörige Ausführungen als eine Meldung oder jede für sich',
    styles: {
      grouped: 'grouped: eine Meldung für zusammengehörige Ausführungen',
      each: 'each: eine Meldung je Ausführung',
    },
    mention: 'Rolle, die in Meldungen erwähnt wird',
    markets: 'IDs oder Slugs von Märkten: "only: …, …" oder "except: …, …"; "any" für alle',
    minPrice: 'Niedrigster Preis eines Trades in Cent; 0: egal',
    maxPrice: 'Höchster Preis in Cent; 94 lässt die meisten Käufe kurz vor der Auflösung weg; 100: egal',
    liquidity: 'Nur Trades in dieser Rolle',
    roles: {
      maker: 'Maker',
      taker: 'Taker',
      any: 'egal',
    },
    size: 'ungewöhnlich: nur Trades, die größer sind als 95 % der letzten dieses Wallets',
    sizes: {
      unusual: 'ungewöhnlich',
      any: 'egal',
    },
    cooldown: 'Je Markt eine Meldung in dieser Zeit, der Rest kommt mit der nächsten: 10m, 1h; "none"',
    mentionMinUsdc: 'Die Rolle ab so viel USDC erwähnen; 0: immer',
    mentionCooldown: 'Die Rolle höchstens einmal in dieser Zeit erwähnen: 30m, 2h; "none"',
    silentBelowUsdc: 'Meldungen unter so viel USDC kommen ohne Ton; 0: alle mit Ton',
    reset: 'Auf Standard zurücksetzen, etwa "price, mention"; "all": alles außer dem Namen',
  },
  watch: 'Wählen, welche Kanäle Meldungen zu welchen Wallets bekommen',
  add: {
    description: 'Meldungen zu jedem Trade, jeder Einlösung, Ein- und Auszahlung eines Wallets bekommen',
    channel: 'Kanal für die Meldungen. Standard: dieser Kanal',
  },
  edit: 'Die Meldungen zu einem Wallet ändern; ohne weitere Optionen: Einstellungen anzeigen',
  remove: 'Ein Wallet nicht mehr beobachten',
  pause: {
    description: 'Meldungen zu einem Wallet oder im ganzen Kanal pausieren; nichts wird nachgereicht',
    for: `Wie lange: 30m, 2h, 1d. Standard: bis ${typedCommand(names, 'resume')}`,
  },
  resume: 'Eine Pause beenden und ab jetzt wieder Meldungen bekommen',
  channel: {
    description: 'Aussehen und Sprache der Meldungen eines Kanals, und Meldungen bei Konsens',
    view: 'full: ein Embed je Meldung; compact: eine Zeile je Meldung',
    views: {
      full: 'full: ein Embed je Meldung, mit allen Zahlen',
      compact: 'compact: eine Zeile je Meldung, mehrere in einem Embed',
    },
    consensus: 'Melden, wenn so viele beobachtete Wallets denselben Ausgang kaufen; 0: nie',
    consensusWithin: 'In welchem Zeitraum: 2h, 1d, bis zu 3d',
    language: 'Sprache der Meldungen und Übersichten des Kanals',
    serverLanguage: 'die Sprache des Servers',
    channel: 'Welcher Kanal. Standard: dieser Kanal',
    writtenIn: (language) => `Sprache der Meldungen und Übersichten: ${language}.`,
  },
  digest: {
    description: 'Tägliche oder wöchentliche Übersicht der Wallets eines Kanals; ohne Optionen: Zeitplan zeigen',
    every: 'Wie oft',
    everies: {
      day: 'day: jeden Tag eine Übersicht',
      week: 'week: jede Woche eine Übersicht',
      off: 'off: keine Übersicht',
    },
    at: 'Uhrzeit, etwa 18:00',
    timeZone: 'Zeitzone, etwa Europe/Berlin',
    day: 'Tag einer wöchentlichen Übersicht',
    channel: 'Kanal für die Übersicht. Standard: dieser Kanal',
  },
  scores: 'Was aus den Meldungen der Wallets eines Kanals wurde, das beste Wallet zuerst',
  list: 'Alle beobachteten Wallets dieses Servers und etwaige Probleme',
  status: 'Zustand des Bots: Verbindungen, Anfragelimit, Verzögerung, wartende Meldungen',
  export: {
    description: 'Die beobachteten Wallets dieses Servers mit Einstellungen als Datei',
    format: 'CSV für Tabellenkalkulationen, JSON für Programme. Standard: CSV',
  },
  import: {
    description: `Datei von ${typedCommand(names, 'export')} oder Wallet-Liste importieren; zeigt erst die Änderungen`,
    file: 'CSV oder JSON, bis zu 1 MiB und 1000 Beobachtungen',
  },
  activity: {
    description: 'Trades und Einlösungen eines Wallets, neueste zuerst',
    market: 'Nur dieser Markt: Titel, ID oder Slug',
    action: 'Nur diese Art',
    actions: {
      Buy: 'Kauf',
      Sell: 'Verkauf',
      Redeem: 'Einlösung',
    },
    from: 'Beginn: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    to: 'Ende: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    transaction: 'Nur diese Transaktion (0x…)',
  },
  flows: 'Ein- und Auszahlungen eines Wallets, neueste zuerst',
};
