import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { VenueForms } from './venue.ts';

const form = plural('de');

export const errors = (venue: VenueForms, { slash, permissions }: Terms): ErrorWords => ({
  unknownCommand: 'Diesen Befehl gibt es nicht mehr. Lade Discord neu und versuch es noch einmal.',
  unknownButton: 'Dieser Button funktioniert nicht mehr. Gib den Befehl noch einmal ein.',
  notMember:
    'Ich bin noch kein Mitglied dieses Servers. ' +
    'Lade mich mit dem Scope „bot“ ein und versuch es dann noch einmal.',
  internal: (reference) =>
    `Bei mir ist etwas schiefgegangen. Nenne dem Betreiber des Bots die Referenz ${reference}.`,
  diskFull: (reference) =>
    'Meine Festplatte ist voll, deshalb hat sich nichts geändert. ' +
    `Sag dem Betreiber des Bots Bescheid (Referenz ${reference}).`,
  inAMinute: 'in einer Minute',
  at: (clock) => `um ${clock}`,

  venue: {
    rateLimited: (when) =>
      `Das Anfragelimit bei ${venue.dative} ist aufgebraucht. ` +
      'Meldungen kommen vielleicht später; du bekommst, was dort noch gelistet ist. ' +
      `Versuch es ${when} noch einmal.`,
    unauthorized:
      `${venue.start} lehnt den API-Schlüssel des Bots ab (401). ` +
      'Meldungen pausieren, bis der Betreiber des Bots ihn geprüft hat.',
    notInPlan:
      'Der Tarif des API-Schlüssels enthält diese Liste nicht (403). ' +
      'Der Betreiber des Bots braucht einen anderen Tarif.',
    unreachable:
      `${venue.start} antwortet gerade nicht. ` +
      'Sobald die Verbindung wieder steht, bekommst du, was dort noch gelistet ist. ' +
      'Versuch es in einer Minute noch einmal.',
    feedAway:
      'Meine Datenquelle antwortet gerade nicht. ' +
      'Sobald sie wieder da ist, bekommst du, was dann noch gelistet ist. ' +
      'Versuch es in einer Minute noch einmal.',
    unreadable:
      `${venue.start} hat eine Antwort geschickt, die ich nicht lesen kann. ` +
      'Versuch es in einer Minute noch einmal; ' +
      'hilft das nicht, wende dich an den Betreiber des Bots.',
  },

  admission: {
    notAllowed:
      'Dieser Bot arbeitet nur auf Servern, die sein Betreiber ausgewählt hat. ' +
      'Dieser gehört nicht dazu.',
    serverBlocked:
      'Der Betreiber des Bots hat diesen Server gesperrt. Hier gibt es keine Meldungen.',
    userBlocked:
      'Der Betreiber des Bots hat dich gesperrt. Du kannst seine Befehle nicht benutzen.',
  },

  quota: {
    user: (when) => `Etwas langsamer: Versuch es ${when} noch einmal.`,
    server: (when) =>
      'Dieser Server hat in der letzten Minute viele Befehle benutzt. ' +
      `Versuch es ${when} noch einmal.`,
    lookups: (most, time, when) =>
      `Dieser Server hat seine Abfragen verbraucht (${most} in ${time}). ` +
      `Versuch es ${when} noch einmal. Meldungen kommen weiter wie gewohnt.`,
    watches: (most, present, more) =>
      `Ein Server kann ${most} ${form(most, { one: 'Wallet', other: 'Wallets' })} beobachten, ` +
      'in jedem Kanal einzeln gezählt. ' +
      `Dieser beobachtet ${present}, ` +
      `da ${more === 1 ? 'passt keine weitere' : `passen keine ${more}`} mehr. ` +
      'Es wurde nichts geändert. ' +
      `Mach Platz mit ${slash.remove} oder bitte den Betreiber des Bots, ` +
      'WATCHES_PER_GUILD zu erhöhen.',
    total: (more) =>
      'Ich beobachte so viele Wallets, wie mein Betreiber insgesamt erlaubt, ' +
      `da ${more === 1 ? 'passt keine weitere' : `passen keine ${more}`} mehr. ` +
      'Es wurde nichts geändert. ' +
      'Versuch es später noch einmal oder bitte den Betreiber des Bots, ' +
      'WATCHES_TOTAL zu erhöhen.',
    leavingCount: (leaving) =>
      `${leaving === 1 ? 'Eine davon wurde' : `${leaving} davon wurden`} eben entfernt: ` +
      'Entfernte zählen noch zehn Minuten, solange sich das rückgängig machen lässt.',
    channels: (most) =>
      `Ein Server kann das für höchstens ${most} Kanäle einstellen. Es wurde nichts geändert.`,
  },

  permissions,

  channel: {
    unseen: (channel, permission) =>
      `Ich kann ${channel} nicht sehen. ` +
      `Gib mir dort „${permission}“ und versuch es dann noch einmal.`,
    wrongKind: (channel) =>
      `In ${channel} kann ich nicht schreiben. Wähle einen Textkanal oder einen Thread.`,
    closed: (channel, permissions) =>
      `Ich kann in ${channel} nicht schreiben. ` +
      `Gib mir dort diese Berechtigungen: ${permissions}. Versuch es dann noch einmal.`,
    locked: (channel) =>
      `Ich kann in ${channel} nicht schreiben: Der Thread ist gesperrt. ` +
      `Entsperre ihn oder gib mir „${permissions.manageThreads}“.`,
    timedOut: (channel, until) =>
      `Ich kann in ${channel} nicht schreiben: ` +
      `Dieser Server hat mir bis ${until} einen Timeout gegeben.`,
    noEmbeds: (channel, permission) =>
      `Gib mir in ${channel} „${permission}“: Sonst zeigen Meldungen nur ihre erste Zeile.`,
    noHistory: (permission) =>
      `Gib mir dort auch „${permission}“: ` +
      'Sonst kann ich nach einem Ausfall nicht prüfen, ob eine Meldung angekommen ist, ' +
      'und schicke sie vielleicht doppelt.',
    roleGone:
      'Die Rolle, die erwähnt werden soll, gibt es nicht mehr. ' +
      `Wähle mit ${slash.edit} eine andere.`,
    notMentionable: (role, channel, permission) =>
      `Ich darf ${role} in ${channel} nicht erwähnen. ` +
      `Mach die Rolle erwähnbar oder gib mir dort „${permission}“.`,
    notYours: (channel, permissions) =>
      `Dir fehlen in ${channel} diese Berechtigungen: ${permissions}. ` +
      'Ich schreibe nur, wo du selbst schreiben darfst.',
    mentionNotYours: (role, channel, permission) =>
      `Du darfst ${role} in ${channel} nicht erwähnen. ` +
      `Wähle eine Rolle, die alle erwähnen dürfen, oder lass dir dort „${permission}“ geben.`,
  },

  wallet: {
    ambiguous: (wallets) =>
      `Mehr als eine beobachtete Wallet heißt so: ${wallets}. Nimm die Adresse.`,
    unknown: (typed) =>
      `${typed} ist weder eine Wallet-Adresse (0x und 40 Hexziffern) ` +
      'noch der Name einer Wallet, die dieser Server beobachtet.',
    pasted: {
      profile: (typed) =>
        `In ${typed} steht keine Adresse. Ein Profilname ist keine: Kopiere die Adresse (0x…) von der Profilseite.`,
      ens: (typed) =>
        `${typed} ist ein ENS-Name, und die schlage ich nicht nach. Gib die Adresse ein, für die er steht (0x und 40 Hexziffern).`,
      bare: (typed) => `${typed} sieht aus wie eine Adresse ohne ihren Anfang. Setz 0x davor.`,
    },
    address: {
      shape: (typed) =>
        `${typed} ist keine Wallet-Adresse. Nimm 0x, gefolgt von 40 Hexziffern (0–9, a–f).`,
      checksum: (typed) =>
        `Die Prüfsumme von ${typed} stimmt nicht (EIP-55): ` +
        'Wahrscheinlich ist es ein Tippfehler. Kopiere die Adresse noch einmal.',
      zero: (typed) =>
        `${typed} ist die Null-Adresse, die zu keiner Wallet gehört. Kopiere die Adresse der Wallet.`,
    },
  },

  file: {
    refused: (status) =>
      `Ich konnte die Datei nicht von Discord holen (${status}). Schick sie noch einmal.`,
    late: 'Ich konnte die Datei nicht rechtzeitig von Discord holen. Schick sie noch einmal.',
    tooLarge: (kibibytes) => `Die Datei ist zu groß. Möglich: bis zu ${kibibytes} KiB.`,
  },
});
