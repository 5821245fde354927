import type { WatchStatusWords } from '../../en/watch/status.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

const form = plural('de');

export const status = (venue: VenueForms, { slash, permissions }: Terms): WatchStatusWords => ({
  works: 'Alles läuft',
  slowed: `${venue.start} bremst mich`,
  silent: `${venue.start} antwortet gerade nicht`,
  late: `${venue.start} listet Trades verspätet`,
  broken: 'Etwas stimmt nicht',
  checks: {
    gateway: 'Discord',
    store: 'Speicher',
    venue: venue.label,
    lastPoll: 'Aktualisierungen',
    feed: 'Datenquelle',
  },
  because: (check, reason) => `${check}: ${reason}`,
  shards: (shards, here) =>
    `Shards: ${shards}${here === null ? '' : `. Dieser Server ist auf Shard ${here}.`}`,
  fields: {
    budget: 'Anfragelimit',
    polls: 'Aktualisierungen',
    here: 'Meldungen hier',
    yours: 'Deine Meldungen',
    all: 'Ganzer Bot',
  },
  polls: (succeeded, failed, minutes) =>
    `${succeeded} in den letzten ${minutes} ` +
    `Minuten${failed > 0 ? `, dazu ${failed} gescheitert` : ''}`,
  round: (minutes) => `Eine Runde durch alle Wallets dauert mindestens ${minutes} Minuten.`,
  lastAnswer: (time) => `letzte Antwort ${time}`,
  listsLate: (delay) => `Trades werden mit einer Verzögerung von ${delay} gelistet`,
  walletsHere: (count) =>
    `${count} beobachtete ${form(count, { one: 'Wallet', other: 'Wallets' })} hier`,
  walletsInAll: (count) => `${count} insgesamt`,
  upFor: (time) => `läuft seit ${time}`,
  limitUnknown: `Das Anfragelimit bei ${venue.dative} ist noch nicht bekannt.`,
  left: (left, limit, renewed) =>
    `${left} von ${limit} Anfragen übrig${renewed === null ? '' : `, Reset ${renewed}`}`,
  allows: (limit) =>
    `${limit} ${form(limit, { one: 'Anfrage', other: 'Anfragen' })} pro Zeitfenster erlaubt`,
  used: (sent, allowance, polls, people, older) =>
    `${sent}${allowance === null ? '' : ` von ${allowance}`} in diesem Zeitfenster ` +
    `verbraucht: ${polls} für Aktualisierungen, ${people} für Befehle, ${older} für ältere Trades`,
  venueAskedForPause: (end) => `Ich soll warten (429). Ende: ${end}.`,
  arrive: (median, most, latest) =>
    `Meldungen kommen ${median} nach dem Trade (95\u00a0% innerhalb von ${most}, ` +
    `die letzte nach ${latest}).`,
  all: 'Alle Zahlen',
  noAlerts: 'Keine seit meinem Start.',
  delays: (count, median, most, latest) =>
    `Verzögerung der letzten ${count}: Median ${median}, 95\u00a0% innerhalb von ${most}, ` +
    `zuletzt ${latest}`,
  withoutPosition: (count) => `Davon ohne Position der Wallet: ${count}`,
  nothingWaits: 'Keine Meldung wartet.',
  stillLoading: (wallets) =>
    `${wallets} ${form(wallets, { one: 'Wallet wird', other: 'Wallets werden' })} nach meinem ` +
    'Neustart noch geladen. So lange warten die Meldungen in den Kanälen, die das betrifft.',
  delayedChannels: (channels) => `Kanäle mit Verzögerung: ${channels}.`,
  signedAlerts:
    'Der Betreiber des Bots schickt die Meldungen dieses Servers auch an einen Dienst außerhalb von Discord.',
  waiting: (alerts, oldest) =>
    `${alerts} ${form(alerts, { one: 'Meldung wartet', other: 'Meldungen warten' })}, ` +
    `am längsten seit ${oldest}.`,
  cannotWrite: (channels) => `In ${channels} kann ich nicht schreiben. ${slash.list} sagt, warum.`,
  refused: (requests) =>
    `Discord hat in den letzten 10 Minuten ${requests} meiner Anfragen hier ` +
    `abgelehnt. ${slash.list} sagt, wo ich nicht schreiben kann.`,
  undelivered: (alerts) =>
    `${alerts} ${form(alerts, { one: 'Meldung konnte', other: 'Meldungen konnten' })} nicht ` +
    `zugestellt werden. ${slash.list} sagt, warum.`,

  tokenShared:
    'Ein anderer Prozess benutzt das Token dieses Bots und beantwortet manche Befehle an seiner Stelle. Wer den Bot betreibt: beende ihn oder erzeuge ein neues Token.',
  gatewayDown: 'Keine Verbindung zum Gateway von Discord. Sie wird aufgebaut.',
  shardsDown: (shards, count) =>
    `Shards ohne Verbindung zum Gateway von Discord: ${shards} (von ${count}). ` +
    'Sie werden verbunden.',
  storeFailed: 'Ausgefallen; seitdem wurde nichts gespeichert. Im Protokoll steht, warum.',
  feedAway: (since) =>
    `Seit ${since} kam nichts. Die Meldungen kommen, sobald wieder Daten da sind.`,
  nothingAsked: 'Es wurde noch keine Anfrage gesendet.',
  nothingWatched: 'Es werden keine Wallets beobachtet, also wird nichts abgefragt.',
  noPoll: 'Noch keine Aktualisierung war erfolgreich.',
  noPollPlanned: (since) =>
    since === null
      ? 'Noch keine Aktualisierung war erfolgreich, obwohl welche geplant waren.'
      : `Seit ${since} war keine Aktualisierung erfolgreich, obwohl welche geplant waren.`,
  tickLate: (seconds) => `Der Takt von POLL_CRON kommt um ${seconds} s zu spät.`,
  notInPlan: {
    activity:
      'Der Tarif des Schlüssels enthält keine Trades und Einlösungen (403). ' +
      'Nimm einen Tarif, der sie abdeckt.',
    'deposits-withdrawals':
      'Der Tarif des Schlüssels enthält keine Einzahlungen und Auszahlungen (403). ' +
      'Nimm einen Tarif, der sie abdeckt.',
  },
  unreachable: `${venue.start} antwortet nicht richtig. Die Meldungen kommen, sobald sich das ändert.`,
  paused: (until) =>
    `Das Anfragelimit bei ${venue.dative} ist aufgebraucht. Nächster Versuch: ${until}. ` +
    'Die Meldungen kommen, sobald die Verbindung wieder steht.',

  delivery: {
    noAccess:
      'Ich kann den Kanal nicht sehen (50001). ' +
      `Gib mir dort „${permissions.viewChannel}“ oder lade mich noch einmal ein.`,
    noWriting:
      'Ich darf im Kanal nicht schreiben (50013). ' +
      `Gib mir dort „${permissions.sendMessages}“ und „${permissions.embedLinks}“.`,
    noEmbeds:
      'Discord hat die Embeds aus der Nachricht entfernt (50006). ' +
      `Gib mir „${permissions.embedLinks}“ im Kanal.`,
    noReplies:
      'Ich darf im Kanal nicht antworten (160002). ' +
      `Gib mir dort „${permissions.readMessageHistory}“.`,
    noMessages: (code) => `Der Kanal nimmt keine Nachrichten an (${code}). Wähle einen Textkanal.`,
    threadLocked: 'Der Thread ist gesperrt (160005). Entsperre ihn oder wähle einen anderen Kanal.',
    threadArchived:
      'Der Thread ist archiviert (50083). Öffne ihn wieder oder wähle einen anderen Kanal.',
    dmClosed:
      'Ich kann keine Direktnachrichten schicken (50007): ' +
      'Ich bin blockiert, oder sie sind nicht erlaubt.',
    noSharedServer:
      'Discord erlaubt keine Direktnachrichten ohne gemeinsamen Server (50278). ' +
      'Tritt einem Server bei, auf dem ich bin.',
    channelGone: 'Den Kanal gibt es nicht mehr (10003).',
    serverGone: 'Den Server gibt es nicht mehr, oder ich bin nicht darauf (10004).',
    rejected: (code, message) => `Discord hat die Nachricht abgelehnt (${code}): ${message}`,
    forbidden: (code, message) => `Discord verbietet es (${code}): ${message}`,
  },
});
