import type { PanelWords } from '../../en/watch/panel.ts';
import type { Terms } from '../../terms.ts';

export const panel = ({ slash, permissions }: Terms): PanelWords => ({
  buttons: {
    settings: 'Réglages',
    what: 'Quoi signaler',
    large: 'Quels montants',
    markets: 'Quels marchés',
    often: 'À quelle fréquence',
    mention: 'Qui mentionner',
    name: 'Nom',
    pause: 'Mettre en pause…',
    why: 'Non publié\u00a0?…',
    remove: 'Retirer',
    look: 'Aspect',
    when: 'Quand',
    consensus: 'Consensus',
    words: 'Mots',
    example: 'Voir à quoi ça ressemble',
    add: 'Ajouter un wallet',
    again: 'Réessayer',
    mine: 'Prendre les miens',
    theirs: 'Garder les autres',
  },
  menu: 'Réglages de…',
  fields: {
    wallet: 'Adresse (0x…) ou lien du wallet',
    label: 'Nom',
    kinds: 'Signaler (vide\u00a0: l’habituel)',
    liquidity: 'Maker ou taker',
    style: 'Exécutions qui vont ensemble',
    'min-usdc': 'À partir de, en $',
    size: 'Taille des trades',
    'min-price': 'Prix à partir de, en ¢',
    'max-price': 'Prix jusqu’à, en ¢',
    'silent-below-usdc': 'Silencieux en dessous de, en $',
    words: 'Mots du marché ou de l’événement',
    markets: 'ID ou slugs de marchés',
    cooldown: 'Une alerte par marché en',
    mention: 'Rôle',
    'mention-min-usdc': 'Mentionner à partir de, en $',
    'mention-cooldown': 'Au plus une mention en',
    view: 'Affichage',
    language: 'Langue',
    results: 'Résultats',
    quiet: 'Heures calmes, comme 22:00-07:00',
    'time-zone': 'Fuseau, comme Europe/Paris',
    delay: 'Retard',
    consensus: 'Nombre de wallets (vide\u00a0: aucune)',
    'consensus-within': 'En',
    'consensus-only': 'Alertes isolées',
    for: 'Durée (vide\u00a0: jusqu’à la reprise)',
    transaction: 'Hash (0x…)',
  },
  otherTime: 'Ou une autre durée, comme 90s ou 1h30m',
  newest: 'Ou l’une des plus récentes',
  onePerLine: 'Lesquels, un par ligne',
  modes: { all: 'tous', only: 'seulement ceux-ci', except: 'tous sauf ceux-ci' },
  managersOnly:
    `Seules les personnes avec la permission «\u00a0${permissions.manageServer}\u00a0» peuvent ` +
    `l’utiliser. Avec ${slash.edit} et ses options, tu peux changer les réglages.`,
  typeAgain: 'Saisis-le à nouveau\u00a0: je ne le garde qu’un moment.',
  notDone: 'Ça n’a pas marché. Je garde un moment ce que tu as saisi.',
  otherForm: 'Ce formulaire ne convient plus. Ouvre-le à nouveau. Rien n’a changé.',
  tooLong:
    'Il y a trop de réglages ici pour un formulaire. ' +
    `Change-les dans le fichier de ${slash.export}, puis envoie-le avec ${slash.import}.`,
  either: (field, typed, thousands, decimal) =>
    `\`${field}\`\u00a0: ${typed}, est-ce ${thousands} ou ${decimal}\u00a0? ` +
    'Saisis-le sans séparateur. Rien n’a changé.',
  conflict:
    'Quelqu’un d’autre a changé la même chose pendant que ton formulaire était ouvert. Rien n’a changé.',
  bothValues: (field, mine, theirs) => `${field}\u00a0: ${mine} (toi), ${theirs} (actuel)`,
  unset: 'rien',
  wallets: (least, most) => `${least} à ${most} wallets, ou rien pour jamais`,
  accepted: {
    markets: (most) => `les ID ou slugs de ${most} marchés au plus, un par ligne`,
    words: (most) => `${most} mots ou expressions au plus, un par ligne`,
  },
  walletHint:
    'Un nom de profil n’est pas une adresse\u00a0: copie l’adresse (0x…) sur la page du profil.',
  example: {
    heading: (time) => `Exemple · ${time}`,
    madeUp: 'Ce wallet n’a encore rien fait, cette alerte est donc inventée.',
    market: 'Va-t-il pleuvoir demain\u00a0?',
  },
  undone: 'Annulé, sauf ce que quelqu’un a changé depuis.',
});
