import type { CommandWords } from '../en/commands.ts';
import { typedCommand } from '../slash.ts';
import type { Terms } from '../terms.ts';

export const commands = ({ names }: Terms): CommandWords => ({
  lookUpWallets: 'Consulter les wallets',
  languageName: 'Français',
  wallet: 'Adresse (0x…) ou nom d’un wallet suivi par ce serveur',
  walletOrAll: 'Adresse ou nom d’un wallet. Par défaut : tous les wallets suivis du salon',
  watchedIn: 'Salon qui reçoit les alertes. Par défaut : ce salon',
  settings: {
    label: 'Nom du wallet sur ce serveur',
    kinds: 'Événements à signaler, par exemple « achat, vente » ou « ouverture, clôture »',
    minUsdc: 'Minimum d’une alerte en USDC (la somme si les exécutions sont groupées)',
    style: 'Une alerte pour les exécutions qui vont ensemble, ou une par exécution',
    styles: {
      grouped: 'groupées : une alerte pour les exécutions qui vont ensemble',
      each: 'séparées : une alerte par exécution',
    },
    mention: 'Rôle à mentionner dans les alertes',
    markets:
      `ID ou slugs de marchés : « ${names.typed.only}: …, … » ou « ${names.typed.except}: ` +
      `…, … »`,
    words:
      `Mots du marché ou de l’événement : « ${names.typed.only}: ` +
      `nba, lakers » ou « ${names.typed.except}: up or down »`,
    minPrice: 'Prix minimum d’un trade en cents',
    maxPrice: 'Prix maximum en cents ; 94 écarte presque tous les achats quasi certains',
    liquidity: 'Seulement les trades maker ou taker',
    roles: {
      maker: 'maker',
      taker: 'taker',
      any: 'tous',
    },
    size: 'inhabituelle : seulement les trades plus gros que 95\u00a0% des derniers de ce wallet',
    sizes: {
      unusual: 'inhabituelle',
      any: 'toutes',
    },
    cooldown: 'Une alerte par marché dans ce délai, le reste avec la suivante : 10m, 1h',
    mentionMinUsdc: 'Mentionner le rôle à partir de ce montant en USDC',
    mentionCooldown: 'Mentionner le rôle au plus une fois dans ce délai : 30m, 2h',
    silentBelowUsdc: 'Sous ce montant en USDC, les alertes arrivent sans son',
    reset:
      `Réglages à réinitialiser, par exemple « prix, mention » ; « ${names.typed.all} » : ` +
      'tous sauf le nom',
  },
  watch: 'Choisir quels salons reçoivent les alertes de quels wallets',
  add: {
    description: 'Recevoir une alerte à chaque trade, encaissement, dépôt et retrait d’un wallet',
    channel: 'Salon pour les alertes. Par défaut : ce salon',
  },
  edit: 'Modifier les alertes d’un wallet ; sans autre option : afficher ses réglages',
  remove: 'Ne plus suivre un wallet',
  pause: {
    description:
      'Mettre en pause les alertes d’un wallet ou de tout le salon ; rien n’est publié après coup',
    for: `Combien de temps : 30m, 2h, 1d. Par défaut : jusqu’à ${typedCommand(names, 'resume')}`,
  },
  resume: 'Mettre fin à une pause et recevoir de nouveau les alertes',
  channel: {
    description:
      'L’aspect et la langue des alertes d’un salon, les gains, et les alertes de consensus',
    view: 'complète : un embed par alerte ; compacte : une ligne par alerte',
    views: {
      full: 'complète : un embed par alerte, avec tous ses chiffres',
      compact: 'compacte : une ligne par alerte, plusieurs dans un embed',
    },
    consensus: 'Alerter quand ce nombre de wallets suivis achète la même issue',
    consensusWithin: 'En combien de temps : 2h, 1d, jusqu’à 3d',
    words:
      `De même pour tout le salon, en plus de ceux de chaque wallet : « ${names.typed.except}: ` +
      `… »`,
    consensusOnly: 'Ne publier que le consensus, sans les alertes isolées',
    consensusOnlyChoices: {
      on: 'oui : consensus seul, sans alertes isolées',
      off: 'non : alertes isolées aussi',
    },
    results: 'Gain ou perte sur ce qui a été signalé ici',
    resultChoices: {
      on: 'oui : une réponse quand une position signalée est vendue ou encaissée',
      off: 'non : aucune réponse',
    },
    quiet: 'Heures où tout arrive sans bruit, par exemple 22:00-07:00',
    timeZone: 'Fuseau de ces heures, par exemple Europe/Paris. Par défaut\u00a0: celui du résumé',
    delay: 'Différer toutes les alertes, par exemple de 15m',
    language: 'Langue des alertes et des résumés du salon',
    serverLanguage: 'la langue du serveur',
    channel: 'Quel salon. Par défaut : ce salon',
    writtenIn: (language) => `Langue des alertes et des résumés : ${language}.`,
  },
  digest: {
    description:
      'Un résumé quotidien ou hebdomadaire des wallets d’un salon ; sans option : l’horaire',
    every: 'À quelle fréquence',
    everies: { day: 'chaque jour', week: 'chaque semaine', off: 'aucun résumé' },
    at: 'Heure de la journée, par exemple 18:00',
    timeZone: 'Fuseau horaire, par exemple Europe/Paris',
    day: 'Jour du résumé hebdomadaire',
    channel: 'Salon pour le résumé. Par défaut : ce salon',
  },
  scores: 'Le bilan des wallets d’un salon, le meilleur d’abord',
  list: 'Tous les wallets suivis par ce serveur, et les problèmes éventuels',
  why: {
    description: 'Pourquoi une transaction a été publiée dans un salon, ou non',
    transaction: 'Transaction (0x…) ; les plus récentes sont proposées',
  },
  status: 'L’état du bot : connexions, limite de requêtes, retards, alertes en attente',
  export: {
    description: 'Exporter les wallets suivis par ce serveur avec leurs réglages',
    format: 'CSV pour les tableurs, JSON pour les programmes. Par défaut : CSV',
  },
  import: {
    description:
      `Importer un fichier de ${typedCommand(names, 'export')} ou une liste de wallets ; ` +
      'affiche d’abord ce qui change',
    file: 'CSV ou JSON, jusqu’à 1 Mio et 1000 wallets',
  },
  'delete-data':
    'Supprimer toutes tes données (en message privé) ou ton identifiant sur ce serveur',
  activity: {
    description: 'Trades et encaissements d’un wallet, du plus récent au plus ancien',
    market: 'Seulement ce marché : titre, ID ou slug',
    action: 'Seulement ce type',
    actions: {
      Buy: 'Achat',
      Sell: 'Vente',
      Redeem: 'Encaissement',
    },
    from: `Début : 2h, 3 jours, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    to: `Fin : 2h, 3 jours, ${names.typed.yesterday}, 2026-11-01 14:30 (UTC)`,
    transaction: 'Seulement cette transaction (0x…)',
  },
  flows: 'Dépôts et retraits d’un wallet, du plus récent au plus ancien',
  market: {
    description: 'Ce que les wallets de ce salon détiennent sur un marché',
    market: 'Titre, ID ou slug. Par défaut : les marchés où il y a le plus d’argent',
  },
});
