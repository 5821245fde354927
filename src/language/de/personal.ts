import type { PersonalWords } from '../en/personal.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import { DIRECT_MESSAGE } from './place.ts';

const form = plural('de');

function watched(watches: number): string {
  if (watches === 0) return 'deine privaten Einstellungen';
  if (watches === 1) return 'deine privat beobachtete Wallet';
  return `deine ${watches} privat beobachteten Wallets`;
}

export const personal = ({ slash }: Terms): PersonalWords => ({
  here: DIRECT_MESSAGE,
  welcome:
    '👋 Deine privaten Meldungen kommen hierher: Nur du siehst, was du beobachtest. ' +
    `${slash.list} zeigt es, ${slash['delete-data']} löscht alle deine Daten.`,
  watchElsewhere:
    `${slash.watch} funktioniert auf Servern, auf denen ich bin, ` +
    'und in einer Direktnachricht mit mir: ' +
    'Öffne mein Profil und schreib mir dort, dann bekommst du private Meldungen.',
  watchNotManager: (permission) =>
    `Auf einem Server braucht ${slash.watch} „${permission}“. ` +
    'Hat dir ein Admin den Befehl erlaubt, entferne mich zuerst aus deinen eigenen Apps: ' +
    'Dann prüft Discord das. Für dich allein geht es in einer Direktnachricht mit mir.',
  off: 'Private Meldungen sind hier abgeschaltet. Frag den Betreiber des Bots.',
  notServed: 'Dieser Bot arbeitet nur auf Servern, die sein Betreiber ausgewählt hat.',
  serversOnly: (option) =>
    `In einer Direktnachricht gibt es keine Kanäle und Rollen: Lass \`${option}\` weg. ` +
    'Es wurde nichts geändert.',
  notWatched: `Du beobachtest diese Wallet hier nicht. ${slash.list} zeigt, was du beobachtest.`,
  unknownWallet: (typed) =>
    `${typed} ist weder eine Wallet-Adresse (0x und 40 Hexziffern) ` +
    'noch der Name einer deiner eigenen Wallets.',
  tooMany: (most, present, more) =>
    `Du kannst ${most} ${form(most, { one: 'Wallet', other: 'Wallets' })} privat beobachten. ` +
    `Du beobachtest ${present}, ` +
    `da ${more === 1 ? 'passt keine weitere' : `passen keine ${more}`} mehr. ` +
    `Es wurde nichts geändert. Mach Platz mit ${slash.remove}.`,
  lookups: (most, time, when) =>
    `Du hast deine Abfragen verbraucht (${most} in ${time}). Versuch es ${when} noch einmal. ` +
    'Die Meldungen laufen weiter wie gewohnt.',
  ownLanguage: 'deine Discord-Sprache',
  refused: {
    closed:
      'Ich kann dir keine Direktnachrichten schicken (50007), also wurde nichts gespeichert. ' +
      'Heb meine Blockierung auf, oder erlaube Direktnachrichten von einem Server, ' +
      'auf dem wir beide sind: sein Menü → Privatsphäre-Einstellungen → Direktnachrichten. ' +
      'Versuch es dann noch einmal.',
    noSharedServer:
      'Discord lässt mich dir nicht schreiben, ' +
      'weil wir keinen gemeinsamen Server haben (50278), also wurde nichts gespeichert. ' +
      'Tritt einem Server bei, auf dem ich bin, oder lade mich auf einen von deinen ein. ' +
      'Versuch es dann noch einmal.',
    later:
      'Discord nimmt meine Nachrichten gerade nicht an, also wurde nichts gespeichert. ' +
      'Versuch es in einer Minute noch einmal.',
    openedTooFast:
      'Discord lässt mich nur wenige Direktnachrichten auf einmal beginnen (40003), ' +
      'und gerade haben viele gedrückt. Es wurde nichts gespeichert. ' +
      'Versuch es in einer Minute noch einmal.',
    tooFast: (when) =>
      `Gerade fangen viele an. Es wurde nichts gespeichert. Versuch es ${when} noch einmal.`,
  },
  leftOut: 'Kanäle und Rollen der Datei bleiben weg: Alles kommt in diese DM.',
  follow: {
    button: 'Auch mir melden',
    done: (name, dm) =>
      `Meldungen zu ${name} bekommst du jetzt in [unserer Direktnachricht](${dm}). ` +
      'Nur du siehst sie:',
    change: `Dort änderst du sie mit ${slash.edit} und beendest sie mit ${slash.remove}.`,
    already: (name, dm) =>
      `Meldungen zu ${name} bekommst du schon in [unserer Direktnachricht](${dm}).`,
    wordsLeftOut: (words) =>
      `Der Kanal hat außerdem Wörter für alle seine Wallets: ${words}. Für deine Meldungen gelten sie nicht.`,
  },
  forget: {
    title: 'Alle deine Daten löschen?',
    question: (watches) =>
      `Das löscht ${watched(watches)} mit allen Einstellungen, deine Übersicht, ` +
      'Listen und alles andere, was über dich gespeichert ist. ' +
      'Nachrichten, die du schon bekommen hast, bleiben in dieser DM, und Wallets, ' +
      'die du auf Servern hinzugefügt hast, bleiben dort, ' +
      'mit deiner ID, bis du den Befehl dort eingibst. ' +
      'Das lässt sich nicht rückgängig machen. ' +
      `Eine Kopie bekommst du vorher mit ${slash.export}.`,
    yes: 'Alles löschen',
    no: 'Behalten',
    done: 'Alle deine Daten sind gelöscht. Hier kommen keine Meldungen mehr.',
    kept: 'Es wurde nichts gelöscht.',
    inServer:
      'Deine ID ist hier gelöscht: bei den Wallets, die du hinzugefügt hast, ' +
      'und bei deinen Änderungen. Beides bleibt. Was du ab jetzt änderst, wird wieder vermerkt. ' +
      `In einer Direktnachricht mit mir löscht ${slash['delete-data']} alles andere.`,
  },
});
