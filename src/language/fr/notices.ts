import type { Texts } from '../en/index.ts';

export const notices: Texts['notices'] = {
  what: {
    activity: 'trades et encaissements',
    'deposits-withdrawals': 'dépôts et retraits',
    both: 'trades, encaissements, dépôts et retraits',
  },
  away: (what, since) =>
    `⚠️ La plateforme ne répond plus depuis : ${since}. Illisibles pour l’instant : ${what}. Les alertes suivront dès son retour.`,
  back: (what, from, to) =>
    `✅ La plateforme était injoignable : ${from} – ${to}. De nouveau lisibles : ${what}. Ce qui manque de cette période arrive maintenant.`,
  footer: 'Avis',
};
