import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: 'trades et encaissements',
    'deposits-withdrawals': 'dépôts et retraits',
    both: 'trades, encaissements, dépôts et retraits',
  },
  away: (what, since) =>
    `⚠️ ${venue.start} ne répond plus (depuis ${since}). ` +
    `Indisponibles pour l’instant\u00a0: ${what}. Les alertes suivront dès son retour.`,
  back: (what, from, to) =>
    `✅ ${venue.start} était injoignable\u00a0: ${from} – ${to}. ` +
    `De nouveau disponibles\u00a0: ${what}. Ce qui manque de cette période arrive maintenant.`,
  footer: 'Avis',
});
