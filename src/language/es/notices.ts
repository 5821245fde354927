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
    'Cuando vuelva, recibirás lo que todavía muestre.',
  back: (what, from, to) =>
    `✅ ${venue.start} no estuvo disponible: ${from} – ${to}. Disponibles de nuevo: ${what}. ` +
    'Ahora recibes lo que todavía muestra de ese tiempo.',
  keyRefused: (since) =>
    `⚠️ No hay alertas (desde: ${since}): ${venue.name} rechaza la clave del bot. ` +
    'El responsable del bot tiene que actuar. ' +
    `Después recibirás lo que ${venue.name} todavía muestre.`,
  endpointRefused: (what, since) =>
    `⚠️ No hay alertas de ${what} (desde: ${since}): ` +
    `${venue.name} ya no da acceso a la clave del bot. ` +
    'El responsable del bot tiene que actuar. ' +
    `Después recibirás lo que ${venue.name} todavía muestre.`,
  accepted: (what, from, to) =>
    `✅ ${venue.start} rechazó la clave del bot: ${from} – ${to}. ` +
    `Disponibles de nuevo: ${what}. Ahora recibes lo que todavía muestra de ese tiempo.`,
  late: (what, since) =>
    `⚠️ ${venue.start} muestra con retraso (desde: ${since}): ${what}. ` +
    'Las alertas llegan más tarde por eso.',
  onTime: (what, from, to) =>
    `✅ ${venue.start} mostró con retraso: ${from} – ${to}. De nuevo al día: ${what}.`,
  footer: 'Aviso',
});
