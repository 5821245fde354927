import type { WatchStatusWords } from '../../en/watch/status.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('fr');

export const status = (venue: VenueForms, { slash, permissions }: Terms): WatchStatusWords => ({
  works: 'Tout fonctionne',
  slowed: `${venue.start} me ralentit`,
  silent: `${venue.start} ne répond pas en ce moment`,
  late: `${venue.start} affiche les trades avec du retard`,
  broken: 'Quelque chose ne va pas',
  checks: {
    gateway: 'Discord',
    store: 'Stockage',
    venue: venue.label,
    lastPoll: 'Interrogations',
    feed: 'Flux',
  },
  because: (check, reason) => `${check} : ${reason}`,
  shards: (shards, here) =>
    `Shards : ${shards}${here === null ? '' : `. Ce serveur est sur le shard ${here}.`}`,
  fields: {
    budget: 'Limite de requêtes',
    polls: 'Interrogations',
    here: 'Alertes ici',
    yours: 'Tes alertes',
    all: 'Tout le bot',
  },
  polls: (succeeded, failed, minutes) =>
    `${succeeded} au cours des ${minutes} dernières ` +
    `minutes${failed > 0 ? `, et ${failed} en échec` : ''}`,
  round: (minutes) => `Un tour complet des wallets prend au moins ${minutes} minutes.`,
  lastAnswer: (time) => `dernière réponse ${time}`,
  listsLate: (delay) => `les trades s’affichent avec ${delay} de retard`,
  walletsHere: (count) =>
    `${count} ${form(count, { one: 'wallet suivi', other: 'wallets suivis' })} ici`,
  walletsInAll: (count) => `${count} en tout`,
  upFor: (time) => `en marche depuis ${time}`,
  limitUnknown: `${venue.start} n’a pas encore indiqué sa limite de requêtes.`,
  left: (left, limit, renewed) =>
    `Requêtes restantes\u00a0: ${left} ` +
    `sur ${limit}${renewed === null ? '' : `, renouvellement ${renewed}`}`,
  allows: (limit) =>
    `${limit} ${form(limit, { one: 'requête autorisée', other: 'requêtes autorisées' })} par fenêtre`,
  used: (sent, allowance, polls, people, older) =>
    'Utilisées dans cette ' +
    `fenêtre\u00a0: ${sent}${allowance === null ? '' : ` sur ${allowance}`} (${polls} pour ` +
    `les interrogations, ${people} pour des commandes, ${older} pour d’anciens trades)`,
  venueAskedForPause: (end) => `M’a demandé d’attendre (429). Fin de l’attente : ${end}.`,
  arrive: (median, most, latest) =>
    `Les alertes arrivent ${median} après le trade (95\u00a0% en ${most} ou moins, ` +
    `la dernière en ${latest}).`,
  all: 'Tous les chiffres',
  noAlerts: 'Aucune depuis mon démarrage.',
  delays: (count, median, most, latest) =>
    `Délai (dernières alertes\u00a0: ${count})\u00a0: ` +
    `médiane ${median}, 95\u00a0% en ${most} ou moins, la dernière en ${latest}`,
  withoutPosition: (count) => `Sans la position du wallet : ${count} d’entre elles`,
  nothingWaits: 'Aucune alerte en attente.',
  stillLoading: (wallets) =>
    `${wallets} ${form(wallets, { one: 'wallet est encore en cours', other: 'wallets sont encore en cours' })} ` +
    'de chargement après mon redémarrage. Les alertes de leurs salons attendent jusque-là.',
  delayedChannels: (channels) => `Salons différés\u00a0: ${channels}.`,
  signedAlerts:
    'Le responsable du bot transmet aussi les alertes de ce serveur à un service extérieur à Discord.',
  waiting: (alerts, oldest) =>
    `${alerts} ${form(alerts, { one: 'alerte attend', other: 'alertes attendent' })}, ` +
    `la plus ancienne depuis ${oldest}.`,
  cannotWrite: (channels) =>
    `Je ne peux pas écrire dans ${channels}. ${slash.list} indique pourquoi.`,
  refused: (requests) =>
    `Discord a refusé ${requests} de mes requêtes ici ces 10 dernières minutes. ` +
    `${slash.list} indique où je ne peux pas écrire.`,
  undelivered: (alerts) =>
    `${alerts} ${form(alerts, { one: 'alerte n’a pas pu être livrée', other: 'alertes n’ont pas pu être livrées' })}. ${slash.list} indique pourquoi.`,

  tokenShared:
    'Un autre processus utilise le token de ce bot et répond à certaines commandes à sa place. À qui gère le bot : arrête-le, ou génère un nouveau token.',
  gatewayDown: 'Pas de connexion à la passerelle de Discord. Connexion en cours.',
  shardsDown: (shards, count) =>
    `Shards sans connexion à la passerelle de Discord : ${shards} (sur ${count}). ` +
    'Connexion en cours.',
  storeFailed: 'En panne\u00a0; rien n’a été enregistré depuis. Le journal indique pourquoi.',
  feedAway: (since) => `Aucune donnée depuis ${since}. Les alertes suivront à son retour.`,
  nothingAsked: 'Aucune requête n’a encore été envoyée.',
  nothingWatched: 'Aucun wallet n’est suivi, donc rien n’est interrogé.',
  noPoll: 'Aucune interrogation n’a encore réussi.',
  noPollPlanned: (since) =>
    since === null
      ? 'Aucune interrogation n’a encore réussi, alors que des requêtes étaient prévues.'
      : `Aucune interrogation n’a réussi depuis ${since}, alors que des requêtes étaient prévues.`,
  tickLate: (seconds) => `Le cycle de POLL_CRON a ${seconds} s de retard.`,
  notInPlan: {
    activity:
      'L’offre de la clé ne comprend pas les trades et les encaissements (403). ' +
      'Prends une offre qui les couvre.',
    'deposits-withdrawals':
      'L’offre de la clé ne comprend pas les dépôts et les retraits (403). ' +
      'Prends une offre qui les couvre.',
  },
  unreachable:
    `${venue.start} ne répond pas correctement. ` +
    'Les alertes suivront dès le retour à la normale.',
  paused: (until) =>
    `La limite de requêtes imposée par ${venue.name} est atteinte. Prochain essai : ${until}. ` +
    'Les alertes suivront dès son retour.',

  delivery: {
    noAccess:
      'Je ne vois pas le salon (50001). ' +
      `Donne-moi « ${permissions.viewChannel} » dans ce salon, ou invite-moi de nouveau.`,
    noWriting:
      'Je ne peux pas écrire dans le salon (50013). ' +
      `Donne-moi « ${permissions.sendMessages} » et « ${permissions.embedLinks} » ` +
      'dans ce salon.',
    noEmbeds:
      'Discord a retiré les embeds du message (50006). ' +
      `Donne-moi « ${permissions.embedLinks} » dans le salon.`,
    noReplies:
      'Je ne peux pas répondre dans le salon (160002). ' +
      `Donne-moi « ${permissions.readMessageHistory} » dans ce salon.`,
    noMessages: (code) => `Le salon n’accepte pas de messages (${code}). Choisis un salon textuel.`,
    threadLocked: 'Le fil est verrouillé (160005). Déverrouille-le ou choisis un autre salon.',
    threadArchived: 'Le fil est archivé (50083). Rouvre-le ou choisis un autre salon.',
    dmClosed:
      'Je ne peux pas envoyer de messages privés (50007) : ' +
      'je suis bloqué, ou ils ne sont pas autorisés.',
    noSharedServer:
      'Discord n’autorise pas les messages privés sans serveur commun (50278). ' +
      'Rejoins un serveur où je suis.',
    channelGone: 'Le salon n’existe plus (10003).',
    serverGone: 'Le serveur n’existe plus, ou je n’y suis pas (10004).',
    rejected: (code, message) => `Discord a rejeté le message (${code}) : ${message}`,
    forbidden: (code, message) => `Discord l’interdit (${code}) : ${message}`,
  },
});
