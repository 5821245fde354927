import type { WatchSettingsWords } from '../../en/watch/settings.ts';
import type { Terms } from '../../terms.ts';

export const settings = ({ names }: Terms): WatchSettingsWords => ({
  kinds: {
    buy: 'Käufe',
    sell: 'Verkäufe',
    redeem: 'Einlösungen',
    deposit: 'Einzahlungen',
    withdrawal: 'Auszahlungen',
    opens: 'Eröffnungen',
    adds: 'Aufstockungen',
    reduces: 'Reduzierungen',
    closes: 'Schließungen',
    other: 'sonstige Aktionen',
  },
  kind: {
    buy: 'Kauf',
    sell: 'Verkauf',
    redeem: 'Einlösung',
    deposit: 'Einzahlung',
    withdrawal: 'Auszahlung',
    opens: 'Eröffnung',
    adds: 'Aufstockung',
    reduces: 'Reduzierung',
    closes: 'Schließung',
    other: 'Sonstiges',
  },
  resetPrice: 'preis',
  time: { d: ' d', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: 'jeder Kauf, jeder Verkauf, jede Einlösung, jede Ein- und Auszahlung',
  nothingChanged: 'Es wurde nichts geändert.',
  was: (before) => `(vorher ${before})`,
  kindsOnly: (kinds) => `nur ${kinds}`,
  minUsdc: (amount) => `ab ${amount}`,
  marketsOnly: (markets) => `nur in ${markets}`,
  marketsExcept: (markets) => `nicht in ${markets}`,
  unknownMarkets: (markets) => `Ich kenne keinen Trade in ${markets}. Prüf ID oder Slug.`,
  wordsOnly: (words) => `nur Märkte mit ${words}`,
  wordsExcept: (words) => `keine Märkte mit ${words}`,
  unknownWords: (words) =>
    `Ich kenne keinen Trade in einem Markt mit ${words}. Prüf die Schreibweise.`,
  anyway: {
    button: 'Trotzdem verwenden',
    nothing:
      'Es wurde nichts geändert. Wenn es stimmt, drück den Button oder sende denselben Befehl noch einmal.',
    notYours: 'Diesen Button kann nur drücken, wer den Befehl gesendet hat.',
  },
  unnamedMarket: 'ein Markt ohne Namen',
  priceUpTo: (price) => `Trades zu ${price} oder weniger`,
  priceFrom: (price) => `Trades zu ${price} oder mehr`,
  priceExactly: (price) => `Trades zu ${price}`,
  priceBetween: (low, high) => `Trades zu ${low} bis ${high}`,
  liquidity: { maker: 'nur Maker-Trades', taker: 'nur Taker-Trades' },
  cooldown: (time) => `höchstens eine Meldung pro Markt alle ${time}`,
  eachFill: 'eine Meldung pro Ausführung',
  mention: (role, minUsdc, cooldown) =>
    `erwähnt ${role}${minUsdc === null ? '' : ` ab ${minUsdc}`}` +
    (cooldown === null ? '' : `, höchstens alle ${cooldown} einmal`),
  unusualOnly: 'nur ungewöhnlich große Trades',
  silentBelow: (amount) => `stumm unter ${amount}`,
  sweeps: (price, cents) =>
    `Ausführungen ab ${price} sind meist Käufe kurz vor der Abrechnung. ` +
    `Mit \`${names.options['max-price']}: ${cents}\` lässt du sie weg.`,

  notAccepted: (option, value, accepted) =>
    `${value} passt nicht zu \`${option}\`. Möglich: ${accepted}. Es wurde nichts geändert.`,
  accepted: {
    labelOfOne:
      'ein Name für eine einzelne Wallet; ' + 'mehrere behalten die Namen, die sie hier haben',
    kinds: (kinds) => `\`${names.typed.all}\` oder eines oder mehrere von ${kinds}`,
    resets: (parts) => `eines oder mehrere von ${parts}`,
    markets: (most) =>
      `\`${names.typed.only}: ID, SLUG\` oder \`${names.typed.except}: ` +
      `ID, SLUG\` (bis zu ${most} Märkte) oder \`${names.typed.any}\``,
    words: (most) =>
      `\`${names.typed.only}: WORT, ZWEI WÖRTER\` oder \`${names.typed.except}: ` +
      `WORT\` (bis zu ${most} Wörter oder Wortfolgen) oder \`${names.typed.any}\``,
    usdc: (most) => `Dollar von 0 bis ${most}, mit höchstens zwei Nachkommastellen`,
    cents: 'Cent von 0 bis 100, mit höchstens zwei Nachkommastellen',
    time: (examples, least, most) => `eine Dauer von ${least} bis ${most} (${examples})`,
    cooldown: (examples, least, most) =>
      `eine Dauer von ${least} bis ${most} (${examples}) oder \`${names.typed.none}\``,
    pause: (examples, least, most) =>
      `eine Dauer von ${least} bis ${most} (${examples}); lass sie weg für eine Pause ohne Ende`,
  },
  bandWrong: (min, max) =>
    `\`${names.options['min-price']}\` (${min}) ` +
    `liegt über \`${names.options['max-price']}\` (${max}). Vertausche sie. ` +
    'Es wurde nichts geändert.',
  notEveryone:
    `\`${names.options.mention}\` kann nicht @everyone sein. ` +
    'Nimm eine Rolle, die man sich selbst geben kann. Es wurde nichts geändert.',
  needsRole: (option) =>
    `\`${option}\` braucht eine Rolle, die erwähnt wird: ` +
    `Gib auch \`${names.options.mention}\` an. Es wurde nichts geändert.`,
});
