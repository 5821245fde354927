import type { WatchWords } from '../../en/watch/watch.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Texts } from '../../texts.ts';
import type { VenueForms } from '../venue.ts';
import { panel } from './panel.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { why } from './why.ts';

const form = plural('fr');

const paused = (resume: string, end: Parameters<Texts['watch']['pause']['state']>[0]) =>
  end === null
    ? `en pause jusqu’à ce que quelqu’un utilise ${resume}`
    : `en pause (jusqu’à : ${end.at}, ${end.in})`;

export const watch = (venue: VenueForms, { names, slash, permissions }: Terms): WatchWords => ({
  settings: settings({ names, permissions, slash }),
  panel: panel({ names, permissions, slash }),
  status: status(venue, { names, permissions, slash }),
  why: why(venue, { names, permissions, slash }),
  gap: ' ',
  comma: ', ',
  and: '',
  andMore: (shown, more) => `${shown} et ${more} ${form(more, { one: 'autre', other: 'autres' })}`,
  noName: 'sans nom',
  nothingWatched: (channel) =>
    `Aucun wallet n’est suivi dans ${channel}. Ajoutes-en un avec ${slash.add}.`,
  notHere: (channel) => `Ce wallet n’est pas suivi dans ${channel}.`,
  notElsewhere:
    `Il ne l’est pas non plus ailleurs sur ce serveur : ${slash.list} montre ce ` +
    'qui est suivi.',
  elsewhere: (channels) =>
    `Il est suivi dans ${channels} : choisis ce salon avec \`${names.options.channel}\`.`,
  add: {
    watching: (name, channel) => `${name} est maintenant suivi dans ${channel}.`,
    everything: 'Tu recevras tout ce qu’il fait.',
    withSettings: 'Tu recevras désormais des alertes :',
    latest: (line) => `Dernier\u00a0: ${line}`,
    unknownWallet:
      `${venue.start} n’a encore aucune entrée pour ce wallet. ` +
      'Est-ce bien l’adresse qui trade (le proxy wallet) ?',
    proxy: (address) =>
      `Ce wallet trade sous une autre adresse, son proxy wallet\u00a0: \`${address}\`. ` +
      `${venue.start} y affiche ce qu’il fait\u00a0: utilise cette adresse.`,
    noAnswer: `${venue.start} ne répond pas en ce moment. Les alertes suivront dès son retour.`,
    already: (channel, name) =>
      `Ce wallet est déjà suivi dans ${channel}, ` +
      `${name === null ? 'sans nom' : `sous le nom ${name}`}. ` +
      `Modifie ses alertes avec ${slash.edit}.`,
  },
  flood: {
    about: (trades, time) => `Environ ${trades} trades par jour, estimés sur ${time}.`,
    cooldown: (time) => `1 alerte max. par marché toutes les ${time}`,
    minUsdc: (amount) => `Seulement dès ${amount}, sa taille habituelle`,
    undo: (what) => `Annuler : ${what}`,
    changed: (person, name, channel, what) =>
      `${person} a modifié les alertes de ${name} dans ${channel} : ${what}.`,
    undone: (person, name, channel, what) =>
      `${person} a annulé ceci pour ${name} dans ${channel}. Ne s’applique plus\u00a0: ${what}.`,
    edited: `Quelqu’un a modifié ce réglage entre-temps. Utilise ${slash.edit}. Rien n’a changé.`,
  },
  edit: {
    changed: (name) => `Modifié : ${name ?? 'un wallet'}`,
    settingsOf: (name) => `Réglages : ${name ?? 'un wallet'}`,
    where: (address, channel) => `${address} dans ${channel}`,
  },
  changes: {
    title: 'Qui a modifié quoi',
    kept: 'Les 30 derniers jours, 500 modifications au plus',
    deeds: {
      added: 'ajouté',
      paused: 'mis en pause',
      resumed: 'repris',
      removed: 'supprimé',
      restored: 'rétabli',
    },
    edited: (names) => `modification de ${names}`,
  },
  undo: {
    button: 'Annuler',
    until: (time) => `Tu peux annuler jusqu’à ${time}\u00a0: les alertes manquées suivront.`,
    done: (name, channel) =>
      `${name} est de nouveau suivi dans ${channel}. Les alertes manquées suivent.`,
    over: `Trop tard pour annuler. Ajoute de nouveau le wallet avec ${slash.add}.`,
  },
  managersOnly:
    `Seules les personnes avec la permission «\u00a0${permissions.manageServer}\u00a0» ` +
    'peuvent utiliser ce bouton.',
  removed: (address, name, channel) =>
    `${name === null ? address : `${name} (${address})`} n’est plus suivi dans ${channel}.`,
  pause: {
    state: (end) => paused(slash.resume, end),
    one: (name, channel, end) => `${name} dans ${channel} est ${paused(slash.resume, end)}.`,
    only: (channel, end) =>
      `Le seul wallet suivi dans ${channel} est ${paused(slash.resume, end)}.`,
    all: (count, channel, end) =>
      `Les ${count} wallets suivis dans ${channel} sont ${paused(slash.resume, end)}.`,
    already: (name, end) => `${name} est déjà ${paused(slash.resume, end)}.`,
    notPostedLater: 'Ce qui se passe pendant la pause ne sera pas publié après coup.',
    resumeEnds: `Pour y mettre fin plus tôt, utilise ${slash.resume}.`,
    resume: 'Reprendre',
  },
  resume: {
    one: (name, channel) => `Les alertes de ${name} dans ${channel} sont de nouveau actives.`,
    only: (channel) =>
      `Les alertes du seul wallet en pause dans ${channel} sont de nouveau actives.`,
    all: (count, channel) =>
      `Les alertes des ${count} wallets en pause dans ${channel} sont de nouveau actives.`,
    unmuted: (name, person) => `${person} a réactivé les alertes de ${name}.`,
    nothingPaused: (channel) => `Rien n’est en pause dans ${channel}.`,
    notPaused: (name, channel) => `${name} n’est pas en pause dans ${channel}.`,
  },
  mute: {
    muted: (person, name, until) =>
      `${person} a rendu ${name} muet dans ce salon pour 1 h (jusqu’à : ${until}). ` +
      'Ce qui se passe d’ici là ne sera pas publié après coup.',
    unmute: 'Réactiver',
    managersOnly:
      `Seules les personnes avec la permission « ${permissions.manageServer} » peuvent rendre ` +
      'muet : tout le salon est alors privé de ces alertes.',
    unknownButton: 'Ce bouton ne fonctionne plus.',
  },
  channel: {
    full: (channel) =>
      `${channel} : vue \`complète\`, un embed par alerte, avec tous ses chiffres.`,
    compact: (channel) =>
      `${channel} : vue \`compacte\`, une ligne par alerte, plusieurs dans un embed.`,
    noConsensus: 'Les alertes de consensus sont désactivées.',
    consensus: (wallets, time) =>
      'Alertes de consensus : ' +
      `quand ${wallets} de ses wallets achètent la même issue en moins de ${time}.`,
    words: (words) => `Ses alertes : ${words}.`,
    results: {
      on: 'Gains et pertes : activés.',
      off: 'Gains et pertes : désactivés.',
    },
    consensusOnly: {
      on:
        'Consensus seul\u00a0: ' +
        'les trades, encaissements, dépôts et retraits isolés **ne sont pas publiés** ici. ' +
        'Tu reçois toujours les avis que des données manquent peut-être, ' +
        'et les gains et pertes de ce qui a été signalé avant.',
      off: 'Les alertes isolées sont publiées aussi.',
    },
    quiet: {
      on: (from, to, zone) =>
        `Heures silencieuses de ${from} à ${to} (${zone})\u00a0: ` +
        'tout est publié sans son et sans mention.',
      off: 'Il n’y a pas d’heures silencieuses.',
      takes: `deux heures comme \`22:00-07:00\`, ou \`${names.typed.none}\``,
      zoneMissing:
        `Dans quel fuseau horaire\u00a0? ` +
        `Indique aussi \`${names.options['time-zone']}\` avec \`${names.options.quiet}\`. ` +
        'Rien n’a changé.',
      hoursMissing:
        `\`${names.options['time-zone']}\` est le fuseau des heures silencieuses, et il n’y ` +
        `en a pas. Indique aussi \`${names.options.quiet}\`. ` +
        'Rien n’a changé.',
    },
    delay: {
      on: (time) =>
        `Ici, tout est différé de ${time}, y compris l’effet des pauses et des réglages.`,
      off: 'Ici, rien n’est différé.',
    },
    consensusMissing:
      `\`${names.options['consensus-only']}\` ne peut pas être \`oui\` sans consensus. ` +
      `Indique aussi \`${names.options.consensus}\`. Rien n’a changé.`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` ne peut pas être \`${given}\`. ` +
      `Accepté : de ${least} à ${most} wallets, ou 0 pour jamais. Rien n’a changé.`,
  },
  list: {
    range: (first, last, all) => `Lignes ${first}–${last} sur ${all}`,
    title: (wallets, channels) =>
      `${wallets} ${form(wallets, { one: 'wallet suivi', other: 'wallets suivis' })}` +
      `${channels === null ? '' : ` dans ${channels} salons`}`,
    problems: (channels) =>
      `${channels} ${form(channels, { one: 'salon', other: 'salons' })} avec un problème`,
    nothing: `Aucun wallet n’est encore suivi. Ajoutes-en un avec ${slash.add}.`,
    compactView: 'vue compacte',
    consensusOnly: 'consensus seul',
    noResults: 'sans gains ni pertes',
    quiet: (from, to, zone) => `silence ${from}–${to} (${zone})`,
    delay: (time) => `différé de ${time}`,
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'alerte n’a pas pu être livrée', other: 'alertes n’ont pas pu être livrées' })} ici. La dernière : ${lastReason}`,
    noReason: 'sans raison',
    alertsWait: (since) => `Des alertes attendent, la plus ancienne : ${since}.`,
    since: (time) => `Début : ${time}.`,
    lastTrade: (time) => `dernier trade ${time}`,
    polled: (polls) => `dernière interrogation\u00a0: ${polls}`,
    endpoints: { activity: 'trades', 'deposits-withdrawals': 'transferts' },
    lastPoll: (list, last) => `${list} ${last ?? 'pas encore'}`,
  },
});
