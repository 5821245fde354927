import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('de');

export const scores: ScoreWords = {
  title: 'Bilanz der Wallets',
  intro: (channel) => `Was aus den Meldungen in ${channel} wurde`,
  method:
    'Ertrag je Dollar zu den Preisen der Meldungen, nach Gebühren, ± ein Standardfehler. Rang nach dem Ertrag abzüglich dieses Fehlers; Märkte, die länger als 30 Tage offen sind, zählen als verloren.',
  unranked: 'Ohne Rang: weniger als 20 abgeschlossene Märkte',
  won: (won, markets, n) =>
    `${won} von ${markets} ${form(n, { one: 'abgeschlossenem Markt', other: 'abgeschlossenen Märkten' })} gewonnen`,
  closedAlone: (figure) => `nur abgeschlossene ${figure}`,
  open: (count) => `${count} offen`,
  openOldest: (count, _n, oldest) => `${count} offen, am längsten seit ${oldest}`,
  overdue: (count) => `${count} länger als 30 Tage, als verloren gezählt`,
  givenUp: (count) => `${count} nicht weiterverfolgt`,
  noneClosed: 'noch keiner abgeschlossen',
  noAlerts: (count, n) => `Noch kein Kauf gemeldet: ${count} ${form(n, { one: 'Wallet', other: 'Wallets' })}`,
  more: (count) => `… und ${count} weitere`,
  nothing:
    'Noch keine Bilanz: Hier wurde noch kein Kauf dieser Wallets gemeldet. Sobald es einen gibt, steht das Wallet hier; ein Markt zählt, wenn das Wallet alles Gemeldete verkauft oder eingelöst hat, und ab 20 solchen Märkten bekommt es einen Rang.',
  hidden: (channel) => `Du kannst ${channel} nicht sehen, deshalb zeige ich die Bilanz nicht.`,
  elsewhere: (channel) => `Nicht alle, die diesen Kanal lesen, können ${channel} sehen. Frag dort nach der Bilanz.`,
  chart: {
    title: 'Ertrag je Dollar ± Standardfehler',
    ranked: 'Über 30 Tage offen: verloren',
    closed: 'Nur abgeschlossene',
    beyond: 'Jenseits der Achse',
    alt: 'Ertrag je Dollar der Wallets mit Rang, mit Fehlerbalken',
  },
  digest: { all: 'Bilanz', ends: (count) => `Bilanz: die Besten und Schlechtesten von ${count}` },
};
