import type { WatchSettingsWords } from '../en/watch-settings.ts';
import { names } from './names.ts';

export const settings: WatchSettingsWords = {
  kinds: { buy: 'achats', sell: 'ventes', redeem: 'encaissements', deposit: 'dépôts', withdrawal: 'retraits' },
  kind: { buy: 'achat', sell: 'vente', redeem: 'encaissement', deposit: 'dépôt', withdrawal: 'retrait' },
  resetPrice: 'prix',
  time: { d: ' j', h: ' h', m: ' min', s: ' s', between: ' ' },

  everything: (kinds) => `Tout sonne : ${kinds}.`,
  kindsOnly: (kinds) => `${kinds} seulement`,
  minUsdc: (amount) => `à partir de ${amount}`,
  marketsOnly: (markets) => `seulement dans ${markets}`,
  marketsExcept: (markets) => `pas dans ${markets}`,
  unnamedMarket: 'un marché sans nom',
  priceUpTo: (price) => `trades à ${price} ou moins`,
  priceFrom: (price) => `trades à ${price} ou plus`,
  priceExactly: (price) => `trades à ${price}`,
  priceBetween: (low, high) => `trades de ${low} à ${high}`,
  liquidity: { maker: 'trades maker seulement', taker: 'trades taker seulement' },
  cooldown: (time) => `au plus une alerte par marché en ${time}`,
  eachFill: 'chaque exécution à part',
  mention: (role, minUsdc, cooldown) =>
    `mentionne ${role}${minUsdc === null ? '' : ` à partir de ${minUsdc}`}${cooldown === null ? '' : `, au plus une fois en ${cooldown}`}`,
  unusualOnly: 'trades de taille inhabituelle seulement',
  silentBelow: (amount) => `silencieux en dessous de ${amount}`,
  sweeps: (price, cents) =>
    `Les exécutions à ${price} et plus ne font le plus souvent que balayer des marchés déjà joués : \`${names.options['max-price']}: ${cents}\` les écarte.`,

  notAccepted: (option, value, accepted) =>
    `L’option \`${option}\` n’accepte pas ${value}. Accepté : ${accepted}. Rien n’a changé.`,
  thatValue: 'cela',
  accepted: {
    kinds: (kinds) => `all, ou certains parmi ${kinds}`,
    markets: (most) => `"only: ID, SLUG", "except: ID, SLUG" (${most} marchés au plus) ou "any"`,
    liquidity: 'maker, taker ou any',
    style: 'grouped ou each',
    size: 'unusual ou any',
    usdc: (most) => `des dollars de 0 à ${most}, avec deux décimales au plus`,
    cents: 'des cents de 0 à 100, avec deux décimales au plus',
    cooldown: (examples, most) => `une durée comme ${examples} (${most} au plus), ou none`,
    pause: (examples, least, most) =>
      `une durée comme ${examples}, de ${least} à ${most} ; omettez-la pour une pause sans fin`,
  },
  bandWrong: (min, max) =>
    `L’option \`${names.options['min-price']}\` (${min}) dépasse \`${names.options['max-price']}\` (${max}). Accepté : autant ou moins. Rien n’a changé.`,
  notEveryone: `L’option \`${names.options.mention}\` n’accepte pas @everyone. Accepté : tout autre rôle, que peut prendre qui le veut. Rien n’a changé.`,
  needsRole: (option) =>
    `L’option \`${option}\` demande un rôle à mentionner : indiquez aussi l’option \`${names.options.mention}\`. Rien n’a changé.`,
};
