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
    `Indisponibles pour l’instant\u00a0: ${what}. ` +
    'À son retour, tu recevras ce qui y est encore affiché.',
  back: (what, from, to) =>
    `✅ ${venue.start} était injoignable\u00a0: ${from} – ${to}. ` +
    `De nouveau disponibles\u00a0: ${what}. ` +
    'Tu reçois maintenant ce qui est encore affiché de cette période.',
  keyRefused: (since) =>
    `⚠️ Aucune alerte depuis ${since}\u00a0: ${venue.name} refuse la clé du bot. ` +
    'Le responsable du bot doit intervenir. Tu recevras ensuite ce qui est encore affiché.',
  endpointRefused: (what, since) =>
    `⚠️ Aucune alerte depuis ${since} pour ce qui suit\u00a0: ${what}. ` +
    `${venue.start} n’y donne plus accès à la clé du bot. ` +
    'Le responsable du bot doit intervenir. Tu recevras ensuite ce qui est encore affiché.',
  accepted: (what, from, to) =>
    `✅ ${venue.start} a refusé la clé du bot\u00a0: ${from} – ${to}. ` +
    `De nouveau disponibles\u00a0: ${what}. ` +
    'Tu reçois maintenant ce qui est encore affiché de cette période.',
  late: (what, since) =>
    `⚠️ ${venue.start} affiche avec du retard (depuis ${since})\u00a0: ${what}. ` +
    'Les alertes arrivent donc plus tard.',
  onTime: (what, from, to) =>
    `✅ ${venue.start} affichait avec du retard\u00a0: ${from} – ${to}. ` +
    `De nouveau à jour\u00a0: ${what}.`,
  footer: 'Avis',
});
