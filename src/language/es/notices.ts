import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: 'operaciones y canjes',
    'deposits-withdrawals': 'depósitos y retiros',
    both: 'operaciones, canjes, depósitos y retiros',
  },
  away: (what, since) =>
    `⚠️ ${venue.start} no responde (desde: ${since}). No disponibles por ahora: ${what}. ` +
    'Las alertas llegarán cuando vuelva.',
  back: (what, from, to) =>
    `✅ ${venue.start} no estuvo disponible: ${from} – ${to}. Disponibles de nuevo: ${what}. ` +
    'Lo que falta de ese tiempo llega ahora.',
  footer: 'Aviso',
});
