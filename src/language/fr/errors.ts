import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('fr');

export const errors: ErrorWords = {
  unknownCommand: 'Cette commande n’existe plus. Rechargez Discord et réessayez.',
  unknownButton: 'Ce bouton n’existe plus. Relancez la commande.',
  notMember: 'Je ne suis pas encore membre de ce serveur. Invitez-moi avec le scope « bot », puis réessayez.',
  internal: (reference) =>
    `Quelque chose s’est mal passé dans le bot. C’est noté dans le journal sous la référence ${reference}.`,
  inAMinute: 'dans une minute',

  venue: {
    busy: (when) => `Trop de consultations en ce moment. Réessayez ${when}.`,
    rateLimited: (when) => `La plateforme demande une pause : sa limite de requêtes est atteinte. Réessayez ${when}.`,
    unauthorized:
      'La plateforme refuse la clé d’API du bot (401). La personne qui gère le bot doit la vérifier ; d’ici là, pas d’alertes.',
    notInPlan:
      'L’offre de la clé d’API du bot ne comprend pas cette liste (403). La personne qui gère le bot aurait besoin d’une autre offre.',
    unreachable:
      'La plateforme ne répond pas en ce moment. Rien n’est perdu : les alertes suivront quand elle répondra. Réessayez dans une minute.',
    unreadable:
      'La plateforme a envoyé une réponse illisible. Réessayez dans une minute ; si cela persiste, prévenez la personne qui gère le bot.',
  },

  admission: {
    notAllowed:
      'Ce bot ne sert que les serveurs choisis par la personne qui l’exploite. Celui-ci n’en fait pas partie.',
    serverBlocked: 'La personne qui exploite ce bot a bloqué ce serveur. Aucune alerte n’arrive ici.',
    userBlocked: 'La personne qui exploite ce bot t’a bloqué : il n’accepte aucune commande de ta part.',
  },

  quota: {
    user: (when) => `Cela fait beaucoup d’un coup. Réessayez ${when}.`,
    server: (when) => `Ce serveur a beaucoup demandé au cours de la dernière minute. Réessayez ${when}.`,
    lookups: (most, time, when) =>
      `Ce serveur a épuisé sa part de consultations (${most} en ${time}). Réessayez ${when}. Les alertes continuent pendant ce temps.`,
    watches: (most, present, more) =>
      `Un serveur peut avoir ${most} ${form(most, { one: 'suivi', other: 'suivis' })}. Celui-ci en a ${present} : il n’y a pas de place pour ${more === 1 ? 'un de plus' : `${more} de plus`}. ${slash.remove} fait de la place ; la personne qui gère le bot peut augmenter WATCHES_PER_GUILD.`,
  },

  permissions: {
    viewChannel: 'Voir le salon',
    sendMessages: 'Envoyer des messages',
    sendMessagesInThreads: 'Envoyer des messages dans les fils',
    embedLinks: 'Intégrer des liens',
    readMessageHistory: 'Voir les anciens messages',
    mentionEveryone: 'Mentionner tout le monde',
  },

  channel: {
    unseen: (channel, permission) => `Je ne vois pas ${channel}. Donnez-moi « ${permission} » là-bas, puis réessayez.`,
    wrongKind: (channel) => `${channel} n’accepte pas de messages. Choisissez un salon textuel ou un fil.`,
    closed: (channel, permissions) =>
      `Je ne peux pas écrire dans ${channel}. Donnez-moi là-bas ces permissions : ${permissions}. Puis réessayez.`,
    noHistory: (permission) =>
      `Donnez-moi aussi « ${permission} » là-bas : sans cela, je ne peux pas vérifier après une panne si une alerte était arrivée, et je la répéterai peut-être.`,
    roleGone: `Le rôle à mentionner n’existe plus : indiquez-en un autre avec ${slash.edit}.`,
    notMentionable: (role, channel, permission) =>
      `Je ne peux pas mentionner ${role} dans ${channel}. Rendez le rôle mentionnable, ou donnez-moi « ${permission} » là-bas.`,
    notYours: (channel, permissions) =>
      `Il vous manque ces permissions dans ${channel} : ${permissions}. Je n’écris que là où vous pouvez écrire vous-même.`,
    mentionNotYours: (role, channel, permission) =>
      `Vous ne pouvez pas mentionner ${role} dans ${channel}. Il faut un rôle que tout le monde peut mentionner, ou « ${permission} » là-bas.`,
  },

  wallet: {
    ambiguous: (wallets) => `Plus d’un wallet suivi porte ce nom : ${wallets}. Donnez l’adresse.`,
    unknown: (typed) =>
      `${typed} n’est ni une adresse de wallet (0x et 40 chiffres hexadécimaux) ni le nom d’un wallet suivi par ce serveur.`,
    typed: 'Cela',
    address: {
      shape: (typed) =>
        `« ${typed} » n’est pas une adresse de wallet. Une adresse, c’est 0x suivi de 40 chiffres hexadécimaux (0–9, a–f).`,
      checksum: (typed) =>
        `La somme de contrôle de ${typed} est fausse (EIP-55) : il y a sans doute une faute de frappe. Recopiez l’adresse.`,
    },
  },

  file: {
    refused: (status) => `Discord n’a pas remis le fichier (${status}). Renvoyez-le.`,
    late: 'Le fichier n’a pas pu être récupéré à temps auprès de Discord. Renvoyez-le.',
    tooLarge: (kibibytes) => `Le fichier est trop grand. Taille acceptée : jusqu’à ${kibibytes} Kio.`,
  },
};
