import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import type { Terms } from '../terms.ts';

export const commands = ({ names }: Terms): CommandWords => ({
  lookUpWallets: 'Wallets nachschlagen',
  languageName: 'Deutsch',
  wallet: 'Adresse (0x…) oder Name einer Wallet, die dieser Server beobachtet',
  walletOrAll: 'Adresse oder Name einer Wallet. Standard: alle beobachteten Wallets des Kanals',
  watchedIn: 'Kanal, der die Meldungen bekommt. Standard: dieser Kanal',
  settings: {
    label: 'Name der Wallet auf diesem Server',
    kinds: 'Was gemeldet wird, etwa „Kauf, Verkauf“ oder „Eröffnung, Schließung“',
    minUsdc: 'Kleinste Meldung in USDC (gebündelt: die Summe der Ausführungen)',
    style: 'Zusammengehörige Ausführungen als eine Meldung oder jede für sich',
    styles: {
      grouped: 'gebündelt: eine Meldung für zusammengehörige Ausführungen',
      each: 'einzeln: eine Meldung pro Ausführung',
    },
    mention: 'Rolle, die in Meldungen erwähnt wird',
    markets:
      `IDs oder Slugs von Märkten: „${names.typed.only}: …, …“ oder „${names.typed.except}: ` +
      `…, …“`,
    words:
      `Wörter aus Markt oder Event: „${names.typed.only}: ` +
      `nba, lakers“ oder „${names.typed.except}: up or down“`,
    minPrice: 'Niedrigster Preis eines Trades in Cent',
    maxPrice: 'Höchster Preis in Cent; 94 lässt die meisten Käufe kurz vor der Abrechnung weg',
    liquidity: 'Nur Trades als Maker oder Taker',
    roles: {
      maker: 'Maker',
      taker: 'Taker',
      any: 'egal',
    },
    size: 'ungewöhnlich: nur Trades, die größer sind als 95\u00a0% der letzten dieser Wallet',
    sizes: {
      unusual: 'ungewöhnlich',
      any: 'egal',
    },
    cooldown: 'Pro Markt eine Meldung in dieser Zeit, der Rest kommt mit der nächsten: 10m, 1h',
    mentionMinUsdc: 'Die Rolle ab so viel USDC erwähnen',
    mentionCooldown: 'Die Rolle höchstens einmal in dieser Zeit erwähnen: 30m, 2h',
    silentBelowUsdc: 'Meldungen unter so viel USDC kommen ohne Ton',
    reset:
      `Auf Standard zurücksetzen, etwa „preis, erwähnen“; „${names.typed.all}“: ` +
      'alles außer dem Namen',
  },
  watch: 'Wählen, welche Kanäle Meldungen zu welchen Wallets bekommen',
  add: {
    description:
      'Meldungen zu jedem Trade, jeder Einlösung, Ein- und Auszahlung einer Wallet bekommen',
    channel: 'Kanal für die Meldungen. Standard: dieser Kanal',
  },
  edit: 'Die Meldungen zu einer Wallet ändern; ohne weitere Optionen: Einstellungen anzeigen',
  remove: 'Eine Wallet nicht mehr beobachten',
  pause: {
    description:
      'Meldungen zu einer Wallet oder im ganzen Kanal pausieren; nichts wird nachgereicht',
    for: `Wie lange: 30m, 2h, 1d. Standard: bis ${typedCommand(names, 'resume')}`,
  },
  resume: 'Eine Pause beenden und ab jetzt wieder Meldungen bekommen',
  channel: {
    description:
      'Aussehen, Sprache und Ergebnisse der Meldungen eines Kanals, und Meldungen bei Konsens',
    view: 'ausführlich: ein Embed pro Meldung; kompakt: eine Zeile pro Meldung',
    views: {
      full: 'ausführlich: ein Embed pro Meldung, mit allen Zahlen',
      compact: 'kompakt: eine Zeile pro Meldung, mehrere in einem Embed',
    },
    consensus: 'Melden, wenn so viele beobachtete Wallets denselben Ausgang kaufen',
    consensusWithin: 'In welchem Zeitraum: 2h, 1d, bis zu 3d',
    words:
      'Dasselbe für den ganzen Kanal, zusätzlich zu denen jeder Wallet: ' +
      `„${names.typed.except}: …“`,
    consensusOnly: 'Nur Konsens melden, einzelne Meldungen weglassen',
    consensusOnlyChoices: {
      on: 'an: nur Konsens, keine einzelnen Meldungen',
      off: 'aus: auch einzelne Meldungen',
    },
    results: 'Ergebnisse der hier gemeldeten Positionen',
    resultChoices: {
      on: 'an: eine Antwort, wenn eine gemeldete Position verkauft oder eingelöst ist',
      off: 'aus: keine Ergebnisse',
    },
    quiet: 'Zeit, in der alles lautlos kommt, etwa 22:00-07:00',
    timeZone: 'Zeitzone der Ruhezeit, etwa Europe/Berlin. Standard: die der Übersicht',
    delay: 'Meldungen verzögern, etwa 15m',
    language: 'Sprache der Meldungen und Übersichten des Kanals',
    serverLanguage: 'die Sprache des Servers',
    channel: 'Welcher Kanal. Standard: dieser Kanal',
    writtenIn: (language) => `Sprache der Meldungen und Übersichten: ${language}.`,
  },
  digest: {
    description:
      'Tägliche oder wöchentliche Übersicht der Wallets eines Kanals; ohne Optionen: ' +
      'Zeitplan zeigen',
    every: 'Wie oft',
    everies: { day: 'täglich', week: 'wöchentlich', off: 'keine Übersicht' },
    at: 'Uhrzeit, etwa 18:00',
    timeZone: 'Zeitzone, etwa Europe/Berlin',
    day: 'Tag einer wöchentlichen Übersicht',
    channel: 'Kanal für die Übersicht. Standard: dieser Kanal',
  },
  scores: 'Wie gut die Wallets eines Kanals waren, die beste zuerst',
  list: 'Alle beobachteten Wallets dieses Servers und etwaige Probleme',
  why: {
    description: 'Warum eine Transaktion in einem Kanal gemeldet wurde oder nicht',
    transaction: 'Transaktion (0x…); vorgeschlagen werden die neuesten',
  },
  status: 'Zustand des Bots: Verbindungen, Anfragelimit, Verzögerung, wartende Meldungen',
  export: {
    description: 'Die beobachteten Wallets dieses Servers mit Einstellungen als Datei',
    format: 'CSV für Tabellenkalkulationen, JSON für Programme. Standard: CSV',
  },
  import: {
    description:
      `Datei von ${typedCommand(names, 'export')} oder Wallet-Liste importieren; ` +
      'zeigt erst die Änderungen',
    file: 'CSV oder JSON, bis zu 1 MiB und 1000 Wallets',
  },
  'delete-data':
    'In einer Direktnachricht alle deine Daten löschen, auf einem Server deine ID dort',
  activity: {
    description: 'Trades und Einlösungen einer Wallet, neueste zuerst',
    market: 'Nur dieser Markt: Titel, ID oder Slug',
    action: 'Nur diese Art',
    actions: {
      Buy: 'Kauf',
      Sell: 'Verkauf',
      Redeem: 'Einlösung',
    },
    from: `Beginn: 2h, 3 Tage, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    to: `Ende: 2h, 3 Tage, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    transaction: 'Nur diese Transaktion (0x…)',
  },
  flows: 'Ein- und Auszahlungen einer Wallet, neueste zuerst',
  market: {
    description: 'Was die Wallets dieses Kanals in einem Markt halten',
    market: 'Titel, ID oder Slug. Standard: die Märkte mit dem meisten Geld',
  },
});
