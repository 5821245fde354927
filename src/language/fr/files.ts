import type { FileWords } from '../en/files.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';

const form = plural('fr');

function errorsOf(errors: string, n: number): string {
  return `${errors} ${form(n, { one: 'erreur', other: 'erreurs' })}`;
}

export const files = ({ names, slash }: Terms): FileWords => ({
  export: {
    nothing: 'Aucun wallet n’est encore suivi : il n’y a rien à exporter.',
    done: (watches, n) =>
      `${watches} ${form(n, { one: 'wallet suivi', other: 'wallets suivis' })}. ` +
      `Importe le fichier avec ${slash.import}, ici ou sur un autre serveur.`,
  },
  import: {
    notYours:
      'Seule la personne qui a envoyé le fichier et qui peut utiliser ' +
      `\`/${names.commands.watch}\` peut en décider.`,
    counted: (added, changed, same) =>
      `Nouveaux : ${added}, modifiés : ${changed}, identiques : ${same}`,
    faultsTitle: (errors, n) => `${errorsOf(errors, n)} : rien n’a changé`,
    faults: (counted, errors, n) =>
      `${counted}, **${errorsOf(errors, n)}**. ` +
      'Un fichier est importé en entier ou pas du tout : corrige-le, puis renvoie-le.',
    more: (left) => `… et ${left} de plus`,
    nothingToDo: 'Rien à changer : tout est déjà comme dans le fichier.',
    ask:
      'Rien n’a encore changé. Applique dans l’heure, ou annule. ' +
      'Les wallets absents du fichier restent tels quels.',
    askTyped: 'Rien n’a encore changé. Applique dans l’heure, ou annule.',
    nothingToAdd: 'Rien à changer\u00a0: tous y sont déjà suivis.',
    apply: 'Appliquer',
    cancel: 'Annuler',
    added: (watch, channel) => `nouveau : ${watch} dans ${channel}`,
    changed: (watch, channel, columns) => `modifié (${columns}) : ${watch} dans ${channel}`,
    noName: 'sans nom',
    cancelledTitle: 'Annulé',
    appliedTitle: (added, changed) => `Appliqué (nouveaux : ${added}, modifiés : ${changed})`,
    applied:
      'Les alertes des nouveaux wallets arrivent à partir de maintenant. ' +
      `${slash.list} les montre tous.`,
    busy: 'Un autre import est en cours ici. Réessaie dans une minute.',
    brokenOff: 'Cet import a été interrompu. Appuie encore sur Appliquer pour le terminer.',
    leftAsTheyAre: (count) =>
      `Modifiés entre-temps par quelqu’un d’autre et laissés tels quels : ${count}.`,
    overtaken:
      'Les wallets suivis ont changé depuis cet aperçu. Rien n’a été importé : renvoie le fichier.',
    over:
      'Cet import est terminé : ' +
      'il a été appliqué, annulé, remplacé par un plus récent, ' +
      `ou a expiré au bout d’une heure. ${slash.list} montre ce qui est suivi.`,
  },
  places: {
    file: 'Le fichier',
    line: (line) => `Ligne ${line}`,
    entry: (entry) => `Entrée ${entry}`,
    before: (place, fault) => `**${place}** : ${fault}`,
  },
  faults: {
    notUtf8: 'n’est pas du texte UTF-8. Accepté : CSV ou JSON, enregistré en UTF-8.',
    empty: 'ne contient aucun wallet. Accepté : un par ligne.',
    noCsv: (isOpenQuote) =>
      'n’est pas du ' +
      `CSV : ${isOpenQuote ? 'un guillemet n’est pas fermé' : 'un guillemet se trouve là où il ne peut pas y en avoir'}.`,
    noJson: (why) => `n’est pas du JSON (${why}).`,
    notList: 'est du JSON, mais pas une liste. Accepté : une liste d’adresses ou d’entrées.',
    notEntry:
      'n’est ni une adresse ni un objet avec un wallet. Accepté : `"0x…"` ou `{"wallet": "0x…"}`.',
    noColumn: (column, columns) => `n’a pas de colonne ${column}. Accepté : ${columns}.`,
    unknownColumn: (column, columns) => `a une colonne inconnue ${column}. Accepté : ${columns}.`,
    columnTwice: (column) => `a deux fois la colonne ${column}. Gardes-en une.`,
    unknownKey: (key, columns) => `a une clé inconnue ${key}. Accepté : ${columns}.`,
    keyTwice: (key) => `a deux fois la clé ${key}. Gardes-en une.`,
    object: (key) => `${key} est un objet. Accepté : un texte, un nombre ou une liste de ceux-ci.`,
    list: (key) => `${key} est une liste. Accepté : un seul texte ou nombre.`,
    cells: (cells, accepted) =>
      `a ${cells} ${form(cells, { one: 'cellule', other: 'cellules' })}. ` +
      `Il en faut ${accepted}, comme à la première ligne.`,
    tooManyNames: (count, columns) => `a ${count} noms. Accepté : ${columns}.`,
    tooMuch: (accepted) =>
      `est trop long. Accepté : jusqu’à ${accepted} entrées ; fais-en deux fichiers.`,
    tooLong: (column, characters) =>
      `${column} est trop long. Accepté : jusqu’à ${characters} caractères.`,
    repeated: (place) => `répète le wallet et le salon de ${place}. Garde une seule entrée.`,
    noWallet: 'wallet manque. Accepté : 0x suivi de 40 chiffres hexadécimaux.',
    bothListed: (only, except) =>
      `${only} et ${except} sont remplis tous les deux. N’en garde qu’un.`,
    tooManyListed: (column, listed, accepted) =>
      `${column} en nomme ${listed}. Accepté : jusqu’à ${accepted}.`,
    bandReversed: (min, max) => `minPriceCents ${min} dépasse maxPriceCents ${max}. Inverse-les.`,
    noChannel: (given) =>
      `channel est ${given}. Accepté : un salon de ce serveur, par nom ou identifiant ; un fil archivé doit d’abord être rouvert.`,
    manyChannels: (given) =>
      `channel est ${given}. Plusieurs portent ce nom : utilise son identifiant.`,
    noRole: (given) =>
      `mentionRole est ${given}. Accepté : un rôle de ce serveur, par nom ou identifiant.`,
    manyRoles: (given) =>
      `mentionRole est ${given}. Plusieurs portent ce nom : utilise son identifiant.`,
    value: (column, given, accepted) => `${column} est ${given}. Accepté : ${accepted}.`,
  },
  accepted: {
    usdc: 'des USDC à partir de 0, par exemple 100 ou 0.5',
    cents: 'des cents de 0 à 100, par exemple 5 ou 99.5',
    seconds: (max) => `des secondes entières de 0 à ${max}`,
    oneOf: (tokens) => `${tokens.join(' ou ')}, ou rien`,
    kinds: (tokens) => `${tokens}, ou rien pour tous sauf other`,
    label: (max, length) => `jusqu’à ${max} caractères, ici ${length}`,
    words: (max) =>
      `des mots ou expressions de ${max} caractères au plus, avec une lettre ou un chiffre`,
    marketNames: (max) => `des identifiants ou slugs de ${max} caractères au plus`,
    paused: 'yes, no, ou jusqu’à quand, par exemple 2026-11-30T18:00:00Z',
    unspoiltId: (sign) =>
      `${sign}nom, un identifiant ou une mention : cet identifiant a été tronqué par un tableur`,
    names: 'des noms séparés par des espaces, ou une liste comme `["one","two"]`',
  },
});
