import type { Texts } from '../en/index.ts';

export const notices: Texts['notices'] = {
  what: {
    activity: 'operaciones y canjes',
    'deposits-withdrawals': 'depósitos y retiros',
    both: 'operaciones, canjes, depósitos y retiros',
  },
  away: (what, since) =>
    `⚠️ La plataforma no responde desde: ${since}. De momento no se pueden leer: ${what}. Las alertas llegarán cuando vuelva.`,
  back: (what, from, to) =>
    `✅ La plataforma no estuvo disponible: ${from} – ${to}. Ya se pueden leer de nuevo: ${what}. Lo que falta de ese tiempo llega ahora.`,
  footer: 'Aviso',
};
