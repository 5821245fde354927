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
    'Quando ela voltar, chega o que ainda estiver listado.',
  back: (what, from, to) =>
    `✅ A ${venue.noun} esteve fora do ar: ${from} – ${to}. Disponíveis de novo: ${what}. ` +
    'O que ainda está listado desse período chega agora.',
  keyRefused: (since) =>
    `⚠️ Sem alertas (desde: ${since}): a ${venue.noun} recusa a chave do bot. ` +
    'O responsável pelo bot precisa agir. Depois disso, chega o que ainda estiver listado.',
  endpointRefused: (what, since) =>
    `⚠️ Sem alertas de ${what} (desde: ${since}): ` +
    `a ${venue.noun} não dá mais acesso à chave do bot. ` +
    'O responsável pelo bot precisa agir. Depois disso, chega o que ainda estiver listado.',
  accepted: (what, from, to) =>
    `✅ A ${venue.noun} recusou a chave do bot: ${from} – ${to}. ` +
    `Disponíveis de novo: ${what}. O que ainda está listado desse período chega agora.`,
  late: (what, since) =>
    `⚠️ A ${venue.noun} está listando com atraso (desde: ${since}): ${what}. ` +
    'Por isso, os alertas chegam mais tarde.',
  onTime: (what, from, to) =>
    `✅ A ${venue.noun} listou com atraso: ${from} – ${to}. De novo em dia: ${what}.`,
  footer: 'Aviso',
});
