import type { WatchWords } from '../../en/watch/watch.ts';
import { plural } from '../../plural.ts';
import type { Terms } from '../../terms.ts';
import type { Texts } from '../../texts.ts';
import { dative } from '../place.ts';
import type { VenueForms } from '../venue.ts';
import { panel } from './panel.ts';
import { settings } from './settings.ts';
import { status } from './status.ts';
import { why } from './why.ts';

const form = plural('de');

const paused = (resume: string, end: Parameters<Texts['watch']['pause']['state']>[0]) =>
  end === null ? `pausiert, bis jemand ${resume} benutzt` : `pausiert bis ${end.at} (${end.in})`;

export const watch = (venue: VenueForms, { names, slash, permissions }: Terms): WatchWords => ({
  settings: settings({ names, permissions, slash }),
  panel: panel({ names, permissions, slash }),
  status: status(venue, { names, permissions, slash }),
  why: why(venue, { names, permissions, slash }),
  gap: ' ',
  comma: ', ',
  and: '',
  andMore: (shown, more) => `${shown} und ${more} weitere`,
  noName: 'kein Name',
  nothingWatched: (channel) =>
    `In ${dative(channel)} werden keine Wallets beobachtet. Füg mit ${slash.add} eine hinzu.`,
  notHere: (channel) => `Diese Wallet wird in ${dative(channel)} nicht beobachtet.`,
  notElsewhere: `Auch sonst nirgends auf diesem Server: ${slash.list} zeigt, was beobachtet wird.`,
  elsewhere: (channels) =>
    `Sie wird in ${channels} beobachtet: Wähle diesen Kanal mit \`${names.options.channel}\`.`,
  add: {
    watching: (name, channel) => `${name} wird in ${dative(channel)} beobachtet.`,
    everything: 'Du bekommst alles gemeldet, was sie tut.',
    withSettings: 'Ab jetzt bekommst du Meldungen:',
    latest: (line) => `Zuletzt: ${line}`,
    unknownWallet:
      `${venue.start} hat noch keine Einträge zu dieser Wallet. ` +
      'Ist es die Adresse, die handelt (die Proxy-Wallet)?',
    proxy: (address) =>
      `Diese Wallet handelt unter einer anderen Adresse, ihrer Proxy-Wallet: \`${address}\`. ` +
      `${venue.start} listet dort, was sie tut: Nimm also diese Adresse.`,
    noAnswer:
      `${venue.start} antwortet gerade nicht. ` +
      'Die Meldungen kommen, sobald die Verbindung wieder steht.',
    already: (channel, name) =>
      `Diese Wallet wird in ${dative(channel)} schon beobachtet, ` +
      `${name === null ? 'ohne Namen' : `als ${name}`}. ` +
      `Ändere ihre Meldungen mit ${slash.edit}.`,
  },
  flood: {
    about: (trades, time) => `Etwa ${trades} Trades pro Tag, nach ${time} gerechnet.`,
    cooldown: (time) => `Höchstens 1 Meldung pro Markt alle ${time}`,
    minUsdc: (amount) => `Erst ab ${amount}, der üblichen Größe`,
    undo: (what) => `Rückgängig: ${what}`,
    changed: (person, name, channel, what) =>
      `${person} hat die Meldungen zu ${name} in ${dative(channel)} geändert: ${what}.`,
    undone: (person, name, channel, what) =>
      `${person} hat das für ${name} in ${dative(channel)} zurückgenommen. Gilt nicht mehr: ${what}.`,
    edited:
      `Jemand hat diese Einstellung inzwischen geändert. Nimm ${slash.edit}. ` +
      'Es wurde nichts geändert.',
  },
  edit: {
    changed: (name) => `Geändert: ${name ?? 'eine Wallet'}`,
    settingsOf: (name) => `Einstellungen: ${name ?? 'eine Wallet'}`,
    where: (address, channel) => `${address} in ${dative(channel)}`,
  },
  changes: {
    title: 'Wer was geändert hat',
    kept: 'Die letzten 30 Tage, höchstens 500 Änderungen',
    deeds: {
      added: 'hinzugefügt',
      paused: 'pausiert',
      resumed: 'fortgesetzt',
      removed: 'entfernt',
      restored: 'wiederhergestellt',
    },
    edited: (names) => `${names} geändert`,
  },
  undo: {
    button: 'Rückgängig',
    until: (time) =>
      `Bis ${time} lässt sich das rückgängig machen. Verpasste Meldungen kommen dann nach.`,
    done: (name, channel) =>
      `${name} wird in ${dative(channel)} wieder beobachtet. Verpasste Meldungen kommen nach.`,
    over:
      'Das lässt sich nicht mehr rückgängig machen. ' +
      `Füg die Wallet mit ${slash.add} wieder hinzu.`,
  },
  managersOnly: `Diesen Button kann nur benutzen, wer die Berechtigung „${permissions.manageServer}“ hat.`,
  removed: (address, name, channel) =>
    `${name === null ? address : `${name} (${address})`} wird in ${dative(channel)} nicht mehr beobachtet.`,
  pause: {
    state: (end) => paused(slash.resume, end),
    one: (name, channel, end) => `${name} in ${dative(channel)} ist ${paused(slash.resume, end)}.`,
    only: (channel, end) =>
      `Die einzige beobachtete Wallet in ${dative(channel)} ist ${paused(slash.resume, end)}.`,
    all: (count, channel, end) =>
      `Alle ${count} beobachteten Wallets in ${dative(channel)} sind ${paused(slash.resume, end)}.`,
    already: (name, end) => `${name} ist schon ${paused(slash.resume, end)}.`,
    notPostedLater: 'Was während der Pause geschieht, wird nicht nachgereicht.',
    resumeEnds: `Früher beenden kannst du sie mit ${slash.resume}.`,
    resume: 'Fortsetzen',
  },
  resume: {
    one: (name, channel) => `Ab jetzt gibt es in ${dative(channel)} wieder Meldungen zu ${name}.`,
    only: (channel) =>
      `Ab jetzt gibt es in ${dative(channel)} wieder Meldungen zur einzigen pausierten Wallet.`,
    all: (count, channel) =>
      `Ab jetzt gibt es in ${dative(channel)} wieder Meldungen zu allen ${count} pausierten Wallets.`,
    unmuted: (name, person) =>
      `${person} hat die Stummschaltung von ${name} aufgehoben. Ab jetzt gibt es wieder Meldungen.`,
    nothingPaused: (channel) => `In ${dative(channel)} ist nichts pausiert.`,
    notPaused: (name, channel) => `${name} ist in ${dative(channel)} nicht pausiert.`,
  },
  mute: {
    muted: (person, name, until) =>
      `${person} hat ${name} in diesem Kanal für 1 h stummgeschaltet (bis ${until}). ` +
      'Was bis dahin geschieht, wird nicht nachgereicht.',
    unmute: 'Stummschaltung aufheben',
    managersOnly:
      `Stummschalten kann nur, wer die Berechtigung „${permissions.manageServer}“ hat: ` +
      'Alle im Kanal bekommen diese Meldungen dann nicht.',
    unknownButton: 'Dieser Button funktioniert nicht mehr.',
  },
  channel: {
    full: (channel) =>
      `${channel}: Ansicht \`ausführlich\`, ein Embed pro Meldung mit allen Zahlen.`,
    compact: (channel) =>
      `${channel}: Ansicht \`kompakt\`, eine Zeile pro Meldung, mehrere in einem Embed.`,
    noConsensus: 'Meldungen bei Konsens sind aus.',
    consensus: (wallets, time) =>
      'Meldungen bei Konsens: ' +
      `wenn ${wallets} der Wallets hier innerhalb von ${time} denselben Ausgang kaufen.`,
    words: (words) => `Seine Meldungen: ${words}.`,
    results: { on: 'Ergebnisse sind an.', off: 'Ergebnisse sind aus.' },
    consensusOnly: {
      on:
        'Nur Konsens: ' +
        'einzelne Trades, Einlösungen, Ein- und Auszahlungen werden hier **nicht gemeldet**. ' +
        'Hinweise, dass etwas fehlen kann, und Ergebnisse von früher Gemeldetem kommen weiter.',
      off: 'Einzelne Meldungen kommen auch.',
    },
    quiet: {
      on: (from, to, zone) =>
        `Ruhezeit von ${from} bis ${to} Uhr (${zone}): Alles kommt ohne Ton und erwähnt niemanden.`,
      off: 'Es gibt keine Ruhezeit.',
      takes: `zwei Uhrzeiten wie \`22:00-07:00\` oder \`${names.typed.none}\``,
      zoneMissing:
        `In welcher Zeitzone? Gib neben \`${names.options.quiet}\` auch ` +
        `\`${names.options['time-zone']}\` an. ` +
        'Es wurde nichts geändert.',
      hoursMissing:
        `\`${names.options['time-zone']}\` ist die Zeitzone der Ruhezeit, und es gibt keine. ` +
        `Gib auch \`${names.options.quiet}\` an. ` +
        'Es wurde nichts geändert.',
    },
    delay: {
      on: (time) =>
        `Alles kommt hier ${time} verzögert. Auch Pausen und Einstellungen wirken mit dieser Verzögerung.`,
      off: 'Hier kommt alles ohne Verzögerung.',
    },
    consensusMissing:
      `\`${names.options['consensus-only']}\` kann ohne Konsens nicht \`an\` sein. ` +
      `Gib auch \`${names.options.consensus}\` an. Es wurde nichts geändert.`,
    walletsWrong: (given, least, most) =>
      `\`${given}\` passt nicht zu \`${names.options.consensus}\`. ` +
      `Möglich: ${least} bis ${most} Wallets oder 0 für nie. Es wurde nichts geändert.`,
  },
  list: {
    range: (first, last, all) => `Zeilen ${first}–${last} von ${all}`,
    title: (wallets, channels) =>
      `${wallets} ${form(wallets, { one: 'beobachtete Wallet', other: 'beobachtete Wallets' })}` +
      `${channels === null ? '' : ` in ${channels} Kanälen`}`,
    problems: (channels) =>
      `${channels} ${form(channels, { one: 'Kanal', other: 'Kanäle' })} mit Problem`,
    nothing: `Es werden noch keine Wallets beobachtet. Füg mit ${slash.add} eine hinzu.`,
    compactView: 'kompakte Ansicht',
    consensusOnly: 'nur Konsens',
    noResults: 'keine Ergebnisse',
    quiet: (from, to, zone) => `Ruhezeit ${from}–${to} (${zone})`,
    delay: (time) => `${time} verzögert`,
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'Meldung konnte', other: 'Meldungen konnten' })} hier ` +
      `nicht zugestellt werden. Die letzte: ${lastReason}`,
    noReason: 'kein Grund',
    alertsWait: (since) => `Meldungen warten, die älteste: ${since}.`,
    since: (time) => `Beginn: ${time}.`,
    lastTrade: (time) => `letzter Trade ${time}`,
    polled: (polls) => `abgefragt: ${polls}`,
    endpoints: { activity: 'Trades', 'deposits-withdrawals': 'Ein- und Auszahlungen' },
    lastPoll: (list, last) => `${list} ${last ?? 'noch nicht'}`,
  },
});
