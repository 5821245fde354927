import type { FileWords } from '../en/files.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';

const form = plural('de');

function errorsOf(errors: string): string {
  return `${errors} Fehler`;
}

export const files: FileWords = {
  export: {
    nothing: 'Auf diesem Server meldet sich noch nichts: Es gibt nichts zu exportieren.',
    done: (watches, n) =>
      `${watches} ${form(n, { one: 'Beobachtung', other: 'Beobachtungen' })}. ${slash.import} nimmt die Datei wieder an, hier oder auf einem anderen Server.`,
  },
  import: {
    notYours: `Das kann nur entscheiden, wer \`/${names.commands.watch}\` benutzen darf und die Datei gesendet hat.`,
    counted: (added, changed, same) => `${added} neu, ${changed} geändert, ${same} gleich`,
    faultsTitle: (errors) => `${errorsOf(errors)}: nichts wurde geändert`,
    faults: (counted, errors) =>
      `${counted}, **${errorsOf(errors)}**. Eine Datei wird ganz oder gar nicht übernommen: Berichtige sie und sende sie noch einmal.`,
    more: (left) => `… und ${left} weitere`,
    unreadable: 'ist nicht lesbar',
    nothingToDo: 'Die Beobachtungen sind schon so, wie die Datei sie will.',
    ask: 'Noch ist nichts geändert. Übernimm es binnen einer Stunde oder brich ab. Beobachtungen, die die Datei nicht nennt, bleiben, wie sie sind.',
    apply: 'Übernehmen',
    cancel: 'Abbrechen',
    added: (watch, channel) => `neu: ${watch} in ${channel}`,
    changed: (watch, channel, columns) => `geändert (${columns}): ${watch} in ${channel}`,
    noName: 'ohne Namen',
    cancelledTitle: 'Abgebrochen',
    cancelled: 'Nichts wurde geändert.',
    appliedTitle: (added, changed) => `Übernommen: ${added} neu, ${changed} geändert`,
    applied: `Neue Beobachtungen melden, was ab jetzt geschieht. ${slash.list} zeigt sie alle.`,
    busy: 'Auf diesem Server läuft gerade ein Import. Versuche es in einer Minute wieder.',
    brokenOff:
      'Dieser Import hat begonnen und wurde unterbrochen. Drücke noch einmal „Übernehmen“, um ihn abzuschließen.',
    overtaken:
      'Die Beobachtungen haben sich seit dem Probelauf geändert. Sende die Datei noch einmal: Nichts wurde geändert.',
    over: `Dieser Import ist vorbei: Er wurde übernommen, abgebrochen, durch einen späteren ersetzt oder ist älter als eine Stunde. ${slash.list} zeigt, was sich meldet.`,
  },
  places: {
    file: 'Die Datei',
    line: (line) => `Zeile ${line}`,
    entry: (entry) => `Eintrag ${entry}`,
    before: (place, fault) => `**${place}**: ${fault}`,
  },
  faults: {
    notUtf8: 'ist kein UTF-8-Text. Möglich: CSV oder JSON, als UTF-8 gespeichert.',
    empty: 'enthält keine Beobachtung. Möglich: ein Wallet auf jeder Zeile.',
    noCsv: (_why, isOpenQuote) =>
      `ist kein CSV: ${isOpenQuote ? 'Ein Anführungszeichen wird nicht geschlossen' : 'Ein Anführungszeichen steht, wo keines stehen kann'}.`,
    noJson: (why) => `ist kein JSON (${why}).`,
    notList: 'ist JSON, aber keine Liste. Möglich: eine Liste von Adressen oder von Beobachtungen.',
    notEntry: 'ist weder eine Adresse noch eine Beobachtung. Möglich: "0x…" oder {"wallet": "0x…"}.',
    noColumn: (column, columns) => `hat keine Spalte ${column}. Möglich: ${columns}.`,
    unknownColumn: (column, columns) => `nennt die Spalte „${column}“. Möglich: ${columns}.`,
    columnTwice: (column) => `hat die Spalte ${column} zweimal. Möglich: einmal.`,
    unknownKey: (key, columns) => `hat den Schlüssel „${key}“. Möglich: ${columns}.`,
    keyTwice: (key) => `hat den Schlüssel ${key} zweimal. Möglich: einmal.`,
    object: (key) => `${key} ist ein Objekt. Möglich: ein Text, eine Zahl oder eine Liste davon.`,
    list: (key) => `${key} ist eine Liste. Möglich: ein Text oder eine Zahl.`,
    cells: (cells, accepted) =>
      `hat ${cells} ${form(cells, { one: 'Zelle', other: 'Zellen' })}. Möglich: ${accepted}, wie in der ersten Zeile.`,
    tooManyNames: (count, columns) => `hat ${count} Namen. Möglich: ${columns}.`,
    tooMuch: (accepted) => `enthält zu viel. Möglich: bis zu ${accepted} Beobachtungen; mache zwei Dateien daraus.`,
    tooLong: (column, characters) => `${column} ist zu lang. Möglich: bis zu ${characters} Zeichen.`,
    repeated: (place) => `nennt Wallet und Kanal von ${place} noch einmal. Möglich: einmal.`,
    noWallet: 'wallet fehlt. Möglich: 0x, gefolgt von 40 Hex-Ziffern.',
    bothMarkets: 'onlyMarkets und exceptMarkets sind beide ausgefüllt. Möglich: eines davon.',
    tooManyMarkets: (column, markets, accepted) => `${column} nennt ${markets} Märkte. Möglich: bis zu ${accepted}.`,
    bandReversed: (min, max) => `minPriceCents ${min} liegt über maxPriceCents ${max}. Möglich: andersherum.`,
    noChannel: (given) => `channel ist „${given}“. Möglich: ein Kanal dieses Servers, mit Namen oder ID.`,
    manyChannels: (given) => `channel ist „${given}“. Mehr als einer heißt so: Gib seine ID an.`,
    noRole: (given) => `mentionRole ist „${given}“. Möglich: eine Rolle dieses Servers, mit Namen oder ID.`,
    manyRoles: (given) => `mentionRole ist „${given}“. Mehr als eine heißt so: Gib ihre ID an.`,
    value: (column, given, accepted) => `${column} ist „${given}“. Möglich: ${accepted}.`,
  },
  accepted: {
    usdc: 'USDC ab 0, etwa 100 oder 0.5',
    cents: 'Cent von 0 bis 100, etwa 5 oder 99.5',
    seconds: (max) => `ganze Sekunden von 0 bis ${max}`,
    oneOf: (tokens) => `${tokens.join(' oder ')} oder nichts`,
    kinds: (tokens) => `${tokens} oder nichts für alle`,
    label: (max, length) => `bis zu ${max} Zeichen, dies sind ${length}`,
    marketNames: (max) => `IDs oder Slugs mit bis zu ${max} Zeichen`,
    paused: 'yes, no oder bis wann, etwa 2026-11-30T18:00:00Z',
    unspoiltId: (sign) => `${sign}Name, eine ID oder eine Erwähnung: Diese ID hat eine Tabellenkalkulation gekürzt`,
    names: 'Namen mit Leerzeichen dazwischen oder eine Liste wie ["one","two"]',
  },
};
