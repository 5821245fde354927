import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

export const commands: CommandWords = {
  languageName: 'Deutsch',
  wallet: 'Eine Adresse (0x…) oder der Name eines Wallets, das dieser Server beobachtet',
  walletOrAll: 'Welches Wallet: Adresse oder Name; ohne Angabe alle Beobachtungen des Kanals',
  ringsIn: 'Wo es sich meldet; ohne Angabe dieser Kanal',
  settings: {
    label: 'Wie dieser Server das Wallet nennt; "none" für keinen Namen',
    kinds: 'Was sich meldet, etwa "buy, sell"; "all" für alles',
    minUsdc: 'USDC, die eine Meldung mindestens hat (gebündelt: alle Ausführungen zusammen); 0: egal',
    style: 'Zusammengehörige Ausführungen als eine Meldung oder jede für sich',
    styles: {
      grouped: 'grouped: eine Meldung für zusammengehörige Ausführungen',
      each: 'each: eine Meldung je Ausführung',
    },
    mention: 'Eine Rolle, die in Meldungen erwähnt wird',
    markets: 'Nach Nummer oder Slug: "only: …, …" oder "except: …, …"; "any" für alle',
    minPrice: 'Niedrigster Preis eines Trades in Cent; 0: egal',
    maxPrice: 'Höchster Preis in Cent; 94 lässt die meisten Käufe kurz vor der Auflösung weg; 100: egal',
    liquidity: 'Nur Trades in dieser Rolle',
    roles: {
      maker: 'Maker',
      taker: 'Taker',
      any: 'egal',
    },
    size: 'ungewöhnlich: nur Trades, die über 95 % der letzten dieses Wallets liegen',
    sizes: {
      unusual: 'ungewöhnlich',
      any: 'egal',
    },
    cooldown: 'Je Markt eine Meldung in dieser Zeit, der Rest kommt mit der nächsten: 10m, 1h; "none"',
    mentionMinUsdc: 'Die Rolle ab so viel USDC erwähnen; 0: immer',
    mentionCooldown: 'Die Rolle höchstens einmal in dieser Zeit erwähnen: 30m, 2h; "none"',
    silentBelowUsdc: 'Meldungen unter so viel USDC kommen ohne Ton; 0: alle mit',
    reset: 'Zurück auf den Standard, etwa "price, mention"; "all" lässt den Namen stehen',
  },
  watch: 'Welche Wallets sich in welchen Kanälen melden',
  add: {
    description: 'Hier bei jedem Trade, jeder Einlösung, Ein- und Auszahlung eines Wallets melden',
    channel: 'Wo es sich melden soll; ohne Angabe dieser Kanal',
  },
  edit: 'Ändern, was von einem Wallet gemeldet wird und wie; ohne weitere Optionen: anzeigen',
  remove: 'Ein Wallet nicht mehr melden',
  pause: {
    description: 'Ein Wallet oder den ganzen Kanal stumm schalten; nichts wird nachgeholt',
    for: `Wie lange: 30m, 2h, 1d; ohne Angabe bis ${typedCommand(names, 'resume')}`,
  },
  resume: 'Eine Pause beenden: ab jetzt wieder melden',
  channel: {
    description: 'Wie Meldungen in einem Kanal aussehen und ob er erfährt, wenn Wallets sich einig sind',
    view: 'full: je ein Embed; compact: je eine Zeile',
    views: {
      full: 'full: ein Embed je Meldung, mit allen Zahlen',
      compact: 'compact: eine Zeile je Meldung, mehrere in einem Embed',
    },
    consensus: 'Melden, wenn so viele beobachtete Wallets denselben Ausgang wählen; 0: nie',
    consensusWithin: 'Wie nah beieinander: 2h, 1d, bis zu 3d',
    language: 'In welcher Sprache Meldungen und Übersichten des Kanals geschrieben werden',
    serverLanguage: 'die Sprache des Servers',
    channel: 'Welcher Kanal; ohne Angabe dieser',
    writtenIn: (language) => `Sprache der Meldungen und Übersichten: ${language}.`,
  },
  digest: {
    description: 'Tägliche oder wöchentliche Übersicht der Wallets eines Kanals; ohne Optionen: wann sie kommt',
    every: 'Wie oft',
    everies: {
      day: 'day: jeden Tag eine Übersicht',
      week: 'week: jede Woche eine Übersicht',
      off: 'off: keine Übersicht',
    },
    at: 'Die Uhrzeit, etwa 18:00',
    timeZone: 'Wessen Uhr das ist, etwa Europe/Berlin',
    day: 'An welchem Tag eine wöchentliche kommt',
    channel: 'Wohin sie geschickt wird; ohne Angabe dieser Kanal',
  },
  scores: 'Was aus den Meldungen der Wallets eines Kanals wurde, das beste Wallet zuerst',
  list: 'Alle Beobachtungen dieses Servers, und was mit ihnen nicht stimmt',
  status: 'Wie es dem Bot geht: Verbindungen, Anfragebudget, Verzögerung, was wartet',
  export: {
    description: 'Alle Beobachtungen dieses Servers mit ihren Einstellungen als Datei',
    format: 'CSV öffnet eine Tabellenkalkulation, JSON ist für Programme. Ohne Angabe CSV',
  },
  import: {
    description: `Beobachtungen aus einer Datei von ${typedCommand(names, 'export')} oder einer Wallet-Liste; erst zur Probe`,
    file: 'CSV oder JSON, bis zu 1 MiB und 1000 Beobachtungen',
  },
  activity: {
    description: 'Trades und Einlösungen eines Wallets, neueste zuerst',
    market: 'Nur dieser Markt: seine Nummer oder sein Slug',
    action: 'Nur diese',
    actions: {
      Buy: 'Kauf',
      Sell: 'Verkauf',
      Redeem: 'Einlösung',
    },
    from: 'Nicht älter: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    to: 'Nicht neuer: 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    transaction: 'Nur diese Transaktion (0x…)',
  },
  flows: 'Ein- und Auszahlungen eines Wallets, neueste zuerst',
};
