import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: 'Trades und Einlösungen',
    'deposits-withdrawals': 'Ein- und Auszahlungen',
    both: 'Trades, Einlösungen, Ein- und Auszahlungen',
  },
  away: (what, since) =>
    `⚠️ ${venue.start} antwortet seit ${since} nicht. Derzeit nicht abrufbar: ${what}. ` +
    'Sobald die Verbindung wieder steht, bekommst du, was dort noch gelistet ist.',
  back: (what, from, to) =>
    `✅ ${venue.start} war nicht erreichbar: ${from} bis ${to}. Wieder abrufbar: ${what}. ` +
    'Du bekommst jetzt, was aus dieser Zeit noch gelistet ist.',
  keyRefused: (since) =>
    `⚠️ Keine Meldungen seit ${since}: ${venue.start} lehnt den Schlüssel des Bots ab. ` +
    'Der Betreiber des Bots muss handeln. Danach bekommst du, was dort noch gelistet ist.',
  endpointRefused: (what, since) =>
    `⚠️ Keine Meldungen seit ${since}: ${what}. ` +
    `${venue.start} verweigert sie dem Schlüssel des Bots. ` +
    'Der Betreiber des Bots muss handeln. Danach bekommst du, was dort noch gelistet ist.',
  accepted: (what, from, to) =>
    `✅ ${venue.start} hat den Schlüssel des Bots abgelehnt: ${from} bis ${to}. ` +
    `Wieder abrufbar: ${what}. Du bekommst jetzt, was aus dieser Zeit noch gelistet ist.`,
  late: (what, since) =>
    `⚠️ ${venue.start} listet seit ${since} verspätet: ${what}. Die Meldungen kommen entsprechend später.`,
  onTime: (what, from, to) =>
    `✅ ${venue.start} hat verspätet gelistet: ${from} bis ${to}. Wieder pünktlich: ${what}.`,
  footer: 'Hinweis',
});
