import type { Texts } from '../texts.ts';
import type { VenueForms } from './venue.ts';

export const notices = (venue: VenueForms): Texts['notices'] => ({
  what: {
    activity: 'operações e resgates',
    'deposits-withdrawals': 'depósitos e saques',
    both: 'operações, resgates, depósitos e saques',
  },
  away: (what, since) =>
    `⚠️ A ${venue.noun} não responde (desde: ${since}). Indisponíveis no momento: ${what}. ` +
    'Os alertas chegam quando ela voltar.',
  back: (what, from, to) =>
    `✅ A ${venue.noun} esteve fora do ar: ${from} – ${to}. Disponíveis de novo: ${what}. ` +
    'O que falta desse período chega agora.',
  footer: 'Aviso',
});
