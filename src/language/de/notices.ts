import type { Texts } from '../en/index.ts';

export const notices: Texts['notices'] = {
  what: {
    activity: 'Trades und Einlösungen',
    'deposits-withdrawals': 'Ein- und Auszahlungen',
    both: 'Trades, Einlösungen, Ein- und Auszahlungen',
  },
  away: (what, since) =>
    `⚠️ Der Handelsplatz antwortet seit ${since} nicht. Derzeit nicht lesbar: ${what}. Die Meldungen folgen, sobald er wieder antwortet.`,
  back: (what, from, to) =>
    `✅ Der Handelsplatz war nicht erreichbar: ${from} bis ${to}. Wieder lesbar: ${what}. Was aus dieser Zeit fehlt, folgt jetzt.`,
  footer: 'Hinweis',
};
