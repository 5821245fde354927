import type { PersonalWords } from '../en/personal.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('fr');

function watched(watches: number): string {
  if (watches === 0) return 'tes réglages privés';
  if (watches === 1) return 'ton wallet suivi en privé';
  return `tes ${watches} wallets suivis en privé`;
}

export const personal = ({ slash }: Terms): PersonalWords => ({
  here: 'ce MP',
  welcome:
    '👋 Tes alertes privées arrivent ici : personne d’autre ne voit ce que tu suis. ' +
    `${slash.list} l’affiche, ${slash['delete-data']} supprime toutes tes données.`,
  watchElsewhere:
    `${slash.watch} fonctionne sur les serveurs qui m’ont invité et dans un message privé ` +
    'avec moi : ouvre mon profil et écris-moi pour recevoir des alertes privées.',
  watchNotManager: (permission) =>
    `Sur un serveur, ${slash.watch} demande «\u00a0${permission}\u00a0». ` +
    'Si un admin t’a autorisé la commande, retire-moi d’abord de tes propres applications : ' +
    'Discord le vérifie alors. Pour toi, elle fonctionne dans un message privé avec moi.',
  off: 'Les alertes privées sont désactivées ici. Demande au responsable du bot.',
  notServed: 'Ce bot ne fonctionne que sur les serveurs que son responsable a choisis.',
  serversOnly: (option) =>
    `Il n’y a ni salons ni rôles dans un message privé : retire \`${option}\`. Rien n’a changé.`,
  notWatched: `Tu ne suis pas ce wallet ici. ${slash.list} affiche ce que tu suis.`,
  unknownWallet: (typed) =>
    `${typed} n’est ni une adresse de wallet (0x et 40 chiffres hexadécimaux) ` +
    'ni le nom d’un de tes propres wallets.',
  tooMany: (most, present, more) =>
    `Tu peux suivre ${most} ${form(most, { one: 'wallet', other: 'wallets' })} en privé. ` +
    `Tu en suis ${present} : ` +
    `il n’y a pas de place pour ${more === 1 ? 'un de plus' : `${more} de plus`}. ` +
    `Rien n’a changé. Fais de la place avec ${slash.remove}.`,
  lookups: (most, time, when) =>
    `Tu as épuisé tes consultations (${most} en ${time}). Réessaie ${when}. ` +
    'Les alertes continuent comme d’habitude.',
  ownLanguage: 'la langue de ton Discord',
  refused: {
    closed:
      'Je ne peux pas t’envoyer de messages privés (50007), donc rien n’a été enregistré. ' +
      'Débloque-moi, ou autorise les messages privés d’un serveur que nous partageons : ' +
      'son menu → Paramètres de confidentialité → Messages privés. Puis réessaie.',
    noSharedServer:
      'Discord ne me laisse pas t’écrire, parce que nous ne partageons aucun serveur (50278), ' +
      'donc rien n’a été enregistré. ' +
      'Rejoins un serveur où je suis, ou invite-moi sur l’un des tiens. Puis réessaie.',
    later:
      'Discord n’accepte pas mes messages en ce moment, donc rien n’a été enregistré. ' +
      'Réessaie dans une minute.',
    openedTooFast:
      'Discord ne me laisse ouvrir que quelques messages privés à la fois (40003), ' +
      'et beaucoup de monde a appuyé. Rien n’a été enregistré. Réessaie dans une minute.',
    tooFast: (when) =>
      `Beaucoup de monde commence en ce moment. Rien n’a été enregistré. Réessaie ${when}.`,
  },
  leftOut: 'Les salons et les rôles du fichier sont laissés de côté : tout arrive dans ce MP.',
  follow: {
    button: 'M’alerter',
    done: (name, dm) =>
      `Tu recevras les alertes de ${name} dans [nos messages privés](${dm}). ` +
      'Elles ne sont visibles que par toi\u00a0:',
    change: `Là, modifie-les avec ${slash.edit} ou arrête-les avec ${slash.remove}.`,
    already: (name, dm) =>
      `Tu reçois déjà les alertes de ${name} dans [nos messages privés](${dm}).`,
    wordsLeftOut: (words) =>
      `Le salon a aussi des mots pour tous ses wallets\u00a0: ${words}. Ils ne s’appliquent pas à tes alertes.`,
  },
  forget: {
    title: 'Supprimer toutes tes données ?',
    question: (watches) =>
      `Cela supprime ${watched(watches)} avec tous les réglages, ton résumé, ` +
      'tes listes et tout le reste qui est enregistré sur toi. ' +
      'Les messages déjà reçus restent dans ce MP, ' +
      'et les wallets que tu as ajoutés sur des serveurs y restent, ' +
      'avec ton identifiant tant que tu n’y as pas tapé cette commande. C’est irréversible. ' +
      `Pour en garder une copie, utilise d’abord ${slash.export}.`,
    yes: 'Tout supprimer',
    no: 'Garder',
    done: 'Toutes tes données sont supprimées. Plus aucune alerte n’arrivera ici.',
    kept: 'Rien n’a été supprimé.',
    inServer:
      'Ton identifiant est supprimé ici\u00a0: des wallets que tu as ajoutés et de tes modifications, ' +
      'qui restent. Ce que tu modifies désormais est de nouveau noté. ' +
      `Dans un message privé avec moi, ${slash['delete-data']} supprime tout le reste.`,
  },
});
