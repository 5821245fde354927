import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('fr');

export const errors = (venue: VenueForms, { slash, permissions }: Terms): ErrorWords => ({
  unknownCommand: 'Cette commande n’existe plus. Recharge Discord et réessaie.',
  unknownButton: 'Ce bouton ne fonctionne plus. Relance la commande.',
  notMember:
    'Je ne suis pas encore membre de ce serveur. Invite-moi avec le scope « bot », puis réessaie.',
  internal: (reference) =>
    `Un problème est survenu de mon côté. Donne la référence ${reference} au responsable du bot.`,
  diskFull: (reference) =>
    'Mon disque est plein et rien n’a changé. ' +
    `Préviens le responsable du bot (référence ${reference}).`,
  inAMinute: 'dans une minute',
  at: (clock) => `à ${clock}`,

  venue: {
    rateLimited: (when) =>
      `La limite de requêtes imposée par ${venue.name} est atteinte. ` +
      `Des alertes peuvent arriver en retard\u00a0; tu recevras ce qui y est encore affiché. Réessaie ${when}.`,
    unauthorized:
      `${venue.start} refuse la clé d’API du bot (401). ` +
      'Les alertes sont en pause jusqu’à ce que le responsable du bot la vérifie.',
    notInPlan:
      'L’offre de la clé d’API du bot ne comprend pas cette liste (403). ' +
      'Le responsable du bot a besoin d’une autre offre.',
    unreachable:
      `${venue.start} ne répond pas en ce moment. ` +
      'À son retour, tu recevras ce qui y est encore affiché. Réessaie dans une minute.',
    feedAway:
      'Mon flux de données ne répond pas en ce moment. ' +
      'À son retour, tu recevras ce qui est encore affiché. Réessaie dans une minute.',
    unreadable:
      `${venue.start} a envoyé une réponse que je ne peux pas lire. ` +
      'Réessaie dans une minute ; si cela persiste, préviens le responsable du bot.',
  },

  admission: {
    notAllowed:
      'Ce bot ne fonctionne que sur les serveurs choisis par son responsable. ' +
      'Celui-ci n’en fait pas partie.',
    serverBlocked: 'Le responsable du bot a bloqué ce serveur. Aucune alerte n’arrive ici.',
    userBlocked: 'Le responsable du bot t’a bloqué. Tu ne peux pas utiliser ses commandes.',
  },

  quota: {
    user: (when) => `Un peu moins vite : réessaie ${when}.`,
    server: (when) =>
      'Ce serveur a utilisé beaucoup de commandes au cours de la dernière minute. ' +
      `Réessaie ${when}.`,
    lookups: (most, time, when) =>
      `Ce serveur a épuisé ses consultations (${most} en ${time}). Réessaie ${when}. ` +
      'Les alertes continuent comme d’habitude.',
    watches: (most, present, more) =>
      `Un serveur peut suivre ${most} ${form(most, { one: 'wallet', other: 'wallets' })}, ` +
      'comptés une fois par salon. ' +
      `Celui-ci en suit ${present} : ` +
      `il n’y a pas de place pour ${more === 1 ? 'un de plus' : `${more} de plus`}. ` +
      'Rien n’a changé. ' +
      `Fais de la place avec ${slash.remove}, ` +
      'ou demande au responsable du bot d’augmenter WATCHES_PER_GUILD.',
    total: (more) =>
      'J’ai atteint le nombre de wallets que le responsable du bot autorise au total : ' +
      `il n’y a pas de place pour ${more === 1 ? 'un de plus' : `${more} de plus`}. ` +
      'Rien n’a changé. Réessaie plus tard, ou demande-lui d’augmenter WATCHES_TOTAL.',
    leavingCount: (leaving) =>
      `${leaving === 1 ? 'L’un d’eux vient d’être retiré' : `${leaving} d’entre eux viennent d’être retirés`} : ` +
      'un wallet retiré compte encore dix minutes, le temps de pouvoir annuler.',
    channels: (most) => `Un serveur peut régler ceci pour ${most} salons au plus. Rien n’a changé.`,
  },

  permissions,

  channel: {
    unseen: (channel, permission) =>
      `Je ne vois pas ${channel}. Donne-moi « ${permission} » dans ce salon, puis réessaie.`,
    wrongKind: (channel) =>
      `Je ne peux pas écrire dans ${channel}. Choisis un salon textuel ou un fil.`,
    closed: (channel, permissions) =>
      `Je ne peux pas écrire dans ${channel}. ` +
      `Donne-moi ces permissions dans ce salon : ${permissions}. Puis réessaie.`,
    locked: (channel) =>
      `Je ne peux pas écrire dans ${channel} : le fil est verrouillé. ` +
      `Déverrouille-le ou donne-moi la permission « ${permissions.manageThreads} ».`,
    timedOut: (channel, until) =>
      `Je ne peux pas écrire dans ${channel} : ` +
      `ce serveur m’a exclu temporairement jusqu’au ${until}.`,
    noEmbeds: (channel, permission) =>
      `Donne-moi « ${permission} » dans ${channel} : ` +
      'sans cette permission, les alertes n’affichent que leur première ligne.',
    noHistory: (permission) =>
      `Donne-moi aussi « ${permission} » dans ce salon : ` +
      'sans cela, je ne peux pas vérifier après une panne si une alerte est arrivée, ' +
      'et je la publierai peut-être deux fois.',
    roleGone: `Le rôle à mentionner n’existe plus. Choisis-en un autre avec ${slash.edit}.`,
    notMentionable: (role, channel, permission) =>
      `Je ne peux pas mentionner ${role} dans ${channel}. ` +
      `Rends le rôle mentionnable, ou donne-moi « ${permission} » dans ce salon.`,
    notYours: (channel, permissions) =>
      `Il te manque ces permissions dans ${channel} : ${permissions}. ` +
      'Je n’écris que là où tu peux écrire toi-même.',
    mentionNotYours: (role, channel, permission) =>
      `Tu ne peux pas mentionner ${role} dans ${channel}. ` +
      'Choisis un rôle que tout le monde peut mentionner, ' +
      `ou demande « ${permission} » dans ce salon.`,
  },

  wallet: {
    ambiguous: (wallets) => `Plus d’un wallet suivi porte ce nom : ${wallets}. Utilise l’adresse.`,
    unknown: (typed) =>
      `${typed} n’est ni une adresse de wallet (0x et 40 chiffres hexadécimaux) ` +
      'ni le nom d’un wallet suivi par ce serveur.',
    pasted: {
      profile: (typed) =>
        `${typed} ne contient pas d’adresse. Un nom de profil n’en est pas une\u00a0: copie l’adresse (0x…) sur la page du profil.`,
      ens: (typed) =>
        `${typed} est un nom ENS, que je ne résous pas. Colle l’adresse correspondante (0x et 40 chiffres hexadécimaux).`,
      bare: (typed) => `${typed} ressemble à une adresse sans son début. Mets 0x devant.`,
    },
    address: {
      shape: (typed) =>
        `${typed} n’est pas une adresse de wallet. ` +
        'Utilise 0x suivi de 40 chiffres hexadécimaux (0–9, a–f).',
      checksum: (typed) =>
        `La somme de contrôle de ${typed} est fausse (EIP-55) : ` +
        'il y a sans doute une faute de frappe. Recopie l’adresse.',
      zero: (typed) =>
        `${typed} est l’adresse zéro, qui n’appartient à aucun wallet. Copie l’adresse du wallet.`,
    },
  },

  file: {
    refused: (status) =>
      `Je n’ai pas pu récupérer le fichier auprès de Discord (${status}). Renvoie-le.`,
    late: 'Je n’ai pas pu récupérer le fichier à temps auprès de Discord. Renvoie-le.',
    tooLarge: (kibibytes) =>
      `Le fichier est trop volumineux. Accepté\u00a0: jusqu’à ${kibibytes} Kio.`,
  },
});
