import type { WatchStatusWords } from '../en/watch-status.ts';
import { plural } from '../plural.ts';
import { errors } from './errors.ts';
import { slash } from './names.ts';

const form = plural('fr');

const { permissions } = errors;

export const status: WatchStatusWords = {
  works: 'Le bot fonctionne',
  broken: 'Quelque chose ne va pas',
  checks: { gateway: 'Discord', store: 'Stockage', venue: 'Plateforme', lastPoll: 'Interrogation', feed: 'Feed' },
  because: (check, reason) => `${check} : ${reason}`,
  shards: (shards, here) => `Shards : ${shards}${here === null ? '' : `. Ce serveur est sur le shard ${here}.`}`,
  fields: { budget: 'Budget de requêtes', polls: 'Interrogations', here: 'Alertes ici', all: 'Le bot entier' },
  polls: (succeeded, failed, minutes) =>
    `${succeeded} au cours des ${minutes} dernières minutes${failed > 0 ? `, et ${failed} en échec` : ''}`,
  lastSucceeded: (time) => `Dernière réussie : ${time}`,
  watchesHere: (count) => `${count} ici`,
  watchesInAll: (count, wallets) =>
    `${count} en tout, pour ${wallets} ${form(wallets, { one: 'wallet', other: 'wallets' })}`,
  waitInAll: (alerts) => `${alerts} ${form(alerts, { one: 'alerte en attente', other: 'alertes en attente' })} en tout`,
  upFor: (time) => `en marche depuis ${time}`,
  limitUnknown: 'La plateforme n’a pas encore indiqué sa limite.',
  left: (left, limit, renewed) =>
    `${left ?? 'Un nombre inconnu'} sur ${limit} encore disponibles${renewed === null ? '' : `, renouvellement ${renewed}`}`,
  used: (sent, allowance, polls, people) =>
    `${sent} utilisées dans cette fenêtre${allowance === null ? '' : ` sur ${allowance} que le bot peut utiliser`} : ${polls} par les interrogations, ${people} par des personnes`,
  venueAskedForPause: (end) => `La plateforme a demandé une pause (429), qui prend fin ${end}.`,
  noAlerts: 'Aucune depuis le démarrage du bot.',
  delays: (count, median, most) => `Délai des ${count} dernières : médiane ${median}, 95 % en ${most} ou moins`,
  nothingWaits: 'Rien n’attend.',
  waiting: (alerts, oldest) =>
    `${alerts} ${form(alerts, { one: 'attend', other: 'attendent' })}, la plus ancienne depuis ${oldest}`,
  cannotWrite: (channels) => `Impossible d’écrire dans : ${channels}. ${slash.list} dit pourquoi.`,
  undelivered: (alerts) =>
    `${alerts} ${form(alerts, { one: 'n’a pas pu être livrée', other: 'n’ont pas pu être livrées' })}. ${slash.list} dit pourquoi.`,

  gatewayDown: 'Il n’y a pas de connexion à la passerelle de Discord. Elle est en cours d’établissement.',
  shardsDown: (shards, count) =>
    `Shards sans connexion à la passerelle de Discord : ${shards} (sur ${count}). Leur connexion est en cours.`,
  storeFailed: 'Le stockage est tombé en panne et n’a accepté aucune écriture depuis. Le journal dit pourquoi.',
  feedAway: (since) => `Aucune nouvelle du feed depuis ${since}. Les alertes suivront à son retour.`,
  nothingAsked: 'Rien n’a encore été demandé.',
  nothingWatched: 'Rien n’est suivi, donc rien n’est interrogé.',
  noPoll: 'Aucune interrogation n’a encore réussi.',
  noPollPlanned: (since) =>
    since === null
      ? 'Aucune interrogation n’a encore réussi, alors que des requêtes étaient prévues.'
      : `Aucune interrogation n’a réussi depuis ${since}, alors que des requêtes étaient prévues.`,
  tickLate: (seconds) => `Le cycle de POLL_CRON a ${seconds} s de retard.`,
  keyRefused:
    'La plateforme a refusé la clé (401). Les alertes sont en pause. Vérifiez VENUE_API_KEY ; une clé perdue se remplace dans les réglages du compte.',
  notInPlan: {
    activity:
      'L’offre de la clé ne comprend pas les trades et les encaissements (403). Prenez une offre qui les couvre.',
    'deposits-withdrawals':
      'L’offre de la clé ne comprend pas les dépôts et les retraits (403). Prenez une offre qui les couvre.',
  },
  unreachable: 'La plateforme ne répond pas correctement. Les alertes suivront quand elle le fera.',
  paused: (until) =>
    `La plateforme indique que sa limite de requêtes est atteinte. Prochain essai : ${until}. Les alertes suivront quand elle répondra.`,

  delivery: {
    noAccess: `Le bot ne voit pas le salon (50001). Donnez-lui « ${permissions.viewChannel} » à cet endroit, ou invitez-le de nouveau.`,
    noWriting: `Le bot ne peut pas écrire dans le salon (50013). Donnez-lui « ${permissions.sendMessages} » et « ${permissions.embedLinks} » à cet endroit.`,
    noEmbeds: `Discord a retiré les embeds du message (50006). Donnez au bot « ${permissions.embedLinks} » dans le salon.`,
    noReplies: `Le bot ne peut pas répondre dans le salon (160002). Donnez-lui « ${permissions.readMessageHistory} » à cet endroit.`,
    noMessages: (code) => `Le salon n’accepte pas de messages (${code}). Choisissez un salon textuel.`,
    threadLocked: 'Le fil est verrouillé (160005). Déverrouillez-le ou choisissez un autre salon.',
    threadArchived: 'Le fil est archivé (50083). Rouvrez-le ou choisissez un autre salon.',
    channelGone: 'Le salon n’existe plus (10003).',
    serverGone: 'Le serveur n’existe plus, ou le bot n’y est pas (10004).',
    rejected: (code, message) => `Discord a rejeté le message (${code}) : ${message}`,
    forbidden: (code, message) => `Discord l’interdit (${code}) : ${message}`,
  },
};
