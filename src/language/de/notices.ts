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
    'Die Meldungen kommen, sobald die Verbindung wieder steht.',
  back: (what, from, to) =>
    `✅ ${venue.start} war nicht erreichbar: ${from} bis ${to}. Wieder abrufbar: ${what}. ` +
    'Was du verpasst hast, kommt jetzt.',
  footer: 'Hinweis',
});
