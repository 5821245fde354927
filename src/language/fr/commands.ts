import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import { names } from './names.ts';

export const commands: CommandWords = {
  languageName: 'Français',
  wallet: 'Une adresse (0x…), ou le nom d’un wallet suivi par ce serveur',
  walletOrAll: 'Quel wallet : adresse ou nom ; sans précision, tous les suivis du salon',
  ringsIn: 'Où il sonne ; sans précision, ce salon',
  settings: {
    label: 'Comment ce serveur appelle le wallet ; "none" pour aucun nom',
    kinds: 'Ce qui sonne, par exemple "buy, sell" ; "all" pour tout',
    minUsdc: 'USDC minimum d’une alerte (du total si les exécutions sont groupées) ; 0 : indifférent',
    style: 'Les exécutions qui vont ensemble en une alerte, ou chacune à part',
    styles: {
      grouped: 'grouped : une alerte pour les exécutions qui vont ensemble',
      each: 'each : une alerte par exécution',
    },
    mention: 'Un rôle à mentionner dans les alertes',
    markets: 'Par id ou slug : "only: …, …" ou "except: …, …" ; "any" pour tous',
    minPrice: 'Prix minimum d’une transaction en cents ; 0 : indifférent',
    maxPrice: 'Prix maximum en cents ; 94 écarte presque tous les achats de fin ; 100 : indifférent',
    liquidity: 'Seulement les transactions dans ce rôle',
    roles: {
      maker: 'maker',
      taker: 'taker',
      any: 'indifférent',
    },
    size: 'inhabituelle : seulement au-delà de 95 % des dernières transactions de ce wallet',
    sizes: {
      unusual: 'inhabituelle',
      any: 'indifférent',
    },
    cooldown: 'Une alerte par marché dans ce délai, le reste avec la suivante : 10m, 1h ; "none"',
    mentionMinUsdc: 'Mentionner le rôle à partir de ce montant en USDC ; 0 : toujours',
    mentionCooldown: 'Mentionner le rôle au plus une fois dans ce délai : 30m, 2h ; "none"',
    silentBelowUsdc: 'Sous ce montant en USDC, les alertes sont sans son ; 0 : toutes sonnent',
    reset: 'Revenir à la valeur par défaut, par exemple "price, mention" ; "all" garde le nom',
  },
  watch: 'Quels wallets sonnent dans quels salons',
  add: {
    description: 'Sonner ici à chaque transaction, encaissement, dépôt et retrait d’un wallet',
    channel: 'Où sonner ; sans précision, ce salon',
  },
  edit: 'Changer ce qui sonne d’un wallet, et comment ; sans autre option : l’afficher',
  remove: 'Ne plus sonner pour un wallet',
  pause: {
    description: 'Taire un wallet, ou tout un salon ; rien n’est rattrapé ensuite',
    for: `Combien de temps : 30m, 2h, 1d ; sans précision, jusqu’à ${typedCommand(names, 'resume')}`,
  },
  resume: 'Mettre fin à une pause : sonner de nouveau dès maintenant',
  channel: {
    description: 'L’aspect des alertes d’un salon, et s’il apprend que des wallets suivis s’accordent',
    view: 'full : un embed chacune ; compact : une ligne chacune',
    views: {
      full: 'full : un embed par alerte, avec tous ses chiffres',
      compact: 'compact : une ligne par alerte, plusieurs dans un embed',
    },
    consensus: 'Signaler quand autant de wallets suivis prennent la même issue ; 0 : jamais',
    consensusWithin: 'Dans quel intervalle : 2h, 1d, jusqu’à 3d',
    language: 'La langue des alertes et des résumés du salon',
    serverLanguage: 'la langue du serveur',
    channel: 'Quel salon ; sans précision, celui-ci',
    writtenIn: (language) => `Langue des alertes et des résumés : ${language}.`,
  },
  digest: {
    description: 'Un résumé quotidien ou hebdomadaire des wallets d’un salon ; sans option : quand il vient',
    every: 'À quelle fréquence',
    everies: {
      day: 'day : un résumé chaque jour',
      week: 'week : un résumé chaque semaine',
      off: 'off : aucun résumé',
    },
    at: 'L’heure de la journée, par exemple 18:00',
    timeZone: 'De quel fuseau est cette heure, par exemple Europe/Paris',
    day: 'Quel jour vient le résumé hebdomadaire',
    channel: 'Où il est envoyé ; sans précision, ce salon',
  },
  scores: 'Ce qu’ont donné les alertes des wallets d’un salon, le meilleur d’abord',
  list: 'Tous les suivis de ce serveur, et ce qui ne va pas',
  status: 'L’état du bot : connexions, budget de requêtes, retards, ce qui attend',
  export: {
    description: 'Tous les suivis de ce serveur avec leurs réglages, dans un fichier',
    format: 'CSV s’ouvre dans un tableur ; JSON est pour les programmes. Sans précision, CSV',
  },
  import: {
    description: `Suivis d’un fichier de ${typedCommand(names, 'export')} ou d’une liste de wallets ; dit d’abord ce qui changerait`,
    file: 'CSV ou JSON, jusqu’à 1 Mio et 1000 suivis',
  },
  activity: {
    description: 'Transactions et encaissements d’un wallet, du plus récent au plus ancien',
    market: 'Seulement ce marché : son numéro ou son slug',
    action: 'Seulement ceux-ci',
    actions: {
      Buy: 'Achat',
      Sell: 'Vente',
      Redeem: 'Encaissement',
    },
    from: 'Pas plus ancien : 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    to: 'Pas plus récent : 2h, 3 days, yesterday, 2026-11-01 14:30 (UTC)',
    transaction: 'Seulement cette transaction (0x…)',
  },
  flows: 'Dépôts et retraits d’un wallet, du plus récent au plus ancien',
};
