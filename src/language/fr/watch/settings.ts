import type { WatchSettingsWords } from '../../en/watch/settings.ts';
import type { Terms } from '../../terms.ts';

export const settings = ({ names }: Terms): WatchSettingsWords => ({
  kinds: {
    buy: 'achats',
    sell: 'ventes',
    redeem: 'encaissements',
    deposit: 'dépôts',
    withdrawal: 'retraits',
    opens: 'ouvertures',
    adds: 'renforcements',
    reduces: 'réductions',
    closes: 'clôtures',
    other: 'autres actions',
  },
  kind: {
    buy: 'achat',
    sell: 'vente',
    redeem: 'encaissement',
    deposit: 'dépôt',
    withdrawal: 'retrait',
    opens: 'ouverture',
    adds: 'renforcement',
    reduces: 'réduction',
    closes: 'clôture',
    other: 'autre',
  },
  resetPrice: 'prix',
  time: { d: ' j', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: 'chaque achat, vente, encaissement, dépôt et retrait',
  nothingChanged: 'Rien n’a changé.',
  was: (before) => `(avant\u00a0: ${before})`,
  kindsOnly: (kinds) => `${kinds} seulement`,
  minUsdc: (amount) => `à partir de ${amount}`,
  marketsOnly: (markets) => `seulement sur ${markets}`,
  marketsExcept: (markets) => `pas sur ${markets}`,
  unknownMarkets: (markets) =>
    `Je ne connais aucun trade sur ${markets}. Vérifie l’identifiant ou le slug.`,
  wordsOnly: (words) => `seulement les marchés avec ${words}`,
  wordsExcept: (words) => `pas les marchés avec ${words}`,
  unknownWords: (words) =>
    `Je ne connais aucun trade sur un marché avec ${words}. Vérifie l’orthographe.`,
  anyway: {
    button: 'Utiliser quand même',
    nothing:
      'Rien n’a changé. Si c’est correct, appuie sur le bouton ou envoie la même commande encore une fois.',
    notYours: 'Seule la personne qui a envoyé la commande peut utiliser ce bouton.',
  },
  unnamedMarket: 'un marché sans nom',
  priceUpTo: (price) => `trades à ${price} ou moins`,
  priceFrom: (price) => `trades à ${price} ou plus`,
  priceExactly: (price) => `trades à ${price}`,
  priceBetween: (low, high) => `trades de ${low} à ${high}`,
  liquidity: { maker: 'trades maker seulement', taker: 'trades taker seulement' },
  cooldown: (time) => `1 alerte max. par marché toutes les ${time}`,
  eachFill: 'une alerte par exécution',
  mention: (role, minUsdc, cooldown) =>
    `mentionne ${role}${minUsdc === null ? '' : ` à partir de ${minUsdc}`}` +
    (cooldown === null ? '' : `, pas plus d’une fois en ${cooldown}`),
  unusualOnly: 'trades de taille inhabituelle seulement',
  silentBelow: (amount) => `silencieux en dessous de ${amount}`,
  sweeps: (price, cents) =>
    `Les exécutions à ${price} ou plus sont surtout des achats quasi certains, ` +
    `juste avant le règlement. Écarte-les avec \`${names.options['max-price']}: ${cents}\`.`,

  notAccepted: (option, value, accepted) =>
    `\`${option}\` ne peut pas être ${value}. Accepté : ${accepted}. Rien n’a changé.`,
  accepted: {
    labelOfOne: 'un nom pour un seul wallet\u00a0; plusieurs gardent les noms qu’ils ont ici',
    kinds: (kinds) => `\`${names.typed.all}\`, ou un ou plusieurs parmi ${kinds}`,
    resets: (parts) => `un ou plusieurs parmi ${parts}`,
    markets: (most) =>
      `\`${names.typed.only}: ID, SLUG\` ou \`${names.typed.except}: ` +
      `ID, SLUG\` (${most} marchés au plus), ou \`${names.typed.any}\``,
    words: (most) =>
      `\`${names.typed.only}: MOT, DEUX MOTS\` ou \`${names.typed.except}: ` +
      `MOT\` (${most} mots ou expressions au plus), ou \`${names.typed.any}\``,
    usdc: (most) => `des dollars de 0 à ${most}, avec deux décimales au plus`,
    cents: 'des cents de 0 à 100, avec deux décimales au plus',
    time: (examples, least, most) => `une durée de ${least} à ${most} (${examples})`,
    cooldown: (examples, least, most) =>
      `une durée de ${least} à ${most} (${examples}) ou \`${names.typed.none}\``,
    pause: (examples, least, most) =>
      `une durée de ${least} à ${most} (${examples}), ou rien pour une pause sans fin`,
  },
  bandWrong: (min, max) =>
    `\`${names.options['min-price']}\` (${min}) ` +
    `dépasse \`${names.options['max-price']}\` (${max}). Inverse-les. Rien n’a changé.`,
  notEveryone:
    `\`${names.options.mention}\` ne peut pas être @everyone. ` +
    'Utilise un rôle que chacun peut choisir de prendre. Rien n’a changé.',
  needsRole: (option) =>
    `\`${option}\` demande un rôle à mentionner : indique aussi \`${names.options.mention}\`. ` +
    'Rien n’a changé.',
});
