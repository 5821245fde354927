import type { WatchWords } from '../en/watch.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';
import { settings } from './watch-settings.ts';
import { status } from './watch-status.ts';

const form = plural('fr');

const paused: WatchWords['pause']['state'] = (end) =>
  end === null
    ? `en pause jusqu’à ce que quelqu’un utilise ${slash.resume}`
    : `en pause jusqu’au ${end.at} (${end.in})`;

export const watch: WatchWords = {
  settings,
  status,
  gap: ' ',
  comma: ', ',
  andMore: (shown, more) => `${shown} et ${more} ${form(more, { one: 'autre', other: 'autres' })}`,
  noName: 'sans nom',
  nothingRings: (channel) => `Rien ne sonne dans ${channel}. Commencez par ${slash.add}.`,
  changedMeanwhile: `Quelqu’un d’autre a modifié ou retiré ce suivi au même moment. Regardez ${slash.list}, puis réessayez.`,
  notHere: (channel) => `Ce wallet ne sonne pas dans ${channel}.`,
  norElsewhere: `Ni ailleurs sur ce serveur : ${slash.list} montre ce qui sonne.`,
  elsewhere: (channels) => `Il sonne dans ${channels} : indiquez ce salon dans l’option \`${names.options.channel}\`.`,
  add: {
    title: (name) => `Suivi de ${name ?? 'wallet'}`,
    rings: (address, channel) => `${address} sonne désormais dans ${channel}.`,
    latest: (line) => `Dernier mouvement : ${line}`,
    unknownWallet: 'La plateforme ne connaît pas encore ce wallet. Est-ce bien l’adresse qui trade ?',
    inPlace: 'Le suivi est en place.',
    already: (channel, name) =>
      `Ce wallet sonne déjà dans ${channel}, ${name === null ? 'sans nom' : `sous le nom ${name}`}. ${slash.edit} change la façon.`,
  },
  edit: {
    changed: (name) => `Modifié : ${name ?? 'un wallet'}`,
    settingsOf: (name) => `Réglages : ${name ?? 'un wallet'}`,
    where: (address, channel) => `${address} dans ${channel}`,
  },
  removed: (address, name, channel) => `${address}${name === null ? '' : ` (${name})`} ne sonne plus dans ${channel}.`,
  pause: {
    state: paused,
    one: (name, channel, end) => `${name} dans ${channel} est ${paused(end)}.`,
    only: (channel, end) => `Le seul suivi de ${channel} est ${paused(end)}.`,
    all: (count, channel, end) => `Les ${count} suivis de ${channel} sont ${paused(end)}.`,
    already: (name, end) => `${name} est déjà ${paused(end)}.`,
    notMadeUpFor: 'Ce qui se passe entre-temps n’est pas rattrapé.',
    resumeEnds: `${slash.resume} y met fin.`,
  },
  resume: {
    one: (name, channel) => `${name} dans ${channel} : sonne de nouveau à partir de maintenant.`,
    only: (channel) => `Le seul suivi en pause de ${channel} : sonne de nouveau à partir de maintenant.`,
    all: (count, channel) =>
      `Les ${count} suivis de ${channel} qui étaient en pause sonnent de nouveau à partir de maintenant.`,
    unmuted: (name, person) => `${name} sonne de nouveau à partir de maintenant : ${person} a levé la sourdine.`,
    nothingPaused: (channel) => `Rien n’est en pause dans ${channel}.`,
    notPaused: (name, channel) => `${name} n’est pas en pause dans ${channel} : il sonne.`,
  },
  mute: {
    muted: (person, name, until) => `${person} a mis ${name} en sourdine dans ce salon pour 1 h, jusqu’à ${until}.`,
    unmute: 'Lever la sourdine',
    managersOnly:
      'La sourdine est réservée à qui a la permission « Gérer le serveur » : elle prive tout le monde ici des alertes.',
    unknownButton: 'Ce bouton n’existe plus.',
  },
  channel: {
    full: (channel) => `${channel} : vue \`full\`, un embed par alerte, avec tous ses chiffres.`,
    compact: (channel) => `${channel} : vue \`compact\`, une ligne par alerte, plusieurs dans un embed.`,
    noConsensus: 'Le consensus entre wallets n’est pas signalé.',
    consensus: (wallets, time) =>
      `Le consensus est signalé quand ${wallets} de ses wallets prennent la même issue en ${time}.`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` vaut ${given}. Accepté : de ${least} à ${most} wallets, ou 0 pour jamais.`,
    timeWrong: (examples) =>
      `\`${names.options['consensus-within']}\` n’est pas une durée. Accepté : ${examples}, d’une minute à 3 jours.`,
  },
  list: {
    range: (first, last, all) => `${first}–${last} sur ${all}`,
    title: (count) => `${count} ${form(count, { one: 'suivi', other: 'suivis' })}`,
    nothing: `Rien ne sonne encore sur ce serveur. Commencez par ${slash.add}.`,
    compactView: 'vue compacte',
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'alerte n’a pas pu être livrée', other: 'alertes n’ont pas pu être livrées' })} ici. La dernière : ${lastReason}`,
    noReason: 'sans raison',
    alertsWait: (since) => `Des alertes attendent depuis ${since}.`,
    since: (time) => `Depuis ${time}.`,
    polled: (polls) => `interrogé : ${polls}`,
    endpoints: { activity: 'trades', 'deposits-withdrawals': 'transferts' },
    lastPoll: (list, last) => `${list} ${last ?? 'pas encore'}`,
    nextPoll: (polled, next) => `${polled}, prochaine fois ${next ?? 'tout de suite'}`,
  },
};
