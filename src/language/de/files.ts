import type { FileWords } from '../en/files.ts';
import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import { dative } from './place.ts';

const form = plural('de');

function errorsOf(errors: string): string {
  return `${errors} Fehler`;
}

export const files = ({ names, slash }: Terms): FileWords => ({
  export: {
    nothing: 'Es werden noch keine Wallets beobachtet, also gibt es nichts zu exportieren.',
    done: (watches, n) =>
      `${watches} beobachtete ${form(n, { one: 'Wallet', other: 'Wallets' })}. ` +
      `Importiere die Datei mit ${slash.import}, hier oder auf einem anderen Server.`,
  },
  import: {
    notYours:
      'Das kann nur entscheiden, ' +
      `wer die Datei gesendet hat und \`/${names.commands.watch}\` benutzen darf.`,
    counted: (added, changed, same) => `${added} neu, ${changed} geändert, ${same} gleich`,
    faultsTitle: (errors) => `${errorsOf(errors)}: nichts geändert`,
    faults: (counted, errors) =>
      `${counted}, **${errorsOf(errors)}**. ` +
      'Eine Datei wird ganz oder gar nicht importiert: ' +
      'Korrigiere sie und schick sie noch einmal.',
    more: (left) => `… und ${left} weitere`,
    nothingToDo: 'Nichts zu ändern: Alles ist schon wie in der Datei.',
    ask:
      'Noch ist nichts geändert. Übernimm es innerhalb einer Stunde oder brich ab. ' +
      'Wallets, die nicht in der Datei stehen, bleiben, wie sie sind.',
    askTyped: 'Noch ist nichts geändert. Übernimm es innerhalb einer Stunde oder brich ab.',
    nothingToAdd: 'Nichts zu ändern: Alle werden dort schon beobachtet.',
    apply: 'Übernehmen',
    cancel: 'Abbrechen',
    added: (watch, channel) => `neu: ${watch} in ${dative(channel)}`,
    changed: (watch, channel, columns) => `geändert (${columns}): ${watch} in ${dative(channel)}`,
    noName: 'ohne Namen',
    cancelledTitle: 'Abgebrochen',
    appliedTitle: (added, changed) => `Übernommen: ${added} neu, ${changed} geändert`,
    applied: `Zu den neuen Wallets kommen ab jetzt Meldungen. ${slash.list} zeigt alle.`,
    busy: 'Hier läuft gerade ein anderer Import. Versuch es in einer Minute noch einmal.',
    brokenOff:
      'Dieser Import wurde unterbrochen. Drück noch einmal „Übernehmen“, um ihn abzuschließen.',
    leftAsTheyAre: (count) =>
      `Zwischendurch von jemand anderem geändert und so belassen: ${count}.`,
    overtaken:
      'Die beobachteten Wallets haben sich seit dieser Vorschau geändert. ' +
      'Es wurde nichts importiert: Schick die Datei noch einmal.',
    over:
      'Dieser Import ist vorbei: ' +
      'Er wurde übernommen, abgebrochen, ' +
      'durch einen späteren ersetzt oder ist nach einer Stunde abgelaufen. ' +
      `${slash.list} zeigt, was beobachtet wird.`,
  },
  places: {
    file: 'Die Datei',
    line: (line) => `Zeile ${line}`,
    entry: (entry) => `Eintrag ${entry}`,
    before: (place, fault) => `**${place}**: ${fault}`,
  },
  faults: {
    notUtf8: 'ist kein UTF-8-Text. Möglich: CSV oder JSON, als UTF-8 gespeichert.',
    empty: 'enthält keine Wallets. Möglich: eine pro Zeile.',
    noCsv: (isOpenQuote) =>
      'ist kein CSV: ' +
      `${isOpenQuote ? 'Ein Anführungszeichen wird nicht geschlossen' : 'Ein Anführungszeichen steht, wo keines stehen kann'}.`,
    noJson: (why) => `ist kein JSON (${why}).`,
    notList: 'ist JSON, aber keine Liste. Möglich: eine Liste von Adressen oder Einträgen.',
    notEntry:
      'ist weder eine Adresse noch ein Objekt mit einer Wallet. ' +
      'Möglich: `"0x…"` oder `{"wallet": "0x…"}`.',
    noColumn: (column, columns) => `hat keine Spalte ${column}. Möglich: ${columns}.`,
    unknownColumn: (column, columns) =>
      `hat eine unbekannte Spalte ${column}. Möglich: ${columns}.`,
    columnTwice: (column) => `hat die Spalte ${column} zweimal. Lass eine stehen.`,
    unknownKey: (key, columns) => `hat einen unbekannten Schlüssel ${key}. Möglich: ${columns}.`,
    keyTwice: (key) => `hat den Schlüssel ${key} zweimal. Lass einen stehen.`,
    object: (key) => `${key} ist ein Objekt. Möglich: ein Text, eine Zahl oder eine Liste davon.`,
    list: (key) => `${key} ist eine Liste. Möglich: ein Text oder eine Zahl.`,
    cells: (cells, accepted) =>
      `hat ${cells} ${form(cells, { one: 'Zelle', other: 'Zellen' })}. ` +
      `Es müssen ${accepted} sein, wie in der ersten Zeile.`,
    tooManyNames: (count, columns) => `hat ${count} Namen. Möglich: ${columns}.`,
    tooMuch: (accepted) =>
      `ist zu lang. Möglich: bis zu ${accepted} Einträge; teil sie auf zwei Dateien auf.`,
    tooLong: (column, characters) =>
      `${column} ist zu lang. Möglich: bis zu ${characters} Zeichen.`,
    repeated: (place) => `wiederholt Wallet und Kanal von ${place}. Lass einen Eintrag stehen.`,
    noWallet: 'wallet fehlt. Möglich: 0x, gefolgt von 40 Hexziffern.',
    bothListed: (only, except) =>
      `${only} und ${except} sind beide ausgefüllt. Nimm nur eines davon.`,
    tooManyListed: (column, listed, accepted) =>
      `${column} nennt ${listed}. Möglich: bis zu ${accepted}.`,
    bandReversed: (min, max) =>
      `minPriceCents ${min} liegt über maxPriceCents ${max}. Vertausche die beiden.`,
    noChannel: (given) =>
      `channel ist ${given}. Möglich: ein Kanal dieses Servers, mit Namen oder ID; ein archivierter Thread erst, wenn er wieder offen ist.`,
    manyChannels: (given) => `channel ist ${given}. Mehr als einer heißt so: Nimm seine ID.`,
    noRole: (given) =>
      `mentionRole ist ${given}. Möglich: eine Rolle dieses Servers, mit Namen oder ID.`,
    manyRoles: (given) => `mentionRole ist ${given}. Mehr als eine heißt so: Nimm ihre ID.`,
    value: (column, given, accepted) => `${column} ist ${given}. Möglich: ${accepted}.`,
  },
  accepted: {
    usdc: 'USDC ab 0, etwa 100 oder 0.5',
    cents: 'Cent von 0 bis 100, etwa 5 oder 99.5',
    seconds: (max) => `ganze Sekunden von 0 bis ${max}`,
    oneOf: (tokens) => `${tokens.join(' oder ')} oder nichts`,
    kinds: (tokens) => `${tokens} oder nichts für alle außer other`,
    label: (max, length) => `bis zu ${max} Zeichen, dies sind ${length}`,
    words: (max) =>
      `Wörter oder Wortfolgen mit bis zu ${max} Zeichen, darunter ein Buchstabe oder eine Ziffer`,
    marketNames: (max) => `IDs oder Slugs mit bis zu ${max} Zeichen`,
    paused: 'yes, no oder bis wann, etwa 2026-11-30T18:00:00Z',
    unspoiltId: (sign) =>
      `${sign}Name, eine ID oder eine Erwähnung: Diese ID hat eine Tabellenkalkulation gekürzt`,
    names: 'Namen mit Leerzeichen dazwischen oder eine Liste wie `["one","two"]`',
  },
});
