import type { ErrorWords } from '../en/errors.ts';
import { plural } from '../plural.ts';
import { slash } from './names.ts';

const form = plural('de');

export const errors: ErrorWords = {
  unknownCommand: 'Diesen Befehl gibt es nicht mehr. Lade Discord neu und versuch es noch einmal.',
  unknownButton: 'Diesen Knopf gibt es nicht mehr. Gib den Befehl noch einmal ein.',
  notMember:
    'Ich bin noch kein Mitglied dieses Servers. Lade mich mit dem Scope „bot“ ein und versuch es dann noch einmal.',
  internal: (reference) => `Im Bot ist etwas schiefgegangen. Es steht im Protokoll unter der Kennung ${reference}.`,
  inAMinute: 'in einer Minute',

  venue: {
    busy: (when) => `Im Moment sind es zu viele Abfragen. Versuch es ${when} noch einmal.`,
    rateLimited: (when) =>
      `Der Handelsplatz verlangt eine Pause: Sein Anfragelimit ist aufgebraucht. Versuch es ${when} noch einmal.`,
    unauthorized:
      'Der Handelsplatz lehnt den API-Schlüssel des Bots ab (401). Wer den Bot betreibt, muss ihn prüfen; bis dahin gibt es keine Meldungen.',
    notInPlan:
      'Der Tarif des API-Schlüssels enthält diese Liste nicht (403). Wer den Bot betreibt, bräuchte einen anderen Tarif.',
    unreachable:
      'Der Handelsplatz antwortet im Moment nicht. Es geht nichts verloren: Die Meldungen kommen, sobald er es tut. Versuch es in einer Minute noch einmal.',
    unreadable:
      'Der Handelsplatz hat eine Antwort geschickt, die sich nicht lesen lässt. Versuch es in einer Minute noch einmal; bleibt es so, sag es dem, der den Bot betreibt.',
  },

  admission: {
    notAllowed: 'Dieser Bot ist nur für Server da, die sein Betreiber ausgewählt hat. Dieser gehört nicht dazu.',
    serverBlocked: 'Wer diesen Bot betreibt, hat diesen Server gesperrt. Hier gibt es keine Meldungen.',
    userBlocked: 'Wer diesen Bot betreibt, hat dich gesperrt: Er nimmt keine Befehle von dir an.',
  },

  quota: {
    user: (when) => `Das war viel auf einmal. Versuch es ${when} noch einmal.`,
    server: (when) => `Dieser Server hat in der letzten Minute viel gefragt. Versuch es ${when} noch einmal.`,
    lookups: (most, time, when) =>
      `Dieser Server hat seinen Anteil an Abfragen verbraucht (${most} in ${time}). Versuch es ${when} noch einmal. Meldungen gehen derweil weiter.`,
    watches: (most, present, more) =>
      `Ein Server darf ${most} ${form(most, { one: 'Beobachtung', other: 'Beobachtungen' })} haben. Dieser hat ${present}, also ist kein Platz für ${more === 1 ? 'eine weitere' : `${more} weitere`}. ${slash.remove} schafft Platz; wer den Bot betreibt, kann WATCHES_PER_GUILD erhöhen.`,
  },

  permissions: {
    viewChannel: 'Kanal ansehen',
    sendMessages: 'Nachrichten senden',
    sendMessagesInThreads: 'Nachrichten in Threads senden',
    embedLinks: 'Links einbetten',
    readMessageHistory: 'Nachrichtenverlauf anzeigen',
    mentionEveryone: 'Alle erwähnen',
  },

  channel: {
    unseen: (channel, permission) =>
      `Ich kann ${channel} nicht sehen. Gib mir dort „${permission}“ und versuch es dann noch einmal.`,
    wrongKind: (channel) => `${channel} nimmt keine Nachrichten an. Wähle einen Textkanal oder einen Thread.`,
    closed: (channel, permissions) =>
      `Ich kann mich in ${channel} nicht melden. Gib mir dort diese Rechte: ${permissions}. Versuch es dann noch einmal.`,
    noHistory: (permission) =>
      `Gib mir dort auch „${permission}“: Ohne das kann ich nach einem Ausfall nicht prüfen, ob eine Meldung angekommen war, und wiederhole sie vielleicht.`,
    roleGone: `Die Rolle, die erwähnt werden soll, gibt es nicht mehr: Nenne mit ${slash.edit} eine andere.`,
    notMentionable: (role, channel, permission) =>
      `Ich darf ${role} in ${channel} nicht erwähnen. Mach die Rolle erwähnbar oder gib mir dort „${permission}“.`,
    notYours: (channel, permissions) =>
      `Dir fehlen in ${channel} diese Rechte: ${permissions}. Ich melde mich nur, wo du selbst schreiben darfst.`,
    mentionNotYours: (role, channel, permission) =>
      `Du darfst ${role} in ${channel} selbst nicht erwähnen. Möglich: eine Rolle, die alle erwähnen dürfen, oder dort das Recht „${permission}“.`,
  },

  wallet: {
    ambiguous: (wallets) => `So heißt mehr als ein beobachtetes Wallet: ${wallets}. Gib die Adresse an.`,
    unknown: (typed) =>
      `${typed} ist weder eine Wallet-Adresse (0x und 40 Hexziffern) noch der Name eines Wallets, das dieser Server beobachtet.`,
    typed: 'Das',
    address: {
      shape: (typed) =>
        `„${typed}“ ist keine Wallet-Adresse. Eine solche ist 0x, gefolgt von 40 Hexziffern (0–9, a–f).`,
      checksum: (typed) =>
        `Die Prüfsumme von ${typed} stimmt nicht (EIP-55): Wahrscheinlich ist ein Zeichen vertippt. Kopiere die Adresse noch einmal.`,
    },
  },

  file: {
    refused: (status) => `Discord hat die Datei nicht herausgegeben (${status}). Schick sie noch einmal.`,
    late: 'Die Datei ließ sich nicht rechtzeitig von Discord holen. Schick sie noch einmal.',
    tooLarge: (kibibytes) => `Die Datei ist zu groß. Angenommen werden bis zu ${kibibytes} KiB.`,
  },
};
