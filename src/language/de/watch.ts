import type { WatchWords } from '../en/watch.ts';
import { plural } from '../plural.ts';
import { names, slash } from './names.ts';
import { settings } from './watch-settings.ts';
import { status } from './watch-status.ts';

const form = plural('de');

const paused: WatchWords['pause']['state'] = (end) =>
  end === null ? `in der Pause, bis jemand ${slash.resume} eingibt` : `in der Pause bis ${end.at} (${end.in})`;

export const watch: WatchWords = {
  settings,
  status,
  gap: ' ',
  comma: ', ',
  andMore: (shown, more) => `${shown} und ${more} weitere`,
  noName: 'kein Name',
  nothingRings: (channel) => `In ${channel} meldet sich nichts. ${slash.add} fängt an.`,
  changedMeanwhile: `Jemand anderes hat diese Beobachtung im selben Moment geändert oder entfernt. Sieh in ${slash.list} nach und versuch es dann noch einmal.`,
  notHere: (channel) => `Dieses Wallet meldet sich nicht in ${channel}.`,
  norElsewhere: `Auch sonst nirgends auf diesem Server: ${slash.list} zeigt, was sich meldet.`,
  elsewhere: (channels) =>
    `Es meldet sich in ${channels}: Nenne diesen Kanal in der Option \`${names.options.channel}\`.`,
  add: {
    title: (name) => (name === null ? 'Ein Wallet wird beobachtet' : `${name} wird beobachtet`),
    rings: (address, channel) => `${address} meldet sich ab jetzt in ${channel}.`,
    latest: (line) => `Zuletzt: ${line}`,
    unknownWallet: 'Der Handelsplatz weiß noch nichts von diesem Wallet. Ist es die Adresse, die handelt?',
    inPlace: 'Die Beobachtung steht.',
    already: (channel, name) =>
      `Dieses Wallet meldet sich schon in ${channel}, ${name === null ? 'ohne Namen' : `als ${name}`}. ${slash.edit} ändert, wie.`,
  },
  edit: {
    changed: (name) => `Geändert: ${name ?? 'ein Wallet'}`,
    settingsOf: (name) => `Einstellungen: ${name ?? 'ein Wallet'}`,
    where: (address, channel) => `${address} in ${channel}`,
  },
  removed: (address, name, channel) =>
    `${address}${name === null ? '' : ` (${name})`} meldet sich nicht mehr in ${channel}.`,
  pause: {
    state: paused,
    one: (name, channel, end) => `${name} in ${channel} ist ${paused(end)}.`,
    only: (channel, end) => `Die einzige Beobachtung in ${channel} ist ${paused(end)}.`,
    all: (count, channel, end) => `Alle ${count} Beobachtungen in ${channel} sind ${paused(end)}.`,
    already: (name, end) => `${name} ist schon ${paused(end)}.`,
    notMadeUpFor: 'Was währenddessen geschieht, wird nicht nachgeholt.',
    resumeEnds: `${slash.resume} beendet sie.`,
  },
  resume: {
    one: (name, channel) => `${name} in ${channel}: meldet sich ab jetzt wieder.`,
    only: (channel) => `Die eine Beobachtung in ${channel}, die in der Pause war: meldet sich ab jetzt wieder.`,
    all: (count, channel) =>
      `Alle ${count} Beobachtungen in ${channel}, die in der Pause waren, melden sich ab jetzt wieder.`,
    unmuted: (name, person) => `${name} meldet sich ab jetzt wieder: ${person} hat die Stummschaltung beendet.`,
    nothingPaused: (channel) => `In ${channel} ist nichts in der Pause.`,
    notPaused: (name, channel) => `${name} ist in ${channel} nicht in der Pause: Es meldet sich.`,
  },
  mute: {
    muted: (person, name, until) => `${person} hat ${name} in diesem Kanal für 1 h stummgeschaltet, bis ${until}.`,
    unmute: 'Nicht mehr stumm',
    managersOnly:
      'Stummschalten können nur Leute mit dem Recht „Server verwalten“: Es hält die Meldungen von allen hier fern.',
    unknownButton: 'Diesen Knopf gibt es nicht mehr.',
  },
  channel: {
    full: (channel) => `${channel}: Ansicht \`full\`, ein Embed je Meldung mit allen Zahlen.`,
    compact: (channel) => `${channel}: Ansicht \`compact\`, eine Zeile je Meldung, mehrere in einem Embed.`,
    noConsensus: 'Ein Konsens unter Wallets wird nicht gemeldet.',
    consensus: (wallets, time) =>
      `Ein Konsens wird gemeldet, wenn ${wallets} der Wallets hier innerhalb von ${time} auf denselben Ausgang setzen.`,
    walletsWrong: (given, least, most) =>
      `\`${names.options.consensus}\` ist ${given}. Möglich: ${least} bis ${most} Wallets oder 0 für nie.`,
    timeWrong: (examples) =>
      `\`${names.options['consensus-within']}\` ist keine Zeitspanne. Möglich: ${examples}, von einer Minute bis 3 Tagen.`,
  },
  list: {
    range: (first, last, all) => `${first}–${last} von ${all}`,
    title: (count) => `${count} ${form(count, { one: 'Beobachtung', other: 'Beobachtungen' })}`,
    nothing: `Auf diesem Server meldet sich noch nichts. ${slash.add} fängt an.`,
    compactView: 'kompakte Ansicht',
    undelivered: (count, lastReason) =>
      `${count} ${form(count, { one: 'Meldung konnte', other: 'Meldungen konnten' })} hier nicht zugestellt werden. Die letzte: ${lastReason}`,
    noReason: 'kein Grund',
    alertsWait: (since) => `Seit ${since} warten Meldungen.`,
    since: (time) => `Seit ${time}.`,
    polled: (polls) => `abgefragt: ${polls}`,
    endpoints: { activity: 'Trades', 'deposits-withdrawals': 'Zahlungen' },
    lastPoll: (list, last) => `${list} ${last ?? 'noch nicht'}`,
    nextPoll: (polled, next) => `${polled}, wieder ${next ?? 'sofort'}`,
  },
};
